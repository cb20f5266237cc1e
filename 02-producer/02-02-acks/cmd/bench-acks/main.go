// Command bench-acks writes the same records with acks 0, 1 and all, in turns, and shows how
// long each one kept its writer waiting, and how many came through in a second.
//
// Guarantee: what it counts as acknowledged is in the log. A round that was cut short is not
// in the table.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-02-acks/acks"
	"brew.example/02-producer/delivery"
	"brew.example/02-producer/measure"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

type config struct {
	topic                     string
	partitions                int32
	rf                        int16
	acks                      []string
	idempotent                bool
	payload, writers, repeats uint
	timeout                   time.Duration
	limits                    *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.bench-acks.v1",
		msg.Text("topic to write to, made if missing"))
	f.Int32Var(&cfg.partitions, "partitions", 3, msg.Text("partitions of a new topic"))
	f.Int16Var(&cfg.rf, "rf", 3, msg.Text("replication factor of a new topic"))
	f.StringSliceVar(&cfg.acks, "acks", acks.All,
		msg.Text("who must have a record: 0 nobody, 1 the leader, all in-sync replicas"))
	f.BoolVar(&cfg.idempotent, "idempotent", false,
		msg.Text("number the records, so that a resend is stored once; demands --acks=all"))
	f.UintVar(&cfg.payload, "payload", 1024, msg.Text("bytes in a record's value"))
	f.UintVar(&cfg.writers, "writers", 1,
		msg.Text("how many write at the same time, each one waiting for its record"))
	f.UintVar(&cfg.repeats, "repeats", 5,
		msg.Text("rounds that are measured, after one to warm up"))
	f.DurationVar(&cfg.timeout, "timeout", 30*time.Second,
		msg.Text("give a record up after this time (0: never)"))
	cfg.limits = cli.LimitFlags(1000)
	f.Lookup("records").Usage = msg.Text("records in each round")
	cli.Parse(cfg.check, func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	switch {
	case c.limits.Records == 0 || c.repeats == 0 || c.writers == 0:
		return cli.Usagef("flags --records, --repeats and --writers cannot be 0: there would be " +
			"nothing to measure")
	case c.limits.Records > 1e6 || c.repeats > 1000 || c.writers > 10000:
		return cli.Usagef("too many to measure: --records up to 1000000, --repeats up to 1000, " +
			"--writers up to 10000")
	case c.payload > 1<<30:
		return cli.Usagef("flag --payload cannot be %d: up to 1073741824", c.payload)
	case c.timeout != 0 && c.timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more, or 0 for no limit", c.timeout)
	}
	return cmp.Or(acks.Check(c.acks), kafka.CheckCounts(c.partitions, c.rf))
}

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	writers, err := acks.Open(cfg.acks, func(string) bool { return cfg.idempotent },
		kgo.DefaultProduceTopic(cfg.topic),
		kgo.RecordDeliveryTimeout(cfg.timeout),
		kgo.AllowIdempotentProduceCancellation(), // the limit holds for what was sent, too
		// Zeros shrink to nothing, and then the size of a record would mean nothing.
		kgo.ProducerBatchCompression(kgo.NoCompression()),
	)
	if err != nil {
		return err
	}
	defer acks.Close(writers)
	if err := kafka.Ping(ctx, writers[0].Client); err != nil {
		return err
	}
	_, err = kafka.EnsureTopic(ctx, writers[0].Client, cfg.topic, cfg.partitions, cfg.rf, nil)
	if err != nil {
		return err
	}
	msg.Fprintf(stdout, "%d records of %d bytes a round; writing at the same time: %d\n",
		cfg.limits.Records, cfg.payload, cfg.writers)
	measuring, stop := cfg.limits.Context(ctx)
	defer stop()
	b := bench{cfg.limits.Records, cfg.writers, make([]byte, cfg.payload)}
	// The rounds alternate: 0 1 all, all 1 0 ... Whatever the machine does beside hits all.
	rounds, err := measure.Alternate(measuring, int(cfg.repeats), writers, b.round)
	acks.Close(writers)
	if err != nil {
		msg.Fprintf(stdout, "partial results, the bench has ended early\n")
	}
	if err := report(stdout, writers, rounds); err != nil {
		return err
	}
	failed := acks.Report(stdout, writers)
	fmt.Fprintln(stdout, measure.Machine())
	return failed
}

type bench struct {
	records, writers uint
	value            []byte
}

// round is what was measured in one round of one client.
type round struct {
	latency   measure.Latency
	perSecond int
}

func (b bench) round(ctx context.Context, w *acks.Writer) (round, error) {
	// Ctrl+C starts no more records. Those that are on their way get five seconds.
	grace, cancel := delivery.Grace(ctx, 5*time.Second)
	defer cancel()
	took := make([]time.Duration, b.records)
	var taken atomic.Int64
	var writing sync.WaitGroup
	var failed atomic.Bool
	start := time.Now()
	for range b.writers {
		writing.Go(func() {
			for ctx.Err() == nil && !failed.Load() {
				n := taken.Add(1) - 1
				if n >= int64(b.records) {
					return
				}
				// region measure
				answered := w.Tally.Promise(nil)
				sent := time.Now()
				record, err := w.Client.ProduceSync(grace, &kgo.Record{Value: b.value}).First()
				took[n] = time.Since(sent)
				answered(record, err) // counts it
				// endregion measure
				if err != nil {
					failed.Store(true)
				}
			}
		})
	}
	writing.Wait()
	if failed.Load() {
		return round{}, w.Tally.Err()
	}
	seconds := time.Since(start).Seconds()
	return round{measure.LatencyOf(took), int(float64(b.records) / seconds)}, context.Cause(ctx)
}

func report(stdout io.Writer, writers []*acks.Writer, rounds [][]round) error {
	var rows [][]string
	for i, w := range writers {
		row := []string{w.Acks, fmt.Sprint(len(rounds[i])), "-", "-", "-", "-", "-", "-"}
		if all := rounds[i]; len(all) > 0 {
			rate := measure.SpreadOf(measure.Each(all, func(r round) int { return r.perSecond }))
			row[2] = fmt.Sprint(rate.Median)
			row[3] = fmt.Sprintf("%d-%d", rate.Min, rate.Max)
			for n, of := range []func(round) time.Duration{
				func(r round) time.Duration { return r.latency.P50 },
				func(r round) time.Duration { return r.latency.P99 },
				func(r round) time.Duration { return r.latency.P999 },
				func(r round) time.Duration { return r.latency.Max },
			} {
				row[4+n] = measure.Round(measure.SpreadOf(measure.Each(all, of)).Median)
			}
		}
		rows = append(rows, row)
	}
	head := append([]string{"ACKS", "ROUNDS", "PER-SECOND", "SPREAD"}, measure.LatencyHead...)
	return table.Write(stdout, head, rows)
}
