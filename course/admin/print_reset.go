package admin

import (
	"fmt"
	"strconv"
	"strings"

	"brew.example/internal/msg"
)

// Plan prints what a reset does to which partition, and remarks on what a reader might
// not expect of it. As JSON nothing is printed before the end.
func (p *Printer) Plan(r *Reset) error {
	if p.Format == JSON {
		return nil
	}
	if r.New {
		p.Remark(msg.Sprintf("note: group %s does not exist yet, these are its first offsets (%s)",
			cell(r.Group), r.hint))
	}
	if r.Time != nil {
		p.Remark(msg.Sprintf("note: the time is %s", *r.Time))
	}
	for _, topic := range r.Missing {
		p.Remark(msg.Sprintf("note: topic %s, which group %s reads or has commits of, "+
			"does not exist", cell(topic), cell(r.Group)))
	}
	for _, m := range r.Partitions {
		if m.Note != nil {
			p.Remark(m.remark())
		}
	}
	head := strings.Fields("TOPIC PARTITION OLD NEW DELTA")
	if p.Format == Wide {
		head = append(head, "LOG-START-OFFSET", "LOG-END-OFFSET")
	}
	var rows [][]string
	for _, m := range r.Partitions {
		row := []string{
			cell(m.Topic), strconv.Itoa(int(m.Partition)),
			number(m.Old), number(&m.New), delta(m.Delta),
		}
		if p.Format == Wide {
			row = append(row, number(&m.Start), number(&m.End))
		}
		rows = append(rows, row)
	}
	return p.table(head, rows)
}

// remark says why the new offset is not what was asked for.
func (m Move) remark() string {
	switch *m.Note {
	case noteStart:
		return msg.Sprintf("note: topic %s, partition %d: %d is below the start of the log, "+
			"set to %d", cell(m.Topic), m.Partition, m.wanted, m.New)
	case noteEnd:
		return msg.Sprintf("note: topic %s, partition %d: %d is past the end of the log, "+
			"set to %d", cell(m.Topic), m.Partition, m.wanted, m.New)
	case noteNoRecord:
		return msg.Sprintf("note: topic %s, partition %d: no record since that time, "+
			"set to the end of the log, %d", cell(m.Topic), m.Partition, m.New)
	}
	return msg.Sprintf("note: topic %s, partition %d: no commit to keep, "+
		"set to the end of the log, %d", cell(m.Topic), m.Partition, m.New)
}

// delta renders how far a commit moves.
func delta(n *int64) string {
	if n == nil || *n == 0 {
		return number(n)
	}
	return fmt.Sprintf("%+d", *n)
}

// ResetDone prints what has come of a plan: in JSON all of it, else one line.
func (p *Printer) ResetDone(r *Reset, execute bool) error {
	if p.Format == JSON {
		return writeJSON(p.Out, struct {
			document
			*Reset
		}{document{jsonVersion, "group.reset-offsets"}, r}, "  ")
	}
	switch {
	case !execute:
		p.Remark(msg.Sprintf("dry run: nothing was changed; --execute commits these offsets"))
	case r.Executed:
		p.Remark(msg.Sprintf("these offsets of group %s are committed", cell(r.Group)))
	}
	return nil
}
