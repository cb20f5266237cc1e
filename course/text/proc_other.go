//go:build !unix

package text

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// canReplay is false: there are no process groups with signals here.
const canReplay = false

func ownGroup(*exec.Cmd) {}

func signalGroup(int, syscall.Signal) error { return errors.ErrUnsupported }

func groupRuns(int) bool { return false }

func deathBy(*os.ProcessState) int { return 0 }
