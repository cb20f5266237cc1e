package admin

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// Options that name the target of a reset, as the official tool calls them; To is ours
// and says each of them in one word.
const (
	ToEarliest = "to-earliest"
	ToLatest   = "to-latest"
	ToCurrent  = "to-current"
	ToOffset   = "to-offset"
	ShiftBy    = "shift-by"
	ToDatetime = "to-datetime"
	ByDuration = "by-duration"
	To         = "to"
)

// Target says where a reset is to take a group.
type Target struct {
	option string
	number int64  // the offset or the shift
	millis int64  // the time, for the two options that give one
	value  string // as the official tool takes it
}

// Official returns the target as options of kafka-consumer-groups.sh.
func (t Target) Official() []string {
	if t.value == "" {
		return []string{"--" + t.option}
	}
	return []string{"--" + t.option, t.value}
}

// timed says whether the target is a point in time.
func (t Target) timed() bool { return t.option == ToDatetime || t.option == ByDuration }

// ParseTarget returns the target that an option names; a usage error if the value makes
// no sense. now is where --by-duration counts from.
func ParseTarget(option, value string, now time.Time) (Target, error) {
	t := Target{option: option, value: value}
	var err error
	switch option {
	case To:
		return parseTo(value, now)
	case ToEarliest, ToLatest, ToCurrent:
		t.value = ""
	case ToOffset:
		if tooLarge(value) && value[0] != '-' {
			return t, errTooLarge(option, value)
		}
		if t.number, err = strconv.ParseInt(value, 10, 64); err != nil || t.number < 0 {
			return t, cli.Usagef("flag --to-offset cannot be %s: a number from 0 on; "+
				"--shift-by moves by a number", cell(value))
		}
		t.value = strconv.FormatInt(t.number, 10)
	case ShiftBy:
		if tooLarge(value) {
			return t, errTooLarge(option, value)
		}
		if t.number, err = strconv.ParseInt(value, 10, 64); err != nil {
			return t, cli.Usagef("flag --shift-by cannot be %s: a whole number, "+
				"below zero to go back", cell(value))
		}
		t.value = strconv.FormatInt(t.number, 10)
	case ToDatetime:
		at, ok := parseTime(value)
		if !ok {
			return t, cli.Usagef("flag --to-datetime cannot be %s: 2026-03-01T10:00:00.000 (UTC) "+
				"or 2026-03-01T10:00:00+03:00", cell(value))
		}
		t.setTime(at)
		t.value = t.at()
	case ByDuration:
		d, ok := parseDuration(value)
		if !ok {
			return t, cli.Usagef("flag --by-duration cannot be %s: PT1H30M, P1D or 1h30m",
				cell(value))
		}
		t.setTime(now.Add(-d))
		t.value = isoDuration(d)
	}
	return t, nil
}

// parseTo reads the value of --to.
func parseTo(value string, now time.Time) (Target, error) {
	wrong := cli.Usagef("flag --to cannot be %s: earliest, latest, current, an offset, a shift "+
		"such as +5 or -5, @ and a time, or @- and a duration", cell(value))
	option, rest := "", value
	switch {
	case value == "earliest" || value == "latest" || value == "current":
		option = "to-" + value
	case strings.HasPrefix(value, "@-"):
		option, rest = ByDuration, value[2:]
	case strings.HasPrefix(value, "@"):
		option, rest = ToDatetime, value[1:]
	case strings.HasPrefix(value, "+") || strings.HasPrefix(value, "-"):
		option = ShiftBy
	default:
		option = ToOffset
	}
	if (option == ToOffset || option == ShiftBy) && tooLarge(rest) {
		return Target{}, errTooLarge(To, value)
	}
	t, err := ParseTarget(option, rest, now)
	if err != nil {
		return t, wrong
	}
	return t, nil
}

// tooLarge says whether value is a number, and further than an offset can be or move.
func tooLarge(value string) bool {
	n, err := strconv.ParseInt(value, 10, 64)
	return errors.Is(err, strconv.ErrRange) && n != 0
}

func errTooLarge(option, value string) error {
	return cli.Usagef("flag --%s cannot be %s: offsets go up to %d", option, cell(value),
		int64(math.MaxInt64))
}

// setTime sets the time in whole milliseconds, as Kafka counts. A part of one is rounded
// up: the target is the first record at or after the time. Times before 1970 become its
// start, since numbers below zero mean something else to a broker.
func (t *Target) setTime(at time.Time) {
	t.millis = max(at.Add(time.Millisecond-1).UnixMilli(), 0)
}

// at renders the time as the official tool wants it.
func (t Target) at() string {
	return time.UnixMilli(t.millis).UTC().Format("2006-01-02T15:04:05.000Z")
}

// zones are the ways to write a time zone that the official tool knows. None at all
// means UTC there, and so it does here.
var zones = []string{"", "Z07:00", "Z0700", "Z07"}

func parseTime(value string) (time.Time, bool) {
	for _, zone := range zones {
		if at, err := time.Parse("2006-01-02T15:04:05"+zone, value); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

var iso = regexp.MustCompile(`^P(?:(\d{1,6})D)?(?:T((?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,9})?S)?))?$`)

// parseDuration reads PnDTnHnMnS or Go's way to write durations. None is below zero.
func parseDuration(value string) (time.Duration, bool) {
	m := iso.FindStringSubmatch(strings.ToUpper(value))
	if m == nil {
		d, err := time.ParseDuration(value)
		return d, err == nil && d >= 0
	}
	if m[1] == "" && m[2] == "" {
		return 0, false
	}
	days, err := strconv.Atoi("0" + m[1])
	if err != nil || strings.HasSuffix(strings.ToUpper(value), "T") {
		return 0, false
	}
	d, err := time.ParseDuration(strconv.Itoa(days*24) + "h" + strings.ToLower(m[2]))
	return d, err == nil
}

// isoDuration writes d as Java reads it.
func isoDuration(d time.Duration) string {
	// Java takes the same letters in the same order, in upper case, and no part below a
	// second but as its fraction.
	hours, d := d/time.Hour, d%time.Hour
	minutes, d := d/time.Minute, d%time.Minute
	iso := "PT"
	if hours > 0 {
		iso += strconv.Itoa(int(hours)) + "H"
	}
	if minutes > 0 {
		iso += strconv.Itoa(int(minutes)) + "M"
	}
	if d > 0 || iso == "PT" {
		iso += strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "S"
	}
	return iso
}

// Notes tell why a partition's new offset is another than the one asked for.
const (
	noteStart    = "BELOW_LOG_START"
	noteEnd      = "ABOVE_LOG_END"
	noteNoRecord = "NO_RECORD_SINCE"
	noteNoCommit = "NO_COMMIT"
)

// choice is an offset for a partition.
type choice struct {
	wanted, offset int64
	note           string // empty when the offset is as wanted
}

// choose returns the offset for a partition with this commit, nil for none, and log; found
// is the first record at the target's time, below zero when there is none. It is false
// when there is no commit to shift.
func (t Target) choose(commit *int64, s span, found int64) (choice, bool) {
	c := choice{}
	switch t.option {
	case ToEarliest:
		c.wanted = s.start
	case ToLatest:
		c.wanted = s.end
	case ToOffset:
		c.wanted = t.number
	case ShiftBy:
		if commit == nil {
			return c, false
		}
		c.wanted = *commit + t.number
		if t.number > 0 && c.wanted < *commit { // past the largest number
			c.wanted = math.MaxInt64
		}
	case ToCurrent:
		if commit == nil {
			return choice{s.end, s.end, noteNoCommit}, true
		}
		c.wanted = *commit
	default:
		if found < 0 {
			return choice{s.end, s.end, noteNoRecord}, true
		}
		c.wanted = found
	}
	c.offset = min(max(c.wanted, s.start), s.end)
	switch {
	case c.wanted < s.start:
		c.note = noteStart
	case c.wanted > s.end:
		c.note = noteEnd
	}
	return c, true
}

// Scope is what a reset is about: the chosen partitions by topic, nil for all of a topic.
// A nil Scope stands for all partitions that the group has commits of.
type Scope map[string][]int32

// ParseScope reads values such as "topic" and "topic:0,1".
func ParseScope(values []string) (Scope, error) {
	scope := Scope{}
	for _, value := range values {
		topic, list, some := strings.Cut(value, ":")
		if err := kafka.CheckTopics(topic, false); err != nil {
			return nil, err
		}
		chosen, seen := scope[topic]
		if !some || (seen && chosen == nil) {
			scope[topic] = nil
			continue
		}
		for word := range strings.SplitSeq(list, ",") {
			p, err := strconv.ParseInt(word, 10, 32)
			if err != nil || p < 0 {
				return nil, cli.Usagef("flag --topic cannot be %s: a topic, or a topic and some "+
					"of its partitions as in %s:0,1", cell(value), show.Text(topic))
			}
			scope[topic] = append(scope[topic], int32(p))
		}
	}
	return scope, nil
}

// noCommit is the error of a shift from nowhere.
func noCommit(group, topic string, partition int32) *Error {
	return &Error{
		Code: noteNoCommit,
		Message: msg.Sprintf("topic %s, partition %d: group %s has no commit there "+
			"that could be shifted", cell(topic), partition, cell(group)),
		Hint: msg.Sprintf("name the other partitions, as in --topic %s:0,1, or take --to-offset",
			cell(topic)),
	}
}
