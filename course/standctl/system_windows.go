package standctl

import (
	"errors"
	"io/fs"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives the daemon no console and a process group of its own: no terminal's
// Ctrl+C reaches it, and it stays when the terminal closes.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP,
	}
}

// private does nothing: what a user's folder holds is the user's own on Windows.
func private() {}

// onDisk returns how many bytes a file has; a sparse one takes up fewer.
func onDisk(info fs.FileInfo) int64 { return info.Size() }

// openToAll cannot tell: a folder's mode means nothing on Windows.
func openToAll(fs.FileInfo) bool { return false }

// isFull says whether err is that of a full disk.
func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// diskFree returns how many bytes this user may still write to dir.
func diskFree(dir string) (uint64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
