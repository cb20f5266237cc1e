package standctl

import (
	"os"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"brew.example/internal/stand"
)

// DaemonVerb is the hidden command of the course's tool that is the embedded stand.
const DaemonVerb = "embedded-daemon"

// clockStep is how far the start time of one process may lie apart in two looks: the
// operating system counts it from the boot, and the wall clock may be set.
const clockStep = 10 * time.Second

// describeSelf returns what identifies this process.
func describeSelf() (stand.Process, error) {
	p, err := process.NewProcess(int32(os.Getpid()))
	if err != nil {
		return stand.Process{}, err
	}
	created, err := p.CreateTime()
	return stand.Process{Node: -1, PID: os.Getpid(), Created: created}, err
}

// find returns the process that p describes if it is the embedded stand of this home.
// The pid in a file may have passed to a process of somebody else, which must never
// get a signal: so it must have the start time, and our command line, too.
func (h home) find(p stand.Process) (*process.Process, bool) {
	if p.PID <= 1 {
		return nil, false
	}
	proc, err := process.NewProcess(int32(p.PID))
	if err != nil {
		return nil, false
	}
	created, err := proc.CreateTime()
	if err != nil {
		return nil, false
	}
	if off := time.Duration(created-p.Created) * time.Millisecond; off.Abs() > clockStep {
		return nil, false
	}
	args, err := proc.CmdlineSlice()
	if err != nil || !slices.Contains(args, DaemonVerb) || !slices.Contains(args, string(h)) {
		return nil, false
	}
	return proc, true
}
