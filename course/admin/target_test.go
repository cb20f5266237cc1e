package admin

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"brew.example/internal/cli"
)

var (
	now    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	millis = now.UnixMilli()
)

func TestParseTarget(t *testing.T) {
	const hour, minute = int64(3_600_000), int64(60_000)
	for _, c := range []struct {
		option, value string
		want          Target
	}{
		{ToEarliest, "true", Target{option: ToEarliest}},
		{ToOffset, "042", Target{option: ToOffset, number: 42, value: "42"}},
		{ShiftBy, "+5", Target{option: ShiftBy, number: 5, value: "5"}},
		{ShiftBy, "-5", Target{option: ShiftBy, number: -5, value: "-5"}},
		{To, "earliest", Target{option: ToEarliest}},
		{To, "latest", Target{option: ToLatest}},
		{To, "current", Target{option: ToCurrent}},
		{To, "7", Target{option: ToOffset, number: 7, value: "7"}},
		{To, "+7", Target{option: ShiftBy, number: 7, value: "7"}},
		{To, "-7", Target{option: ShiftBy, number: -7, value: "-7"}},
		{To, "@-1h", Target{option: ByDuration, millis: millis - hour, value: "PT1H"}},
		{To, "@2026-03-01T12:00:00Z",
			Target{option: ToDatetime, millis: millis, value: "2026-03-01T12:00:00.000Z"}},
		{ByDuration, "PT0S", Target{option: ByDuration, millis: millis, value: "PT0S"}},
		{ByDuration, "p1dt1h1m1.5s", Target{
			option: ByDuration, millis: millis - 25*hour - minute - 1500, value: "PT25H1M1.5S",
		}},
		{ByDuration, "P2D", Target{option: ByDuration, millis: millis - 48*hour, value: "PT48H"}},
		{ByDuration, "1h30m",
			Target{option: ByDuration, millis: millis - 90*minute, value: "PT1H30M"}},
		{ByDuration, "P99999D", Target{option: ByDuration, value: "PT2399976H"}}, // before 1970
	} {
		got, err := ParseTarget(c.option, c.value, now)
		if err != nil || got != c.want {
			t.Errorf("--%s %s: %+v, %v, want %+v", c.option, c.value, got, err, c.want)
		}
	}
}

// The same moment in all the ways that the official tool reads, and in RFC 3339. What
// this machine's zone is does not matter.
func TestParseTime(t *testing.T) {
	here := time.Local
	time.Local = time.FixedZone("far", -9*3600)
	defer func() { time.Local = here }()
	for _, value := range []string{
		"2026-03-01T12:00:00.000", "2026-03-01T12:00:00", "2026-03-01T12:00:00Z",
		"2026-03-01T12:00:00.000Z", "2026-03-01T17:45:00.000+05:45", "2026-03-01T17:45:00+0545",
		"2026-03-01T07:00:00.000-05", "2026-03-01T11:59:59.9995Z",
	} {
		target, err := ParseTarget(ToDatetime, value, now)
		if err != nil || target.millis != millis || target.at() != "2026-03-01T12:00:00.000Z" {
			t.Errorf("%s: %d, %s, %v", value, target.millis, target.at(), err)
		}
	}
	// -1 and -2 would mean the end and the start to a broker.
	for _, value := range []string{"1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.998Z"} {
		if target, err := ParseTarget(ToDatetime, value, now); err != nil || target.millis != 0 {
			t.Errorf("%s: %d, %v", value, target.millis, err)
		}
	}
}

func TestTargetsThatCannotBe(t *testing.T) {
	for option, values := range map[string][]string{
		ToOffset:   {"", "-1", "x", "1.5", "9223372036854775808"},
		ShiftBy:    {"", "x", "--5", "9223372036854775808"},
		ToDatetime: {"", "yesterday", "2026-03-01", "2026-03-01 12:00:00", "2026-02-30T12:00:00Z"},
		ByDuration: {
			"", "P", "PT", "P1DT", "1", "-1h", "PT-1H", "P1M", "P1W", "P1000000D", "PT9999999H",
		},
		To: {"", "start", "x", "+", "-", "@", "@-", "@--1h", "@yesterday", "+x"},
	} {
		for _, value := range values {
			_, err := ParseTarget(option, value, now)
			var usage cli.UsageError
			if !errors.As(err, &usage) ||
				!strings.Contains(err.Error(), "--"+option+" cannot be ") {
				t.Errorf("--%s %q: %v", option, value, err)
			}
		}
	}
}

func TestTooLargeNumbers(t *testing.T) {
	for option, value := range map[string]string{
		ToOffset: "99999999999999999999", ShiftBy: "9223372036854775808", To: "9223372036854775808",
	} {
		_, err := ParseTarget(option, value, now)
		if err == nil || !strings.Contains(err.Error(), "offsets go up to 9223372036854775807") {
			t.Errorf("--%s %s: %v", option, value, err)
		}
	}
}

func TestChoose(t *testing.T) {
	log := span{start: 3, end: 10}
	five := int64(5)
	for _, c := range []struct {
		option string
		number int64
		commit *int64
		found  int64
		want   choice
	}{
		{ToEarliest, 0, nil, 0, choice{3, 3, ""}},
		{ToLatest, 0, &five, 0, choice{10, 10, ""}},
		{ToOffset, 3, nil, 0, choice{3, 3, ""}},
		{ToOffset, 10, nil, 0, choice{10, 10, ""}},
		{ToOffset, 2, nil, 0, choice{2, 3, noteStart}},
		{ToOffset, 11, nil, 0, choice{11, 10, noteEnd}},
		{ShiftBy, 1, &five, 0, choice{6, 6, ""}},
		{ShiftBy, -3, &five, 0, choice{2, 3, noteStart}},
		{ShiftBy, 6, &five, 0, choice{11, 10, noteEnd}},
		{ShiftBy, math.MaxInt64, &five, 0, choice{math.MaxInt64, 10, noteEnd}},
		{ShiftBy, math.MinInt64, &five, 0, choice{math.MinInt64 + 5, 3, noteStart}},
		{ToCurrent, 0, &five, 0, choice{5, 5, ""}},
		{ToCurrent, 0, nil, 0, choice{10, 10, noteNoCommit}},
		{ToDatetime, 0, nil, 7, choice{7, 7, ""}},
		{ByDuration, 0, &five, -1, choice{10, 10, noteNoRecord}},
	} {
		got, ok := Target{option: c.option, number: c.number}.choose(c.commit, log, c.found)
		if !ok || got != c.want {
			t.Errorf("%s %d: %+v, %t, want %+v", c.option, c.number, got, ok, c.want)
		}
	}
	if _, ok := (Target{option: ShiftBy}).choose(nil, log, 0); ok {
		t.Error("shifted what is not there")
	}
}

func TestParseScope(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   Scope
	}{
		{[]string{"a"}, Scope{"a": nil}},
		{[]string{"a:0,2", "b"}, Scope{"a": {0, 2}, "b": nil}},
		{[]string{"a:0", "a:2"}, Scope{"a": {0, 2}}},
		{[]string{"a", "a:2"}, Scope{"a": nil}},
		{[]string{"a:2", "a"}, Scope{"a": nil}},
	} {
		if got, err := ParseScope(c.values); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.values, got, err, c.want)
		}
	}
	for _, value := range []string{
		"", ":0", "a:", "a:x", "a:-1", "a:0,", "a:0 ,1", "a:2147483648", "../a", "a:0:1",
	} {
		_, err := ParseScope(slices.Concat([]string{"b"}, []string{value}))
		var usage cli.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%q: %v", value, err)
		}
	}
}
