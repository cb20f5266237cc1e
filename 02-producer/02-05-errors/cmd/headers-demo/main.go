// Command headers-demo writes payments with headers and reads them back: the order of the
// headers, a key that comes twice, and a nil or an empty value arrive as they were written.
// With --hops each payment fails and is written again, and its headers must not pile up.
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
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-05-errors/cases"
	"brew.example/02-producer/02-05-errors/headers"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

type config struct {
	topic, mode   string
	hops          uint
	pileUp, asMap bool
	limits        *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.printing.v1",
		msg.Text("topic to write to, made if missing"))
	f.StringVar(&cfg.mode, "mode", "roundtrip",
		msg.Text("produce, consume (from the log's start) or roundtrip"))
	f.UintVar(&cfg.hops, "hops", 0, msg.Text("how often each record fails and is written again"))
	f.BoolVar(&cfg.pileUp, "pile-up", false, msg.Text("add headers at a hop, replace none"))
	f.BoolVar(&cfg.asMap, "as-map", false, msg.Text("show what a map keeps of the headers"))
	cfg.limits = cli.LimitFlags(5)
	cli.Parse(func() error { return cases.CheckMode(cfg.mode, cfg.hops, *cfg.limits) },
		func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

type demo struct {
	config
	cl      *kgo.Client
	tally   delivery.Tally
	random  *rand.ChaCha8 // the same ids in each run; a service takes crypto/rand
	written []string      // the headers of what was written, in its order
	stop    func()
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) (err error) {
	making, stop := cfg.limits.Context(ctx)
	defer stop()
	d := demo{config: cfg, random: rand.NewChaCha8([32]byte{}), stop: stop}
	d.cl, err = kafka.NewClient(kgo.ClientID("receipt-service"), kgo.WithHooks(&d.tally))
	if err != nil {
		return err
	}
	defer d.cl.Close()
	if err := kafka.Ping(ctx, d.cl); err != nil {
		return err
	}
	if _, err := kafka.EnsureTopic(ctx, d.cl, cfg.topic, 1, 3, nil); err != nil {
		return err
	}
	sending, cancel := delivery.Grace(ctx, 5*time.Second) // Ctrl+C ends it 5 s later
	defer cancel()
	start := int64(0)
	if cfg.mode != "consume" {
		if start, err = cases.Stored(ctx, kadm.NewClient(d.cl), cfg.topic); err != nil {
			return err
		}
		for n := uint(0); making.Err() == nil && !cfg.limits.Reached(n); n++ {
			d.write(sending, headers.Payment(cfg.topic, n, d.random))
		}
	}
	if cfg.mode != "produce" {
		err = d.consume(making, sending, start, stdout, stderr)
	}
	_ = d.cl.Flush(sending) // what it does not get through is counted as unknown
	d.cl.Close()
	d.tally.Wait()
	if cfg.mode != "consume" {
		_, unprinted := fmt.Fprintln(stdout, &d.tally)
		err = cmp.Or(err, unprinted)
	}
	return cmp.Or(err, d.tally.Err())
}

func (d *demo) write(ctx context.Context, record *kgo.Record) {
	d.written = append(d.written, headers.Format(record.Headers))
	d.cl.Produce(ctx, record, d.tally.Promise(func(_ *kgo.Record, err error) {
		if err != nil {
			d.stop() // what is not written will not come
		}
	}))
}

// consume prints what comes from the offset on, and writes the copies of what has failed.
func (d *demo) consume(making, sending context.Context, start int64, stdout, errs io.Writer) error {
	d.cl.AddConsumePartitions(map[string]map[int32]kgo.Offset{
		d.topic: {0: kgo.NewOffset().At(start)},
	})
	rows := table.NewStream(stdout, "PART  OFFSET  KEY      N   BYTES  HEADERS")
	kept := 0
	for n := uint(0); making.Err() == nil && !d.limits.Reached(n/(d.hops+1)); {
		quiet := cases.Quiet(errs, d.topic)
		fetches := d.cl.PollFetches(making)
		quiet.Stop()
		if err := fetches.Err(); err != nil && making.Err() == nil {
			return err
		}
		for _, r := range fetches.Records() {
			if err := rows.Row(headers.Cells(r, d.asMap)...); err != nil {
				return err
			}
			if int(n) < len(d.written) && headers.Format(r.Headers) == d.written[n] {
				kept++
			}
			n++
			if d.mode == "consume" || headers.Retries(r) >= d.hops {
				continue
			}
			copied, err := headers.Retry(r, d.pileUp, "no paper", d.random)
			if err != nil {
				return err
			}
			d.write(sending, copied)
		}
	}
	if d.mode == "roundtrip" && making.Err() == nil { // else not all has been read
		msg.Fprintf(stdout, "%d of %d came as they were written\n", kept, len(d.written))
	}
	return nil
}
