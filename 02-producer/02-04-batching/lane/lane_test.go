package lane

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-04-batching/payload"
	"brew.example/02-producer/02-04-batching/results"
	"brew.example/02-producer/measure"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.bench.v1"

// open returns a lane on a cluster of its own.
func open(
	t *testing.T, c Config, s results.Setting, linger time.Duration, n int, opts ...kfake.Opt,
) *Lane {
	t.Helper()
	kafkatest.Start(t, append(opts, kfake.SeedTopics(3, topic))...)
	c.Topic, c.Timeout = topic, 30*time.Second
	if c.Buffer == 0 {
		c.Buffer = 50_000
	}
	l, err := Open(c, s, linger, payload.Values("json", n, 1024))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Client.Close)
	return l
}

var plain = results.Setting{Codec: "none", Payload: "json", Send: "async"}

func run(t *testing.T, l *Lane) results.Run {
	t.Helper()
	r, err := l.Run(kafkatest.Context(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A batch at a steady rate holds the record that starts the linger and those that come while
// it lasts; and each of them waits for the rest of it.
func TestLingerAtASteadyRate(t *testing.T) {
	const rate, linger = 300, 200 * time.Millisecond
	l := open(t, Config{Rate: rate}, plain, linger, 300)
	r := run(t, l)
	// 100 a second in each of three partitions: 1 + 20. A busy machine stretches the linger.
	if r.PerBatch() < 10 || r.PerBatch() > 60 {
		t.Errorf("%.1f records in a batch, want about 21", r.PerBatch())
	}
	if r.P50 < 50 || r.Max < 150 {
		t.Errorf("P50 %.0f ms, max %.0f ms; linger is 200 ms", r.P50, r.Max)
	}
}

// Who sends as fast as possible waits for no linger: full batches leave, and Flush sends
// the last ones.
func TestLingerDoesNotCountWhenSaturated(t *testing.T) {
	l := open(t, Config{}, plain, time.Minute, 5000)
	start := time.Now()
	// On a busy machine the client may send a batch that is not full yet, so the best of some
	// runs counts.
	fewest := run(t, l).Batches
	for range 4 {
		fewest = min(fewest, run(t, l).Batches)
	}
	if took := time.Since(start); took > 50*time.Second {
		t.Errorf("%s with a linger of a minute", took)
	}
	// 1024 bytes and the key: some 950 fit into 1,000,012 bytes. Three partitions, of which
	// each has two batches or one.
	if fewest > 8 {
		t.Errorf("%d batches for 5000 records", fewest)
	}
}

// The same with a full buffer: Produce cuts the linger short instead of waiting for it.
func TestFullBufferCutsTheLinger(t *testing.T) {
	l := open(t, Config{Buffer: 100}, plain, time.Minute, 1000)
	start := time.Now()
	r := run(t, l)
	if took := time.Since(start); took > 50*time.Second || r.Batches < 10 {
		t.Errorf("%s, %d batches", took, r.Batches)
	}
}

// TryProduce refuses what finds the buffer full, and such a record is in no log.
func TestFullBufferRefuses(t *testing.T) {
	l := open(t, Config{Buffer: 100, Rate: 50_000}, plain, 10*time.Second, 1000)
	_, err := l.Run(kafkatest.Context(t))
	if !errors.Is(err, kgo.ErrMaxBuffered) ||
		!strings.Contains(err.Error(), "MaxBufferedRecords=100") {
		t.Errorf("error %v", err)
	}
	// Linger holds the first 100 until Flush.
	if a, f, u := l.Tally.Counts(); a != 100 || f != 900 || u != 0 {
		t.Errorf("acknowledged=%d failed=%d unknown=%d", a, f, u)
	}
}

// Answers that take long make batches of their own: while five requests to a broker are on
// their way, what comes collects.
func TestSlowAnswersMakeBatches(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		c.SleepControl(func() { time.Sleep(50 * time.Millisecond) })
		return nil, nil, false
	})
	cfg := Config{Topic: topic, Rate: 1000, Buffer: 50_000, Timeout: time.Minute}
	l, err := Open(cfg, plain, 0, payload.Values("json", 500, 100))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Client.Close)
	if r := run(t, l); r.PerBatch() < 2 {
		t.Errorf("%.1f records in a batch", r.PerBatch())
	}
}

// Sync sends a batch for each record and does not linger: 1,000 of them would take more than
// three minutes with a linger of 200 ms. The first one lingers, see 01-05.
func TestSyncDoesNotLinger(t *testing.T) {
	s := plain
	s.Send = "sync"
	l := open(t, Config{}, s, 200*time.Millisecond, 1000)
	start := time.Now()
	r := run(t, l)
	if took := time.Since(start); r.Batches != 1000 || took > 60*time.Second {
		t.Errorf("%d batches in %s", r.Batches, took)
	}
}

// When one partition's batch leaves, the batches of the same broker's other partitions
// leave with it, whether their linger is over or not.
func TestPartitionsOfABrokerLeaveTogether(t *testing.T) {
	c := kafkatest.Start(t, kfake.NumBrokers(1), kfake.SeedTopics(2, topic))
	cl := kafkatest.Client(t, c, kgo.ProducerLinger(time.Minute),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))
	ctx := kafkatest.Context(t)
	for p := range int32(2) { // the client knows both partitions from here on
		r := &kgo.Record{Topic: topic, Partition: p}
		cl.Produce(ctx, r, nil)
	}
	if err := cl.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	acknowledged := make(chan error, 1)
	cl.Produce(ctx, &kgo.Record{Topic: topic, Partition: 1}, func(_ *kgo.Record, err error) {
		acknowledged <- err
	})
	// More than fits into one batch of the other partition: it need not linger.
	for range 3 {
		cl.Produce(ctx, &kgo.Record{Topic: topic, Value: make([]byte, 600_000)}, nil)
	}
	select {
	case err := <-acknowledged:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(50 * time.Second): // before its own linger ends
		t.Fatal("the record of the other partition still lingers")
	}
}

// What the lecture says that nobody has to set.
func TestDefaults(t *testing.T) {
	cl := kafkatest.Client(t, kafkatest.Start(t))
	for name, test := range map[string]struct{ got, want any }{
		"ProducerLinger":     {cl.OptValue(kgo.ProducerLinger), 10 * time.Millisecond},
		"MaxBufferedRecords": {cl.OptValue(kgo.MaxBufferedRecords), 50_000},
		"MaxBufferedBytes":   {cl.OptValue(kgo.MaxBufferedBytes), 0},
		"ProducerBatchCompression": {
			fmt.Sprint(cl.OptValue(kgo.ProducerBatchCompression)),
			fmt.Sprint([]kgo.CompressionCodec{kgo.SnappyCompression(), kgo.NoCompression()}),
		},
		"ProducerBatchMaxBytes": {cl.OptValue(kgo.ProducerBatchMaxBytes), int32(1_000_012)},
	} {
		if fmt.Sprint(test.got) != fmt.Sprint(test.want) {
			t.Errorf("%s is %v, want %v", name, test.got, test.want)
		}
	}
}

// The client's limit is for the batch as it is, the topic's for the compressed one.
func TestWhereALargeRecordIsRefused(t *testing.T) {
	c := kafkatest.Start(t)
	limit := map[string]string{"max.message.bytes": "900"}
	_, err := kafka.EnsureTopic(kafkatest.Context(t), kafkatest.Client(t, c), topic, 1, 3, limit)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 100_000)
	for name, test := range map[string]struct {
		opt  kgo.Opt
		size int
		want error
	}{
		"over the client's limit, however small compressed": {
			kgo.ProducerBatchCompression(kgo.ZstdCompression()), 1_000_000, kerr.MessageTooLarge,
		},
		"over the topic's limit": {
			kgo.ProducerBatchCompression(kgo.NoCompression()), 100_000, kerr.MessageTooLarge,
		},
		"compressed it is not": {
			kgo.ProducerBatchCompression(kgo.ZstdCompression()), 100_000, nil,
		},
	} {
		cl := kafkatest.Client(t, c, test.opt)
		value := append(zeros, make([]byte, test.size-len(zeros))...)
		record := &kgo.Record{Topic: topic, Value: value}
		err := cl.ProduceSync(kafkatest.Context(t), record).FirstErr()
		if !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
}

// A run that a signal ends is no result.
func TestSignalEndsARun(t *testing.T) {
	l := open(t, Config{Rate: 10}, plain, 0, 1000)
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	time.AfterFunc(300*time.Millisecond, cancel)
	if _, err := l.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	l.Close()
	if a, f, u := l.Tally.Counts(); a == 0 || f != 0 || u != 0 {
		t.Errorf("acknowledged=%d failed=%d unknown=%d", a, f, u)
	}
}

var (
	repeats = flag.Int("repeats", 3, "runs of each client in TestHelperCosts")
	records = flag.Int("records", 1000, "records of each of these runs")
)

// TestHelperCosts compares the client of kafka.NewClient with one of kgo.NewClient that has
// the same options. The brokers throw the records away, so that what is left is the client.
// -repeats=51 -records=100000 gives the figure; the default only finds what is far off.
func TestHelperCosts(t *testing.T) {
	helper := open(t, Config{}, plain, 10*time.Millisecond, *records, kfake.BlackholeProduce())
	bare := &Lane{Setting: plain, cfg: helper.cfg, values: helper.values}
	var err error
	bare.Client, err = kgo.NewClient(append(bare.options(10*time.Millisecond),
		kgo.SeedBrokers(strings.Split(os.Getenv("KAFKA_BOOTSTRAP"), ",")...))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bare.Client.Close)
	runs, err := measure.Alternate(t.Context(), *repeats, []*Lane{helper, bare},
		func(ctx context.Context, l *Lane) (results.Run, error) { return l.Run(ctx) })
	if err != nil {
		t.Fatal(err)
	}
	rate := func(r results.Run) float64 { return r.Rate }
	h, b := measure.Each(runs[0], rate), measure.Each(runs[1], rate)
	var ratios []float64 // of neighbours, which ran on much the same machine
	for i := range h {
		ratios = append(ratios, h[i]/b[i])
	}
	medians := measure.SpreadOf(h).Median / measure.SpreadOf(b).Median
	t.Logf("%s\nhelper, records a second: %.0f\nbare: %.0f\n"+
		"helper / bare: %.3f of the medians, %.3f the median of the pairs", measure.Machine(),
		measure.SpreadOf(h), measure.SpreadOf(b), medians, measure.SpreadOf(ratios).Median)
	if medians < 1.0/3 {
		t.Error("the helper's client is more than three times slower")
	}
}
