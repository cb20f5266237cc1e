// Command custom-partitioner writes premium orders to a partition of their own and all others
// to the rest in turn, by a partitioner of Brew's, and checks what came of it.
//
// Guarantee, with --consistent=all: no order is in a partition that its rule does not name,
// not even while a partition has no leader. What belongs there waits.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-01-keys/tiers"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
)

type config struct {
	topic, consistent string
	premium           uint16
	seed              uint64
	timeout           time.Duration
	leader            bool
	limits            *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.tiers.v1", msg.Text("topic to write to"))
	f.StringVar(&cfg.consistent, "consistent", "all", msg.Text("whose partition must not depend "+
		"on who is reachable: all, premium or none"))
	f.Uint16Var(&cfg.premium, "premium-pct", 30, msg.Text("percent of the orders that are premium"))
	f.Uint64Var(&cfg.seed, "seed", 1, msg.Text("another seed draws other orders"))
	f.DurationVar(&cfg.timeout, "timeout", 30*time.Second,
		msg.Text("give a record up after this time (0: never)"))
	f.BoolVar(&cfg.leader, "leader", false, msg.Text("print who leads partition 0, and end"))
	cfg.limits = cli.LimitFlags(1000)
	cli.Parse(cfg.check, func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.consistent != "all" && c.consistent != "premium" && c.consistent != "none":
		return cli.Usagef("flag --consistent cannot be %s: all, premium or none",
			cli.Value(c.consistent))
	case c.premium > 100:
		return cli.Usagef("flag --premium-pct cannot be %d: 0 to 100", c.premium)
	case c.timeout != 0 && c.timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more, or 0 for no limit", c.timeout)
	}
	return nil
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	var tally delivery.Tally
	// region client
	cl, err := kafka.NewClient(
		kgo.ClientID("order-service"),
		kgo.RecordPartitioner(tiers.Partitioner(cfg.consistent)),
		// A record that waits for a leader waits for ever by default.
		kgo.RecordDeliveryTimeout(cfg.timeout),
		kgo.AllowIdempotentProduceCancellation(), // the limit holds for what was sent, too
		kgo.WithHooks(&tally),
	)
	// endregion client
	if err != nil {
		return err
	}
	defer cl.Close()
	if err = kafka.Ping(ctx, cl); err != nil {
		return err
	}
	topics, err := kadm.NewClient(cl).ListTopics(ctx, cfg.topic)
	if err = cmp.Or(err, topics[cfg.topic].Err); errors.Is(err, kerr.UnknownTopicOrPartition) {
		return msg.Errorf("topic %s does not exist: `make tiers-create RF=1` makes it", cfg.topic)
	} else if err != nil {
		return msg.Errorf("topic %s: %w", cfg.topic, err)
	}
	partitions := topics[cfg.topic].Partitions.Sorted()
	switch {
	case len(partitions) < 2:
		return msg.Errorf("topic %s has one partition: the premium orders need one of their own, "+
			"and the others a second", cfg.topic)
	case cfg.leader:
		fmt.Fprintln(stdout, show.Brokers(partitions[0].Leader))
		return nil
	}
	chosen := produce(ctx, cl, cfg, &tally, make(tiers.Split, len(partitions)), stderr)
	err = chosen.Report(partitions, stdout)
	fmt.Fprintln(stdout, &tally)
	return cmp.Or(tally.Err(), err)
}

func produce(
	ctx context.Context, cl *kgo.Client, cfg config, tally *delivery.Tally, chosen tiers.Split,
	stderr io.Writer,
) tiers.Split {
	rng := rand.New(rand.NewPCG(cfg.seed, 0))
	sending, stop := cfg.limits.Context(ctx)
	defer stop()
	grace, end := delivery.Grace(ctx, 5*time.Second) // after Ctrl+C, for what was handed over
	defer end()
	for n := uint(0); sending.Err() == nil && !cfg.limits.Reached(n); n++ {
		r := &kgo.Record{Topic: cfg.topic, Partition: -1, Value: fmt.Appendf(nil, "order-%d", n)}
		if rng.IntN(100) < int(cfg.premium) {
			tiers.MakePremium(r)
		}
		cl.Produce(grace, r, tally.Promise(chosen.Add))
	}
	slow := time.AfterFunc(2*time.Second, func() {
		msg.Fprintf(stderr, "waiting: %d orders without an answer\n", cl.BufferedProduceRecords())
	})
	cl.Flush(grace)
	slow.Stop()
	cl.Close()
	tally.Wait()
	return chosen
}
