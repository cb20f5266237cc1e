package text

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// change is one line of a comparison: in both, only in the text, or only in the run.
type change struct {
	sign byte // ' ', '-', '+'
	// want and got are line numbers from 0; -1 for the side that lacks the line.
	want, got int
}

// compare aligns two lists by their longest common subsequence.
func compare(wants, gots int, equal func(w, g int) bool) []change {
	length := make([][]int, wants+1)
	for i := range length {
		length[i] = make([]int, gots+1)
	}
	for w := wants - 1; w >= 0; w-- {
		for g := gots - 1; g >= 0; g-- {
			if equal(w, g) {
				length[w][g] = length[w+1][g+1] + 1
			} else {
				length[w][g] = max(length[w+1][g], length[w][g+1])
			}
		}
	}
	var out []change
	w, g := 0, 0
	for w < wants || g < gots {
		switch {
		case w < wants && g < gots && length[w][g] == length[w+1][g+1]+1 && equal(w, g):
			out = append(out, change{' ', w, g})
			w, g = w+1, g+1
		case w < wants && (g == gots || length[w+1][g] >= length[w][g+1]):
			out = append(out, change{'-', w, -1})
			w++
		default:
			out = append(out, change{'+', -1, g})
			g++
		}
	}
	return out
}

// plainDiff shows how two lists of lines differ; it is empty when they do not.
func plainDiff(want, got []string) string {
	if slices.Equal(want, got) {
		return ""
	}
	equal := func(w, g int) bool { return want[w] == got[g] }
	return render(compare(len(want), len(got), equal), want, got)
}

// diff shows what the text has and what came. In a block with any-order, rows that
// came are put in the text's order first, so that only wrong ones stand out.
func (p *pattern) diff(got []string) string {
	want := make([]string, len(p.lines))
	for i, w := range p.lines {
		want[i] = w.text
	}
	if p.merge {
		got = merged(got)
	}
	shown := func(got []string) []change {
		return compare(len(want), len(got), func(w, g int) bool { return p.is(p.lines[w], got[g]) })
	}
	if p.anyOrder {
		for _, sorted := range [][]string{p.inOrder(got), p.byPartition(got)} {
			if changes := shown(sorted); slices.ContainsFunc(changes, differs) {
				return render(changes, want, sorted)
			}
		}
	}
	return render(shown(got), want, got)
}

func differs(c change) bool { return c.sign != ' ' }

// inOrder puts rows that the text shows into the text's order, at the places that
// such rows have; all other lines stay where they are.
func (p *pattern) inOrder(got []string) []string {
	var order []int
	for _, w := range p.lines {
		if !w.row {
			continue
		}
		for g, line := range got {
			if !slices.Contains(order, g) && p.is(w, line) {
				order = append(order, g)
				break
			}
		}
	}
	out := slices.Clone(got)
	for i, place := range slices.Sorted(slices.Values(order)) {
		out[place] = got[order[i]]
	}
	return out
}

// byPartition puts the partitions of a table into the text's order; the rows of each
// stay as they came.
func (p *pattern) byPartition(got []string) []string {
	rank := map[string]int{}
	for i, w := range p.lines {
		if part := partition(w.head, w.text); w.row && part != "" && rank[part] == 0 {
			rank[part] = i + 1
		}
	}
	isRow := func(line string) bool {
		return len(p.head) > 0 && len(cells(line)) == len(p.head) && tableHead(line) == nil
	}
	order := func(line string) int {
		return cmp.Or(rank[partition(p.head, line)], len(p.lines)+1)
	}
	byOrder := func(a, b string) int { return order(a) - order(b) }
	out := slices.Clone(got)
	for from := 0; from < len(out); from++ {
		to := from
		for to < len(out) && isRow(out[to]) {
			to++
		}
		if to > from {
			slices.SortStableFunc(out[from:to], byOrder)
			from = to
		}
	}
	return out
}

// around is how many equal lines a diff shows around a change.
const around = 3

func render(changes []change, want, got []string) string {
	var b strings.Builder
	skipped := false
	for i, c := range changes {
		lo, hi := max(0, i-around), min(len(changes), i+around+1)
		if !slices.ContainsFunc(changes[lo:hi], differs) {
			skipped = true
			continue
		}
		if skipped {
			b.WriteString("    …\n")
			skipped = false
		}
		line := ""
		if c.got >= 0 {
			line = got[c.got]
		} else {
			line = want[c.want]
		}
		b.WriteString("  " + string(c.sign) + " " + visible(line) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// visible shows a line as it is, but control characters and a space at its end
// by Go's escapes.
func visible(line string) string {
	for _, r := range line {
		if r != '\t' && !unicode.IsPrint(r) {
			return strconv.Quote(line)
		}
	}
	if strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") {
		return strconv.Quote(line)
	}
	return line
}
