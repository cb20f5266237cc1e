package results

import (
	"fmt"
	"io"
	"time"

	"brew.example/02-producer/measure"
	"brew.example/internal/table"
)

// WriteTable writes a row for each setting: medians of its runs, and how far the runs lie
// apart. Runs at a steady rate are about the time that a record takes, others about how many
// records went through.
func WriteTable(w io.Writer, runs []Run) error {
	if len(runs) == 0 {
		return nil
	}
	head := []string{"LINGER", "CODEC", "PAYLOAD", "SEND", "PER-BATCH", "SIZE"}
	if runs[0].RateWanted > 0 {
		head = append(append(head, measure.LatencyHead...), "P50-MIN", "P50-MAX")
	} else {
		head = append(head, "RATE", "MIN", "MAX")
	}
	var rows [][]string
	for _, group := range Group(runs) {
		row := []string{
			group[0].Linger, group[0].Codec, group[0].Payload, group[0].Send,
			fmt.Sprintf("%.1f", median(group, Run.PerBatch).Median),
			fmt.Sprintf("%.0f%%", median(group, Run.Size).Median),
		}
		if runs[0].RateWanted > 0 {
			row = append(row, latencies(group)...)
		} else {
			rate := median(group, func(r Run) float64 { return r.Rate })
			row = append(row, fmt.Sprintf("%.0f", rate.Median), fmt.Sprintf("%.0f", rate.Min),
				fmt.Sprintf("%.0f", rate.Max))
		}
		rows = append(rows, row)
	}
	return table.Write(w, head, rows)
}

func median(runs []Run, pick func(Run) float64) measure.Spread[float64] {
	return measure.SpreadOf(measure.Each(runs, pick))
}

func latencies(runs []Run) []string {
	text := func(ms float64) string {
		return measure.Round(time.Duration(ms * float64(time.Millisecond)))
	}
	p50 := median(runs, func(r Run) float64 { return r.P50 })
	return []string{
		text(p50.Median),
		text(median(runs, func(r Run) float64 { return r.P99 }).Median),
		text(median(runs, func(r Run) float64 { return r.P999 }).Median),
		text(median(runs, func(r Run) float64 { return r.Max }).Median),
		text(p50.Min), text(p50.Max),
	}
}
