// Command audit writes the receipts of three tills with acks 0, 1 and all, side by side, and
// then reads the topic back: which of the acknowledged records can be read, which are hidden
// from readers, and which are gone.
//
// Guarantee: what it counts as gone was acknowledged, and neither readers nor the leader's
// log have it.
package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-02-acks/acks"
	"brew.example/02-producer/02-02-acks/receipts"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

type config struct {
	topic                     string
	acks                      []string
	minISR                    uint16
	retries                   int
	timeout, interval, settle time.Duration
	wait                      bool
	limits                    *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.receipts.v1",
		msg.Text("topic to write to, made if missing"))
	f.Uint16Var(&cfg.minISR, "min-isr", 2, msg.Text("min.insync.replicas of a new topic, 1 to 3"))
	f.StringSliceVar(&cfg.acks, "acks", acks.All,
		msg.Text("who must have a record: 0 nobody, 1 the leader, all in-sync replicas"))
	f.IntVar(&cfg.retries, "retries", -1,
		msg.Text("how often a refused record is sent again (-1: no limit)"))
	f.DurationVar(&cfg.timeout, "timeout", time.Minute,
		msg.Text("give a record up after this time (0: never)"))
	f.DurationVar(&cfg.settle, "settle", 3*time.Second,
		msg.Text("how long to look for records that may still be on their way"))
	f.BoolVar(&cfg.wait, "wait", false, msg.Text("wait until no acknowledged record is hidden"))
	f.DurationVar(&cfg.interval, "interval", 0, msg.Text("pause after each record"))
	cfg.limits = cli.LimitFlags(30)
	cli.Parse(cfg.check, func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.minISR < 1 || c.minISR > 3:
		return cli.Usagef("flag --min-isr cannot be %d: 1 to 3, there are three replicas", c.minISR)
	case c.retries < -1:
		return cli.Usagef("flag --retries cannot be %d: 0 or more, or -1 for no limit", c.retries)
	case c.timeout != 0 && c.timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more, or 0 for no limit", c.timeout)
	}
	return acks.Check(c.acks)
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	log, err := receipts.Open(ctx, cfg.topic, cfg.minISR, stdout)
	if err != nil {
		return err
	}
	defer log.Close()
	// region limits
	limits := []kgo.Opt{
		kgo.DefaultProduceTopic(cfg.topic),
		kgo.ProduceRequestTimeout(2 * time.Second), // how long the leader waits for the others
		kgo.RecordDeliveryTimeout(cfg.timeout),     // by default there is no limit
		kgo.AllowIdempotentProduceCancellation(),   // or the limit does not always hold (01-05)
	}
	if cfg.retries >= 0 {
		limits = append(limits, kgo.RecordRetries(cfg.retries)) // by default no limit either
	}
	// endregion limits
	writers, err := acks.Open(cfg.acks, acks.Possible, limits...)
	if err != nil {
		return err
	}
	defer acks.Close(writers)
	tills := receipts.Tills(writers)
	write(ctx, cfg, tills, stdout)
	acks.Close(writers)
	failed := acks.Report(stdout, writers)
	gone, err := log.Audit(ctx, tills, cfg.settle, cfg.wait, stdout, stderr)
	if err == nil && gone > 0 {
		err = msg.Errorf("acknowledged and gone: %d", gone)
	}
	return cmp.Or(err, failed, receipts.Embedded())
}

// region write
// write lets each till write a receipt in turn, until a limit is reached.
func write(ctx context.Context, cfg config, tills []*receipts.Till, stdout io.Writer) {
	rows := table.NewStream(stdout, "TIME          ACKS  ACKNOWLEDGED  EVENT")
	writing, stop := cfg.limits.Context(ctx)
	defer stop()
	// After Ctrl+C what was handed over gets five more seconds.
	grace, cancel := delivery.Grace(ctx, 5*time.Second)
	defer cancel()
	for n := uint(0); writing.Err() == nil && !cfg.limits.Reached(n); n++ {
		for _, t := range tills {
			t.Client.Produce(grace, t.Next(), t.Tally.Promise(t.Answered))
			t.Watch(rows)
		}
		if n == 0 && cfg.limits.Records == 0 {
			flush(grace, tills)
			msg.Fprintf(stdout, "each till has sent its first receipt; Ctrl+C ends it and counts\n")
		}
		runctx.Sleep(writing, cfg.interval)
	}
	flush(grace, tills)
}

// endregion write

// flush returns when every record is answered. What it leaves, Close gives up, and the tally
// counts.
func flush(ctx context.Context, tills []*receipts.Till) {
	for _, t := range tills {
		_ = t.Client.Flush(ctx)
	}
}
