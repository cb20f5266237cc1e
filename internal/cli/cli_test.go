package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// TestMain runs the tests in English, or is a program: run runs this binary again.
func TestMain(m *testing.M) {
	if os.Getenv("BREW_TEST_CHILD") == "" {
		os.Exit(m.Run())
	}
	topic := pflag.StringP("topic", "t", "orders", "topic to read")
	count := pflag.Int32("count", 3, "a number")
	pflag.Duration("pause", 0, "a time")
	pflag.Int64("retries", -1, "a number")
	pflag.Uint64("seed", 1, "a number")
	pflag.DurationSlice("linger", nil, "times")
	limits := LimitFlags(10)
	Parse(func() error {
		if *topic == "bad" {
			return Usagef("flag --topic cannot be %s a", "bad")
		}
		return nil
	}, func() error {
		if *count == 13 {
			return errors.New("thirteen")
		}
		return nil
	})
	fmt.Printf("topic=%s count=%d records=%d for=%s member=%s\n", *topic, *count, limits.Records,
		limits.For, MemberID())
	switch *topic {
	case "fails":
		os.Exit(Status(fmt.Errorf("it failed: %w\n", os.ErrNotExist)))
	case "misused":
		os.Exit(Status(fmt.Errorf("wrapped: %w", Usagef("unknown flag %s, see --help", "x"))))
	}
	os.Exit(Status(nil))
}

func run(t *testing.T, env []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "BREW_TEST_CHILD=1", "COURSE_LANG=en", "MEMBER_ID=")
	// A program built with -race waits for a second at its end unless told otherwise.
	cmd.Env = append(append(cmd.Env, "GORACE=atexit_sleep_ms=0"), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// wrongLine is a command line that is wrong, and what is said of it.
type wrongLine struct {
	name   string
	env    []string
	args   []string
	status int
	en     string // the English line, without "error: "
	both   string // what the Russian one names as well
}

var wrongValues = []wrongLine{
	{"letters", nil, []string{"--count=many"}, 2, "flag --count cannot be many (expected: " +
		"a whole number up to 2147483647), see --help", "--count|many|2147483647"},
	{"too large", nil, []string{"--count=3000000000"}, 2, "flag --count cannot be 3000000000 " +
		"(expected: a whole number up to 2147483647), see --help", "--count|2147483647"},
	{"nothing", nil, []string{"--count="}, 2, `flag --count cannot be "" (expected: ` +
		"a whole number up to 2147483647), see --help", `--count|""`},
	{"escape in a value", nil, []string{"--count=\x1b[2J"}, 2, `flag --count cannot be ` +
		`"\x1b[2J" (expected: a whole number up to 2147483647), see --help`, "--count"},
	{"no unit", nil, []string{"--for=30"}, 2,
		"flag --for cannot be 30 (expected: a time with its unit, such as 30s), see --help",
		"--for|30s"},
	{"negative records", nil, []string{"--records=-1"}, 2,
		"flag --records cannot be -1 (expected: a whole number, 0 or more), see --help",
		"--records|-1"},
	{"no number", nil, []string{"--retries=x"}, 2,
		"flag --retries cannot be x (expected: a whole number), see --help", "--retries|x"},
	{"negative seed", nil, []string{"--seed=-1"}, 2,
		"flag --seed cannot be -1 (expected: a whole number, 0 or more), see --help", "--seed|-1"},
	{"no time in a list", nil, []string{"--linger=5"}, 2, "flag --linger cannot be 5 (expected: " +
		"times with their units, such as 0s,5ms), see --help", "--linger|0s,5ms"},
}

// TestParse runs a program with right and wrong command lines, in both languages: what is
// wrong is told in one line on stderr, with status 2, and nothing runs.
func TestParse(t *testing.T) {
	long := strings.Repeat("x", 65)
	tests := append(wrongValues, []wrongLine{
		{"unknown flag", nil, []string{"--tpic=x"}, 2, "unknown flag --tpic, see --help", "--tpic"},
		{"unknown letter", nil, []string{"-x"}, 2, "unknown flag -x, see --help", "-x"},
		{"escape in a flag", nil, []string{"--\x1b[2J"}, 2,
			`unknown flag "--\x1b[2J", see --help`, "--help"},
		{"no value", nil, []string{"--topic"}, 2, "flag --topic needs a value, see --help",
			"--topic"},
		{"no value for a letter", nil, []string{"-t"}, 2, "flag --topic needs a value, see --help",
			"--topic"},
		{"negative time", nil, []string{"--for=-1s"}, 2,
			"flag --for cannot be -1s: a time above zero, such as 30s", "--for|-1s"},
		{"negative pause", nil, []string{"--pause=-5ms"}, 2,
			"flag --pause cannot be -5ms: a time above zero, such as 30s", "--pause|-5ms"},
		{"argument", nil, []string{"--topic=a", "orders"}, 2,
			"unexpected argument orders: everything is set by flags, see --help", "orders|--help"},
		{"argument after --", nil, []string{"--", "--topic"}, 2,
			"unexpected argument --topic: everything is set by flags, see --help", "--topic"},
		{"check", nil, []string{"--topic=bad"}, 2, "flag --topic cannot be bad a", "--topic"},
		{"check that is no usage error", nil, []string{"--count=13"}, 1, "thirteen", "thirteen"},
		{"member id", []string{"MEMBER_ID=a b"}, nil, 2,
			`MEMBER_ID="a b": 1 to 64 letters, digits, dots, underscores and hyphens`,
			`MEMBER_ID="a b"`},
		{"member id of escapes", []string{"MEMBER_ID=\x1b[2J"}, nil, 2,
			`MEMBER_ID="\x1b[2J": 1 to 64 letters, digits, dots, underscores and hyphens`,
			"MEMBER_ID="},
		{"member id too long", []string{"MEMBER_ID=" + long}, nil, 2,
			`MEMBER_ID="` + long + `": 1 to 64 letters, digits, dots, underscores and hyphens`,
			long},
	}...)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := run(t, tt.env, tt.args...)
			if status != tt.status || stdout != "" || stderr != "error: "+tt.en+"\n" {
				t.Errorf("exit %d, stdout %q, stderr %q", status, stdout, stderr)
			}
			status, stdout, stderr = run(t, append(tt.env, "COURSE_LANG=ru"), tt.args...)
			if status != tt.status || stdout != "" || !strings.HasPrefix(stderr, "ошибка: ") ||
				strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit %d, stdout %q, stderr %q", status, stdout, stderr)
			}
			for part := range strings.SplitSeq(tt.both, "|") {
				if !strings.Contains(stderr, part) {
					t.Errorf("no %q in %q", part, stderr)
				}
			}
		})
	}
}

func TestBadLanguage(t *testing.T) {
	status, stdout, stderr := run(t, []string{"COURSE_LANG=de"})
	want := "error: COURSE_LANG=\"de\" is not a language of the course: en or ru\n"
	if status != 2 || stdout != "" || stderr != want {
		t.Errorf("exit %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestHelpThatCannotBeWritten(t *testing.T) {
	var stderr strings.Builder
	flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
	status, done := parse(flags, []string{"--help"}, full{}, &stderr, nil)
	if status != 1 || !done || !strings.HasSuffix(stderr.String(), "no space left\n") {
		t.Errorf("status %d, done %t, stderr %q", status, done, stderr.String())
	}
}

func TestHelp(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"Usage: ", "Flags:", "stop after this many records (0: no limit) (default 10)"},
		"ru": {"Запуск: ", "Флаги:",
			"после скольких записей остановиться (0: без предела) (по умолчанию 10)"},
	} {
		for _, args := range [][]string{{"--help"}, {"-h"}, {"--topic=a", "--help"}} {
			status, stdout, stderr := run(t, []string{"COURSE_LANG=" + lang}, args...)
			if status != 0 || stderr != "" {
				t.Errorf("%s %q: exit %d, stderr %q", lang, args, status, stderr)
			}
			always := []string{"-t, --topic string", "--records uint", "--for duration"}
			for _, part := range slices.Concat(want, always) {
				if !strings.Contains(stdout, part) {
					t.Errorf("%s %q: no %q in\n%s", lang, args, part, stdout)
				}
			}
			if strings.Index(stdout, "--topic") > strings.Index(stdout, "--count") {
				t.Errorf("the flags are not in the program's order:\n%s", stdout)
			}
		}
	}
}

func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		env    []string
		args   []string
		status int
		stdout string
		stderr string
	}{
		{nil, nil, 0, "topic=orders count=3 records=10 for=0s member=1\n", ""},
		{[]string{"MEMBER_ID=kitchen_2.a-b"},
			[]string{"-t", "a", "--count", "-4", "--records=0", "--for=1m30s"}, 0,
			"topic=a count=-4 records=0 for=1m30s member=kitchen_2.a-b\n", ""},
		{nil, []string{"--topic=fails"}, 1, "topic=fails count=3 records=10 for=0s member=1\n",
			"error: it failed: file does not exist\n"},
		{nil, []string{"--topic=misused"}, 2, "topic=misused count=3 records=10 for=0s member=1\n",
			"error: wrapped: unknown flag x, see --help\n"},
	} {
		status, stdout, stderr := run(t, tt.env, tt.args...)
		if status != tt.status || stdout != tt.stdout || stderr != tt.stderr {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", tt.args, status, stdout, stderr)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		records, n uint
		want       bool
	}{{0, 0, false}, {0, 1 << 40, false}, {3, 2, false}, {3, 3, true}, {3, 4, true}} {
		l := Limits{Records: tt.records}
		if l.Reached(tt.n) != tt.want {
			t.Errorf("Reached(%d) of %d is %t", tt.n, tt.records, !tt.want)
		}
	}
	endless, stop := (&Limits{}).Context(context.Background())
	if _, has := endless.Deadline(); has {
		t.Error("--for=0 has an end")
	}
	if stop(); endless.Err() != context.Canceled {
		t.Error("cancel does nothing")
	}
	short, stop := (&Limits{For: time.Millisecond}).Context(context.Background())
	defer stop()
	if <-short.Done(); short.Err() != context.DeadlineExceeded {
		t.Errorf("ended with %v", short.Err())
	}
}
