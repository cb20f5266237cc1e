// Command keyed-producer writes orders keyed by user and shows how unevenly the partitions
// are filled, and which keys did it; or writes them without a key and shows, record by
// record, which partition the client chose.
//
// Guarantee: a record that is counted is one that every in-sync replica has. The same seed
// gives the same keys, and the same keys the same partitions.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-01-keys/skew"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
)

type config struct {
	topic      string
	partitions int32
	rf         int16
	users      uint16
	hot, salt  uint16
	size       uint
	seed       uint64
	timeout    time.Duration
	limits     *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.users.v1",
		msg.Text("topic to write to, made if missing"))
	f.Int32Var(&cfg.partitions, "partitions", 3, msg.Text("partitions of a new topic"))
	f.Int16Var(&cfg.rf, "rf", 3, msg.Text("replication factor of a new topic"))
	f.Uint16Var(&cfg.users, "users", 10,
		msg.Text("how many users order (0: records without a key)"))
	f.Uint16Var(&cfg.hot, "hot", 0, msg.Text("percent of the orders that are user-0's besides"))
	f.Uint16Var(&cfg.salt, "salt", 0, msg.Text("give user-0 so many keys in turn (0: one)"))
	f.UintVar(&cfg.size, "size", 30, msg.Text("bytes of a value"))
	f.Uint64Var(&cfg.seed, "seed", 1, msg.Text("another seed draws other users"))
	f.DurationVar(&cfg.timeout, "timeout", 30*time.Second,
		msg.Text("give a record up after this time (0: never)"))
	cfg.limits = cli.LimitFlags(1000)
	cli.Parse(cfg.check, func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.hot > 100:
		return cli.Usagef("flag --hot cannot be %d: 0 to 100 percent", c.hot)
	case c.users == 0 && (c.hot > 0 || c.salt > 0):
		return cli.Usagef("flags --hot and --salt need users: --users=10")
	case c.partitions < 1 || c.partitions > 1000:
		return cli.Usagef("flag --partitions cannot be %d: 1 to 1000", c.partitions)
	case c.users == 0 && c.partitions > 10:
		return cli.Usagef("flag --partitions cannot be %d: 1 to 10 without keys, a digit for each "+
			"record", c.partitions)
	case c.size > 10_000_000:
		return cli.Usagef("flag --size cannot be %d: at most 10000000", c.size)
	case c.timeout != 0 && c.timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more, or 0 for no limit", c.timeout)
	}
	return kafka.CheckCounts(c.partitions, c.rf)
}

// region key
// key draws the key of order n; nil is no key at all.
func (c *config) key(rng *rand.Rand, n uint) []byte {
	if c.users == 0 {
		return nil
	}
	user := rng.IntN(int(c.users))
	if rng.IntN(100) < int(c.hot) {
		user = 0 // an office that orders for everybody in it
	}
	key := fmt.Appendf(nil, "user-%d", user)
	if user == 0 && c.salt > 0 { // several keys, several partitions, no order among them
		key = fmt.Appendf(key, "#%d", n%uint(c.salt))
	}
	return key
}

// endregion key

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	var tally delivery.Tally
	cl, err := kafka.NewClient(
		kgo.ClientID("order-service"),
		kgo.RecordDeliveryTimeout(cfg.timeout),
		kgo.AllowIdempotentProduceCancellation(), // the limit holds for what was sent, too
		kgo.WithHooks(&tally),
	)
	if err != nil {
		return err
	}
	defer cl.Close()
	if err = kafka.Ping(ctx, cl); err != nil {
		return err
	}
	created, err := kafka.EnsureTopic(ctx, cl, cfg.topic, cfg.partitions, cfg.rf, nil)
	if err != nil {
		return err
	}
	msg.Fprintf(stdout, "topic %s: created=%t\n", cfg.topic, created)
	var count skew.Count
	produce(ctx, cl, cfg, &tally, &count)
	if cfg.users == 0 {
		err = count.Strip(stdout)
	} else {
		err = count.Table(cfg.partitions, stdout)
	}
	fmt.Fprintln(stdout, &tally)
	return cmp.Or(tally.Err(), err)
}

func produce(
	ctx context.Context, cl *kgo.Client, cfg config, tally *delivery.Tally, count *skew.Count,
) {
	rng := rand.New(rand.NewPCG(cfg.seed, 0))
	sending, stop := cfg.limits.Context(ctx)
	defer stop()
	grace, end := delivery.Grace(ctx, 5*time.Second) // after Ctrl+C, for what was handed over
	defer end()
	value := make([]byte, cfg.size)
	for n := uint(0); sending.Err() == nil && !cfg.limits.Reached(n); n++ {
		r := &kgo.Record{Topic: cfg.topic, Key: cfg.key(rng, n), Value: value}
		count.Produced(r)
		cl.Produce(grace, r, tally.Promise(count.Answered))
	}
	cl.Flush(grace)
	cl.Close()
	tally.Wait()
}
