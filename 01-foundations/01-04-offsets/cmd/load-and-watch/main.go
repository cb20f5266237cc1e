// Command load-and-watch writes orders to a topic that keeps them for seconds, and prints a
// row for each partition whose first offset, committed offset or end has moved.
//
// A row's time is that of a look: what it shows happened up to one --interval before.
// Guarantee: none. The records are here to be deleted.
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
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/01-foundations/01-04-offsets/offsets"
	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
)

type config struct {
	topic, group                 string
	partitions                   int32
	rf                           int16
	retention, segment, interval time.Duration
	heartbeat, recreate          bool
	limits                       cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.orders.brief.v1",
		msg.Text("topic to write to and watch, made if missing"))
	f.StringVar(&cfg.group, "group", "brew.kitchen-service",
		msg.Text("consumer group whose committed offsets to show"))
	f.Int32Var(&cfg.partitions, "partitions", 3, msg.Text("partitions of a new topic"))
	f.Int16Var(&cfg.rf, "rf", 3, msg.Text("replication factor of a new topic"))
	f.DurationVar(&cfg.retention, "retention", 10*time.Second,
		msg.Text("retention.ms of a new topic, 1s or more"))
	f.DurationVar(&cfg.segment, "segment", time.Hour,
		msg.Text("segment.ms of a new topic, 1s or more"))
	f.DurationVar(&cfg.interval, "interval", 500*time.Millisecond,
		msg.Text("pause between two looks"))
	f.BoolVar(&cfg.heartbeat, "heartbeat", false, msg.Text("write ten more orders after each look"))
	f.BoolVar(&cfg.recreate, "recreate", false, msg.Text("delete the topic with its records first"))
	f.UintVar(&cfg.limits.Records, "records", 100,
		msg.Text("orders to write at first (0: only watch)"))
	f.DurationVar(&cfg.limits.For, "for", 0,
		msg.Text("watch for this time, such as 2m (0: no limit)"))
	cli.Parse(cfg.check)

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.retention < time.Second:
		return cli.Usagef("flag --retention cannot be %s: 1s or more, such as 1m", c.retention)
	case c.segment < time.Second:
		return cli.Usagef("flag --segment cannot be %s: 1s or more, such as 1m", c.segment)
	}
	return cmp.Or(kafka.CheckConsumer(c.topic, false, c.group),
		kafka.CheckCounts(c.partitions, c.rf), kafka.CheckInterval(c.interval))
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	cl, err := kafka.NewClient(
		kgo.ClientID("load-and-watch"),
		// Without a broker a look must end, its heartbeat too. The price: a record may come twice.
		kgo.AllowIdempotentProduceCancellation(), kgo.RecordDeliveryTimeout(15*time.Second),
	)
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	if cfg.recreate { // the client has not used the topic, so it will take the new one
		err := kafka.Within(ctx, cfg.topic, func(ctx context.Context) error {
			_, err := kadm.NewClient(cl).DeleteTopic(ctx, cfg.topic)
			return err
		})
		if err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			return msg.Errorf("delete topic %s: %w", cfg.topic, err)
		}
	}
	// region topic
	settings := map[string]string{
		"retention.ms": fmt.Sprint(cfg.retention.Milliseconds()),
		"segment.ms":   fmt.Sprint(cfg.segment.Milliseconds()),
	}
	created, err := kafka.EnsureTopic(ctx, cl, cfg.topic, cfg.partitions, cfg.rf, settings)
	// endregion topic
	if err != nil {
		return err
	}
	msg.Fprintf(stdout, "topic %s: created=%t\n", cfg.topic, created)
	if err := write(ctx, cl, cfg.topic, cfg.limits.Records); err != nil {
		return err
	}
	msg.Fprintf(stdout, "orders written: %d; watching, Ctrl+C to exit.\n", cfg.limits.Records)
	return watch(ctx, cl, cfg, stdout, stderr)
}

// write writes n orders, order-0 and so on, and waits until all are acknowledged.
func write(ctx context.Context, cl *kgo.Client, topic string, n uint) error {
	answers := kgo.AbortingFirstErrPromise(cl)
	for i := range n {
		key := fmt.Sprintf("order-%d", i)
		cl.Produce(ctx, &kgo.Record{
			Topic: topic, Key: []byte(key), Value: []byte("OrderPlaced order_id=" + key),
		}, answers.Promise())
	}
	if err := answers.Err(); err != nil {
		return msg.Errorf("write to %s: %w", topic, kafka.Explain(err))
	}
	return nil
}

func watch(ctx context.Context, cl *kgo.Client, cfg config, stdout, stderr io.Writer) error {
	watching, stop := cfg.limits.Context(ctx)
	defer stop()
	rows, adm := offsets.NewTable(stdout, cfg.heartbeat), kadm.NewClient(cl)
	// region watch
	err := kafka.Watch(watching, cfg.interval, stderr, func(ctx context.Context) error {
		found, err := offsets.Look(ctx, adm, cfg.topic, cfg.group)
		if err == nil {
			err = rows.Changes(found)
		}
		if err == nil && cfg.heartbeat {
			err = write(ctx, cl, cfg.topic, 10)
		}
		return err
	})
	// endregion watch
	if err == nil {
		err = rows.Total()
	}
	return err
}
