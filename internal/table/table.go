// Package table prints tables: whole ones and growing ones.
package table

import (
	"fmt"
	"io"
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

// Column is a column of a Stream: its head and its width in characters. A longer
// cell pushes the rest of its own line to the right and no other line.
type Column struct {
	Head  string
	Width int
}

// Stream prints rows as they come. Its widths are fixed beforehand: a tabwriter
// forgets them at each flush, and rows of a second poll would not line up with
// those of the first.
type Stream struct {
	w       io.Writer
	columns []Column
	started bool
}

// NewStream returns a Stream that prints to w; the head comes with the first row.
func NewStream(w io.Writer, columns ...Column) *Stream {
	return &Stream{w: w, columns: columns}
}

// Row prints one row, a cell for each column.
func (s *Stream) Row(cells ...any) error {
	if !s.started {
		s.started = true
		heads := make([]any, len(s.columns))
		for i, c := range s.columns {
			heads[i] = c.Head
		}
		if err := s.line(heads); err != nil {
			return err
		}
	}
	return s.line(cells)
}

func (s *Stream) line(cells []any) error {
	if len(cells) != len(s.columns) {
		return fmt.Errorf("table: %d cells for %d columns", len(cells), len(s.columns))
	}
	var b strings.Builder
	for i, cell := range cells {
		fmt.Fprintf(&b, "%-*v  ", s.columns[i].Width, cell)
	}
	_, err := fmt.Fprintln(s.w, strings.TrimRight(b.String(), " "))
	return err
}
