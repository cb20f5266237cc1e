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

const (
	// mainClass is the program that is a node of Kafka.
	mainClass = "kafka.Kafka"
	// storageTool is the one that makes its data folder.
	storageTool = "kafka.tools.StorageTool"
)

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

// match says whether a command line is one of those that are looked for, and of which node.
type match func(args []string) (node int, ok bool)

// open returns the process with that pid if it is one of those that are looked for. A pid
// alone may have passed to a process of somebody else, which must never get a signal: so
// its command line must be ours.
func open(pid int, ours match) (*proc, bool) {
	if pid <= 1 {
		return nil, false
	}
	handle, err := os.FindProcess(pid)
	if err != nil {
		return nil, false
	}
	info, node, ok := look(pid, ours)
	if !ok {
		_ = handle.Release()
		return nil, false
	}
	return &proc{node: node, handle: handle, info: info}, true
}

// look asks for a command line; a process that has ended has none.
func look(pid int, ours match) (info *process.Process, node int, ok bool) {
	info, err := process.NewProcess(int32(pid))
	if err != nil {
		return nil, 0, false
	}
	args, err := info.CmdlineSlice()
	if err != nil {
		return nil, 0, false
	}
	node, ok = ours(args)
	return info, node, ok
}

// find returns all processes that are looked for.
func find(ours match) ([]*proc, error) {
	pids, err := process.Pids()
	if err != nil {
		return nil, err
	}
	var found []*proc
	for _, pid := range pids {
		if _, _, ok := look(int(pid), ours); !ok {
			continue
		}
		if p, ok := open(int(pid), ours); ok {
			found = append(found, p)
		}
	}
	return found, nil
}

// ours tells the nodes of this stand, and what makes their data folders.
func (j Java) ours(args []string) (node int, ok bool) {
	if len(args) < 2 {
		return 0, false
	}
	what, props := args[len(args)-2], args[len(args)-1]
	formats := what == "--config" && slices.Contains(args, storageTool)
	for node := range stand.Brokers {
		if what == mainClass && props == j.propertiesFile(node) ||
			formats && props == j.newPropertiesFile(node) {
			return node, true
		}
	}
	return 0, false
}

// recorded returns the process that the state file names, if it is still that one.
func (j Java) recorded(p stand.Process) (*proc, bool) {
	proc, ok := open(p.PID, j.ours)
	if !ok || proc.node != p.Node {
		return nil, false
	}
	created, err := proc.info.CreateTime()
	off := time.Duration(created-p.Created) * time.Millisecond
	return proc, err == nil && off.Abs() <= clockStep
}

// all returns every process of this stand, also those that no file names: a start that
// was killed leaves some.
func (j Java) all() ([]*proc, error) { return find(j.ours) }

// Processes counts the processes of this stand.
func (j Java) Processes() (int, error) {
	all, err := j.all()
	return len(all), err
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
