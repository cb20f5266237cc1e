package text

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// replay runs the console blocks of one text in their order.
type replay struct {
	doc     *document
	opts    Options
	stand   Stand
	scratch string
	// recorded holds what came where the text shows something else; nil when such a
	// difference is a failure.
	recorded map[*step][]string

	terminals map[string]*terminal
	needStand bool
	afterCold bool // if a stand is up, the text has started it
}

// failure is why a replay ended early, at a line of the text.
type failure struct {
	line    int
	message string
	// output tells that the text shows other lines than came: `update` can mend that.
	output bool
}

// run replays all blocks; nil means that the text is right. Everything is stopped
// and removed when it returns.
func (r *replay) run(ctx context.Context) *failure {
	r.terminals = map[string]*terminal{}
	r.needStand = true
	f := r.blocks(ctx)
	for _, t := range r.terminals {
		t.close()
	}
	// The stand is given back even when our own time is up.
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := r.stand.Release(stop); err != nil && f == nil {
		f = &failure{line: 1, message: err.Error()}
	}
	return f
}

// stopTimeout is more than `course down` needs, which kills after 15 s.
const stopTimeout = 30 * time.Second

func (r *replay) blocks(ctx context.Context) *failure {
	for _, b := range r.doc.blocks {
		if b.kind != markRun || !b.run.runsOn(r.opts.Stand) {
			continue
		}
		if err := r.prepare(ctx, b); err != nil {
			return &failure{line: b.fenceLine, message: err.Error()}
		}
		if f := r.block(ctx, b); f != nil {
			return f
		}
	}
	return r.finish(ctx)
}

// prepare has the stand as the block wants it: up and empty before the first one, not
// there at all before a cold one. From then on it is what the text makes of it.
func (r *replay) prepare(ctx context.Context, b *block) error {
	switch {
	case b.run.cold:
		r.needStand, r.afterCold = true, true
		if r.stand.Up() {
			return r.stand.Stop(ctx)
		}
	case r.needStand:
		r.needStand = false
		if !r.afterCold || !r.stand.Up() {
			return r.stand.Reset(ctx)
		}
	}
	return nil
}

func (r *replay) terminal(name string) *terminal {
	t := r.terminals[name]
	if t == nil {
		env := append(r.stand.Env(), "COURSE_LANG="+r.doc.lang)
		t = newTerminal(name, r.doc.lecture.Dir, r.scratch, env, r.stand.Clean)
		r.terminals[name] = t
	}
	return t
}

func (r *replay) block(ctx context.Context, b *block) *failure {
	t := r.terminal(b.run.terminal)
	for i, s := range b.steps {
		w := &wait{replay: r, term: t, block: b, step: s, start: time.Now()}
		w.last = i == len(b.steps)-1
		w.quiet = r.opts.Quiet
		if w.last && b.run.quiet > 0 {
			w.quiet = b.run.quiet
		}
		w.mustEnd = s.kind == stepInterrupt || w.last && b.run.exit > 0 ||
			!w.last && b.steps[i+1].kind == stepCommand
		if f := w.begin(ctx); f != nil {
			return f
		}
		if f := w.await(ctx); f != nil {
			return f
		}
		t.ignore = len(s.want) > 0 && s.want[len(s.want)-1] == anyLines
	}
	return nil
}

// finish sees that nothing runs any more and that no line was left out.
func (r *replay) finish(ctx context.Context) *failure {
	for _, name := range terminals {
		if t := r.terminals[name]; t != nil {
			if f := r.idle(ctx, t, r.opts.Grace, 0); f != nil {
				return f
			}
		}
	}
	if err := r.stand.Whole(ctx); err != nil {
		return &failure{line: len(r.doc.starts) - 1, message: err.Error()}
	}
	return nil
}

// idle waits until a terminal's last command has ended, with all its lines shown.
// next is the line of the command that needs the terminal; 0 at the end of the text.
func (r *replay) idle(ctx context.Context, t *terminal, patience time.Duration, next int) *failure {
	j := t.job
	if j == nil {
		return nil
	}
	start := time.Now()
	for {
		s := j.snapshot()
		quiet := time.Since(s.last) > r.opts.Quiet
		if len(s.lines) > 0 && !t.ignore && (s.ended || quiet) {
			return &failure{line: j.line, output: true, message: msg.Sprintf(
				"%s printed lines after its last block that no block shows:\n%s",
				quoted(j.command), plainDiff(nil, s.lines))}
		}
		if s.ended {
			break
		}
		if time.Since(start) > patience {
			return t.busy(s, start, next)
		}
		if err := j.awaitChange(ctx, time.Now().Add(pollGroup)); err != nil {
			return interrupted(j.line)
		}
	}
	if code := j.exitCode(); !t.shown.mayEndWith(code) {
		return &failure{line: j.line, message: j.wrongStatus(code, 0)}
	}
	return r.release(t, j.line)
}

// busy tells that a terminal's command has not ended.
func (t *terminal) busy(s snapshot, since time.Time, next int) *failure {
	command, line := quoted(t.job.command), t.job.line
	waited := msg.Sprintf("waited since %s for %s", clock(since), round(time.Since(since)))
	switch {
	case s.exited:
		return &failure{line: line, message: msg.Sprintf(
			"what %s left in the background still runs in %s, or holds its output (%s)",
			command, t.name, waited)}
	case next > 0:
		return &failure{line: next, message: msg.Sprintf(
			"%s of line %d still runs in %s: end it with ^C, or use another terminal (%s)",
			command, line, t.name, waited)}
	}
	return &failure{line: line, message: msg.Sprintf(
		"%s still runs in %s when the text ends: end it with ^C (%s)", command, t.name, waited)}
}

// release takes an ended command's folder and variables over.
func (r *replay) release(t *terminal, line int) *failure {
	t.job = nil
	if err := t.ended(); err != nil {
		return &failure{line: line, message: err.Error()}
	}
	return nil
}

func interrupted(line int) *failure {
	return &failure{line: line, message: msg.Text("stopped before the replay was through")}
}

func quoted(command string) string { return "`" + prompt + show.Text(command) + "`" }

func clock(t time.Time) string { return t.Format("15:04:05") }

func round(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

// wait is one step: begun, and awaited until it is as the text says.
type wait struct {
	*replay
	term    *terminal
	block   *block
	step    *step
	last    bool // of its block
	mustEnd bool // the command must end in this step
	quiet   time.Duration
	start   time.Time
	pattern *pattern
	wrong   time.Time // when it was first seen that the lines are not those shown
}

// begin starts the command or sends the signal.
func (w *wait) begin(ctx context.Context) *failure {
	t := w.term
	if w.step.kind != stepCommand && t.ignore && t.job != nil {
		t.job.take(len(t.job.snapshot().lines))
	}
	switch w.step.kind {
	case stepCommand:
		if f := w.idle(ctx, t, w.opts.StepTimeout, w.step.line); f != nil {
			return f
		}
		if err := t.start(w.step.command, w.step.line); err != nil {
			return w.fail(err.Error())
		}
	case stepInterrupt:
		// The signal fails when the group has ended this very moment.
		if t.job == nil || t.job.snapshot().ended || t.job.interrupt() != nil {
			return w.fail(msg.Sprintf("nothing runs in %s that ^C could stop: "+
				"the command ended by itself", t.name))
		}
	default:
		if t.job == nil && len(w.step.want) > 0 {
			return w.fail(msg.Sprintf("nothing runs in %s that could print on: the command "+
				"ended in an earlier block", t.name))
		}
	}
	w.start = time.Now()
	w.pattern = newPattern(w.block.run, w.step.want, t.head)
	return nil
}

func (w *wait) fail(message string) *failure {
	return &failure{line: w.step.line, message: message}
}

// await waits until the lines have come, and the end if the step has one.
func (w *wait) await(ctx context.Context) *failure {
	j := w.term.job
	if j == nil {
		return w.silence(ctx)
	}
	deadline := w.start.Add(w.opts.StepTimeout)
	for {
		s := j.snapshot()
		now := time.Now()
		calm := s.last
		if calm.Before(w.start) {
			calm = w.start
		}
		silent := now.Sub(calm)
		o := w.pattern.match(s.lines)
		if o == mismatch && w.wrong.IsZero() {
			w.wrong = now
		}
		switch {
		case o == full && (s.ended || !w.mustEnd && silent >= w.quiet && !w.unknown()):
			return w.done(s)
		case w.recorded != nil && w.settled(s, silent):
			w.recorded[w.step] = s.lines
			return w.done(s)
		case w.recorded == nil && s.ended:
			return w.differs(s, o)
		case w.recorded == nil && o == mismatch &&
			(silent >= w.opts.Quiet || now.Sub(w.wrong) >= 10*w.opts.Quiet):
			return w.differs(s, o) // the lines that still came make the comparison readable
		case now.After(deadline):
			return w.differs(s, o)
		}
		until := deadline
		for _, d := range w.moments() {
			if at := calm.Add(d); at.After(now) && at.Before(until) {
				until = at
			}
		}
		if s.exited && !s.ended {
			until = now.Add(pollGroup)
		}
		if err := j.awaitChange(ctx, until); err != nil {
			return interrupted(w.step.line)
		}
	}
}

// moments are the lengths of silence at which something may be decided.
func (w *wait) moments() []time.Duration {
	return []time.Duration{w.quiet, 2 * w.quiet, w.opts.Quiet, w.opts.Settle, w.opts.Patience}
}

// silence is a block that claims that nothing comes, in a terminal where nothing runs.
func (w *wait) silence(ctx context.Context) *failure {
	timer := time.NewTimer(w.quiet)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return interrupted(w.step.line)
	case <-timer.C:
		return nil
	}
}

// unknown tells that a command's output is to be found out: the text shows none yet.
func (w *wait) unknown() bool {
	return w.recorded != nil && w.step.kind == stepCommand && len(w.step.want) == 0
}

// settled tells, when recording, that nothing more will come in this step.
func (w *wait) settled(s snapshot, silent time.Duration) bool {
	switch {
	case s.ended || w.mustEnd:
		return s.ended
	case len(s.lines) > 0 && len(s.lines) == len(w.step.want):
		return silent >= 2*w.quiet // most likely other words, and the same pause behind them
	case len(s.lines) >= max(1, len(w.step.want)):
		return silent >= w.opts.Settle
	}
	return silent >= w.opts.Patience
}

// done takes the lines as shown and looks at how the command ended, if it did.
func (w *wait) done(s snapshot) *failure {
	t := w.term
	t.job.take(len(s.lines))
	t.head, t.shown = w.pattern.head, w
	if !s.ended {
		return nil
	}
	if code := t.job.exitCode(); !w.mayEndWith(code) {
		want := 0
		if w.last {
			want = w.block.run.exit
		}
		f := w.fail(t.job.wrongStatus(code, want))
		if len(s.lines) > 0 {
			f.message += "\n" + plainDiff(nil, s.lines)
		}
		return f
	}
	return w.release(t, w.step.line)
}

func (j *job) wrongStatus(code, want int) string {
	return msg.Sprintf("%s ended with status %d, not %d "+
		"(a block whose command must fail says exit=%d)", quoted(j.command), code, want, code)
}

// mayEndWith tells whether a command may end with that status: the marker's, or else
// 0, or what the text shows to the reader as a failure.
func (w *wait) mayEndWith(code int) bool {
	if w.last && w.block.run.exit > 0 {
		return code == w.block.run.exit
	}
	// A shell shows 130 for what ends by the signal of Ctrl+C, as make does.
	if code == 0 || code == 128+int(interruptSignal) && w.step.kind == stepInterrupt {
		return true
	}
	if j := w.term.job; j != nil && j.raced && code == 2 {
		return true
	}
	if len(w.step.want) == 0 {
		return false
	}
	for shown, codes := range failures {
		if shown.MatchString(w.step.want[len(w.step.want)-1]) && slices.Contains(codes, code) {
			return true
		}
	}
	return false
}

// failures are last lines by which a reader sees that a command failed, and the
// statuses that go with them.
var failures = map[*regexp.Regexp][]int{
	regexp.MustCompile(`^make(\[\d+\])?: \*\*\* `):      {2},
	regexp.MustCompile(`^(error|ошибка): `):             {1, 2},
	regexp.MustCompile(`^bash: .*: command not found$`): {127},
	regexp.MustCompile(`^Killed$`):                      {128 + 9},
}

// differs describes a step that is not as the text says.
func (w *wait) differs(s snapshot, o outcome) *failure {
	j := w.term.job
	var what string
	switch {
	case o == full && s.exited:
		what = msg.Text("the command has ended, but what it left in the background still " +
			"runs or holds its output")
	case o == full && w.step.kind == stepInterrupt:
		what = msg.Text("the command does not end after ^C")
	case o == full && !w.last:
		what = msg.Text("the command does not end and another one follows: end it with ^C, " +
			"or use another terminal")
	case o == full:
		what = msg.Text("the command does not end, and exit= says that it does")
	case o == mismatch:
		what = msg.Text("what came is not what the text shows")
	case s.ended:
		what = msg.Text("the command ended before all lines had come")
	default:
		what = msg.Sprintf("not all lines came within %s", w.opts.StepTimeout)
	}
	var b strings.Builder
	b.WriteString(msg.Sprintf("%s of line %d in %s: %s",
		quoted(j.command), j.line, w.term.name, what))
	if o != full {
		changes := w.pattern.diff(capped(s.lines, w.step.want))
		b.WriteString(msg.Sprintf(" (- only in the text, + only in the run):\n%s", changes))
	}
	waited := msg.Sprintf("waited since %s for %s", clock(w.start), round(time.Since(w.start)))
	b.WriteString("\n  " + waited)
	if len(s.lines) > 0 {
		b.WriteString(msg.Sprintf("; the last line came at %s", clock(s.last)))
	}
	if s.ended {
		b.WriteString(msg.Sprintf("; the command ended with status %d", j.exitCode()))
	} else {
		b.WriteString(msg.Text("; the command still runs"))
	}
	f := w.fail(b.String())
	f.line = w.block.fenceLine
	f.output = o != full
	return f
}

// capped keeps a comparison readable when a program prints without end.
func capped(lines, want []string) []string {
	if most := len(want) + 50; len(lines) > most {
		return append(slices.Clone(lines[:most]), anyLines)
	}
	return lines
}

// terminalEnv is the environment of a terminal but for the stand's part: this
// process's own, without what changes a program's output.
func terminalEnv() []string {
	var env []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		drop := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if !slices.ContainsFunc(dropped, drop) {
			env = append(env, variable)
		}
	}
	return append(env, "TERM=dumb", "NO_COLOR=1", "COLUMNS=200", "LC_ALL=C")
}

// dropped are beginnings of names. A make above us would make the text's own say
// "Entering directory", and share its jobs.
var dropped = []string{
	"KAFKA_", "COURSE_", "MEMBER_ID", "DATABASE_URL", "LC_", "LANG", "TERM", "COLUMNS",
	"LINES", "NO_COLOR", "MAKE", "MFLAGS", "GNUMAKEFLAGS", "BASH_", "ENV", "CDPATH",
	"OLDPWD", "PWD",
}
