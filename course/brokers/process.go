package brokers

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"brew.example/internal/stand"
)

// mainClass is the program that is a node of Kafka.
const mainClass = "kafka.Kafka"

const (
	// clockStep is how far the start time of one process may lie apart in two looks: the
	// operating system counts it from the boot, and the wall clock may be set.
	clockStep = 10 * time.Second
	// glance is how long to wait between two looks at a process.
	glance = 20 * time.Millisecond
)

// proc is the process of a node.
type proc struct {
	node int
	// handle is taken before the process is looked at. Where the system has handles, a
	// signal can then not reach another process that has got the same pid since.
	handle *os.Process
	info   *process.Process
}

// open returns the process with that pid if it is the node whose settings are in the
// file props. A pid alone may have passed to a process of somebody else, which must
// never get a signal: so its command line must be ours.
func open(node, pid int, props string) (*proc, bool) {
	if pid <= 1 {
		return nil, false
	}
	handle, err := os.FindProcess(pid)
	if err != nil {
		return nil, false
	}
	info, err := process.NewProcess(int32(pid))
	if err != nil || runs(info) != props {
		_ = handle.Release() // it is not ours, and there are many when all are looked at
		return nil, false
	}
	return &proc{node: node, handle: handle, info: info}, true
}

// runs returns the settings file of the node that a process is; empty if it is none.
func runs(p *process.Process) string {
	args, err := p.CmdlineSlice() // empty for a process that has ended
	if err != nil || len(args) < 2 || args[len(args)-2] != mainClass {
		return ""
	}
	return args[len(args)-1]
}

// recorded returns the process that the state file names, if it is still that one.
func (j Java) recorded(p stand.Process) (*proc, bool) {
	proc, ok := open(p.Node, p.PID, j.propertiesFile(p.Node))
	if !ok {
		return nil, false
	}
	created, err := proc.info.CreateTime()
	off := time.Duration(created-p.Created) * time.Millisecond
	return proc, err == nil && off.Abs() <= clockStep
}

// all returns every process of this stand, also those that no file names: a start that
// was killed leaves some.
func (j Java) all() ([]*proc, error) {
	pids, err := process.Pids()
	if err != nil {
		return nil, err
	}
	var found []*proc
	for _, pid := range pids {
		info, err := process.NewProcess(pid)
		if err != nil {
			continue // it has ended while we looked
		}
		props := runs(info)
		for node := range stand.Brokers {
			if props != j.propertiesFile(node) {
				continue
			}
			if p, ok := open(node, int(pid), props); ok {
				found = append(found, p)
			}
		}
	}
	return found, nil
}

// describe returns what the state file says about the process.
func (p *proc) describe() (stand.Process, error) {
	created, err := p.info.CreateTime()
	return stand.Process{Node: p.node, PID: p.handle.Pid, Created: created}, err
}

// status tells whether the process runs, is frozen, or has ended.
func (p *proc) status() Status {
	if p.gone() {
		return Dead
	}
	if states, err := p.info.Status(); err == nil && slices.Contains(states, process.Stop) {
		return Paused
	}
	return Running
}

// gone says whether the process has ended, with all its threads: the last of them closes
// the ports. A process that its parent does not wait for (a lecture's program that has
// grown out of `course run`) keeps its pid, but is gone.
func (p *proc) gone() bool {
	if !exists(p.handle) {
		return true
	}
	states, err := p.info.Status()
	if err != nil || !slices.Contains(states, process.Zombie) {
		return err != nil
	}
	threads, err := p.info.NumThreads()
	return err != nil || threads <= 1
}

// await waits until the process has that status, or has ended; false if neither comes
// within that time.
func (p *proc) await(ctx context.Context, want Status, wait time.Duration) (bool, error) {
	limit := time.NewTimer(wait)
	defer limit.Stop()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		if s := p.status(); s == want || s == Dead {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, context.Cause(ctx)
		case <-limit.C:
			return false, nil
		case <-tick.C:
		}
	}
}

// signal sends a signal; that the process has ended meanwhile is no error.
func (p *proc) signal(s os.Signal) error {
	if err := p.handle.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
