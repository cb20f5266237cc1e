// Command error-classes makes the errors happen that a producer can get, one kind after the
// other, and shows what became of ten payments each time: how many requests the client sent,
// for how long it tried, what the program was told, and what the topic holds.
//
// Guarantee: FAILED is in no log. UNKNOWN may be stored; STORED tells, after the fact.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-05-errors/cases"
	"brew.example/02-producer/02-05-errors/classify"
	"brew.example/02-producer/02-05-errors/lossy"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

type config struct {
	topic, name string
	retries     int64
	timeout     time.Duration
	debug       bool
	limits      *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.card-payments.v1",
		msg.Text("topic to write to, made if missing"))
	f.StringVar(&cfg.name, "case", "all", msg.Sprintf("what happens: %s", cases.Names()))
	f.Int64Var(&cfg.retries, "retries", -1,
		msg.Text("replicas: how often to send a record again (-1: no limit)"))
	f.DurationVar(&cfg.timeout, "timeout", time.Second,
		msg.Text("no-answer and replicas: give a record up after this time (0: never)"))
	f.BoolVar(&cfg.debug, "debug", false, msg.Text("print what the client does"))
	cfg.limits = cli.LimitFlags(10)
	cli.Parse(func() error { return cases.Check(cfg.name, cfg.timeout, cfg.retries) },
		func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	plain, err := kafka.NewClient()
	if err != nil {
		return err
	}
	defer plain.Close()
	if err := kafka.Ping(ctx, plain); err != nil {
		return err
	}
	rows := table.NewStream(stdout, "CASE              REQUESTS  TOOK    ACKED  FAILED  UNKNOWN  "+
		"STORED  ERROR                       DO")
	var tally delivery.Tally
	for _, c := range cases.All(cfg.timeout, cfg.retries) {
		if ctx.Err() != nil || cfg.name != c.Name && (cfg.name != "all" || c.Alone) {
			continue
		}
		if cfg.debug {
			logger := kgo.BasicLogger(stderr, kgo.LogLevelDebug, nil)
			c.Opts = append(c.Opts, kgo.WithLogger(logger))
		}
		row, err := try(ctx, cfg, c, &tally, kadm.NewClient(plain))
		if err == nil {
			err = rows.Row(row...)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	fmt.Fprintln(stdout, &tally)
	return tally.Err()
}

// try makes one kind of error happen, and returns its row.
func try(
	ctx context.Context, cfg config, c cases.Case, tally *delivery.Tally, adm *kadm.Client,
) ([]any, error) {
	wire, placed := &lossy.Hook{Answers: c.Lost}, cases.NewPlaced()
	// region client
	cl, err := kafka.NewClient(append([]kgo.Opt{
		kgo.ClientID("payment-service"),
		kgo.WithHooks(wire, tally, placed), // what was sent, and what became of it
		// Far longer than it takes to Flush, so the payments travel in one batch, always.
		kgo.ProducerLinger(5 * time.Second),
	}, c.Opts...)...)
	// endregion client
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	topic := cfg.topic + c.Suffix
	if err := c.Prepare(ctx, cl, topic); err != nil {
		return nil, err
	}
	before, _ := cases.Stored(ctx, adm, topic)
	acked, failed, unknown := tally.Counts()
	start := time.Now()
	first := produce(ctx, cl, cfg, c, topic, tally, placed)
	took := time.Since(start).Round(time.Millisecond)
	ackedNow, failedNow, unknownNow := tally.Counts()
	after, err := cases.Stored(context.WithoutCancel(ctx), adm, topic)
	growth := any(after - before)
	if err != nil {
		growth = "-"
	}
	return []any{c.Name, wire.Requests(), took, ackedNow - acked, failedNow - failed,
		unknownNow - unknown, growth, classify.Name(first), classify.Classify(first)}, nil
}

// produce writes the payments and returns the first error that one of them got.
func produce(
	ctx context.Context, cl *kgo.Client, cfg config, c cases.Case, topic string,
	tally *delivery.Tally, placed *cases.Placed,
) (first error) {
	// region stop
	making, stop := cfg.limits.Context(ctx)
	defer stop()
	sending, cancel := delivery.Grace(ctx, 5*time.Second) // Ctrl+C ends it 5 s later
	defer cancel()
	n := uint(0)
	for ; making.Err() == nil && !cfg.limits.Reached(n); n++ {
		cl.Produce(sending, c.Record(topic, n), tally.Promise(func(_ *kgo.Record, err error) {
			first = cmp.Or(first, err)
		}))
	}
	placed.Await(n)       // in one batch
	_ = cl.Flush(sending) // what it does not get through is counted as unknown
	cl.Close()
	tally.Wait()
	// endregion stop
	return first
}
