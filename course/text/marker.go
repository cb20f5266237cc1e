package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"brew.example/internal/msg"
)

// The kinds of marker.
const (
	markCode    = "code"
	markRun     = "run"
	markPlain   = "plain"
	markSection = "section"
)

// marker is what a marker comment says.
type marker struct {
	kind string
	line int
	// path and region of a code block; region is empty for a whole file.
	path, region string
	// run holds the attributes of a console block.
	run attributes
	// value is a section's id or the reason of a plain block.
	value string
}

// attributes says how a console block is run and compared.
type attributes struct {
	terminal string
	cold     bool
	anyOrder bool
	merge    bool
	vary     []string
	about    []string
	quiet    time.Duration
	// stand is "kafka", "embedded" or empty for both.
	stand string
	// exit is the status the block's last command ends with, when not zero.
	exit int
}

// The stands that a block can be bound to.
const (
	standKafka    = "kafka"
	standEmbedded = "embedded"
)

// terminals that a reader is asked to open, at most.
var terminals = []string{"t1", "t2", "t3", "t4"}

// sections is the order of a lecture.
var sections = []string{
	"question", "what-you-will-see", "idea", "code-walk",
	"break-it", "check-yourself", "recap", "next",
}

// comment finds an HTML comment that is all there is.
var comment = regexp.MustCompile(`(?s)^<!--\s*(.*?)\s*-->$`)

// parseMarker reads the inside of a comment.
func parseMarker(inside string, line int) (marker, error) {
	kind, value, ok := strings.Cut(inside, ":")
	m := marker{kind: strings.TrimSpace(kind), line: line, value: strings.TrimSpace(value)}
	if !ok || !slices.Contains([]string{markCode, markRun, markPlain, markSection}, m.kind) {
		return m, msg.Errorf("unknown marker %q: code:, run:, plain: or section:", inside)
	}
	if m.value == "" {
		return m, msg.Errorf("the marker %s: says nothing", m.kind)
	}
	var err error
	switch m.kind {
	case markCode:
		err = m.parseCode()
	case markRun:
		m.run, err = parseRun(strings.Fields(m.value))
	case markSection:
		if !slices.Contains(sections, m.value) {
			err = msg.Errorf("unknown section %q: %s", m.value, strings.Join(sections, ", "))
		}
	}
	return m, err
}

func (m *marker) parseCode() error {
	fields := strings.Fields(m.value)
	if len(fields) > 1 {
		return msg.Errorf("unknown attribute %q of code: it takes path#region and nothing "+
			"else", fields[1])
	}
	m.path, m.region, _ = strings.Cut(fields[0], "#")
	if m.path == "" || strings.HasSuffix(fields[0], "#") {
		return msg.Errorf("code: %s is not path#region", fields[0])
	}
	return nil
}

func parseRun(fields []string) (attributes, error) {
	a := attributes{terminal: fields[0]}
	if !slices.Contains(terminals, a.terminal) {
		return a, msg.Errorf("unknown terminal %q: a run marker begins with t1, t2, t3 or t4",
			a.terminal)
	}
	seen := map[string]bool{}
	for _, field := range fields[1:] {
		name, value, hasValue := strings.Cut(field, "=")
		if seen[name] {
			return a, msg.Errorf("attribute %s is given twice", name)
		}
		seen[name] = true
		if err := a.set(field, name, value, hasValue); err != nil {
			return a, err
		}
	}
	return a, nil
}

func (a *attributes) set(field, name, value string, hasValue bool) error {
	flags := map[string]*bool{"cold": &a.cold, "any-order": &a.anyOrder, "merge": &a.merge}
	if flag := flags[name]; flag != nil && !hasValue {
		*flag = true
		return nil
	}
	bad := func(legal string) error {
		return msg.Errorf("attribute %q is not legal: %s", field, legal)
	}
	switch {
	case name == "vary" && hasValue:
		if a.vary = strings.Split(value, ","); slices.Contains(a.vary, "") {
			return bad("vary=LEADER,ISR")
		}
	case name == "about" && hasValue:
		if a.about = strings.Split(value, ","); slices.Contains(a.about, "") {
			return bad("about=RATE")
		}
	case name == "quiet" && hasValue:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 || d > time.Minute {
			return bad("quiet=2s")
		}
		a.quiet = d
	case name == "stand" && hasValue:
		if value != standKafka && value != standEmbedded {
			return bad("stand=kafka, stand=embedded")
		}
		a.stand = value
	case name == "exit" && hasValue:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 255 {
			return bad("exit=1")
		}
		a.exit = n
	default:
		return msg.Errorf("unknown attribute %q of run: cold, any-order, merge, vary=A,B, "+
			"about=RATE, quiet=2s, stand=kafka, stand=embedded or exit=1", field)
	}
	return nil
}

// runsOn tells whether a block is replayed on a stand: "embedded", or any real Kafka.
func (a attributes) runsOn(stand string) bool {
	kafka := stand != standEmbedded
	return a.stand == "" || (a.stand == standKafka) == kafka
}
