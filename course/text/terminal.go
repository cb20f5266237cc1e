package text

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// terminal is a shell of its own, as a reader has it open. Each command runs in a
// bash of its own, in a process group of its own; folder and exported variables are
// carried from one to the next. So a signal reaches a program, and make above it, as
// a real terminal's Ctrl+C does.
type terminal struct {
	name  string
	dir   string
	env   []string
	state string                   // file in which a shell leaves folder and variables
	clean func(line string) string // undoes what only the harness does, like its ports

	job *job
	// head is the table that the running command printed last.
	head []string
	// shown is the last step of it that the text shows.
	shown *wait
	// ignore tells that the last block ended with …: what came since is shown by it.
	ignore bool
}

// job is a command that runs, or has ended.
type job struct {
	command string
	line    int // of the text
	cmd     *exec.Cmd
	changed chan struct{} // holds a token when there is news

	mu     sync.Mutex
	lines  []string
	last   time.Time
	exited bool // the shell has ended
	eof    bool // nothing can print any more
	status error
	// interrupted: Ctrl+C was sent; raced: make has stumbled over its own child since.
	interrupted, raced bool
}

// snapshot is what is known of a job at a moment.
type snapshot struct {
	lines  []string
	last   time.Time
	exited bool
	ended  bool // the group has exited and all it printed was read
}

// maxLines is where a program that prints without end is cut off.
const maxLines = 10_000

// script runs $1, and writes the folder and the exported variables to $2 however
// that ends.
const script = `__state=$2
trap '{ printf "%s\0" "$PWD"
for __name in $(compgen -e); do printf "%s=%s\0" "$__name" "${!__name}"; done; } >"$__state"' EXIT
eval "$1"`

// shellName is what bash is called, to know its messages by.
const shellName = "brew-terminal"

// start runs a command. Nothing else may run in the terminal.
func (t *terminal) start(command string, line int) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-c", script, shellName, command, t.state)
	cmd.Dir = t.dir
	cmd.Env = t.env
	// One descriptor for both: what is printed first is read first.
	cmd.Stdout, cmd.Stderr = w, w
	ownGroup(cmd)
	if err := os.Remove(t.state); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := cmd.Start(); err != nil {
		r.Close()
		return err
	}
	j := &job{command: command, line: line, cmd: cmd, last: time.Now()}
	j.changed = make(chan struct{}, 1)
	t.job, t.head, t.ignore = j, nil, false
	go j.read(r, t.clean)
	go j.wait()
	return nil
}

// read collects the lines until nobody can write any more.
func (j *job) read(r *os.File, clean func(string) string) {
	defer r.Close()
	in := bufio.NewReaderSize(r, 64<<10)
	var part strings.Builder
	for {
		text, err := in.ReadSlice('\n')
		part.Write(text)
		// A line without end is cut where the buffer ends.
		if err == nil || errors.Is(err, bufio.ErrBufferFull) || (err != nil && part.Len() > 0) {
			j.add(clean(shellMessage(strings.TrimSuffix(part.String(), "\n"))))
			part.Reset()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	j.update(func() { j.eof = true })
}

// makeRace are the lines of a race in GNU make 4.3, which loses it now and then when its
// child ends soon after Ctrl+C. Programs live on for a moment to prevent it; where the machine
// is too busy for that, it says nothing of the text.
var makeRace = regexp.MustCompile(
	`^make: \*\*\* (wait: No child processes\.  Stop\.|Waiting for unfinished jobs\.\.\.\.)$`)

func (j *job) add(line string) {
	j.update(func() {
		j.last = time.Now()
		switch {
		case j.interrupted && makeRace.MatchString(line):
			j.raced = true
		case len(j.lines) < maxLines:
			j.lines = append(j.lines, line)
		}
	})
}

func (j *job) wait() {
	err := j.cmd.Wait()
	j.update(func() { j.exited, j.status = true, err })
}

func (j *job) update(change func()) {
	j.mu.Lock()
	change()
	j.mu.Unlock()
	select {
	case j.changed <- struct{}{}:
	default:
	}
}

func (j *job) snapshot() snapshot {
	j.mu.Lock()
	defer j.mu.Unlock()
	return snapshot{
		lines: append([]string(nil), j.lines...), last: j.last, exited: j.exited,
		ended: j.exited && j.eof && !groupRuns(j.cmd.Process.Pid),
	}
}

// take removes the first n lines: a block has shown them.
func (j *job) take(n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = j.lines[n:]
}

// interrupt sends the group what Ctrl+C sends.
func (j *job) interrupt() error {
	j.update(func() { j.interrupted = true })
	return signalGroup(j.cmd.Process.Pid, syscall.SIGINT)
}

// kill ends the group for good and waits until it is gone.
func (j *job) kill() {
	for patience := time.Now().Add(killPatience); time.Now().Before(patience); {
		if s := j.snapshot(); s.exited && !groupRuns(j.cmd.Process.Pid) {
			return
		}
		// An error means that the group has ended by itself meanwhile.
		_ = signalGroup(j.cmd.Process.Pid, syscall.SIGKILL)
		select {
		case <-j.changed:
		case <-time.After(pollGroup):
		}
	}
}

// killPatience bounds the wait for a killed group: where nobody reaps orphans, dead
// ones stay in it for ever.
const killPatience = 5 * time.Second

// pollGroup is how often to look for what tells nothing: a group's last process.
const pollGroup = 20 * time.Millisecond

// exitCode gives the status of an ended job as a shell shows it.
func (j *job) exitCode() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.status == nil {
		return 0
	}
	if signal := deathBy(j.cmd.ProcessState); signal > 0 {
		return 128 + signal
	}
	return j.cmd.ProcessState.ExitCode()
}

// ended carries folder and variables over to the next command.
func (t *terminal) ended() error {
	data, err := os.ReadFile(t.state)
	if errors.Is(err, os.ErrNotExist) {
		return nil // the shell was killed: all stays as it was
	}
	if err != nil {
		return err
	}
	dir, rest, _ := strings.Cut(string(data), "\x00")
	var env []string
	for variable := range strings.SplitSeq(rest, "\x00") {
		name, _, ok := strings.Cut(variable, "=")
		if ok && name != "_" && name != "SHLVL" {
			env = append(env, variable)
		}
	}
	t.dir, t.env = dir, env
	return nil
}

// close kills what still runs.
func (t *terminal) close() {
	if t.job != nil {
		t.job.kill()
		t.job = nil
	}
}

var (
	shellPrefix = regexp.MustCompile(`^` + shellName + `: (?:eval: )?line \d+: `)
	shellDeath  = regexp.MustCompile(`^ *\d+ ([A-Z][A-Za-z ]*?)(?: {2,}.*| \(core dumped\).*)$`)
)

// shellMessage makes of a script's messages those of a shell at a prompt: "bash: …",
// and one word for a program that a signal ended.
func shellMessage(line string) string {
	prefix := shellPrefix.FindString(line)
	if prefix == "" {
		return line
	}
	rest := line[len(prefix):]
	if m := shellDeath.FindStringSubmatch(rest); m != nil {
		return m[1]
	}
	return "bash: " + rest
}

// newTerminal opens a terminal in dir. scratch is a folder for its state.
func newTerminal(name, dir, scratch string, env []string, clean func(string) string) *terminal {
	return &terminal{
		name: name, dir: dir, env: env, clean: clean,
		state: filepath.Join(scratch, name+".state"),
	}
}

// awaitChange waits for news of a job, until a moment, or for the context.
func (j *job) awaitChange(ctx context.Context, until time.Time) error {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-j.changed:
	case <-timer.C:
	}
	return nil
}
