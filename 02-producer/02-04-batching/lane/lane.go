// Package lane writes records with one setting of the producer, run after run.
package lane

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-04-batching/results"
	"brew.example/02-producer/delivery"
	"brew.example/02-producer/measure"
	"brew.example/internal/kafka"
)

// Config is what all lanes of a bench have in common.
type Config struct {
	Topic      string
	Partitions int32
	// Size is the length of a record's value.
	Size int32
	// Buffer is how many records may wait in the client.
	Buffer int32
	// Rate is how many records are sent a second; 0: as many as go through.
	Rate uint
	// Timeout is when a record is given up.
	Timeout time.Duration
}

// Lane is one setting with its client. The client stays open from the first run to the last,
// so that no run pays for connections.
type Lane struct {
	results.Setting
	Client *kgo.Client
	Tally  delivery.Tally

	cfg     Config
	batches results.Batches
	values  [][]byte
	runs    int
}

// Codecs lists how a batch can be compressed.
var Codecs = []string{"none", "gzip", "snappy", "lz4", "zstd"}

var codecs = map[string]kgo.CompressionCodec{
	"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(),
	"zstd": kgo.ZstdCompression(),
}

// Open returns a lane that writes the values, a record each.
func Open(cfg Config, s results.Setting, linger time.Duration, values [][]byte) (*Lane, error) {
	s.Linger = linger.String()
	l := &Lane{Setting: s, cfg: cfg, values: values}
	var err error
	l.Client, err = kafka.NewClient(l.options(linger)...)
	return l, err
}

func (l *Lane) options(linger time.Duration) []kgo.Opt {
	// region options
	return []kgo.Opt{
		kgo.ClientID("bench"),
		kgo.DefaultProduceTopic(l.cfg.Topic),
		// How long a batch waits for company. The default is 10 ms.
		kgo.ProducerLinger(linger),
		// Takes time of this processor, saves network and disks. The default is snappy.
		kgo.ProducerBatchCompression(codecs[l.Codec]),
		// So many records may wait, of whatever size. The default is 50,000.
		kgo.MaxBufferedRecords(int(l.cfg.Buffer)),
		// A broker that does not come back ends the bench.
		kgo.RecordDeliveryTimeout(l.cfg.Timeout),
		kgo.AllowIdempotentProduceCancellation(),
		kgo.WithHooks(&l.Tally, &l.batches), // who counts records, and batches
	}
	// endregion options
}

// Close ends the client. After it the tally is final.
func (l *Lane) Close() {
	l.Client.Close()
	l.Tally.Wait()
}

// Run writes the values once. Its result holds when there is no error: then all records are
// acknowledged.
func (l *Lane) Run(ctx context.Context) (results.Run, error) {
	r := results.Run{
		Setting: l.Setting, Repeat: l.runs, Partitions: l.cfg.Partitions,
		RecordBytes: int(l.cfg.Size), Records: len(l.values), RateWanted: l.cfg.Rate,
		Machine: measure.Machine(),
	}
	l.runs++ // number 0 is the run that warms up
	before := l.batches.Total()
	acknowledged, _, _ := l.Tally.Counts()
	runtime.GC() // rather now than in the middle of the run
	// Ctrl+C ends the sending; what was handed over may still arrive.
	grace, cancel := delivery.Grace(ctx, 5*time.Second)
	defer cancel()
	var took []time.Duration
	start := time.Now()
	if l.cfg.Rate > 0 {
		l.steadily(ctx, grace, &took)
	} else {
		l.saturate(ctx, grace)
	}
	_ = l.Client.Flush(grace) // an error is the end of the grace; Close answers what is left
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	l.Tally.Wait()
	r.Rate = float64(r.Records) / time.Since(start).Seconds()
	if now, _, _ := l.Tally.Counts(); now < acknowledged+int64(r.Records) {
		return r, l.Tally.Err()
	}
	after := l.batches.Await(before.Records + int64(r.Records))
	r.Batches, r.RawBytes = after.Batches-before.Batches, after.Raw-before.Raw
	r.WireBytes = after.Wire - before.Wire
	r.SetLatency(measure.LatencyOf(took))
	return r, nil
}

func (l *Lane) record(i int) *kgo.Record {
	return &kgo.Record{Key: fmt.Appendf(nil, "order-%d", i), Value: l.values[i]}
}

// saturate sends as fast as the records go through.
func (l *Lane) saturate(ctx, grace context.Context) {
	for i := 0; i < len(l.values) && ctx.Err() == nil; i++ {
		// region saturate
		if l.Send == "sync" {
			l.Tally.Promise(nil)(l.Client.ProduceSync(grace, l.record(i)).First())
		} else {
			// Returns at once, until the buffer is full. Then it waits for room.
			l.Client.Produce(grace, l.record(i), l.Tally.Promise(nil))
		}
		// endregion saturate
	}
}

// steadily sends at the rate, and collects how long each record took.
func (l *Lane) steadily(ctx, grace context.Context, took *[]time.Duration) {
	// region steady
	send := func(i int, due time.Time) {
		acknowledged := func(_ *kgo.Record, err error) {
			if err == nil {
				*took = append(*took, time.Since(due))
			}
		}
		// A service that must not stand still has a record refused when the buffer is full.
		l.Client.TryProduce(grace, l.record(i), l.Tally.Promise(acknowledged))
	}
	measure.Steady(ctx, float64(l.cfg.Rate), len(l.values), send)
	// endregion steady
}
