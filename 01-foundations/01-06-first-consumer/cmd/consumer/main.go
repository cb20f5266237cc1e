// Command consumer is Brew's kitchen service: as a member of a consumer group it prints
// orders with their coordinates and, on stderr, the partitions that come and go.
//
// Guarantee: at least once. A record is printed before the next poll, and the background
// commit covers only what earlier polls returned. A stop repeats records and loses none.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

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
	topic, group, member string
	regex, fresh         bool
	fromStart, typed     bool // typed: --from-start is on the command line
	limits               *cli.Limits
}

func main() {
	cfg := config{member: cli.MemberID()}
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.orders.v1", msg.Text("topic to read"))
	f.BoolVar(&cfg.regex, "regex", false, msg.Text("read every topic whose name matches --topic"))
	f.StringVar(&cfg.group, "group", "brew.kitchen-service", msg.Text("consumer group to join"))
	f.BoolVar(&cfg.fresh, "fresh", false, msg.Text("join a new group: a random suffix on --group"))
	f.BoolVar(&cfg.fromStart, "from-start", true,
		msg.Text("where to start without a committed offset: true the log's start, false its end"))
	cfg.limits = cli.LimitFlags(0)
	cli.Parse(func() error { return kafka.CheckConsumer(cfg.topic, cfg.regex, cfg.group) })
	cfg.typed = f.Changed("from-start")

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	if cfg.fresh {
		cfg.group += fmt.Sprintf("-%08x", rand.Uint32())
	}
	msg.Fprintf(stdout, "kitchen-service started: brew-topic=%q group=%q member=%s from-start=%t\n",
		cfg.topic, cfg.group, cfg.member, cfg.fromStart)
	msg.Fprintf(stdout, "reading brew-orders; Ctrl+C to exit.\n")

	notices := kafka.NewNotices(stderr, cfg.member, cfg.typed)
	// region client
	cl, err := kafka.NewClient(options(cfg, notices, stderr)...)
	if err != nil {
		return err
	}
	defer kafka.Close(cl) // leaves the group: the others get our partitions at once
	// endregion client
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	if err := notices.Topics(ctx, cl); err != nil {
		return err
	}
	return consume(ctx, cl, cfg, notices, stdout)
}

func options(cfg config, notices *kafka.Notices, stderr io.Writer) []kgo.Opt {
	// region hooks
	// The callbacks carry what changes, not what is held, and often nothing.
	tell := func(what string, changed map[string][]int32) {
		if len(changed) > 0 {
			fmt.Fprintf(stderr, "[member=%s] %s %v\n", cfg.member, what, changed)
		}
	}
	assigned := func(ctx context.Context, cl *kgo.Client, got map[string][]int32) {
		notices.Assigned(ctx, cl, got)
		tell("assigned:", got)
	}
	revoked := func(_ context.Context, _ *kgo.Client, gone map[string][]int32) {
		notices.Revoked(gone)
		tell("revoked: ", gone)
	}
	lost := func(_ context.Context, _ *kgo.Client, gone map[string][]int32) {
		notices.Revoked(gone)
		tell("lost:    ", gone)
	}
	// endregion hooks
	// region options
	opts := []kgo.Opt{
		kgo.ClientID("kitchen-service-" + cfg.member),
		kgo.ConsumerGroup(cfg.group),
		kgo.ConsumeTopics(cfg.topic),
		kgo.OnPartitionsAssigned(assigned),
		// The price of a hook of our own: the default one commits what earlier polls returned.
		kgo.OnPartitionsRevoked(revoked),
		kgo.OnPartitionsLost(lost), // the group went on without us: nothing to commit any more
	}
	// endregion options
	// region start
	if !cfg.fromStart { // franz-go's own default is AtStart
		opts = append(opts, kgo.ConsumeStartOffset(kgo.NewOffset().AtEnd()))
	}
	// endregion start
	if cfg.regex { // not anchored: "orders" matches "brew.orders.v1"
		opts = append(opts, kgo.ConsumeRegex())
	}
	return opts
}

func consume(
	ctx context.Context, cl *kgo.Client, cfg config, notices *kafka.Notices, stdout io.Writer,
) error {
	rows := table.NewStream(stdout,
		"MEMBER  PARTITION  OFFSET  KEY      VALUE                         BROKER-TS")
	polling, cancel := cfg.limits.Context(ctx)
	defer cancel()
	var read uint
	// region loop
	for polling.Err() == nil && !cfg.limits.Reached(read) {
		fetches := cl.PollFetches(polling) // waits for records; ends with the context
		var fatal error
		fetches.EachError(func(topic string, _ int32, err error) {
			if !errors.Is(err, polling.Err()) {
				fatal = cmp.Or(fatal, notices.FetchError(topic, err)) // prints what will pass
			}
		})
		notices.Fetched(fetches) // tells of records that were deleted before we came to them
		// One partition's error says nothing about the records of the others.
		fetches.EachRecord(func(r *kgo.Record) {
			if cfg.limits.Reached(read) {
				return // polled beyond --records: not printed, so not to be counted as read
			}
			read++
			fatal = cmp.Or(fatal, rows.Row(cfg.member, r.Partition, r.Offset, show.Bytes(r.Key),
				show.Bytes(r.Value), r.Timestamp.Format("15:04:05.000")))
		})
		if fatal != nil {
			return fatal // without another poll, this one's records are never committed
		}
	}
	// endregion loop
	msg.Fprintf(stdout, "records read: %d\n", read)
	if ctx.Err() != nil {
		msg.Fprintf(stdout, "kitchen-service stopped by a signal.\n")
	}
	return nil
}
