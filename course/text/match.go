package text

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// anyLines is the line that stands for any lines.
const anyLines = "…"

// wanted is one line that a text shows.
type wanted struct {
	text  string
	any   bool // the line is anyLines
	head  []string
	row   bool // a row of the table under head
	loose bool // the table's columns may have other widths
	form  canonical
}

// pattern is what a text shows as the output of one step.
type pattern struct {
	attributes
	lines []wanted
	// head is the last table head, for rows that come in a later block.
	head []string
	// forms remembers what came: it is compared again with each new line.
	forms map[formKey]canonical
}

type formKey struct {
	line, head string
	loose      bool
}

// newPattern reads the lines of a text; head is the table that goes on, if any.
func newPattern(a attributes, lines []string, head []string) *pattern {
	p := &pattern{attributes: a, head: head, forms: map[formKey]canonical{}}
	if a.merge {
		lines = merged(lines)
	}
	for _, line := range lines {
		w := wanted{text: line, any: line == anyLines}
		if h := tableHead(line); h != nil {
			p.head = h
		} else if !w.any && len(p.head) > 0 && len(cells(line)) == len(p.head) {
			w.row = true
		}
		w.head = p.head
		p.lines = append(p.lines, w)
	}
	p.loosen()
	for i, w := range p.lines {
		if !w.any {
			p.lines[i].form = a.canonical(w.text, w.head, w.loose)
		}
	}
	return p
}

// loosen finds the tables that have a cell without a fixed width: there a gap is
// as good as another. Elsewhere spaces count.
func (p *pattern) loosen() {
	loose := map[string]bool{}
	for _, w := range p.lines {
		if w.row && p.changesWidth(w.head, cells(w.text)) {
			loose[strings.Join(w.head, " ")] = true
		}
	}
	for i, w := range p.lines {
		isHead := len(w.head) > 0 && slices.Equal(tableHead(w.text), w.head)
		p.lines[i].loose = (w.row || isHead) && loose[strings.Join(w.head, " ")]
	}
}

// is tells whether a line that came is the one that the text shows.
func (p *pattern) is(w wanted, line string) bool {
	if w.any || w.text == line {
		return !w.any
	}
	key := formKey{line, strings.Join(w.head, " "), w.loose}
	form, ok := p.forms[key]
	if !ok {
		form = p.canonical(line, w.head, w.loose)
		p.forms[key] = form
	}
	return w.form.equal(form)
}

// outcome is how far the lines that came agree with a pattern.
type outcome int

const (
	mismatch outcome = iota // they never will
	partial                 // so far, and more must come
	full                    // to the last line
)

// match compares all lines that came.
func (p *pattern) match(lines []string) outcome {
	if p.merge {
		lines = merged(lines)
	}
	return p.from(0, lines)
}

func (p *pattern) from(i int, lines []string) outcome {
	for ; i < len(p.lines); i++ {
		w := p.lines[i]
		if w.any {
			return p.skip(i+1, lines, partial)
		}
		if p.anyOrder && w.row {
			return p.rows(i, lines)
		}
		if len(lines) == 0 {
			return partial
		}
		if !p.is(w, lines[0]) {
			if p.merge && len(lines) == 1 && isPartOf(lines[0], w.text) {
				return partial
			}
			return mismatch
		}
		lines = lines[1:]
	}
	if len(lines) > 0 {
		return mismatch
	}
	return full
}

// skip lets any number of lines pass before the pattern goes on at i.
func (p *pattern) skip(i int, lines []string, best outcome) outcome {
	if i == len(p.lines) {
		return full
	}
	for k := range len(lines) + 1 {
		if best = max(best, p.from(i, lines[k:])); best == full {
			return full
		}
	}
	return best
}

// rows compares the rows of a table in any order, but each partition's in its own.
// Where the text leaves rows out (…), others may come in between.
func (p *pattern) rows(i int, lines []string) outcome {
	var open []wanted
	gaps := false
	for ; i < len(p.lines) && (p.lines[i].row || p.lines[i].any); i++ {
		if p.lines[i].any {
			gaps = true
		} else {
			open = append(open, p.lines[i])
		}
	}
	for len(open) > 0 {
		if len(lines) == 0 {
			return partial
		}
		at := p.nextRow(open, lines[0])
		switch {
		case at >= 0:
			open = slices.Delete(open, at, at+1)
		case !gaps:
			return mismatch
		}
		lines = lines[1:]
	}
	if gaps {
		return p.skip(i, lines, partial)
	}
	return p.from(i, lines)
}

// nextRow finds the row that line is; -1 if it is none of them, or if another row of
// its partition must come first.
func (p *pattern) nextRow(open []wanted, line string) int {
	passed := map[string]bool{}
	for i, w := range open {
		part := partition(w.head, w.text)
		if !passed[part] && p.is(w, line) {
			return i
		}
		if part != "" {
			passed[part] = true
		}
	}
	return -1
}

// partition gives the row's cell in the column PARTITION.
func partition(head []string, line string) string {
	row := cells(line)
	if at := slices.Index(head, "PARTITION"); at >= 0 && at < len(row) {
		return row[at]
	}
	return ""
}

// intList is a list of partitions as Go prints it.
var intList = regexp.MustCompile(`\[(?:\d+(?:[ ,]+\d+)*)?\]`)

// splitList takes the last list of numbers out of a line.
func splitList(line string) (before string, list []int, after string, ok bool) {
	all := intList.FindAllStringIndex(line, -1)
	if len(all) == 0 {
		return line, nil, "", false
	}
	at := all[len(all)-1]
	for _, s := range digits.FindAllString(line[at[0]:at[1]], -1) {
		if n, err := strconv.Atoi(s); err == nil {
			list = append(list, n)
		}
	}
	return line[:at[0]], list, line[at[1]:], true
}

// merged joins neighbours that are equal but for their list into one line with the
// union: two members may give their partitions up in two rounds or in one.
func merged(lines []string) []string {
	var out []string
	for _, line := range lines {
		before, list, after, ok := splitList(line)
		if ok && len(out) > 0 {
			b, l, a, ok := splitList(out[len(out)-1])
			if ok && shaped(b) == shaped(before) && shaped(a) == shaped(after) {
				out[len(out)-1] = b + formatList(append(l, list...)) + a
				continue
			}
		}
		out = append(out, line)
	}
	return out
}

func formatList(list []int) string {
	slices.Sort(list)
	var b strings.Builder
	for i, n := range slices.Compact(list) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return "[" + b.String() + "]"
}

// isPartOf tells whether line is whole but for numbers that its list still lacks.
func isPartOf(line, whole string) bool {
	b, l, a, ok := splitList(line)
	wb, wl, wa, wok := splitList(whole)
	if !ok || !wok || shaped(b) != shaped(wb) || shaped(a) != shaped(wa) {
		return false
	}
	for _, n := range l {
		if !slices.Contains(wl, n) {
			return false
		}
	}
	return true
}

func isWord(r rune) bool { return r == '_' || isAlphanumeric(r) }

// firstRune and lastRune give a space for an empty string.
func firstRune(s string) rune {
	if s == "" {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	if s == "" {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
