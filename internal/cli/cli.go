// Package cli holds what the main function of every lecture program does alike:
// parse the flags, refuse wrong usage, report an error once.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// UsageError is an error of the person at the keyboard: a flag, an argument or an
// environment variable with a value that cannot be. A program ends with status 2.
type UsageError struct{ Err error }

// Error returns the text of Err.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError made by msg.Errorf.
func Usagef(format string, args ...any) error {
	return UsageError{msg.Errorf(format, args...)}
}

// Parse parses the command line into the flags of pflag.CommandLine, and runs the
// checks of their values; no time may be negative. On wrong usage it says what is wrong
// and ends the program with status 2; on --help it prints the flags and ends with 0.
func Parse(checks ...func() error) {
	if status, done := parse(pflag.CommandLine, os.Args[1:], os.Stdout, os.Stderr, checks); done {
		os.Exit(status)
	}
}

func parse(
	flags *pflag.FlagSet, args []string, stdout, stderr io.Writer, checks []func() error,
) (status int, done bool) {
	flags.Init(filepath.Base(os.Args[0]), pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		_, err = msg.Fprintf(stdout, "Usage: %s [flags]\n\nFlags:\n%s", flags.Name(),
			strings.ReplaceAll(flags.FlagUsages(), "(default ", msg.Text("(default ")))
		return report(stderr, err), true
	case err != nil:
		err = UsageError{FlagError(err)}
	case flags.NArg() > 0:
		err = Usagef("unexpected argument %s: everything is set by flags, see --help",
			show.Text(flags.Arg(0)))
	default:
		err = environment()
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if d, e := flags.GetDuration(f.Name); err == nil && e == nil && d < 0 {
			err = Usagef("flag --%s cannot be %s: a time above zero, such as 30s", f.Name, d)
		}
	})
	for _, check := range checks {
		if err == nil {
			err = check()
		}
	}
	if err != nil {
		return report(stderr, err), true
	}
	return 0, false
}

// FlagError puts pflag's errors in the language in use.
func FlagError(err error) error {
	var unknown *pflag.NotExistError
	var noValue *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name = "-" + unknown.GetSpecifiedName()
		}
		return msg.Errorf("unknown flag %s, see --help", show.Text(name))
	case errors.As(err, &noValue):
		return msg.Errorf("flag --%s needs a value, see --help", noValue.GetFlag().Name)
	case errors.As(err, &invalid):
		return msg.Errorf("flag --%s cannot be %s (expected: %s), see --help",
			invalid.GetFlag().Name, Value(invalid.GetValue()),
			expected(invalid.GetFlag().Value.Type()))
	}
	return fmt.Errorf("%w, see --help", err)
}

// Value shows what was given for a flag. Nothing at all would leave a hole in the sentence.
func Value(given string) string {
	if given == "" {
		return `""`
	}
	return show.Text(given)
}

// expected says what pflag's name of a type means to somebody who types a value.
func expected(kind string) string {
	switch kind {
	case "int16":
		return msg.Text("a whole number up to 32767")
	case "int32":
		return msg.Text("a whole number up to 2147483647")
	case "uint16":
		return msg.Text("a whole number from 0 to 65535")
	case "uint", "uint64":
		return msg.Text("a whole number, 0 or more")
	case "int", "int64":
		return msg.Text("a whole number")
	case "duration":
		return msg.Text("a time with its unit, such as 30s")
	case "durationSlice":
		return msg.Text("times with their units, such as 0s,5ms")
	case "bool":
		return msg.Text("true or false")
	}
	return kind
}

// memberID is what MEMBER_ID may hold: it becomes part of a client id and of a column.
var memberID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// MemberID returns MEMBER_ID, by which two terminals tell their members apart; "1" when
// it is not set. Parse refuses a value that is no plain word.
func MemberID() string {
	if id := os.Getenv("MEMBER_ID"); id != "" {
		return id
	}
	return "1"
}

// environment returns an error for a variable of ours with a value that cannot be.
func environment() error {
	if err := msg.Err(); err != nil {
		return UsageError{err}
	}
	return CheckMemberID()
}

// CheckMemberID returns a UsageError if MEMBER_ID is no plain word.
func CheckMemberID() error {
	if id := MemberID(); !memberID.MatchString(id) {
		return Usagef("MEMBER_ID=%q: 1 to 64 letters, digits, dots, underscores and hyphens", id)
	}
	return nil
}

// Status prints err on stderr, if there is one, and returns the exit status that
// tells it: 0 without an error, 2 for a UsageError, 1 for any other. What a signal has
// cut short (context.Canceled) is a normal end, 0 without a word.
func Status(err error) int {
	if errors.Is(err, context.Canceled) {
		return 0
	}
	return report(os.Stderr, err)
}

func report(stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	msg.Fprintf(stderr, "error: %s\n", show.Message(strings.TrimSpace(err.Error())))
	var usage UsageError
	if errors.As(err, &usage) {
		return 2
	}
	return 1
}
