// Command bench writes Brew's orders with one setting of the producer after the other and
// compares: how long a batch lingers, how it is compressed, what is in the records. Without
// --rate it finds out how many records a second go through. With --rate it sends that many
// and measures how long each one takes. The two are different questions: a producer that
// sends as fast as it can mostly measures the queue in front of it.
//
// Guarantee: acknowledged= counts records that every in-sync replica has. A figure is
// printed for a run whose records are all acknowledged, and for no other.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"brew.example/02-producer/02-04-batching/lane"
	"brew.example/02-producer/02-04-batching/payload"
	"brew.example/02-producer/02-04-batching/results"
	"brew.example/02-producer/measure"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
)

type config struct {
	lane.Config
	output                  string
	rf                      int16
	lingers                 []time.Duration
	codecs, payloads, sends []string
	repeats                 int32
	steady                  bool // --rate is given
	limits                  *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.Topic, "topic", "brew.bench.v1",
		msg.Text("topic to write to, made if missing"))
	f.Int32Var(&cfg.Partitions, "partitions", 3, msg.Text("partitions of a new topic"))
	f.Int16Var(&cfg.rf, "rf", 3, msg.Text("replication factor of a new topic"))
	f.DurationSliceVar(&cfg.lingers, "linger", []time.Duration{10 * time.Millisecond},
		msg.Text("how long a batch waits for more records"))
	f.StringSliceVar(&cfg.codecs, "codec", []string{"snappy"},
		msg.Text("how a batch is compressed: none, gzip, snappy, lz4, zstd"))
	f.StringSliceVar(&cfg.payloads, "payload", []string{"json"},
		msg.Text("what is in a record: json, hex, random, zeros"))
	f.StringSliceVar(&cfg.sends, "send", []string{"async"},
		msg.Text("async sends without waiting, sync waits for each record"))
	f.Int32Var(&cfg.Size, "size", 1024, msg.Text("bytes of a record's value"))
	f.Int32Var(&cfg.Buffer, "buffer", 50_000, msg.Text("how many records may wait in the client"))
	f.UintVar(&cfg.Rate, "rate", 0, msg.Text("records a second; without it, as many as go through"))
	f.Int32Var(&cfg.repeats, "repeats", 3, msg.Text("measured runs of each setting"))
	f.DurationVar(&cfg.Timeout, "timeout", 10*time.Second,
		msg.Text("give a record up after this time"))
	f.StringVarP(&cfg.output, "output", "o", "table",
		msg.Text("table of medians, or every run as csv or json"))
	cfg.limits = cli.LimitFlags(5000)
	f.Lookup("records").Usage = msg.Text("records in each run")
	cli.Parse(func() error { cfg.steady = f.Changed("rate"); return cfg.check() },
		func() error { return kafka.CheckTopics(cfg.Topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	for _, list := range []struct {
		flag         string
		given, legal []string
	}{
		{"codec", c.codecs, lane.Codecs},
		{"payload", c.payloads, payload.Kinds},
		{"send", c.sends, []string{"async", "sync"}},
		{"output", []string{c.output}, results.Formats},
	} {
		for _, v := range list.given {
			if !slices.Contains(list.legal, v) {
				return cli.Usagef("flag --%s cannot be %s: %s", list.flag, cli.Value(v),
					strings.Join(list.legal, ", "))
			}
		}
	}
	switch {
	case len(c.lingers)*len(c.codecs)*len(c.payloads)*len(c.sends) == 0:
		return cli.Usagef("flags --linger, --codec, --payload and --send need a value each")
	case slices.Min(c.lingers) < 0:
		return cli.Usagef("flag --linger cannot be %s: from 0s to 1m", slices.Min(c.lingers))
	case slices.Max(c.lingers) > time.Minute:
		return cli.Usagef("flag --linger cannot be %s: from 0s to 1m", slices.Max(c.lingers))
	case c.steady && (c.Rate == 0 || c.Rate > 1_000_000):
		return cli.Usagef("flag --rate cannot be %d: 1 to 1000000 records a second; without "+
			"--rate the bench sends as many as go through", c.Rate)
	case c.steady && slices.Contains(c.sends, "sync"):
		return cli.Usagef("flag --send cannot be sync with --rate: who waits for each answer " +
			"keeps no rate")
	case c.limits.Records == 0 || c.limits.Records > 1_000_000:
		return cli.Usagef("flag --records cannot be %d: 1 to 1000000 in each run",
			c.limits.Records)
	case c.Size < 0:
		return cli.Usagef("flag --size cannot be %d: 0 or more", c.Size)
	case int64(c.limits.Records)*int64(c.Size) > 1<<30: // they are made before the first run
		return cli.Usagef("flags --records and --size: %d records of %d bytes are more than 1 GiB "+
			"of memory", c.limits.Records, c.Size)
	case c.Buffer < 1:
		return cli.Usagef("flag --buffer cannot be %d: 1 or more", c.Buffer)
	case c.repeats < 1:
		return cli.Usagef("flag --repeats cannot be %d: 1 or more", c.repeats)
	case c.Timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more", c.Timeout)
	}
	return kafka.CheckCounts(c.Partitions, c.rf)
}

// retention lets the bench's records go soon. A topic with other settings is somebody's own,
// and the bench refuses it.
var retention = map[string]string{"retention.ms": "10000", "segment.bytes": "8388608"}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	lanes, err := cfg.lanes()
	closeAll := func() {
		for _, l := range lanes {
			l.Close()
		}
	}
	defer closeAll()
	if err != nil {
		return err
	}
	cl := lanes[0].Client
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	_, err = kafka.EnsureTopic(ctx, cl, cfg.Topic, cfg.Partitions, cfg.rf, retention)
	if err != nil {
		return err
	}
	measuring, stop := cfg.limits.Context(ctx)
	defer stop()
	// region alternate
	byLane, err := measure.Alternate(measuring, int(cfg.repeats), lanes,
		func(ctx context.Context, l *lane.Lane) (results.Run, error) { return l.Run(ctx) })
	// endregion alternate
	if measuring.Err() != nil {
		err = nil // Ctrl+C and --for are a normal end
	}
	closeAll() // now the tallies are final
	for _, l := range lanes {
		err = cmp.Or(err, l.Tally.Err())
	}
	return cmp.Or(cfg.report(lanes, slices.Concat(byLane...), stdout, stderr), err)
}

// lanes returns the settings that the flags ask for, each with each.
func (c *config) lanes() (lanes []*lane.Lane, err error) {
	for _, kind := range c.payloads {
		values := payload.Values(kind, int(c.limits.Records), int(c.Size))
		for _, codec := range c.codecs {
			for _, linger := range c.lingers {
				for _, send := range c.sends {
					s := results.Setting{Codec: codec, Payload: kind, Send: send}
					l, err := lane.Open(c.Config, s, linger, values)
					if err != nil {
						return lanes, err
					}
					lanes = append(lanes, l)
				}
			}
		}
	}
	return lanes, nil
}

// report prints what was measured: all that was asked for, or a part of it.
func (c *config) report(
	lanes []*lane.Lane, runs []results.Run, stdout, stderr io.Writer,
) error {
	prose := stdout
	if c.output != "table" {
		prose = stderr // stdout is for a program
	}
	fmt.Fprintln(prose, measure.Machine())
	if err := results.Write(stdout, c.output, runs); err != nil {
		return err
	}
	if wanted := len(lanes) * int(c.repeats); len(runs) < wanted {
		msg.Fprintf(prose, "partial: %d of %d runs\n", len(runs), wanted)
	}
	var acknowledged, failed, unknown int64
	for _, l := range lanes {
		a, f, u := l.Tally.Counts()
		acknowledged, failed, unknown = acknowledged+a, failed+f, unknown+u
	}
	_, err := fmt.Fprintf(prose, "acknowledged=%d failed=%d unknown=%d\n", acknowledged, failed,
		unknown)
	return err
}
