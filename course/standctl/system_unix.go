//go:build unix

package standctl

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// detach gives the daemon a session of its own: no terminal's Ctrl+C reaches it, and
// it stays when the terminal closes.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// private makes all files of this process readable for its user only.
func private() { syscall.Umask(0o077) }

// diskFree returns how many bytes an unprivileged user may still write to dir.
func diskFree(dir string) (uint64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize), nil
}
