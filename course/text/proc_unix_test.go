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
