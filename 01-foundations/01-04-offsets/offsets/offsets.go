// Package offsets asks for the three offsets that lecture 01-04 is about: the first of a
// partition, the next one, and the one that a group has committed.
package offsets

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"brew.example/internal/msg"
	"brew.example/internal/table"
)

// Of is what is known of a partition.
type Of struct {
	Earliest, Latest int64
	Committed        int64 // -1: nothing is committed
}

// region look
// Look asks for the offsets of a topic's partitions. The end, which moves fastest, comes
// last: no offset that is told lies behind it.
func Look(ctx context.Context, adm *kadm.Client, topic, group string) (map[int32]Of, error) {
	commits, err := adm.FetchOffsets(ctx, group)
	if err != nil {
		return nil, msg.Errorf("committed offsets of %s: %w", group, err)
	}
	starts, err := adm.ListStartOffsets(ctx, topic)
	if err = cmp.Or(err, starts.Error()); err != nil {
		return nil, msg.Errorf("first offsets of %s: %w", topic, err)
	}
	ends, err := adm.ListEndOffsets(ctx, topic)
	if err = cmp.Or(err, ends.Error()); err != nil {
		return nil, msg.Errorf("end offsets of %s: %w", topic, err)
	}
	found := map[int32]Of{}
	for p, start := range starts[topic] {
		o := Of{Earliest: start.Offset, Latest: ends[topic][p].Offset, Committed: -1}
		if c, ok := commits.Lookup(topic, p); ok {
			o.Committed = c.At
		}
		found[p] = o
	}
	return found, nil
}

// endregion look

// Table prints rows as offsets move.
type Table struct {
	rows  *table.Stream
	start time.Time
	seen  map[int32]Of
	busy  bool
}

// NewTable returns a Table that prints to w and counts its time from now on. On a busy
// topic an end that moves is no reason for a row: all others would be buried.
func NewTable(w io.Writer, busy bool) *Table {
	rows := table.NewStream(w, "AFTER   PARTITION  EARLIEST  COMMITTED  LATEST  RETAINED")
	return &Table{rows: rows, start: time.Now(), seen: map[int32]Of{}, busy: busy}
}

// Changes prints the partitions that differ from what was printed last.
func (t *Table) Changes(found map[int32]Of) error {
	for _, p := range slices.Sorted(maps.Keys(found)) {
		now := found[p]
		old, known := t.seen[p]
		if t.busy {
			old.Latest = now.Latest
		}
		t.seen[p] = now
		if !known || now != old {
			if err := t.row(p, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// Total prints the sum of what was seen last, if anything was. Partitions without a commit
// add none to it.
func (t *Table) Total() error {
	if len(t.seen) == 0 {
		return nil
	}
	sum := Of{Committed: -1}
	for _, o := range t.seen {
		sum.Earliest += o.Earliest
		sum.Latest += o.Latest
		if o.Committed >= 0 {
			sum.Committed = max(sum.Committed, 0) + o.Committed
		}
	}
	return t.row("TOTAL", sum)
}

func (t *Table) row(partition any, o Of) error {
	committed := "-"
	if o.Committed >= 0 {
		committed = fmt.Sprint(o.Committed)
	}
	return t.rows.Row(fmt.Sprintf("%.1fs", time.Since(t.start).Seconds()), partition,
		o.Earliest, committed, o.Latest, o.Latest-o.Earliest)
}
