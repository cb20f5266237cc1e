//go:build unix

package runner

import (
	"os"
	"os/exec"
	"syscall"
)

// group gives the command and its children a process group, so that they can be
// ended together: the go command does not wait for its compilers.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// killGroup ends what is left of the group.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// become replaces this process, so that signals and the exit status are the program's own.
func become(bin string, argv []string) (int, error) {
	return 1, syscall.Exec(bin, argv, os.Environ())
}
