package standctl

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// programDir holds a note for each program that `course run` became, by which
// `course kill` finds it.
const programDir = "run"

// NoteProgram notes that this process is about to become the program of that name.
func (c *Control) NoteProgram(name string) error {
	if err := c.home.make(); err != nil {
		return err
	}
	self, err := describeSelf()
	if err != nil {
		return err
	}
	data, err := json.Marshal(self)
	if err != nil {
		return err
	}
	path, err := c.notePath(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.home.path(programDir), 0o700); err != nil {
		return unusable(string(c.home), err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		return unusable(string(c.home), err)
	}
	return nil
}

// notePath is where a program's note lies. A part of the name comes from MEMBER_ID, which
// must not lead out of the folder.
func (c *Control) notePath(name string) (string, error) {
	if err := cli.CheckMemberID(); err != nil {
		return "", err
	}
	return c.home.path(programDir, name+".json"), nil
}

// KillProgram ends the program of that name, compiled to bin, as a crash does: SIGKILL,
// and it is gone when this returns. Only a process that NoteProgram has noted and that
// runs bin gets the signal. It returns the pid.
func (c *Control) KillProgram(name, bin string) (pid int, err error) {
	path, err := c.notePath(name)
	if err != nil {
		return 0, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, msg.Errorf("%s was not started from this folder with `course run`", name)
	}
	if err != nil {
		return 0, unusable(string(c.home), err)
	}
	var noted stand.Process
	if err := json.Unmarshal(data, &noted); err != nil || noted.PID <= 1 {
		return 0, msg.Errorf("%s is damaged: delete it and start the program again", path)
	}
	proc, err := process.NewProcess(int32(noted.PID))
	if err != nil || !isProgram(proc, noted, bin) {
		return 0, msg.Errorf("%s does not run any more", name)
	}
	if err := proc.Kill(); err != nil {
		return 0, msg.Errorf("cannot kill %s (process %d): %w", name, noted.PID, err)
	}
	for isProgram(proc, noted, bin) {
		time.Sleep(5 * time.Millisecond)
	}
	return noted.PID, nil
}

// isProgram says whether p is the noted process, has become bin, and still runs.
func isProgram(p *process.Process, noted stand.Process, bin string) bool {
	created, err := p.CreateTime()
	off := time.Duration(created-noted.Created) * time.Millisecond
	if err != nil || off.Abs() > clockStep {
		return false
	}
	exe, err := p.Exe()
	// Linux says so when the program has been compiled anew since.
	return err == nil && strings.TrimSuffix(exe, " (deleted)") == bin
}
