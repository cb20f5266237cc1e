package text

import (
	"strings"

	"brew.example/internal/msg"
)

// The ways in which a step of a console block begins.
type stepKind int

const (
	stepMore      stepKind = iota // what runs already prints on
	stepCommand                   // $ command
	stepInterrupt                 // ^C
)

const (
	prompt    = "$ "
	interrupt = "^C"
)

// step is a part of a console block: a command, a Ctrl+C, or neither, and the lines
// that come then.
type step struct {
	kind    stepKind
	command string
	line    int // in the file, of the command or else of the first line
	want    []string
}

// parseSteps takes a run block apart.
func (d *document) parseSteps(b *block) {
	for i, line := range b.content {
		at := b.fenceLine + 1 + i
		switch {
		case line == interrupt:
			b.steps = append(b.steps, &step{kind: stepInterrupt, line: at})
		case strings.TrimSpace(line) == "$":
			d.add(at, msg.Text("a prompt without a command"))
		case strings.HasPrefix(line, prompt):
			s := &step{kind: stepCommand, line: at, command: line[len(prompt):]}
			b.steps = append(b.steps, s)
		default:
			if len(b.steps) == 0 {
				b.steps = append(b.steps, &step{kind: stepMore, line: at})
			}
			last := b.steps[len(b.steps)-1]
			last.want = append(last.want, line)
		}
	}
	switch {
	case len(b.steps) == 0 && b.run.quiet == 0:
		d.add(b.fenceLine, msg.Text("the block shows nothing: that nothing comes is claimed "+
			"with quiet=2s"))
	case len(b.steps) == 0:
		b.steps = []*step{{kind: stepMore, line: b.fenceLine}}
	}
	if b.info != "" && b.info != "console" {
		d.add(b.fenceLine, msg.Sprintf("a run block's language is console, not %s", b.info))
	}
}

// render gives the lines of a block with these steps.
func renderSteps(steps []*step) []string {
	var out []string
	for _, s := range steps {
		switch s.kind {
		case stepCommand:
			out = append(out, prompt+s.command)
		case stepInterrupt:
			out = append(out, interrupt)
		}
		out = append(out, s.want...)
	}
	return out
}

// checkTerminals looks for blocks that go on in a terminal where nothing was started.
func (d *document) checkTerminals(stand string) {
	opened := map[string]bool{}
	for _, b := range d.blocks {
		if b.kind != markRun || len(b.steps) == 0 || !b.run.runsOn(stand) {
			continue
		}
		t := b.run.terminal
		if !opened[t] && b.steps[0].kind != stepCommand {
			d.add(b.fenceLine, msg.Sprintf("terminal %s was never opened: its first block "+
				"begins with a command ($ …)", t))
		}
		opened[t] = true
	}
}
