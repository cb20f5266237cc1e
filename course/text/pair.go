package text

import (
	"fmt"
	"slices"

	"brew.example/internal/msg"
)

// exportRussian is how a Russian text begins, so that its reader sees what it shows.
const exportRussian = "export COURSE_LANG=ru"

// checkPair holds a translation to its original: sections, code, commands, and the
// outputs but for the catalogue's lines.
func (d *document) checkPair(original *document, cat *catalogue) {
	d.pairSections(original)
	if d.minutes() != original.minutes() {
		d.add(1, msg.Sprintf("the text takes %s minutes, the English one %s",
			d.minutes(), original.minutes()))
	}
	d.pairExport()
	own := withoutExport(d.blocks)
	for i, b := range own {
		if i == len(original.blocks) {
			d.add(b.fenceLine, msg.Text("the English text has no such block"))
			return
		}
		if why := pairBlock(original.blocks[i], b, cat); why != "" {
			d.add(b.fenceLine, msg.Sprintf("differs from %s:%d: %s",
				original.file, original.blocks[i].fenceLine, why))
			return // what follows would differ as well
		}
	}
	if missing := original.blocks[len(own):]; len(missing) > 0 {
		d.add(0, msg.Sprintf("the block of %s:%d is missing here",
			original.file, missing[0].fenceLine))
	}
}

func (d *document) pairSections(original *document) {
	for i, s := range d.sections {
		if i == len(original.sections) {
			break
		}
		o := original.sections[i]
		switch {
		case s.id != o.id:
			d.add(s.line, msg.Sprintf("section %s stands where the English text has %s",
				s.id, o.id))
			return
		case s.subheadings != o.subheadings:
			d.add(s.line, msg.Sprintf("section %s has %d headings below it, in English %d",
				s.id, s.subheadings, o.subheadings))
		}
	}
	if len(d.sections) != len(original.sections) {
		d.add(0, msg.Sprintf("%d sections, in English %d", len(d.sections), len(original.sections)))
	}
}

// pairExport demands the language as the first command.
func (d *document) pairExport() {
	for _, b := range d.blocks {
		if b.kind != markRun {
			continue
		}
		if len(b.steps) == 0 || b.steps[0].command != exportRussian {
			d.add(b.fenceLine, msg.Sprintf("the first command must be `%s`: without it a "+
				"reader sees English output", exportRussian))
		}
		return
	}
}

// withoutExport leaves out the choice of the language, which each terminal needs once.
func withoutExport(blocks []*block) []*block {
	var out []*block
	for _, b := range blocks {
		if b.kind == markRun {
			short := *b
			short.steps = slices.DeleteFunc(slices.Clone(b.steps), func(s *step) bool {
				return s.command == exportRussian && len(s.want) == 0
			})
			if len(short.steps) == 0 {
				continue
			}
			b = &short
		}
		out = append(out, b)
	}
	return out
}

// pairBlock tells how a block differs from its original; nothing if it does not.
func pairBlock(en, ru *block, cat *catalogue) string {
	switch {
	case en.section != ru.section:
		return msg.Sprintf("it stands in section %s, in English in %s", ru.section, en.section)
	case en.kind != ru.kind:
		return msg.Sprintf("it is marked %s:, in English %s:", ru.kind, en.kind)
	case en.info != ru.info:
		return msg.Sprintf("its language is %s, in English %s", ru.info, en.info)
	case en.path != ru.path || en.region != ru.region:
		return msg.Sprintf("it shows %s#%s, in English %s#%s",
			ru.path, ru.region, en.path, en.region)
	case en.kind == markCode:
		if changes := plainDiff(en.content, ru.content); changes != "" {
			return msg.Sprintf("the code (- English, + here):\n%s", changes)
		}
	case en.kind == markRun:
		if a, b := fmt.Sprint(en.run), fmt.Sprint(ru.run); a != b {
			return msg.Text("the attributes of its marker run:")
		}
		return pairSteps(en, ru, cat)
	}
	return ""
}

func pairSteps(en, ru *block, cat *catalogue) string {
	if changes := plainDiff(commands(en.steps), commands(ru.steps)); changes != "" {
		return msg.Sprintf("the commands (- English, + here):\n%s", changes)
	}
	var enHead, ruHead []string
	for i := range max(len(en.steps), len(ru.steps)) {
		if i == len(en.steps) || i == len(ru.steps) || en.steps[i].kind != ru.steps[i].kind {
			return msg.Text("lines before its first command")
		}
		e := newPattern(en.run, en.steps[i].want, enHead)
		r := newPattern(ru.run, ru.steps[i].want, ruHead)
		enHead, ruHead = e.head, r.head
		if changes := pairOutput(e, r, cat); changes != "" {
			return msg.Sprintf("the output, the catalogue's lines exchanged (- English, + "+
				"here):\n%s", changes)
		}
	}
	return ""
}

func commands(steps []*step) []string {
	var out []string
	for _, s := range steps {
		switch s.kind {
		case stepCommand:
			out = append(out, prompt+s.command)
		case stepInterrupt:
			out = append(out, interrupt)
		}
	}
	return out
}

// pairOutput compares line by line; rows of a block with any-order as a set.
func pairOutput(en, ru *pattern, cat *catalogue) string {
	left := slices.Clone(en.lines)
	for i, r := range ru.lines {
		at := -1
		switch {
		case en.anyOrder && r.row:
			at = slices.IndexFunc(left, func(e wanted) bool { return e.row && sameLine(e, r, cat) })
		case i < len(en.lines) && sameLine(en.lines[i], r, cat):
			at = slices.IndexFunc(left, func(e wanted) bool { return e.text == en.lines[i].text })
		}
		if at < 0 {
			break
		}
		left = slices.Delete(left, at, at+1)
	}
	if len(left) == 0 && len(en.lines) == len(ru.lines) {
		return ""
	}
	var a, b []string
	for _, w := range en.lines {
		a = append(a, w.text)
	}
	for _, w := range ru.lines {
		b = append(b, w.text)
	}
	same := func(w, g int) bool { return sameLine(en.lines[w], ru.lines[g], cat) }
	return render(compare(len(a), len(b), same), a, b)
}

func sameLine(en, ru wanted, cat *catalogue) bool {
	if en.any || ru.any {
		return en.any && ru.any
	}
	return en.form.text == ru.form.text || cat.translates(en.text, ru.text)
}
