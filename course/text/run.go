package text

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"brew.example/course/runner"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// Options say how texts are checked. The zero value is what the course needs.
type Options struct {
	// Stand is the kind of stand to replay on: embedded if empty.
	Stand string
	// Course is the course's tool; it is built if empty.
	Course string
	// Static leaves out the replay.
	Static bool
	// Jobs is how many texts are replayed at once. It is waiting that takes time, so
	// more of them than processors are useful.
	Jobs int
	// MinWords and MaxWords bound a text's length.
	MinWords, MaxWords int
	// StepTimeout is how long a step may take at most.
	StepTimeout time.Duration
	// Quiet is how long nothing must come after the last line of a block.
	Quiet time.Duration
	// Grace is how long commands may still run at the end of a text.
	Grace time.Duration
	// Settle and Patience are, in an update, how long nothing must come for a block
	// to be at its end: with as many lines as it had, and with fewer.
	Settle, Patience time.Duration
	// NewStand makes the stand of one text, for tests; scratch is a folder for it.
	NewStand func(scratch string, env []string) Stand
}

func (o Options) withDefaults() Options {
	o.Stand = cmp.Or(o.Stand, stand.Embedded)
	o.Jobs = cmp.Or(o.Jobs, 6)
	o.MinWords = cmp.Or(o.MinWords, 1000)
	o.MaxWords = cmp.Or(o.MaxWords, 2200)
	o.StepTimeout = cmp.Or(o.StepTimeout, time.Minute)
	o.Quiet = cmp.Or(o.Quiet, 300*time.Millisecond)
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	o.Settle = cmp.Or(o.Settle, 2*time.Second)
	o.Patience = cmp.Or(o.Patience, 15*time.Second)
	return o
}

const (
	interruptSignal = syscall.SIGINT
	// waitDelay is how long to wait for output that a child's child holds open.
	waitDelay = time.Second
)

// Checker checks and updates the texts of one course.
type Checker struct {
	root  string
	opts  Options
	slots chan struct{} // one for each replay that may run

	course    func() (string, error)
	kafka     func() (*sharedStand, error)
	catalogue func() (*catalogue, error)
	build     func(Lecture) error

	shared *sharedStand // nil until a text has asked for it

	mu     sync.Mutex
	builds map[string]func() error
}

// NewChecker returns a Checker for the course that lies in root.
func NewChecker(root string, opts Options) (*Checker, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	switch {
	case opts.Stand != stand.Embedded && opts.Stand != stand.Java:
		return nil, msg.Errorf("texts cannot be replayed on the stand %q: embedded or java",
			opts.Stand)
	case !canReplay && !opts.Static:
		return nil, msg.Errorf("texts cannot be replayed on %s, only read: add --static",
			runtime.GOOS)
	}
	if opts.Stand == stand.Java {
		opts.Jobs = 1 // one Kafka serves all
	}
	c := &Checker{root: root, opts: opts, builds: map[string]func() error{}}
	c.kafka = sync.OnceValues(c.startKafka)
	c.slots = make(chan struct{}, opts.Jobs)
	c.build = c.buildLecture
	c.course = sync.OnceValues(c.buildCourse)
	c.catalogue = sync.OnceValues(func() (*catalogue, error) { return readCatalogue(root) })
	return c, nil
}

// Check checks one language of a lecture, and replays it if nothing else is wrong.
func (c *Checker) Check(ctx context.Context, l Lecture, lang string) []Problem {
	d, list := c.static(l, lang)
	if len(list) > 0 || c.opts.Static {
		return list
	}
	if f := c.replay(ctx, d, nil); f != nil {
		return []Problem{{d.file, f.line, f.message}}
	}
	return nil
}

// static does all that can be seen without running anything.
func (c *Checker) static(l Lecture, lang string) (*document, []Problem) {
	d, err := readDocument(l, lang)
	if err != nil {
		return nil, []Problem{missing(l, lang)}
	}
	d.checkAll(c.opts)
	if lang != Languages[0] && len(d.starts) > 0 {
		original, err := readDocument(l, Languages[0])
		if err == nil && len(original.starts) > 0 {
			cat, err := c.catalogue()
			if err != nil {
				d.add(0, err.Error())
			} else {
				d.checkPair(original, cat)
			}
		}
	}
	sortProblems(d.list)
	return d, d.list
}

// missing says that a lecture lacks a language.
func missing(l Lecture, lang string) Problem {
	return Problem{File: l.rel(filepath.Join(l.Dir, textFiles[lang])), Message: msg.Text(
		"the file is missing")}
}

func (d *document) checkAll(o Options) {
	if len(d.starts) == 0 {
		return // the file cannot be read
	}
	d.checkStructure(o.MinWords, o.MaxWords)
	d.checkTerminals(o.Stand)
	d.checkCode()
	d.checkLinks()
}

// replay runs a text's console blocks on a stand of their own. If recorded is not
// nil, it takes what came otherwise than shown.
func (c *Checker) replay(ctx context.Context, d *document, recorded map[*step][]string) *failure {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return interrupted(1)
	}
	failed := func(err error) *failure { return &failure{line: 1, message: err.Error()} }
	scratch, err := os.MkdirTemp("", "brew-text-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(scratch)
	r := &replay{doc: d, opts: c.opts, scratch: scratch, recorded: recorded}
	if c.opts.NewStand != nil {
		r.stand = c.opts.NewStand(scratch, terminalEnv())
	} else if r.stand, err = c.newStand(d, scratch); err != nil {
		return failed(err)
	}
	if err := c.build(d.lecture); err != nil {
		return failed(err)
	}
	return r.run(ctx)
}

// newStand returns the stand for one text. A real Kafka serves all of them but those that
// stop its brokers: what a crash leaves behind is no start for the next text.
func (c *Checker) newStand(d *document, scratch string) (Stand, error) {
	if c.opts.Stand == stand.Java && !d.stopsBrokers() {
		return c.kafka()
	}
	course, err := c.course()
	if err != nil {
		return nil, err
	}
	return newCourseStand(course, c.opts.Stand, scratch, terminalEnv()), nil
}

// startKafka prepares the Kafka that serves all texts; the first one starts it.
func (c *Checker) startKafka() (*sharedStand, error) {
	course, err := c.course()
	if err != nil {
		return nil, err
	}
	c.shared, err = newSharedStand(course, c.opts.Stand, terminalEnv())
	return c.shared, err
}

// Close takes down what served all texts.
func (c *Checker) Close(ctx context.Context) error {
	if c.shared == nil {
		return nil
	}
	return c.shared.Close(ctx)
}

// buildCourse builds the course's tool to where the lectures' Makefiles have it.
func (c *Checker) buildCourse() (string, error) {
	if c.opts.Course != "" {
		return filepath.Abs(c.opts.Course)
	}
	return build(filepath.Join(c.root, "course"))
}

// buildLecture compiles a lecture's programs beforehand, once: on an empty build
// cache the first `make run` would take longer than a step may.
func (c *Checker) buildLecture(l Lecture) error {
	c.mu.Lock()
	once := c.builds[l.Dir]
	if once == nil {
		once = sync.OnceValue(func() error {
			mains, err := filepath.Glob(filepath.Join(l.Dir, "cmd", "*", "main.go"))
			for _, file := range mains {
				if err == nil {
					_, err = build(filepath.Dir(file))
				}
			}
			return err
		})
		c.builds[l.Dir] = once
	}
	c.mu.Unlock()
	return once()
}

// build compiles the program in dir to where `course run` has it.
func build(dir string) (string, error) {
	p, err := runner.Find(dir)
	if err != nil {
		return "", err
	}
	// Nobody waits for this alone; an interrupt reaches the compiler by itself.
	err = p.Build(context.Background(), nil)
	var failed runner.BuildError
	if errors.As(err, &failed) {
		return "", msg.Errorf("%s is not built: %s", filepath.Base(dir), oneLine(failed.Output))
	}
	return p.Bin, err
}
