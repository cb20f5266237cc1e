//go:build !unix

package brokers

import (
	"os"
	"os/exec"

	"brew.example/internal/msg"
)

var sigPause, sigResume, sigEnd = os.Kill, os.Kill, os.Kill

// supported says why there can be no Java stand on this system.
func supported() error {
	return msg.Errorf("the java stand needs Linux or macOS: run it in WSL, or set " +
		"COURSE_STAND=docker or embedded")
}

func detach(*exec.Cmd) {}

func group(*exec.Cmd) {}

func private() func() { return func() {} }

// exists is never asked: no node runs here.
func exists(*os.Process) bool { return false }
