package main

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-02-acks/acks"
	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const topic = "brew.bench-acks.v1"

func defaults() config {
	return config{
		topic: topic, partitions: 3, rf: 3, acks: acks.All, payload: 100, writers: 1, repeats: 3,
		timeout: 30 * time.Second, limits: &cli.Limits{Records: 20},
	}
}

func stored(c *kfake.Cluster) (n int64) {
	for _, p := range c.PartitionInfos(topic) {
		n += p.HighWatermark
	}
	return n
}

const row = ` +3 +\d+ +\d+-\d+(?: +[\d.]+(?:ns|µs|ms|s)){4}\n`

func TestTable(t *testing.T) {
	for _, writers := range []uint{1, 7} {
		c := kafkatest.Start(t)
		cfg := defaults()
		cfg.writers = writers
		var out kafkatest.Buffer
		if err := run(kafkatest.Context(t), cfg, &out); err != nil {
			t.Fatal(err)
		}
		// Three rounds and one to warm up.
		want := regexp.MustCompile(`^20 records of 100 bytes a round; writing at the same time: \d
ACKS +ROUNDS +PER-SECOND +SPREAD +P50 +P99 +P99.9 +MAX
0` + row + `1` + row + `all` + row + `acks=0 sent=80
acknowledged=160 failed=0 unknown=0
machine: .+ stand=other\n$`)
		if !want.MatchString(out.String()) {
			t.Errorf("printed\n%s", &out)
		}
		kafkatest.Eventually(t, "all records", func() bool { return stored(c) == 240 })
	}
}

// Each value has its turn in each round, so that a machine that slows down favours none.
func TestRoundsAlternate(t *testing.T) {
	c := kafkatest.Start(t)
	seen := make(chan int16, 1000)
	c.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		seen <- req.(*kmsg.ProduceRequest).Acks
		return nil, nil, false
	})
	cfg := defaults()
	cfg.acks, cfg.repeats = []string{"1", "all"}, 2
	if err := run(kafkatest.Context(t), cfg, io.Discard); err != nil {
		t.Fatal(err)
	}
	var turns []string
	for close(seen); len(seen) > 0; {
		now := map[int16]string{1: "1", -1: "all"}[<-seen]
		if len(turns) == 0 || turns[len(turns)-1] != now {
			turns = append(turns, now)
		}
	}
	// all 1, 1 all, all 1: where two rounds meet it is the same one's turn.
	if got := strings.Join(turns, " "); got != "all 1 all 1" {
		t.Errorf("turns: %s", got)
	}
}

// A broker that takes records and never answers ends the bench, an idempotent one as well.
func TestSilenceEndsTheBench(t *testing.T) {
	c := kafkatest.Start(t)
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return nil, errors.New("silence"), true // breaks the connection
	})
	cfg := defaults()
	cfg.acks, cfg.idempotent, cfg.timeout = []string{"all"}, true, time.Second
	var out kafkatest.Buffer
	ended := make(chan error, 1)
	go func() { ended <- run(kafkatest.Context(t), cfg, &out) }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "not acknowledged: failed=0 unknown=1") {
			t.Errorf("error %v", err)
		}
	case <-time.After(kafkatest.Deadline / 2):
		t.Errorf("it waits beyond its --timeout; printed\n%s", &out)
	}
}

// An error ends the bench, and what was measured before is shown as partial.
func TestPartialResults(t *testing.T) {
	c := kafkatest.Start(t)
	var requests atomic.Int64
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		// Of 20 a round: one of warm-up and one of the measured rounds are whole.
		if requests.Add(1) == 50 {
			c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.InvalidRecord, Count: -1})
		}
		return nil, nil, false
	})
	cfg := defaults()
	cfg.acks = []string{"1"}
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	if err == nil || !strings.Contains(err.Error(), "not acknowledged: failed=1 unknown=0") ||
		!strings.Contains(err.Error(), "INVALID_RECORD") {
		t.Errorf("error %v", err)
	}
	partial := regexp.MustCompile(`(?m)^partial results, the bench has ended early
ACKS .*\n1 +1 +\d+ (?s:.*)^acknowledged=(\d+) failed=1 unknown=0$`)
	if m := partial.FindStringSubmatch(out.String()); m == nil || stored(c) < 49 {
		t.Errorf("%d stored, printed\n%s", stored(c), &out)
	}
}

// Brokers that fall silent in mid-bench: the time limit ends it, and nobody knows what became
// of the record that was on its way.
func TestBrokersFallSilent(t *testing.T) {
	c := kafkatest.Start(t)
	var requests atomic.Int64
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return nil, errors.New("silence"), requests.Add(1) > 30
	})
	cfg := defaults()
	cfg.acks, cfg.timeout = []string{"all"}, time.Second
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	if err == nil || !strings.Contains(err.Error(), "failed=0 unknown=1") {
		t.Errorf("error %v", err)
	}
	for _, want := range []string{"partial results", "acknowledged=30 failed=0 unknown=1\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}

func TestErrorsThatNameTheLimit(t *testing.T) {
	kafkatest.Start(t)
	for want, change := range map[string]func(*config){
		"the limit: ProducerBatchMaxBytes=1000012": func(c *config) { c.payload = 2 << 20 },
		"acks=0: idempotency requires acks=all": func(c *config) {
			c.idempotent = true
		},
	} {
		cfg := defaults()
		change(&cfg)
		err := run(kafkatest.Context(t), cfg, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	cfg := defaults()
	cfg.idempotent, cfg.acks = true, []string{"all"}
	if err := run(kafkatest.Context(t), cfg, io.Discard); err != nil {
		t.Error(err)
	}
}

// With acks=1 a real Kafka acknowledges a record before the end offset, which is the high
// watermark, has moved: that is compared by the audit, which waits for it.
func TestStopAtAnyMoment(t *testing.T) {
	deliverytest.Stop(t, 25, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := defaults()
		cfg.topic, cfg.acks, cfg.limits.Records = topic, []string{"all"}, 50
		return run(ctx, cfg, stdout)
	})
}

// --for is a limit, not an error.
func TestFor(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.limits, cfg.repeats = &cli.Limits{Records: 1e6, For: 300 * time.Millisecond}, 100
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	if err != nil || !strings.Contains(out.String(), "partial results") {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[0]
	c.Close()
	if err := run(kafkatest.Context(t), defaults(), io.Discard); err == nil ||
		!strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

func TestWrongFlagValues(t *testing.T) {
	for flag, change := range map[string]func(*config){
		"--records, --repeats and --writers cannot be 0": func(c *config) { c.limits.Records = 0 },
		"cannot be 0:":             func(c *config) { c.repeats = 0 },
		"--writers cannot":         func(c *config) { c.writers = 0 },
		"too many":                 func(c *config) { c.writers = 1e6 },
		"--payload":                func(c *config) { c.payload = 1 << 31 },
		"--timeout cannot be 10ms": func(c *config) { c.timeout = 10 * time.Millisecond },
		"--acks cannot be 3":       func(c *config) { c.acks = []string{"3"} },
		"partitions":               func(c *config) { c.partitions = 0 },
	} {
		cfg := defaults()
		change(&cfg)
		err := cfg.check()
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: error %v", flag, err)
		}
	}
	cfg := defaults()
	if err := cfg.check(); err != nil {
		t.Error(err)
	}
}
