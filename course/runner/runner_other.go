//go:build !unix

package runner

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// group leaves the command as it is: it is killed when it is cancelled.
func group(*exec.Cmd) {}

// killGroup has nothing to do: there are no process groups here.
func killGroup(*exec.Cmd) {}

// become runs the program and waits for it: no process can replace itself here. Ctrl+C
// reaches both, and the program decides what it means.
func become(bin string, argv []string) (int, error) {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(bin, argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	} else if err != nil {
		return 1, err
	}
	return 0, nil
}
