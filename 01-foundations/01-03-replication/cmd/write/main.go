// Command write sends records to each partition of a topic in turn and shows what became
// of them: how many were acknowledged, how many were refused and why, and the end offset,
// up to which consumers can read.
//
// Guarantee: with --acks=all an acknowledged record is on every in-sync replica; with
// --acks=1 it is on the leader and may be lost with it.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/01-foundations/01-03-replication/ask"
	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

type config struct {
	topic, acks string
	records     uint16
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.payments.v1", msg.Text("topic to write to"))
	f.StringVar(&cfg.acks, "acks", "all",
		msg.Text("who must have a record: all in-sync replicas, or 1, the leader"))
	f.Uint16Var(&cfg.records, "records", 30, msg.Text("how many records to write"))
	cli.Parse(cfg.check)

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	if c.acks != "all" && c.acks != "1" {
		return cli.Usagef("flag --acks cannot be %s: all or 1", cli.Value(c.acks))
	}
	return kafka.CheckTopics(c.topic, false)
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	// region client
	acks := kgo.AllISRAcks()
	if cfg.acks == "1" {
		acks = kgo.LeaderAck()
	}
	cl, err := kafka.NewClient(
		kgo.ClientID("payment-service"),
		kgo.RequiredAcks(acks),
		// Idempotence demands acks=all. Without it a resend may be stored twice.
		kgo.DisableIdempotentWrite(),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), // each record names its partition
		// By default the client repeats until it succeeds. Here the first answer counts.
		kgo.RecordRetries(0),
		kgo.ProduceRequestTimeout(2*time.Second), // how long the leader waits for the others
	)
	// endregion client
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	topic, _, _, err := ask.New(cl).Topic(ctx, cfg.topic)
	if err != nil {
		return err
	}
	// region send
	records := make([]*kgo.Record, cfg.records)
	for i := range records {
		records[i] = &kgo.Record{
			Topic:     cfg.topic,
			Partition: int32(i % len(topic.Partitions)),
			Value:     fmt.Appendf(nil, "PaymentTaken order_id=order-%d", i),
		}
	}
	results := make([]result, len(topic.Partitions))
	for _, answer := range cl.ProduceSync(ctx, records...) { // waits for all answers
		results[answer.Record.Partition].add(answer.Err)
	}
	// endregion send
	if ctx.Err() != nil {
		return nil
	}
	if none := ask.Embedded(); none != nil {
		msg.Fprintf(stderr, "note: %v\n", none)
	}
	return report(ctx, cl, topic, results, stdout)
}

// result is what became of the records of a partition.
type result struct {
	stored, failed int
	why            string // of the last failure
}

func (r *result) add(err error) {
	if err == nil {
		r.stored++
		return
	}
	r.failed++
	r.why = "UNKNOWN" // the client gave up: the record may be stored or not
	if refused, ok := errors.AsType[*kerr.Error](err); ok {
		r.why = refused.Message
	}
}

func report(
	ctx context.Context, cl *kgo.Client, topic kmsg.MetadataResponseTopic, results []result,
	stdout io.Writer,
) error {
	ends := ask.Ends(ctx, cl, topic)
	var rows [][]string
	var stored, failed int
	for n, r := range results {
		end := "-"
		if offset, ok := ends[int32(n)]; ok {
			end = fmt.Sprint(offset)
		}
		stored, failed = stored+r.stored, failed+r.failed
		rows = append(rows, []string{fmt.Sprint(n), fmt.Sprint(topic.Partitions[n].Leader),
			fmt.Sprint(r.stored), fmt.Sprint(r.failed), cmp.Or(r.why, "-"), end})
	}
	head := []string{"PARTITION", "LEADER", "ACKNOWLEDGED", "FAILED", "WHY", "END-OFFSET"}
	if err := table.Write(stdout, head, rows); err != nil || failed == 0 {
		return err
	}
	return msg.Errorf("not acknowledged: %d of %d", failed, failed+stored)
}
