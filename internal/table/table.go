// Package table prints tables: whole ones and growing ones.
package table

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/tabwriter"
)

// Write prints a table that is known whole: columns as wide as their widest cell,
// two spaces apart, no spaces at the end of a line.
func Write(w io.Writer, head []string, rows [][]string) error {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// Stream prints rows as they come. Its widths are fixed beforehand: a tabwriter
// forgets them at each flush, and rows of a second poll would not line up with
// those of the first.
type Stream struct {
	w       io.Writer
	head    string
	widths  []int
	started bool
}

// columnStart finds the columns in a head: names two or more spaces apart.
var columnStart = regexp.MustCompile(`\S+(?: \S+)*(?:  +|$)`)

// NewStream returns a Stream that prints to w under head, which comes with the first
// row. The head is written as it shall look, "KEY      VALUE": a column is as wide as
// its name with the spaces behind it, less the two that part columns. A longer cell
// pushes the rest of its own line to the right and no other line.
func NewStream(w io.Writer, head string) *Stream {
	s := &Stream{w: w, head: strings.TrimRight(head, " ")}
	for _, column := range columnStart.FindAllString(head, -1) {
		s.widths = append(s.widths, max(len(strings.TrimRight(column, " ")), len(column)-2))
	}
	return s
}

// Row prints one row, a cell for each column.
func (s *Stream) Row(cells ...any) error {
	if len(cells) != len(s.widths) {
		return fmt.Errorf("table: %d cells for %d columns", len(cells), len(s.widths))
	}
	if !s.started {
		s.started = true
		if _, err := fmt.Fprintln(s.w, s.head); err != nil {
			return err
		}
	}
	var b strings.Builder
	for i, cell := range cells {
		fmt.Fprintf(&b, "%-*v  ", s.widths[i], cell)
	}
	_, err := fmt.Fprintln(s.w, strings.TrimRight(b.String(), " "))
	return err
}
