//go:build unix

package standctl

import (
	"errors"
	"io/fs"
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

// onDisk returns how many bytes of the disk a file takes up.
func onDisk(info fs.FileInfo) int64 {
	const block = 512 // whatever the file system's own blocks are
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Blocks * block
	}
	return info.Size()
}

// openToAll says whether every user may put files into a folder.
func openToAll(dir fs.FileInfo) bool { return dir.Mode().Perm()&0o002 != 0 }

// isFull says whether err is that of a full disk.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// diskFree returns how many bytes an unprivileged user may still write to dir.
func diskFree(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
