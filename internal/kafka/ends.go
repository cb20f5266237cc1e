package kafka

import (
	"context"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/table"
)

// PrintEnds prints the topic's end offsets as a table with a total: for each partition
// the offset that its next record gets. On a topic that never lost a record to
// retention that is how many records it holds.
func PrintEnds(ctx context.Context, cl *kgo.Client, topic string, w io.Writer) error {
	ends, err := kadm.NewClient(cl).ListEndOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return msg.Errorf("list the offsets of %s: %w", topic, err)
	}
	var rows [][]string
	var total int64
	for _, o := range ends.Offsets().Sorted() {
		total += o.At
		rows = append(rows, []string{fmt.Sprint(o.Partition), fmt.Sprint(o.At)})
	}
	rows = append(rows, []string{"TOTAL", fmt.Sprint(total)})
	return table.Write(w, []string{"PARTITION", "LATEST"}, rows)
}
