//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/shirou/gopsutil/v4/process"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

func TestKillEndsTheProgramOfOneTerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	p.refused(p.course("kill", "./cmd/wait"), 1, "wait-1", "course run")

	started := func(member string) *exec.Cmd {
		t.Helper()
		ready := filepath.Join(t.TempDir(), "ready")
		cmd := p.command("run", "./cmd/wait", "--", ready)
		cmd.Env = append(cmd.Env, "MEMBER_ID="+member)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		kafkatest.Eventually(t, "the program", func() bool { _, err := os.Stat(ready); return err == nil })
		return cmd
	}
	one, two := started("1"), started("2")
	r := p.must(p.course("kill", "./cmd/wait"), 0)
	if r.stdout != "killed wait-1\n" {
		t.Errorf("told %q", r.stdout)
	}
	_ = one.Wait()
	if ws, ok := one.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGKILL {
		t.Errorf("member 1 ended with %v", one.ProcessState)
	}
	if err := two.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("member 2 is gone, too: %v", err)
	}
	p.refused(p.course("kill", "./cmd/wait"), 1, "does not run any more")
	_ = two.Process.Signal(syscall.SIGTERM)
	if err := two.Wait(); err != nil {
		t.Error(err)
	}
}

// A pid passes on to other processes: one that is not the program gets no signal.
func TestKillLeavesForeignProcessesAlone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	p.up()
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	proc, err := process.NewProcess(int32(other.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	created, err := proc.CreateTime()
	if err != nil {
		t.Fatal(err)
	}
	note, err := json.Marshal(stand.Process{PID: other.Process.Pid, Created: created})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(p.home, "run")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{string(note): "does not run", "{": "damaged"} {
		if err := os.WriteFile(filepath.Join(dir, "wait-1.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.refused(p.course("kill", "./cmd/wait"), 1, says)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the other process got a signal: %v", err)
	}
	for _, id := range []string{"a b", "../../x", "\x1b[2J", strings.Repeat("x", 65)} {
		p.vars = []string{"MEMBER_ID=" + id}
		p.refused(p.course("kill", "./cmd/wait"), 2, "MEMBER_ID="+strconv.Quote(id)+
			": 1 to 64 letters, digits, dots, underscores and hyphens")
	}
	p.vars = nil
	r := p.course("kill", "./cmd/wait", "more")
	if r.code != 2 || !strings.Contains(r.stderr, "course kill FOLDER") {
		t.Errorf("wrong usage: %v", r)
	}
}
