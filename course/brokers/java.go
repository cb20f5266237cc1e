package brokers

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"brew.example/course/ports"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Tests do not wait so long.
var (
	// stopWait is how long one broker may take to hand over its partitions.
	stopWait = 15 * time.Second
	// downWait is how long all of them may take to close their files.
	downWait = 6 * time.Second
)

const (
	// killWait is how long the system may take to end what has been killed.
	killWait = 5 * time.Second
	// closedGrace is how long a node may go on after its files are closed: the last ones
	// wait in vain for the others, to elect a controller.
	closedGrace = 500 * time.Millisecond
)

// Java runs the brokers as processes of Java, each one a controller as well.
type Java struct {
	// Home is the folder of the stand.
	Home string
	// Settings are those of the brokers; only Start needs them.
	Settings Settings
	// Say is told what a person should know about on the way.
	Say func(line string)

	// jars are the sums of the jars by their names; nil for those of Version.
	jars map[string]string
}

// child is a node that this process has started.
type child struct {
	proc *proc
	// done is closed when the node has ended.
	done chan struct{}
}

// Start starts the three nodes, after everything that can be wrong has been looked at.
func (j Java) Start(ctx context.Context, o Options) (s stand.State, err error) {
	if err := supported(); err != nil {
		return s, err
	}
	if err := j.CheckHome(); err != nil {
		return s, err
	}
	if err := j.clear(ctx); err != nil {
		return s, err
	}
	if err := ports.Probe(o.Bind, AllPorts(o.First)); err != nil {
		return s, err
	}
	if err := j.checkData(); err != nil {
		return s, err
	}
	java, err := findJava(ctx)
	if err != nil {
		return s, err
	}
	if err := j.libs(ctx); err != nil {
		return s, err
	}
	j.Say(msg.Sprintf("starting three nodes of Apache Kafka %s, in some ten seconds, "+
		"after a crash in twenty ...", Version))
	l := launch{Java: java, JVM: j.Settings.JVM, Bind: o.Bind}
	if err := j.prepare(ctx, o, l); err != nil {
		return s, err
	}
	s = state(stand.Java, o, software("java"))
	s.Processes, err = j.startAll(ctx, l, s.Bootstrap)
	s.Started = time.Now().UTC().Truncate(time.Millisecond)
	return s, err
}

// clear ends what an interrupted start has left.
func (j Java) clear(ctx context.Context) error {
	old, err := j.all()
	if err != nil {
		return err
	}
	if len(old) > 0 {
		j.Say(msg.Sprintf("an interrupted start has left %d processes of Kafka: they are "+
			"ended", len(old)))
	}
	return errors.Join(kill(ctx, old), os.RemoveAll(j.tempDir()))
}

// kill ends processes at once.
func kill(ctx context.Context, list []*proc) error {
	var failed error
	for _, p := range list {
		failed = errors.Join(failed, p.signal(os.Kill))
	}
	for _, p := range list {
		ended, err := p.await(ctx, Dead, killWait)
		if err != nil {
			return err
		}
		if !ended {
			failed = errors.Join(failed,
				msg.Errorf("cannot end the process %d", p.handle.Pid))
		}
	}
	return failed
}

// startAll starts the nodes and waits until they serve. If that fails, none is left.
func (j Java) startAll(ctx context.Context, l launch, addrs []string) ([]stand.Process, error) {
	var started []*proc
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	list, err := func() ([]stand.Process, error) {
		var list []stand.Process
		for node := range stand.Brokers {
			c, err := j.launch(l, node)
			if err != nil {
				return nil, err
			}
			started = append(started, c.proc)
			about, err := c.proc.describe()
			if err != nil {
				return nil, err
			}
			list = append(list, about)
			go func() {
				select {
				case <-c.done:
					cancel(j.died(node))
				case <-watched.Done():
				}
			}()
		}
		return list, awaitAll(watched, addrs)
	}()
	if err != nil {
		// The caller may have been interrupted: that must not keep the nodes alive.
		return nil, errors.Join(err, kill(context.WithoutCancel(ctx), started))
	}
	return list, nil
}

// died is the error about a node that has ended at its start.
func (j Java) died(node int) error {
	path := j.logFile(node)
	return msg.Errorf("broker %d died at its start: %s; its log is %s", node, logged(path),
		show.Text(path))
}

// launch starts one node.
func (j Java) launch(l launch, node int) (*child, error) {
	logTo, err := rotate(j.logFile(node))
	if err != nil {
		return nil, err
	}
	defer logTo.Close()
	if err := os.MkdirAll(j.tempDir(), 0o700); err != nil {
		return nil, err
	}
	cmd := exec.Command(l.Java, append(j.java(l), mainClass, j.propertiesFile(node))...)
	cmd.Env = environment(os.Environ())
	cmd.Dir = filepath.Dir(j.logFile(node))
	cmd.Stdout, cmd.Stderr = logTo, logTo
	detach(cmd)
	restore := private()
	err = cmd.Start()
	restore()
	if err != nil {
		return nil, msg.Errorf("broker %d does not start: %w", node, err)
	}
	c := &child{done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // a node ends when it is told to, whatever its status then is
		close(c.done)
	}()
	// For a moment after its start a process has no command line yet.
	for begin := time.Now(); ; time.Sleep(glance) {
		if p, ok := open(cmd.Process.Pid, j.ours); ok {
			c.proc = p
			return c, nil
		}
		select {
		case <-c.done:
			return nil, j.died(node)
		default:
		}
		if time.Since(begin) > killWait {
			_ = cmd.Process.Kill()
			return nil, j.died(node)
		}
	}
}

// Stop ends all nodes at once. One after the other would not do: the last of three waits
// for two controllers that agree.
func (j Java) Stop(ctx context.Context, _ stand.State) error {
	nodes, err := j.all()
	if err != nil {
		return err
	}
	for _, p := range nodes {
		// A paused node takes the first signal only after the second.
		if err := errors.Join(p.signal(sigEnd), p.signal(sigResume)); err != nil {
			return err
		}
	}
	late, err := j.ended(ctx, nodes)
	if err != nil {
		return err
	}
	for _, p := range late {
		j.Say(msg.Sprintf("broker %d has not stopped within %s: it is killed, and "+
			"keeps what was acknowledged", p.node, downWait))
	}
	// The start of this stand may have been killed while it fetched Kafka.
	return errors.Join(kill(ctx, late), j.sweep(ctx), os.RemoveAll(j.tempDir()))
}

// ended waits until the nodes have ended, and returns those that do not. A node that has
// closed its files and only waits for others is ended for good.
func (j Java) ended(ctx context.Context, nodes []*proc) (late []*proc, err error) {
	limit := time.After(downWait)
	tick := time.NewTicker(glance)
	defer tick.Stop()
	closed := map[*proc]time.Time{}
	for {
		nodes = slices.DeleteFunc(nodes, (*proc).gone)
		if len(nodes) == 0 {
			return nil, nil
		}
		var done []*proc
		for _, p := range nodes {
			if since, ok := closed[p]; ok && time.Since(since) > closedGrace {
				done = append(done, p)
			} else if !ok && j.closed(p.node) {
				closed[p] = time.Now()
			}
		}
		if err := kill(ctx, done); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-limit:
			return nodes, nil
		case <-tick.C:
		}
	}
}

// closed says whether a node has written out and closed its logs.
func (j Java) closed(node int) bool {
	_, err := os.Stat(filepath.Join(j.nodeDir(node), closedFile))
	return err == nil
}

// Brokers looks at the processes that the state file names. A broker that it does not
// name has been stopped.
func (j Java) Brokers(_ context.Context, s stand.State) ([]Broker, error) {
	all := make([]Broker, stand.Brokers)
	for node := range all {
		all[node] = Broker{Node: node, Address: s.Bootstrap[node], Status: Stopped}
	}
	for _, about := range s.Processes {
		if about.Node < 0 || about.Node >= len(all) {
			continue
		}
		b := &all[about.Node]
		b.Status = Dead
		p, ok := j.recorded(about)
		if !ok {
			continue
		}
		if b.Status = p.status(); b.Status == Dead {
			continue
		}
		b.PID = about.PID
		if mem, err := p.info.MemoryInfo(); err == nil {
			b.Memory = mem.RSS
		}
	}
	return all, nil
}

// act does what the verb says to one node.
func (j Java) act(
	ctx context.Context, s stand.State, verb Verb, node int,
) (stand.State, error) {
	if verb == Start {
		return j.startOne(ctx, s, node)
	}
	i := slices.IndexFunc(s.Processes, func(p stand.Process) bool { return p.Node == node })
	p, ok := j.recorded(s.Processes[i])
	if !ok {
		return s, unfit(verb, node, Dead) // it has ended since it was looked at
	}
	switch verb {
	case Kill:
		return s, kill(ctx, []*proc{p})
	case Pause:
		return s, p.turn(ctx, sigPause, Paused)
	case Resume:
		return s, p.turn(ctx, sigResume, Running)
	}
	if all, err := j.Brokers(ctx, s); err == nil && left(all, node) == 0 {
		j.Say(msg.Sprintf("broker %d is the last one that runs and has nobody to hand over to: "+
			"it may have to be killed, after %s", node, stopWait))
	}
	if err := p.signal(sigEnd); err != nil {
		return s, err
	}
	next := s
	next.Processes = slices.Delete(slices.Clone(s.Processes), i, i+1)
	ended, err := p.await(ctx, Dead, stopWait)
	if err != nil {
		return next, err // interrupted: it stops all the same, as it was told
	}
	if !ended {
		j.Say(msg.Sprintf("broker %d has not stopped within %s: it is killed, and keeps what was "+
			"acknowledged", node, stopWait))
		if err := kill(ctx, []*proc{p}); err != nil {
			return s, err
		}
	}
	return next, nil
}

// turn sends a signal and waits until it has taken effect.
func (p *proc) turn(ctx context.Context, s os.Signal, want Status) error {
	if err := p.signal(s); err != nil {
		return err
	}
	ok, err := p.await(ctx, want, killWait)
	if err == nil && !ok {
		err = msg.Errorf("broker %d is not %s after %s", p.node, want, killWait)
	}
	return err
}

// clearOne ends a node that runs although the state file says that it does not: a start or
// a stop of it was interrupted.
func (j Java) clearOne(ctx context.Context, node int) error {
	old, err := j.all()
	if err != nil {
		return err
	}
	old = slices.DeleteFunc(old, func(p *proc) bool { return p.node != node })
	if len(old) == 0 {
		return nil
	}
	j.Say(msg.Sprintf("broker %d still runs after an interrupted command: it is ended first",
		node))
	return kill(ctx, old)
}

// startOne starts a node of a running stand again.
func (j Java) startOne(ctx context.Context, s stand.State, node int) (stand.State, error) {
	l, err := j.readLaunch()
	if err != nil {
		return s, err
	}
	if err := j.checkLibs(); err != nil {
		return s, err
	}
	if err := j.clearOne(ctx, node); err != nil {
		return s, err
	}
	if err := j.checkAllThere(); err != nil {
		return s, err
	}
	if err := ports.Probe(cmp.Or(l.Bind, loopback), nodePorts(s.Ports[node])); err != nil {
		return s, err
	}
	all, err := j.Brokers(ctx, s)
	if err != nil {
		return s, err
	}
	c, err := j.launch(l, node)
	if err != nil {
		return s, err
	}
	about, err := c.proc.describe()
	if err != nil {
		return s, errors.Join(err, kill(ctx, []*proc{c.proc}))
	}
	next := s
	next.Processes = append(slices.DeleteFunc(slices.Clone(s.Processes),
		func(p stand.Process) bool { return p.Node == node }), about)
	if left(all, node) == 0 {
		j.Say(msg.Sprintf("broker %d is the only one that runs: the cluster answers when a "+
			"second one is started", node))
		return next, nil
	}
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-c.done:
			cancel(j.died(node))
		case <-watched.Done():
		}
	}()
	if err := awaitOne(watched, s.Bootstrap, node); err != nil {
		return s, errors.Join(err, kill(context.WithoutCancel(ctx), []*proc{c.proc}))
	}
	return next, nil
}
