//go:build unix

package text

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNothingIsLeft ends replays in the midst of a command that ignores Ctrl+C: by a
// line that does not come, and from outside.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, want string
		stop       bool
	}{
		{"failed", "not all lines came within 2s", false},
		{"stopped", "stopped before the replay was through", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCourse(t)
			c.replace(english, "$ make serve\n", "$ echo $$ >pid; exec kitchen serve --deaf\n")
			c.replace(english, "Ctrl+C ends it.\n", "Ctrl+C ends it.\nand one line more.\n")
			opts := fakeOptions()
			opts.StepTimeout = 2 * time.Second
			var scratch string
			newStand := opts.NewStand
			opts.NewStand = func(dir string, env []string) Stand {
				scratch = dir
				return newStand(dir, env)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			pidFile := filepath.Join(c.root, filepath.Dir(english), "pid")
			if test.stop {
				opts.StepTimeout = time.Minute
				go func() {
					for pidIn(pidFile) == 0 && ctx.Err() == nil {
						time.Sleep(5 * time.Millisecond)
					}
					cancel()
				}()
			}
			checker, l := c.checker(opts)
			found := checker.Check(ctx, l, "en")
			if len(found) != 1 || !strings.Contains(found[0].Message, test.want) {
				t.Errorf("problems %v, want %q", found, test.want)
			}
			pid := pidIn(pidFile)
			if pid == 0 || !errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) {
				t.Errorf("process group %d is there", pid)
			}
			if scratch == "" || exists(scratch) {
				t.Errorf("folder %q is left", scratch)
			}
		})
	}
}

// pidIn reads a pid that a shell has written with its line's end; 0 before that.
func pidIn(file string) int {
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(string(data), "\n") {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0
	}
	return pid
}

// TestWholeStandAtTheEnd: a text that leaves a broker down is wrong, at its last line.
func TestWholeStandAtTheEnd(t *testing.T) {
	t.Parallel()
	c := newFakeCourse(t)
	opts := fakeOptions()
	newStand := opts.NewStand
	opts.NewStand = func(dir string, env []string) Stand {
		s := newStand(dir, env).(*fakeStand)
		s.broken = errors.New("broker 1 is down")
		return s
	}
	found := c.check(opts, "en")
	if len(found) != 1 || found[0].Message != "broker 1 is down" ||
		found[0].Line != strings.Count(c.read(english), "\n") {
		t.Errorf("problems %v", found)
	}
}

// TestCommandThatEnded: what a block wants of a command that has ended by itself cannot be.
func TestCommandThatEnded(t *testing.T) {
	t.Parallel()
	ctx, cancel := testContext(t)
	defer cancel()
	term := newTerminal("t1", t.TempDir(), t.TempDir(), os.Environ(),
		func(line string) string { return line })
	if err := term.start("echo served", 1); err != nil {
		t.Fatal(err)
	}
	defer term.close()
	for !term.job.snapshot().ended {
		if err := term.job.awaitChange(ctx, time.Now().Add(pollGroup)); err != nil {
			t.Fatal(err)
		}
	}
	w := &wait{
		replay: &replay{opts: Options{}.withDefaults()}, term: term, block: &block{},
		step: &step{kind: stepInterrupt, line: 2},
	}
	expect := func(want string) {
		t.Helper()
		f := w.begin(ctx)
		if f == nil || f.line != 2 || !strings.HasPrefix(f.message, want) {
			t.Errorf("got %+v, want %q", f, want)
		}
	}
	expect("nothing runs in t1 that ^C could stop")
	term.job = nil // as after the block in which it ended
	expect("nothing runs in t1 that ^C could stop")
	w.step = &step{kind: stepMore, line: 2, want: []string{"one line more"}}
	expect("nothing runs in t1 that could print on")
}

// TestMakeThatStumbles: what GNU make 4.3 says of its own race is no line of the text, if it
// comes after Ctrl+C.
func TestMakeThatStumbles(t *testing.T) {
	t.Parallel()
	const stumble = "make: *** wait: No child processes.  Stop."
	for interrupted, want := range map[bool]string{true: "ready", false: "ready " + stumble} {
		ctx, cancel := testContext(t)
		defer cancel()
		term := newTerminal("t1", t.TempDir(), t.TempDir(), os.Environ(),
			func(line string) string { return line })
		command := `trap 'touch stop' INT; echo ready; until test -e stop; do sleep 0.01; done; ` +
			`echo "` + stumble + `"; exit 2`
		if err := term.start(command, 1); err != nil {
			t.Fatal(err)
		}
		defer term.close()
		j := term.job
		await := func(cond func(snapshot) bool) snapshot {
			for {
				s := j.snapshot()
				if cond(s) {
					return s
				}
				if err := j.awaitChange(ctx, time.Now().Add(pollGroup)); err != nil {
					t.Fatal(err)
				}
			}
		}
		await(func(s snapshot) bool { return len(s.lines) > 0 })
		stop := j.interrupt
		if !interrupted {
			stop = func() error { return os.WriteFile(filepath.Join(term.dir, "stop"), nil, 0o600) }
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		s := await(func(s snapshot) bool { return s.ended })
		w := &wait{term: term, block: &block{}, step: &step{kind: stepInterrupt}}
		if got := strings.Join(s.lines, " "); got != want || w.mayEndWith(2) != interrupted {
			t.Errorf("interrupted %t: %q, status 2 may be: %t", interrupted, got, w.mayEndWith(2))
		}
	}
}
