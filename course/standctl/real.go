package standctl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"

	"brew.example/course/brokers"
	"brew.example/course/runner"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// real is a kind of stand whose brokers are Apache Kafka's: Java or Docker.
type real string

// isReal says whether a kind of stand is one.
func isReal(kind string) bool { return kind == stand.Java || kind == stand.Docker }

// cluster returns what runs and controls the brokers of a stand of that kind. root is the
// course's folder.
func (h home) cluster(kind, root string, say func(string)) brokers.Cluster {
	if kind == stand.Docker {
		return brokers.Docker{Root: root, Progress: os.Stderr, Say: say}
	}
	return brokers.Java{Home: string(h), Say: say}
}

func (r real) start(
	ctx context.Context, h home, o UpOptions, on []int, say func(string),
) (stand.State, error) {
	root, err := stand.Root(".")
	if err != nil {
		return stand.State{}, msg.Errorf("no course folder here or above: go to a clone of the " +
			"course")
	}
	cluster := h.cluster(string(r), root, say)
	if java, ok := cluster.(brokers.Java); ok {
		if java.Settings, err = settings(ctx, root, say); err != nil {
			return stand.State{}, err
		}
		cluster = java
	}
	o = o.fill()
	rec := record{Bind: o.Bind, Advertise: o.Advertise, Root: root, Unfinished: true}
	rec.State = stand.State{Kind: string(r), Ports: on, Bootstrap: o.bootstrap(on)}
	// Noted before anything runs: when this command is killed, the next one knows what to
	// clean up.
	if err := h.note(rec); err != nil {
		return stand.State{}, unusable(string(h), err)
	}
	options := brokers.Options{First: on[0], Bind: o.Bind, Advertise: o.Advertise}
	s, err := cluster.Start(ctx, options)
	if err == nil {
		rec.State, rec.Unfinished = s, false
		// The folder is there for java; for docker it says that there are volumes to wipe.
		err = errors.Join(os.MkdirAll(h.path(dataDir, string(r)), 0o700), h.publish(rec))
		if err == nil {
			return s, nil
		}
		err = errors.Join(err, cluster.Stop(context.WithoutCancel(ctx), s))
	}
	if left, ok := errors.AsType[brokers.LeftError](err); ok {
		say(left.Left) // the next command goes on from the record
		return stand.State{}, err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = unusable(string(h), err)
	}
	return stand.State{}, errors.Join(err, h.unpublish())
}

func (r real) stop(ctx context.Context, h home, rec record, say func(string)) error {
	err := h.cluster(string(r), rec.Root, say).Stop(ctx, rec.State)
	if errors.Is(err, exec.ErrNotFound) {
		return nil // without docker no container can run
	}
	return err
}

// settings asks the program that reads docker-compose.yml. It is not a part of this one:
// what it takes to read such a file, nobody else needs to compile.
func settings(ctx context.Context, root string, say func(string)) (brokers.Settings, error) {
	var s brokers.Settings
	program, err := runner.Find(filepath.Join(root, "course", "cmd", "brokers"))
	if err != nil {
		return s, err
	}
	slow := func() {
		say(msg.Sprintf("building what reads docker-compose.yml; the first time this takes " +
			"about half a minute ..."))
	}
	if err := program.Build(ctx, slow); err != nil {
		var failed runner.BuildError
		if errors.As(err, &failed) {
			say(failed.Output)
		}
		return s, err
	}
	cmd := exec.CommandContext(ctx, program.Bin, filepath.Join(root, "docker-compose.yml"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return s, context.Cause(ctx)
	case err != nil:
		return s, msg.Errorf("cannot read docker-compose.yml, see above")
	}
	return s, json.Unmarshal(out, &s)
}

// settleReal finds out whether a stand of real brokers is there. It is up as long as one of
// its brokers runs, or would if it were not paused.
func (h home) settleReal(f *found) error {
	rec, err := h.readReal()
	if err != nil {
		// Gone or damaged. What stand.json says is enough to control the brokers.
		if rec, err = h.fromState(); err != nil {
			return nil // there is none, or nobody can tell
		}
	}
	f.record = rec
	if rec.Unfinished {
		f.unfinished = true
		return nil
	}
	cluster := h.cluster(rec.Kind, rec.Root, func(string) {})
	all, err := cluster.Brokers(context.Background(), rec.State)
	if errors.Is(err, exec.ErrNotFound) {
		return nil // without docker no container can run
	}
	if err != nil && rec.Kind == stand.Docker {
		return msg.Errorf("this folder has a docker stand, and Docker cannot be asked for it: %w; "+
			"start Docker, or work with another folder: COURSE_HOME", err)
	}
	for _, b := range all {
		f.running = f.running || b.Status == brokers.Running || b.Status == brokers.Paused
	}
	return err
}

// fromState makes the record of real brokers from stand.json.
func (h home) fromState() (record, error) {
	s, err := stand.Read(string(h))
	if err != nil || !isReal(s.Kind) {
		return record{}, cmp.Or(err, fs.ErrNotExist)
	}
	r := record{State: s, Bind: loopback}
	r.Advertise, _, _ = net.SplitHostPort(s.Bootstrap[0])
	r.Root, err = stand.Root(".")
	if s.Kind == stand.Java {
		err = nil // only docker needs the folder
	}
	return r, err
}

// endStray ends nodes of Kafka that run on the data of this home though no file knows of
// them: somebody has deleted or damaged them all.
func (h home) endStray(ctx context.Context, say func(string)) error {
	if _, err := os.Stat(h.path(dataDir, stand.Java)); err != nil {
		return nil
	}
	n, err := (brokers.Java{Home: string(h)}).Processes()
	if err != nil || n == 0 {
		return err
	}
	say(msg.Sprintf("%d processes of Kafka run that no file knows of: they are ended", n))
	return kinds[stand.Java].stop(ctx, h, record{State: stand.State{Kind: stand.Java}}, say)
}

// brokers tells how each broker of the stand is. On the embedded stand, all are what the
// one process is that serves for them.
func (c *Control) brokers(ctx context.Context, rec record) ([]brokers.Broker, error) {
	if isReal(rec.Kind) {
		return c.home.cluster(rec.Kind, rec.Root, c.say).Brokers(ctx, rec.State)
	}
	all := make([]brokers.Broker, len(rec.Bootstrap))
	for node, addr := range rec.Bootstrap {
		all[node] = brokers.Broker{Node: node, Address: addr, Status: brokers.Running}
	}
	return all, nil
}

// one returns the stand whose brokers can be controlled one by one.
func (c *Control) one() (record, error) {
	f, err := c.home.look()
	switch {
	case err != nil:
		return record{}, err
	case isReal(f.record.Kind) && !f.unfinished:
		return f.record, nil // none of its brokers may run: one of them can be started
	case f.running:
		return record{}, msg.Errorf("the embedded stand is one process, so no single broker of " +
			"it can be stopped, killed or paused; a real Kafka shows that: `make down`, " +
			"then COURSE_STAND=java (needs a JDK and Maven) or docker with `make up`")
	}
	return record{}, msg.Errorf("no stand is up: start one with `make up`, with " +
		"COURSE_STAND=java or docker")
}

// Tool returns the command that runs one of Kafka's own tools against the stand.
func (c *Control) Tool(ctx context.Context, name string, args []string) (*exec.Cmd, error) {
	f, err := c.home.look()
	switch {
	case err != nil:
		return nil, err
	case isReal(f.record.Kind) && !f.unfinished:
		cluster := c.home.cluster(f.record.Kind, f.record.Root, c.say)
		return brokers.Tool(ctx, cluster, f.record.State, name, args)
	case f.running:
		return nil, msg.Errorf("%s comes with a real Kafka, and the embedded stand is none: "+
			"`make down`, then COURSE_STAND=java (needs a JDK and Maven) or docker with "+
			"`make up`", name)
	}
	return nil, msg.Errorf("no stand is up: start one with `make up`, with COURSE_STAND=java or " +
		"docker")
}

// Brokers tells how the brokers of a stand are that can be controlled one by one.
func (c *Control) Brokers(ctx context.Context) ([]brokers.Broker, error) {
	rec, err := c.one()
	if err != nil {
		return nil, err
	}
	return c.brokers(ctx, rec)
}

// Broker does what the verb says to one broker.
func (c *Control) Broker(ctx context.Context, verb brokers.Verb, node int) error {
	if !c.home.exists() {
		_, err := c.one()
		return err
	}
	unlock, err := c.lockCommands(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	rec, err := c.one()
	if err != nil {
		return err
	}
	cluster := c.home.cluster(rec.Kind, rec.Root, c.say)
	s, err := brokers.Do(ctx, cluster, rec.State, verb, node)
	rec.State = s
	return errors.Join(err, c.home.publish(rec))
}

// wipeVolumes deletes what the containers of this stand have written.
func (c *Control) wipeVolumes(ctx context.Context) error {
	if _, err := os.Stat(c.home.path(dataDir, stand.Docker)); err != nil {
		return nil
	}
	root, err := stand.Root(".")
	if err != nil {
		return msg.Errorf("no course folder here or above: go to a clone of the course")
	}
	err = brokers.Docker{Root: root, Progress: os.Stderr, Say: c.say}.Wipe(ctx)
	if errors.Is(err, exec.ErrNotFound) {
		return nil // the volumes have gone with docker
	}
	return err
}
