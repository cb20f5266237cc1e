package text

import (
	"regexp"
	"slices"
	"strings"

	"brew.example/internal/msg"
)

// timeNeeded finds the time that a lecture takes, in its first paragraph.
var timeNeeded = map[string]*regexp.Regexp{
	msg.English: regexp.MustCompile(`(\d+) minutes`),
	msg.Russian: regexp.MustCompile(`(\d+) минут`),
}

// checkStructure holds the text to the order that all lectures have.
func (d *document) checkStructure(minWords, maxWords int) {
	if d.title == nil {
		d.add(1, msg.Text("the text has no title: a heading of level one in its first line"))
	}
	if d.minutes() == "" {
		d.add(1, msg.Text("no time stands under the title: say how long the lecture takes, "+
			"like \"25 minutes\""))
	}
	d.checkOrder()
	if d.words < minWords || d.words > maxWords {
		d.add(0, msg.Sprintf("%d words: a lecture has %d to %d", d.words, minWords, maxWords))
	}
	for _, s := range d.sections {
		switch s.id {
		case "what-you-will-see", "break-it":
			d.needs(s, markRun)
		case "code-walk":
			d.needs(s, markCode)
		case "check-yourself":
			d.checkQuestions(s)
		}
	}
}

// minutes gives the number of minutes that the text says it takes.
func (d *document) minutes() string {
	if m := timeNeeded[d.lang].FindStringSubmatch(d.preamble); m != nil {
		return m[1]
	}
	return ""
}

func (d *document) checkOrder() {
	at := 0
	for _, s := range d.sections {
		if s.id == "" {
			continue // complained of already
		}
		i := slices.Index(sections, s.id)
		switch {
		case i == at:
		case i < at:
			d.add(s.line, msg.Sprintf("section %s is out of order: the order is %s",
				s.id, strings.Join(sections, ", ")))
			continue
		default:
			d.add(s.line, msg.Sprintf("section %s comes where %s should: the order is %s",
				s.id, sections[at], strings.Join(sections, ", ")))
		}
		at = i + 1
	}
	if at < len(sections) {
		d.add(0, msg.Sprintf("the text ends without section %s", sections[at]))
	}
}

// needs demands a block of a kind in a section.
func (d *document) needs(s *section, kind string) {
	for _, b := range d.blocks {
		if b.section == s.id && b.kind == kind {
			return
		}
	}
	d.add(s.line, msg.Sprintf("section %s has no block with a marker %s:", s.id, kind))
}

var (
	detailsOpen  = regexp.MustCompile(`(?i)<details[^>]*>`)
	detailsClose = regexp.MustCompile(`(?i)</details>`)
	summary      = regexp.MustCompile(`(?is)<summary>.*?</summary>`)
)

// questions is how many a lecture asks in its section check-yourself.
const questions = 3

// checkQuestions demands three questions, each followed by its folded answer.
func (d *document) checkQuestions(s *section) {
	parts := detailsOpen.Split(s.prose, -1)
	if len(parts)-1 != questions {
		d.add(s.line, msg.Sprintf("section %s has %d answers in <details>: it needs %d "+
			"questions, each with one",
			s.id, len(parts)-1, questions))
		return
	}
	question := parts[0]
	for i, part := range parts[1:] {
		end := detailsClose.FindStringIndex(part)
		if end == nil {
			d.add(s.line, msg.Sprintf("the <details> of answer %d never ends", i+1))
			return
		}
		answer := part[:end[0]]
		question += summary.FindString(answer)
		if !strings.Contains(question, "?") {
			d.add(s.line, msg.Sprintf("before answer %d no question stands", i+1))
		}
		if countWords(summary.ReplaceAllString(answer, "")) == 0 {
			d.add(s.line, msg.Sprintf("answer %d is empty", i+1))
		}
		question = part[end[1]:]
	}
}
