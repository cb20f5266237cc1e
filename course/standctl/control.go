package standctl

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"brew.example/course/brokers"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Control does what the verbs ask for, on the stand of one home.
type Control struct {
	home home
	say  func(line string)
}

// New returns a Control of the home that the environment names. What a person should
// know about on the way (that something was repaired, or is waited for) goes to say,
// a line at a time.
func New(say func(line string)) (*Control, error) {
	h, err := findHome()
	if err != nil {
		return nil, err
	}
	return &Control{home: h, say: say}, nil
}

// Home returns the folder that holds the stand's state.
func (c *Control) Home() string { return string(c.home) }

// kind is one way of running three brokers on this machine.
type kind interface {
	// start brings the brokers up and returns when they serve, with what stand.json
	// shall say about them. After an error nothing is left running.
	start(
		ctx context.Context, h home, o UpOptions, on []int, say func(string),
	) (stand.State, error)
	// stop ends the brokers that start has started.
	stop(ctx context.Context, h home, r record, say func(string)) error
}

var kinds = map[string]kind{
	stand.Embedded: embedded{}, stand.Java: real(stand.Java), stand.Docker: real(stand.Docker),
}

// UpOptions are the flags of `course up`.
type UpOptions struct {
	// Bind is the address to listen on, 127.0.0.1 if empty.
	Bind string
	// Advertise is the host that the brokers name to their clients; if empty,
	// localhost, or what Bind says when that is another machine's way in.
	Advertise string
}

// found is what the stand's lock and files tell together.
type found struct {
	running bool
	// record is the running stand's own; recordErr says why there is none.
	record    record
	recordErr error
	// state is what stand.json says; readable says whether it does, and err why not.
	state    stand.State
	readable bool
	err      error
	// unfinished says that the start of real brokers was killed in the middle.
	unfinished bool
}

// look reads the state file and asks the lock. A file of a newer version of the
// course is an error: what runs then is not ours to judge.
func (h home) look() (found, error) {
	var f found
	if !h.exists() {
		return f, nil
	}
	if err := h.settle(&f); err != nil {
		return f, err
	}
	f.state, f.err = stand.Read(string(h))
	f.readable = f.err == nil
	if _, folder := errors.AsType[stand.FolderError](f.err); folder || f.err != nil && h.newer() {
		return f, f.err
	}
	if errors.Is(f.err, fs.ErrNotExist) {
		f.err = nil
	}
	return f, nil
}

// settleWait is how long a process may take to get from its lock to its record, or
// from being killed to letting go of the lock.
const settleWait = 3 * time.Second

// settle finds out whether the stand runs, and as which process. In between, right
// after a kill -9, it has the lock and is no process of ours any more: that passes.
func (h home) settle(f *found) (err error) {
	for end := time.Now().Add(settleWait); ; time.Sleep(lockRetry) {
		if f.running, err = h.running(); err != nil {
			return err
		}
		if !f.running { // no embedded stand, that is
			return h.settleReal(f)
		}
		if f.record, f.recordErr = h.readRecord(); f.recordErr == nil || time.Now().After(end) {
			return nil
		}
	}
}

// newer says whether stand.json is of a version that this course does not know.
func (h home) newer() bool {
	var s struct {
		Version int `json:"version"`
	}
	data, err := os.ReadFile(h.path(stand.File))
	return err == nil && json.Unmarshal(data, &s) == nil && s.Version > stand.FormatVersion
}

// Up makes sure that a stand runs, and says whether it had to start one.
func (c *Control) Up(ctx context.Context, o UpOptions) (s stand.State, started bool, err error) {
	name, err := stand.Kind()
	if err != nil {
		return s, false, cli.UsageError{Err: err}
	}
	first, err := stand.Port()
	if err != nil {
		return s, false, cli.UsageError{Err: err}
	}
	if name == stand.Java {
		if err := (brokers.Java{Home: c.Home()}).CheckHome(); err != nil {
			return s, false, err
		}
	}
	if err := c.home.make(); err != nil {
		return s, false, err
	}
	unlock, err := c.lockCommands(ctx)
	if err != nil {
		return s, false, err
	}
	defer unlock()

	f, err := c.home.look()
	if err != nil {
		return s, false, err
	}
	if f.running {
		s, err := c.already(ctx, f, o)
		return s, false, err
	}
	if err := c.clearStale(ctx, f, true); err != nil {
		return s, false, err
	}
	s, err = kinds[name].start(ctx, c.home, o, stand.Ports(first), c.say)
	if err == nil {
		c.tellOfOther(name)
	}
	return s, err == nil, err
}

// tellOfOther says that the records of a Kafka are kept here, when a stand has started that
// nobody has chosen: COURSE_STAND may be set in another terminal.
func (c *Control) tellOfOther(started string) {
	if os.Getenv("COURSE_STAND") != "" || started == stand.Java {
		return
	}
	if _, err := os.Stat(c.home.path(dataDir, stand.Java)); err == nil {
		c.say(msg.Sprintf("this is the %s stand; the records of a java stand are kept as well: "+
			"`make down`, then `COURSE_STAND=java make up` for that one", started))
	}
}

// already returns the state of the stand that runs, if it is the one that is asked for.
func (c *Control) already(
	ctx context.Context, f found, o UpOptions,
) (stand.State, error) {
	rec, err := c.repair(f)
	if err != nil {
		return stand.State{}, err
	}
	if err := Wanted(rec.State); err != nil {
		return stand.State{}, err
	}
	if os.Getenv("COURSE_PORT") != "" {
		if first, err := stand.Port(); err == nil && first != rec.Ports[0] {
			return stand.State{}, msg.Errorf("the stand runs on ports %d-%d "+
				"and COURSE_PORT=%d asks for %d-%d: "+
				"unset COURSE_PORT, or stop the stand with `make down` first",
				rec.Ports[0], rec.Ports[len(rec.Ports)-1], first, first, first+stand.Brokers-1)
		}
	}
	running := UpOptions{Bind: rec.Bind, Advertise: rec.Advertise}
	if (o != UpOptions{}) && o.fill() != running {
		return stand.State{}, msg.Errorf("the stand runs already, "+
			"bound to %s and advertised as %s: "+
			"stop it with `make down` first", show.Text(rec.Bind), show.Text(rec.Advertise))
	}
	all, err := c.brokers(ctx, rec)
	if err != nil {
		return stand.State{}, err
	}
	for _, b := range all {
		if trouble := b.Trouble(); trouble != "" {
			c.say(trouble)
		}
	}
	return rec.State, Serving(all)
}

// Serving refuses a stand none of whose brokers runs.
func Serving(all []brokers.Broker) error {
	if slices.ContainsFunc(all, running) {
		return nil
	}
	return msg.Errorf("no broker of the stand runs: start them one by one, or all of them with " +
		"`make down`, then `make up`")
}

// Majority refuses a stand of which so few brokers run that they cannot agree on anything:
// no leader is elected, no group gets another coordinator.
func Majority(all []brokers.Broker) error {
	n := 0
	for _, b := range all {
		if running(b) {
			n++
		}
	}
	if n > len(all)/2 {
		return nil
	}
	return msg.Errorf("brokers that run: %d of %d, too few to elect a leader: start another one", n,
		len(all))
}

// Wanted refuses a stand that runs when COURSE_STAND asks for one of another kind: who has
// exported it for a real Kafka shall not measure the embedded stand instead.
func Wanted(running stand.State) error {
	kind, err := stand.Kind()
	switch {
	case err != nil:
		return cli.UsageError{Err: err}
	case os.Getenv("COURSE_STAND") != "" && kind != running.Kind:
		return msg.Errorf("the %s stand runs and COURSE_STAND=%s asks for another one: "+
			"unset COURSE_STAND, or stop the stand with `make down` first", running.Kind, kind)
	}
	return nil
}

// unknown is the error about a stand that runs as nobody knows which process.
func (c *Control) unknown(err error) error {
	return msg.Errorf("a stand runs in %s, but its files do not say as which process (%w): "+
		"find it with `ps -ef | grep %s` and end it", show.Text(c.Home()), err, DaemonVerb)
}

// repair returns the record of the stand that runs. If stand.json is damaged or gone
// it is written anew from it.
func (c *Control) repair(f found) (record, error) {
	rec := f.record
	if f.recordErr != nil {
		return rec, c.unknown(f.recordErr)
	}
	if isReal(rec.Kind) {
		if _, err := c.home.readReal(); err != nil { // it was made from stand.json
			if err := c.home.note(rec); err != nil {
				return rec, unusable(string(c.home), err)
			}
		}
	}
	if f.readable && slices.Equal(f.state.Ports, rec.Ports) &&
		slices.Equal(f.state.Processes, rec.Processes) {
		return rec, nil
	}
	if err := stand.Write(string(c.home), rec.State); err != nil {
		return rec, unusable(string(c.home), err)
	}
	c.say(msg.Sprintf("%s did not say what runs (damaged, gone or of another stand): "+
		"it is written anew",
		show.Text(c.home.path(stand.File))))
	return rec, nil
}

// clearStale removes the files of a stand that does not run any more, and says why
// they were there. It signals no process by its pid: whatever has that now is not ours.
func (c *Control) clearStale(ctx context.Context, f found, starting bool) error {
	switch {
	case isReal(f.record.Kind):
		if err := c.clearReal(ctx, f, starting); err != nil {
			return err
		}
	case f.readable && starting:
		c.say(msg.Sprintf("the last stand was not stopped but killed (pid %d is gone): "+
			"it starts again with its data",
			pidOf(f.state)))
	case f.readable:
		c.say(msg.Sprintf("the last stand was not stopped but killed (pid %d is gone): "+
			"its data is kept", pidOf(f.state)))
	case f.err != nil:
		c.say(msg.Sprintf("%s was damaged and no stand runs: "+
			"it is removed, the data is kept", show.Text(c.home.path(stand.File))))
	}
	if err := c.home.endStray(ctx, c.say); err != nil {
		return err
	}
	return c.home.unpublish()
}

// clearReal ends what is left of real brokers that do not run any more, or of a start of
// some that was killed.
func (c *Control) clearReal(ctx context.Context, f found, starting bool) error {
	switch {
	case f.unfinished:
		c.say(msg.Sprintf("a start or stop of the %s stand was interrupted: what is left of it is ended",
			f.record.Kind))
	case starting:
		c.say(msg.Text("no broker of the last stand runs any more: " +
			"it starts again with its data"))
	default:
		c.say(msg.Text("no broker of the last stand runs any more: its data is kept"))
	}
	return kinds[f.record.Kind].stop(ctx, c.home, f.record, c.say)
}

func pidOf(s stand.State) int {
	if len(s.Processes) == 0 {
		return 0
	}
	return s.Processes[0].PID
}

// Down stops the stand and says whether one ran.
func (c *Control) Down(ctx context.Context) (stopped bool, err error) {
	if !c.home.exists() {
		return false, nil
	}
	unlock, err := c.lockCommands(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	return c.down(ctx)
}

// down is Down for who holds the command lock.
func (c *Control) down(ctx context.Context) (stopped bool, err error) {
	f, err := c.home.look()
	if err != nil {
		return false, err
	}
	if !f.running {
		return false, c.clearStale(ctx, f, false)
	}
	if f.recordErr != nil {
		return false, c.unknown(f.recordErr)
	}
	if isReal(f.record.Kind) {
		// When this command is killed, the next one goes on. A full disk is no reason not to stop.
		f.record.Unfinished = true
		_ = c.home.note(f.record)
	}
	if err := kinds[f.record.Kind].stop(ctx, c.home, f.record, c.say); err != nil {
		return false, err
	}
	return true, c.home.unpublish()
}

// Wiped is what Wipe has found.
type Wiped struct {
	// Something says that there was a stand, or data or logs of one.
	Something bool
	// Foreign are names of files in the home that are not the course's; they are left alone.
	Foreign []string
}

// Wipe stops the stand if it runs and deletes its data and logs. While groups have members
// it refuses.
func (c *Control) Wipe(ctx context.Context) (w Wiped, err error) {
	if !c.home.exists() {
		return w, nil
	}
	unlock, err := c.lockCommands(ctx)
	if err != nil {
		return w, err
	}
	defer unlock()
	if err := c.Idle(ctx); err != nil {
		return w, err
	}
	stopped, err := c.down(ctx)
	if err != nil {
		return w, err
	}
	if err := c.wipeVolumes(ctx); err != nil {
		return w, err
	}
	if w, err = c.home.removeAll(); err != nil {
		return w, unusable(string(c.home), err)
	}
	w.Something = w.Something || stopped
	return w, nil
}

// Running says whether the stand runs, and as what.
func (c *Control) Running() (stand.State, bool, error) {
	f, err := c.home.look()
	if err != nil || !f.running {
		return stand.State{}, false, err
	}
	rec, err := c.repair(f)
	return rec.State, err == nil, err
}

// stopWait is how long a stand may take to close its files before it is killed. A test
// has less patience.
var stopWait = 15 * time.Second
