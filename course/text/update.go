package text

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"brew.example/internal/msg"
)

// edit replaces the content of a block.
type edit struct {
	block *block
	lines []string
}

// Update rewrites a lecture's code blocks from the sources, and those outputs that
// no longer pass from a run. It returns the files it wrote. If a text has a problem
// that no rewriting mends, neither language's file is touched.
func (c *Checker) Update(ctx context.Context, l Lecture) ([]string, []Problem) {
	renewals := make([]renewal, len(Languages))
	var wg sync.WaitGroup
	for i, lang := range Languages {
		wg.Go(func() { renewals[i] = c.renewText(ctx, l, lang) })
	}
	wg.Wait()
	var list []Problem
	for _, r := range renewals {
		list = append(list, r.problems...)
	}
	if len(list) > 0 {
		return nil, list
	}
	var written []string
	for _, r := range renewals {
		if bytes.Equal(r.old, r.new) {
			continue
		}
		if err := writeFile(r.path, r.new); err != nil {
			return written, []Problem{{File: l.rel(r.path), Message: err.Error()}}
		}
		written = append(written, l.rel(r.path))
	}
	return written, nil
}

// renewal is one text before and after.
type renewal struct {
	path     string
	old, new []byte
	problems []Problem
}

func (c *Checker) renewText(ctx context.Context, l Lecture, lang string) renewal {
	r := renewal{path: filepath.Join(l.Dir, textFiles[lang])}
	d, err := readDocument(l, lang)
	if err != nil {
		r.problems = []Problem{missing(l, lang)}
		return r
	}
	r.old = d.src
	r.new, r.problems = c.renew(ctx, d)
	return r
}

// renew gives the text as it should be; it is d's own if all is right.
func (c *Checker) renew(ctx context.Context, d *document) ([]byte, []Problem) {
	d.checkTerminals(c.opts.Stand)
	edits := d.newCode()
	if len(d.list) > 0 {
		sortProblems(d.list)
		return d.src, d.list
	}
	if !c.opts.Static {
		// A replay first: what passes is not touched, by construction.
		f := c.replay(ctx, d, nil)
		if f != nil && f.output {
			var outputs []edit
			outputs, f = c.newOutputs(ctx, d)
			edits = append(edits, outputs...)
		}
		if f != nil {
			return d.src, []Problem{{d.file, f.line, f.message}}
		}
	}
	src, err := d.apply(edits)
	if err != nil {
		return d.src, []Problem{{File: d.file, Message: err.Error()}}
	}
	return src, nil
}

// newCode gives the code blocks that differ from their sources.
func (d *document) newCode() []edit {
	var edits []edit
	for _, b := range d.blocks {
		if b.kind != markCode || b.path == "" {
			continue
		}
		lines, err := d.sourceOf(b)
		if err != nil {
			d.add(b.line, err.Error())
		} else if !slices.Equal(lines, b.content) {
			edits = append(edits, edit{b, lines})
		}
	}
	return edits
}

// newOutputs replays the text and takes what comes, then replays the result: an
// output that differs from run to run needs an attribute, and its writer must know.
func (c *Checker) newOutputs(ctx context.Context, d *document) ([]edit, *failure) {
	recorded := map[*step][]string{}
	if f := c.replay(ctx, d, recorded); f != nil {
		return nil, f
	}
	var edits []edit
	for _, b := range d.blocks {
		var steps []*step
		changed := false
		for _, s := range b.steps {
			if got, ok := recorded[s]; ok {
				lines, err := renewed(b.run, s, got)
				if err != nil {
					return nil, &failure{line: s.line, message: err.Error()}
				}
				renewedStep := *s
				renewedStep.want = lines
				s, changed = &renewedStep, true
			}
			steps = append(steps, s)
		}
		if changed {
			edits = append(edits, edit{b, renderSteps(steps)})
		}
	}
	src, err := d.apply(edits)
	if err != nil {
		return nil, &failure{line: 1, message: err.Error()}
	}
	if f := c.replay(ctx, parseDocument(d.lecture, d.lang, src), nil); f != nil {
		f.message = msg.Sprintf("a second run came out otherwise than the first; nothing "+
			"was written. "+
			"The marker may need any-order, merge, vary= or about=:\n%s", f.message)
		return nil, f
	}
	return edits, nil
}

// renewed gives the lines of a step as they came. A line that is still right stays
// byte for byte, and … stays.
func renewed(a attributes, s *step, got []string) ([]string, error) {
	for _, line := range got {
		if err := showable(line); err != nil {
			return nil, err
		}
	}
	if a.merge {
		return got, nil
	}
	p := newPattern(a, s.want, nil)
	if a.anyOrder {
		got = p.byPartition(got)
	}
	var parts [][]wanted
	start := 0
	for i, w := range p.lines {
		if w.any {
			parts = append(parts, p.lines[start:i])
			start = i + 1
		}
	}
	parts = append(parts, p.lines[start:])
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return p.keep(first, got), nil
	}
	head := min(len(first), len(got))
	tail := max(head, len(got)-len(last))
	out := append(p.keep(first, got[:head]), anyLines)
	rest := got[head:tail]
	for _, part := range parts[1 : len(parts)-1] {
		at := p.find(part, rest)
		if at < 0 {
			return nil, errors.New(msg.Text("the lines between two … no longer come: put " +
				"other ones there by hand"))
		}
		out = append(out, p.keep(part, rest[at:at+len(part)])...)
		out = append(out, anyLines)
		rest = rest[at+len(part):]
	}
	return append(out, p.keep(last, got[tail:])...), nil
}

// keep takes the text's own bytes for lines that are still right.
func (p *pattern) keep(want []wanted, got []string) []string {
	var out []string
	same := func(w, g int) bool { return p.is(want[w], got[g]) }
	for _, c := range compare(len(want), len(got), same) {
		switch c.sign {
		case ' ':
			out = append(out, want[c.want].text)
		case '+':
			out = append(out, got[c.got])
		}
	}
	return out
}

// find looks for lines one behind the other, of which at least one is still right; it
// gives the place where most are.
func (p *pattern) find(part []wanted, got []string) int {
	best, place := 0, -1
	for at := 0; at+len(part) <= len(got); at++ {
		same := 0
		for i, w := range part {
			if p.is(w, got[at+i]) {
				same++
			}
		}
		if same > best {
			best, place = same, at
		}
	}
	return place
}

// showable refuses an output line that a text could not hold as it came.
func showable(line string) error {
	switch {
	case strings.HasPrefix(line, prompt) || line == interrupt || line == anyLines:
		return msg.Errorf("the output line %q would read as a step of the block", line)
	case !utf8.ValidString(line) || strings.ContainsFunc(line, isControl):
		return msg.Errorf("the output line %q has bytes that a text cannot show", line)
	}
	return nil
}

func isControl(r rune) bool { return r != '\t' && unicode.IsControl(r) }

// apply gives the text with the content of some blocks replaced.
func (d *document) apply(edits []edit) ([]byte, error) {
	slices.SortFunc(edits, func(a, b edit) int { return b.block.fenceLine - a.block.fenceLine })
	lines := strings.SplitAfter(string(d.src), "\n")
	for _, e := range edits {
		indent := strings.Map(func(r rune) rune {
			if r == '>' {
				return r
			}
			return ' '
		}, e.block.prefix)
		var content []string
		for _, line := range e.lines {
			if strings.HasPrefix(strings.TrimLeft(line, " "), e.block.fence) {
				return nil, msg.Errorf("line %d: what comes there holds the fence %s: take "+
					"a longer one", e.block.fenceLine, e.block.fence)
			}
			if line == "" {
				content = append(content, strings.TrimRight(indent, " ")+"\n")
			} else {
				content = append(content, indent+line+"\n")
			}
		}
		from := e.block.fenceLine
		lines = slices.Replace(lines, from, from+len(e.block.content), content...)
	}
	return []byte(strings.Join(lines, "")), nil
}

// writeFile replaces a file in one step and keeps its mode.
func writeFile(path string, data []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
