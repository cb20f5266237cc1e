// Command producer is Brew's order service: it writes OrderPlaced events, keyed by
// order, and shows the coordinates that Kafka gave each one: partition and offset.
//
// Guarantee: a row in the table is a record that every in-sync replica has. A record
// that ends in an error may be stored or not; a second run writes it once more.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

type config struct {
	topic, send               string
	partitions                int32
	rf                        int16
	linger, timeout, interval time.Duration
	limits                    *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.orders.v1",
		msg.Text("topic to write to, made if missing"))
	f.Int32Var(&cfg.partitions, "partitions", 3, msg.Text("partitions of a new topic"))
	f.Int16Var(&cfg.rf, "rf", 3, msg.Text("replication factor of a new topic"))
	f.StringVar(&cfg.send, "send", "sync",
		msg.Text("sync waits for each record, async for all at the end, no-flush for none"))
	f.DurationVar(&cfg.linger, "linger", 10*time.Millisecond,
		msg.Text("how long a batch waits for more records"))
	f.DurationVar(&cfg.timeout, "timeout", 30*time.Second,
		msg.Text("give a record up after this time (0: never)"))
	f.DurationVar(&cfg.interval, "interval", 0, msg.Text("pause after each record"))
	cfg.limits = cli.LimitFlags(10)
	cli.Parse(cfg.check, func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.send != "sync" && c.send != "async" && c.send != "no-flush":
		return cli.Usagef("flag --send cannot be %s: sync, async or no-flush", cli.Value(c.send))
	case c.linger > time.Minute:
		return cli.Usagef("flag --linger cannot be %s: from 0s to 1m", c.linger)
	case c.timeout != 0 && c.timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more, or 0 for no limit", c.timeout)
	}
	return kafka.CheckCounts(c.partitions, c.rf)
}

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	// region client
	cl, err := kafka.NewClient(
		kgo.ClientID("order-service"),
		kgo.ProducerLinger(cfg.linger),
		// By default nothing bounds a produce: while the error is one to retry, it is retried.
		kgo.RecordDeliveryTimeout(cfg.timeout),
		// Without this the limit does not hold for a request that was sent and not answered.
		// The price: such a record may be stored, and a resend stores it twice.
		kgo.AllowIdempotentProduceCancellation(),
	)
	if err != nil {
		return err
	}
	defer cl.Close()
	// endregion client
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	created, err := kafka.EnsureTopic(ctx, cl, cfg.topic, cfg.partitions, cfg.rf, nil)
	if err != nil {
		return err
	}
	msg.Fprintf(stdout, "topic %s: created=%t\n", cfg.topic, created)
	err = produce(ctx, cl, cfg, stdout)
	if err != nil || ctx.Err() != nil || cfg.send == "no-flush" {
		return err
	}
	return kafka.PrintEnds(ctx, cl, cfg.topic, stdout)
}

func produce(ctx context.Context, cl *kgo.Client, cfg config, stdout io.Writer) error {
	rows := table.NewStream(stdout,
		"N   KEY      VALUE                         PARTITION  OFFSET  BROKER-TS")
	sending, stop := cfg.limits.Context(ctx)
	defer stop()
	var sent, stored uint
	var failed error
	var unanswered sync.WaitGroup
	start := time.Now()
	for sending.Err() == nil && !cfg.limits.Reached(sent) {
		n := sent
		// region record
		record := &kgo.Record{
			Topic: cfg.topic,
			Key:   fmt.Appendf(nil, "order-%d", n),
			Value: fmt.Appendf(nil, "OrderPlaced order_id=order-%d", n),
		}
		// endregion record
		// region answered
		unanswered.Add(1)
		answered := func(r *kgo.Record, err error) {
			defer unanswered.Done()
			if err != nil {
				failed = cmp.Or(failed, fmt.Errorf("%s: %w", r.Key, err)) // the first tells most
				stop()
				return
			}
			stored++
			rows.Row(n, show.Bytes(r.Key), show.Bytes(r.Value), r.Partition, r.Offset,
				r.Timestamp.Format("15:04:05.000"))
		}
		// endregion answered
		sent++
		// region send
		if cfg.send == "sync" {
			answered(cl.ProduceSync(ctx, record).First())
		} else {
			cl.Produce(ctx, record, answered) // returns at once, answered runs later
		}
		// endregion send
		runctx.Sleep(sending, cfg.interval)
	}
	// region flush
	switch cfg.send {
	case "async":
		failed = cmp.Or(failed, cl.Flush(ctx)) // waits until every record is answered
	case "no-flush":
		cl.Close() // drops what still waits in a batch
	}
	unanswered.Wait()
	// endregion flush
	msg.Fprintf(stdout, "acknowledged: %d of %d in %s\n", stored, sent,
		time.Since(start).Round(time.Millisecond))
	if failed != nil && ctx.Err() == nil {
		return msg.Errorf("no acknowledgement: %w", kafka.Explain(failed))
	}
	return nil
}
