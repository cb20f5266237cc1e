//go:build unix

package brokers

import (
	"os"
	"os/exec"
	"syscall"
)

// Signals that freeze a process and let it go on.
var (
	sigPause  os.Signal = syscall.SIGSTOP
	sigResume os.Signal = syscall.SIGCONT
	sigEnd    os.Signal = syscall.SIGTERM
)

// supported says why there can be no Java stand on this system.
func supported() error { return nil }

// detach gives a node a session of its own: no terminal's Ctrl+C reaches it, and it
// stays when the terminal closes.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// group gives a helper and its children a process group, so that they end together.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// private makes files of processes started from now on readable for this user only,
// until the returned function is called.
func private() func() {
	old := syscall.Umask(0o077)
	return func() { syscall.Umask(old) }
}

func exists(p *os.Process) bool { return p.Signal(syscall.Signal(0)) == nil }
