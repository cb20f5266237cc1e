package tiers

import (
	"fmt"
	"io"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

// Split counts for each partition the orders for which it was chosen. A client calls back
// for one record at a time, so Add needs no lock.
type Split []struct{ Premium, Regular, Acknowledged int }

// Add counts a record and its answer. One that failed before a partition was chosen, and so
// still has the number below zero that it came with, is left out.
func (s Split) Add(r *kgo.Record, err error) {
	if r.Partition < 0 {
		return
	}
	of := &s[r.Partition]
	if IsPremium(r) {
		of.Premium++
	} else {
		of.Regular++
	}
	if err == nil {
		of.Acknowledged++
	}
}

// Report prints where the orders went, and the three things that the rule demands. It
// returns an error if one of them does not hold.
func (s Split) Report(partitions []kadm.PartitionDetail, w io.Writer) error {
	var rows [][]string
	var stray int
	least, most := s[1].Regular, s[1].Regular
	for p, of := range s {
		rows = append(rows, []string{fmt.Sprint(p), show.Brokers(partitions[p].Leader),
			fmt.Sprint(of.Premium), fmt.Sprint(of.Regular), fmt.Sprint(of.Acknowledged)})
		if p > 0 {
			stray += of.Premium
			least, most = min(least, of.Regular), max(most, of.Regular)
		}
	}
	head := []string{"PARTITION", "LEADER", "PREMIUM", "REGULAR", "ACKNOWLEDGED"}
	if err := table.Write(w, head, rows); err != nil {
		return err
	}
	checks := []bool{stray == 0, s[0].Regular == 0, most-least <= 1}
	verdict := map[bool]string{true: "ok", false: "BROKEN"}
	msg.Fprintf(w, "premium orders outside of partition 0: %d (%s)\n", stray, verdict[checks[0]])
	msg.Fprintf(w, "other orders in partition 0: %d (%s)\n", s[0].Regular, verdict[checks[1]])
	msg.Fprintf(w, "other orders, fullest partition minus emptiest: %d (%s)\n", most-least,
		verdict[checks[2]])
	if slices.Contains(checks, false) {
		return msg.Errorf("the rule for premium orders is broken")
	}
	return nil
}
