package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-04-batching/lane"
	"brew.example/02-producer/02-04-batching/results"
	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const topic = "brew.bench.v1"

func defaults() config {
	return config{
		Config: lane.Config{
			Topic: topic, Partitions: 3, Size: 1024, Buffer: 50_000, Timeout: 30 * time.Second,
		},
		output: "table", rf: 3, lingers: []time.Duration{10 * time.Millisecond},
		codecs: []string{"snappy"}, payloads: []string{"json"}, sends: []string{"async"},
		repeats: 1, limits: &cli.Limits{Records: 300},
	}
}

// bench runs the program and returns what it printed.
func bench(t *testing.T, cfg config) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs kafkatest.Buffer
	err = run(kafkatest.Context(t), cfg, &out, &errs)
	return out.String(), errs.String(), err
}

// measured runs the program with -o json.
func measured(t *testing.T, cfg config) (runs []results.Run) {
	t.Helper()
	cfg.output = "json"
	stdout, stderr, err := bench(t, cfg)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &runs); err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	return runs
}

func stored(c *kfake.Cluster) (sum int64) {
	for _, p := range c.PartitionInfos(topic) {
		sum += p.HighWatermark
	}
	return sum
}

// Each setting has its row, and what is acknowledged is what the topic holds.
func TestMatrix(t *testing.T) {
	c := kafkatest.Start(t)
	cfg := defaults()
	cfg.lingers = []time.Duration{0, 5 * time.Millisecond}
	cfg.codecs = []string{"none", "zstd"}
	cfg.repeats = 2
	stdout, _, err := bench(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	row := `%s +%s +json +async +\d+\.\d +\d+%% +\d+ +\d+ +\d+\n`
	want := `^machine: .*\nLINGER  CODEC  PAYLOAD  SEND   PER-BATCH  SIZE  RATE +MIN +MAX\n`
	for _, setting := range [][2]string{
		{"0s", "none"}, {"5ms", "none"}, {"0s", "zstd"}, {"5ms", "zstd"},
	} {
		want += fmt.Sprintf(row, setting[0], setting[1])
	}
	// Four settings, two runs and one to get warm, 300 records each.
	want += `acknowledged=3600 failed=0 unknown=0\n$`
	if !regexp.MustCompile(want).MatchString(stdout) {
		t.Errorf("printed\n%s", stdout)
	}
	if n := stored(c); n != 3600 {
		t.Errorf("the topic holds %d records", n)
	}
}

func TestSteadyRate(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.Rate, cfg.steady, cfg.limits.Records = 1000, true, 200
	cfg.lingers = []time.Duration{0, 200 * time.Millisecond}
	stdout, _, err := bench(t, cfg)
	head := `LINGER  CODEC   PAYLOAD  SEND   PER-BATCH  SIZE  ` +
		`P50 +P99 +P99.9 +MAX +P50-MIN +P50-MAX\n`
	if err != nil || !regexp.MustCompile(head).MatchString(stdout) {
		t.Errorf("error %v, printed\n%s", err, stdout)
	}
	runs := measured(t, cfg)
	if len(runs) != 2 || runs[0].PerBatch() >= runs[1].PerBatch() || runs[1].P50 < 20 {
		t.Errorf("runs %+v", runs)
	}
}

// What is left of a record depends on what is in it. Hexadecimal digits carry four bits in
// eight: a codec that counts how often a byte comes (gzip, zstd) gets near the half, one that
// only looks for repetitions (snappy, lz4) finds none. Half is the limit, not the rule.
func TestSizes(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.payloads = []string{"json", "hex", "random", "zeros"}
	cfg.codecs = []string{"none", "gzip", "snappy", "lz4", "zstd"}
	cfg.lingers[0] = time.Minute // so that each partition's records are one batch
	cfg.limits.Records = 400
	for _, r := range measured(t, cfg) {
		low, high := 0.0, 10.0 // zeros
		switch {
		case r.Codec == "none" || r.Payload == "random":
			low, high = 99, 100
		case r.Payload == "hex" && (r.Codec == "lz4" || r.Codec == "snappy"):
			low, high = 95, 100
		case r.Payload == "hex":
			low, high = 50, 80
		case r.Payload == "json" && (r.Codec == "lz4" || r.Codec == "snappy"):
			low, high = 20, 40
		case r.Payload == "json":
			low, high = 10, 25
		}
		if r.Size() < low || r.Size() > high {
			t.Errorf("%s of %s: %.0f%%, want %.0f%% to %.0f%%", r.Codec, r.Payload, r.Size(), low,
				high)
		}
	}
}

// The library's zstd counts bytes only where it has found a repetition. In a small batch of
// random digits it finds none, and saves nothing.
func TestZstdOfSmallBatches(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.payloads, cfg.codecs = []string{"hex"}, []string{"gzip", "zstd"}
	cfg.lingers[0], cfg.limits.Records = time.Minute, 60
	runs := measured(t, cfg)
	if runs[0].PerBatch() != 20 || runs[0].Size() > 80 || runs[1].Size() < 95 {
		t.Errorf("gzip %.0f%%, zstd %.0f%% of %.0f records", runs[0].Size(), runs[1].Size(),
			runs[0].PerBatch())
	}
}

// A batch of one record has nothing to repeat but what is in that record.
func TestBatchesMakeCompressionWork(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.sends = []string{"sync", "async"}
	runs := measured(t, cfg)
	if runs[0].PerBatch() != 1 || runs[0].Size() < 1.3*runs[1].Size() {
		t.Errorf("one by one %.0f%%, in batches %.0f%%", runs[0].Size(), runs[1].Size())
	}
	if runs[0].Rate > runs[1].Rate {
		t.Errorf("one by one %.0f records a second, in batches %.0f", runs[0].Rate, runs[1].Rate)
	}
}

// More partitions, thinner batches; and a batch does not wait for its own linger when
// another one of its broker leaves.
func TestManyPartitions(t *testing.T) {
	perBatch := func(partitions int32) float64 {
		kafkatest.Start(t)
		cfg := defaults()
		cfg.Partitions, cfg.Rate, cfg.steady = partitions, 1000, true
		cfg.lingers, cfg.limits.Records = []time.Duration{100 * time.Millisecond}, 500
		return measured(t, cfg)[0].PerBatch()
	}
	if few, many := perBatch(3), perBatch(24); few < 3*many {
		t.Errorf("%.1f records in a batch with 3 partitions, %.1f with 24", few, many)
	}
}

// silence makes the brokers answer for so many records, to the end of a request, and for no
// more. How many requests they come in is not sure: those of the first run may be on their
// way before the client knows the topic's partitions.
func silence(c *kfake.Cluster, after int32) {
	c.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if after <= 0 {
			return nil, errors.New("silence"), true
		}
		for _, topic := range req.(*kmsg.ProduceRequest).Topics {
			for _, p := range topic.Partitions {
				var batch kmsg.RecordBatch
				if err := batch.ReadFrom(p.Records); err != nil {
					return nil, err, true
				}
				after -= batch.NumRecords
			}
		}
		return nil, nil, false
	})
}

// Brokers that do not answer any more end the bench. What was measured is shown as the part
// that it is, and what became of the rest is unknown.
func TestBrokersFallSilent(t *testing.T) {
	c := kafkatest.Start(t)
	silence(c, 650) // the warm-up, one run, and a part of the second
	cfg := defaults()
	cfg.lingers[0] = time.Minute // so that Flush makes few requests, which do not hold a whole run
	cfg.Timeout, cfg.repeats = time.Second, 5
	stdout, _, err := bench(t, cfg)
	if err == nil || !strings.Contains(err.Error(), "RecordDeliveryTimeout=1s") {
		t.Errorf("error %v", err)
	}
	var done, wanted, acknowledged, failed, unknown int
	_, tail, _ := strings.Cut(stdout, "partial: ")
	_, scanErr := fmt.Sscanf(tail, "%d of %d runs\nacknowledged=%d failed=%d unknown=%d", &done,
		&wanted, &acknowledged, &failed, &unknown)
	if scanErr != nil || done < 1 || done >= wanted || wanted != 5 || acknowledged < 600 ||
		failed != 0 || unknown == 0 {
		t.Errorf("printed\n%s", stdout)
	}
	if !strings.Contains(stdout, "1m0s    snappy  json") {
		t.Errorf("the runs before are not shown:\n%s", stdout)
	}
}

func TestTooLarge(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.Size, cfg.limits.Records = 1_100_000, 1
	stdout, _, err := bench(t, cfg)
	if err == nil || !strings.Contains(err.Error(), "ProducerBatchMaxBytes=1000012") {
		t.Errorf("error %v", err)
	}
	if !strings.HasSuffix(stdout, "\npartial: 0 of 1 runs\nacknowledged=0 failed=1 unknown=0\n") {
		t.Errorf("printed\n%s", stdout)
	}
}

// --for ends the bench, and that is a normal end.
func TestFor(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.repeats, cfg.limits.For = 1_000_000, 500*time.Millisecond
	stdout, _, err := bench(t, cfg)
	if err != nil || !strings.Contains(stdout, " of 1000000 runs\n") ||
		!strings.HasSuffix(stdout, " failed=0 unknown=0\n") {
		t.Errorf("error %v, printed\n%s", err, stdout)
	}
}

// A topic that is not the bench's own is not filled with its records.
func TestTopicOfSomebodyElse(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	_, _, err := bench(t, defaults())
	if err == nil || !strings.Contains(err.Error(), "retention.ms") || stored(c) != 0 {
		t.Errorf("error %v, %d records", err, stored(c))
	}
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[2]
	c.Close()
	_, _, err := bench(t, defaults())
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

// Every run as CSV, and nothing else on stdout.
func TestCSV(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.output, cfg.repeats = "csv", 3
	stdout, stderr, err := bench(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := results.Read(strings.NewReader(stdout))
	if err != nil || len(runs) != 3 || runs[2].Repeat != 3 || runs[0].Records != 300 ||
		!strings.HasPrefix(runs[1].Machine, "machine: ") {
		t.Errorf("error %v, runs %+v", err, runs)
	}
	if strings.Count(stderr, "\n") != 2 ||
		!strings.HasSuffix(stderr, "acknowledged=1200 failed=0 unknown=0\n") {
		t.Errorf("stderr\n%s", stderr)
	}
}

// Ctrl+C at any moment loses nothing and calls nothing stored that is not.
func TestStopAtAnyMoment(t *testing.T) {
	deliverytest.Stop(t, 25, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := defaults()
		cfg.Topic, cfg.Size, cfg.limits.Records = topic, 100, 1000
		return run(ctx, cfg, stdout, io.Discard)
	})
}

func TestWrongFlagValues(t *testing.T) {
	if cfg := defaults(); cfg.check() != nil {
		t.Fatal(cfg.check())
	}
	for want, change := range map[string]func(*config){
		"--codec cannot be brotli: none, gzip, snappy, lz4, zstd": func(c *config) {
			c.codecs = []string{"none", "brotli"}
		},
		`--codec cannot be "": none`: func(c *config) { c.codecs = []string{"", "zstd"} },
		"--payload cannot be xml: json, hex, random, zeros": func(c *config) {
			c.payloads = []string{"xml"}
		},
		"--send cannot be later: async, sync":      func(c *config) { c.sends = []string{"later"} },
		"--output cannot be xls: table, csv, json": func(c *config) { c.output = "xls" },
		"--codec, --payload and --send need":       func(c *config) { c.codecs = nil },
		"--linger cannot be -1s: ":                 func(c *config) { c.lingers[0] = -time.Second },
		"--linger cannot be 2m0s: from 0s to 1m": func(c *config) {
			c.lingers[0] = 2 * time.Minute
		},
		"--rate cannot be 0: 1 to 1000000 records": func(c *config) { c.steady = true },
		"--rate cannot be 1000001: 1 to 1000000": func(c *config) {
			c.steady, c.Rate = true, 1_000_001
		},
		"--send cannot be sync with --rate": func(c *config) {
			c.steady, c.Rate, c.sends = true, 1, []string{"sync"}
		},
		"--records cannot be 0: 1 to 1000000": func(c *config) { c.limits.Records = 0 },
		"--records cannot be 1000001: 1 to 1000000": func(c *config) {
			c.limits.Records = 1_000_001
		},
		"300000 records of 4000 bytes are more than 1 GiB": func(c *config) {
			c.limits.Records, c.Size = 300_000, 4000
		},
		"--buffer cannot be 0":                func(c *config) { c.Buffer = 0 },
		"--repeats cannot be 0":               func(c *config) { c.repeats = 0 },
		"--size cannot be -1":                 func(c *config) { c.Size = -1 },
		"--timeout cannot be 1ms: 1s or more": func(c *config) { c.Timeout = time.Millisecond },
		"0 partitions":                        func(c *config) { c.Partitions = 0 },
	} {
		cfg := defaults()
		cfg.lingers = slices.Clone(cfg.lingers)
		change(&cfg)
		err := cfg.check()
		if !errors.As(err, new(cli.UsageError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
