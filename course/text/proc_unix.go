//go:build unix

package text

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// canReplay tells whether this system has what console blocks need.
const canReplay = true

// ownGroup gives a command a session, and so a process group, of its own: nothing in
// it can ask the person at the real terminal.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

func signalGroup(leader int, signal syscall.Signal) error {
	return syscall.Kill(-leader, signal)
}

// groupRuns tells whether a process of the group is left.
func groupRuns(leader int) bool {
	return !errors.Is(syscall.Kill(-leader, 0), syscall.ESRCH)
}

// deathBy gives the signal that ended a process; 0 if none did.
func deathBy(state *os.ProcessState) int {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return int(ws.Signal())
	}
	return 0
}
