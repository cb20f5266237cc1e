//go:build unix

package runctx

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// run starts the program of this test binary; say waits for a line of it.
func run(t *testing.T, behaviour string) (cmd *exec.Cmd, say func(line string)) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	// A program built with -race waits for a second at its end unless told otherwise.
	cmd.Env = append(os.Environ(), "BREW_TEST_CHILD="+behaviour, "GORACE=atexit_sleep_ms=0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewReader(stdout)
	return cmd, func(want string) {
		t.Helper()
		if line, err := lines.ReadString('\n'); err != nil || strings.TrimSpace(line) != want {
			t.Fatalf("got %q, %v; want %q", line, err, want)
		}
	}
}

func TestFirstSignalIsANormalEnd(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd, say := run(t, "clean")
			say("ready")
			sent := time.Now()
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("want exit 0: %v", err)
			}
			if took := time.Since(sent); took < linger {
				t.Errorf("ended %s after the signal: make prints a line of its own then", took)
			}
		})
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd, say := run(t, "hangs")
			say("ready")
			cmd.Process.Signal(syscall.SIGINT)
			say("hangs")
			sent := time.Now()
			cmd.Process.Signal(sig)
			if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
				t.Errorf("ended with %s, want exit status 130", cmd.ProcessState)
			}
			if took := time.Since(sent); took > 30*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

// A terminal that is closed may say so twice: the program ends its work all the same.
func TestClosedTerminal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd, say := run(t, "closes")
			say("ready")
			cmd.Process.Signal(sig)
			say("closes")
			cmd.Process.Signal(syscall.SIGHUP)
			say("heard")
			if err := cmd.Wait(); err != nil {
				t.Errorf("want exit 0: %v", err)
			}
		})
	}
}

// What a program still has to do after the cancel function is cut short the same way.
func TestSecondSignalAfterCancel(t *testing.T) {
	t.Parallel()
	cmd, say := run(t, "undoes")
	say("ready")
	cmd.Process.Signal(syscall.SIGINT)
	say("interrupted: interrupt")
	cmd.Process.Signal(syscall.SIGTERM)
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("ended with %s, want exit status 130", cmd.ProcessState)
	}
}

func TestSignalAfterCancel(t *testing.T) {
	t.Parallel()
	cmd, say := run(t, "after")
	say("ready")
	say("cancelled")
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("ended with %s, want the signal itself", cmd.ProcessState)
	}
}

func TestNoSignal(t *testing.T) {
	t.Parallel()
	cmd, say := run(t, "ends")
	say("ready")
	if err := cmd.Wait(); err != nil {
		t.Errorf("want exit 0: %v", err)
	}
}
