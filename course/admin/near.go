package admin

import (
	"cmp"
	"slices"
	"strings"
)

// nearMost is how many names are offered in place of an unknown one.
const nearMost = 3

// near returns the names that name may be a misspelling of, the closest first.
func near(name string, names []string) []string {
	type candidate struct {
		name  string
		edits int
	}
	wanted := []rune(strings.ToLower(name))
	limit := len(wanted)/4 + 1
	var found []candidate
	for _, n := range names {
		if n == name { // one broker does not know yet that it has been deleted
			continue
		}
		have := []rune(strings.ToLower(n))
		edits := limit + 1
		if len(have)-len(wanted) <= limit && len(wanted)-len(have) <= limit {
			edits = distance(wanted, have)
		}
		switch {
		case edits <= limit:
			found = append(found, candidate{n, edits})
		case len(wanted) >= 3 && strings.Contains(string(have), string(wanted)):
			found = append(found, candidate{n, limit + 1}) // a part of the name comes last
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), strings.Compare(a.name, b.name))
	})
	var closest []string
	for _, c := range found[:min(len(found), nearMost)] {
		closest = append(closest, c.name)
	}
	return closest
}

// distance counts the inserted, deleted and replaced characters between a and b.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, rb := range b {
			replace := diagonal
			if ra != rb {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
