package main

import (
	"errors"
	"strings"
	"testing"

	"brew.example/internal/cli"
)

// run gives what a command line prints and returns.
func run(args ...string) (string, error) {
	var out strings.Builder
	cmd := newCommand(&out)
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

func TestWrongUsage(t *testing.T) {
	tests := []struct{ line, want string }{
		{"chekc", "unknown command chekc"},
		{"check --fast", "unknown flag --fast"},
		{"check --lang=de", "flag --lang cannot be de: en, ru"},
		{"check --jobs=0", "flag --jobs cannot be 0"},
		{"check --jobs=many", "flag --jobs cannot be many"},
		{"check 09-99", `no lecture "09-99"`},
		{"update --lang=en", "unknown flag --lang"},
		{"check --stand=docker", `texts cannot be replayed on the stand "docker"`},
		{"check --stand=kafka", `texts cannot be replayed on the stand "kafka"`},
	}
	for _, test := range tests {
		out, err := run(strings.Fields(test.line)...)
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), test.want) || out != "" {
			t.Errorf("course text %s: %v, %q; want %s", test.line, err, out, test.want)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}} {
		out, err := run(args...)
		if err != nil || !strings.Contains(out, "course text [command]") {
			t.Errorf("course text %v: %v\n%s", args, err, out)
		}
	}
}

func TestStaticCheck(t *testing.T) {
	out, err := run("check", "--static", "--lang=en", "01-05")
	if err != nil || !strings.HasPrefix(out, "ok    01-05-first-producer en ") {
		t.Errorf("%v\n%s", err, out)
	}
}
