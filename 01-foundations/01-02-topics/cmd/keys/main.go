// Command keys shows how many records each partition gets, and how many keys go elsewhere
// when a topic grows: counted with the client's own partitioner or, with --write, seen in the
// acknowledgements. Guarantee: same key, same number of partitions, same partition.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

type config struct {
	topic, key        string
	records, from, to int32
	write             bool
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.keys.v1", msg.Text("topic to write to, made if missing"))
	f.StringVar(&cfg.key, "key", "user", msg.Text("user: user-0, user-1, …; empty; none"))
	f.Int32Var(&cfg.records, "records", 1000, msg.Text("how many records (1 to 100000)"))
	f.Int32Var(&cfg.from, "from", 3, msg.Text("partitions of the topic"))
	f.Int32Var(&cfg.to, "to", 4, msg.Text("partitions after it has grown"))
	f.BoolVar(&cfg.write, "write", false, msg.Text("write them, grow the topic, write them again"))
	cli.Parse(cfg.check, func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.key != "user" && c.key != "empty" && c.key != "none":
		return cli.Usagef("flag --key cannot be %q: user, empty or none", c.key)
	case c.key == "none" && !c.write:
		return cli.Usagef("flag --key=none needs --write: without a key nothing can be foretold")
	case c.records < 1 || c.records > 100_000:
		return cli.Usagef("flag --records cannot be %d: 1 to 100000", c.records)
	case c.from < 1 || c.to < c.from || c.to > 1000:
		return cli.Usagef("flags --from=%d --to=%d: 1 to 1000, and never fewer than before",
			c.from, c.to)
	}
	return nil
}

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	before, err := round(ctx, cfg, cfg.from)
	after := before
	if err == nil && cfg.to > cfg.from {
		after, err = round(ctx, cfg, cfg.to)
	}
	if err != nil {
		return err
	}
	return report(cfg, before, after, stdout)
}

// round tells for each record where it goes or, with --write, where it went. Each round has a
// client of its own: one that knows the topic asks for its partitions every five minutes only.
func round(ctx context.Context, cfg config, partitions int32) ([]*kgo.Record, error) {
	cl, err := kafka.NewClient(kgo.ClientID("keys"), kgo.RecordDeliveryTimeout(30*time.Second))
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	// region records
	records := make([]*kgo.Record, cfg.records)
	for n := range records {
		records[n] = &kgo.Record{Topic: cfg.topic, Value: make([]byte, 2000)}
		switch cfg.key { // "none" leaves the key nil, which is not the same as empty
		case "user":
			records[n].Key = fmt.Appendf(nil, "user-%d", n)
		case "empty":
			records[n].Key = []byte{}
		}
	}
	// endregion records
	if cfg.write {
		return records, write(ctx, cl, cfg, partitions, records)
	}
	// region count
	own := cl.OptValue(kgo.RecordPartitioner).(kgo.Partitioner).ForTopic(cfg.topic)
	partitioner := own.(kgo.TopicBackupPartitioner)
	for _, r := range records { // the last argument matters for records without a key only
		r.Partition = int32(partitioner.PartitionByBackup(r, int(partitions), nil))
	}
	// endregion count
	return records, nil
}

func write(
	ctx context.Context, cl *kgo.Client, cfg config, partitions int32, records []*kgo.Record,
) error {
	err := kafka.Ping(ctx, cl)
	switch {
	case err != nil:
	case partitions == cfg.from:
		_, err = kafka.EnsureTopic(ctx, cl, cfg.topic, partitions, -1, nil)
	default:
		_, err = kafka.GrowTopic(ctx, cl, cfg.topic, partitions)
	}
	if err != nil {
		return err
	}
	if err = cl.ProduceSync(ctx, records...).FirstErr(); err != nil {
		err = msg.Errorf("no acknowledgement: %w", kafka.Explain(err))
	}
	return err
}

// report prints how many records each partition has got, and how many changed theirs.
func report(cfg config, before, after []*kgo.Record, stdout io.Writer) error {
	got, moved := make([][2]int, cfg.to), 0
	for n := range before {
		got[before[n].Partition][0]++
		got[after[n].Partition][1]++
		if before[n].Partition != after[n].Partition {
			moved++
		}
	}
	head := []string{"PARTITION", fmt.Sprintf("OF-%d", cfg.from), fmt.Sprintf("OF-%d", cfg.to)}
	if cfg.to == cfg.from {
		head = []string{"PARTITION", "RECORDS"}
	}
	var rows [][]string
	for p, n := range got {
		row := []string{fmt.Sprint(p), fmt.Sprint(n[0]), fmt.Sprint(n[1])}
		if p >= int(cfg.from) {
			row[1] = "-" // it was not there yet
		}
		rows = append(rows, row[:len(head)])
	}
	if err := table.Write(stdout, head, rows); err != nil || cfg.to == cfg.from {
		return err
	}
	msg.Fprintf(stdout, "moved: %d of %d\n", moved, len(before))
	return nil
}
