package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.printing.v1"

func roundtrip(records uint) config {
	return config{topic: topic, mode: "roundtrip", limits: &cli.Limits{Records: records}}
}

// printed runs the program and returns its lines.
func printed(t *testing.T, cfg config) []string {
	t.Helper()
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), cfg, &out, io.Discard); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// Order, a key that comes twice, nil and empty arrive as they were written; a second run
// shows its own records alone.
func TestRoundtrip(t *testing.T) {
	kafkatest.Start(t)
	for i := range 2 {
		lines := printed(t, roundtrip(5))
		if len(lines) != 8 || lines[6] != "5 of 5 came as they were written" ||
			lines[7] != "acknowledged=5 failed=0 unknown=0" {
			t.Fatalf("%q", lines)
		}
		row := strings.Fields(lines[4])
		want := "order-3 6 118 correlation-id=visit-103 via=till-7 via=gateway coupon=<nil> " +
			"note=<empty>"
		got := strings.Join(append(row[2:5:5], row[6:]...), " ")
		if got != want || row[1] != []string{"3", "8"}[i] ||
			!strings.HasPrefix(row[5], "traceparent=00-") {
			t.Errorf("%s", lines[4])
		}
	}
}

// A map loses one of the two and the order.
func TestAsMap(t *testing.T) {
	kafkatest.Start(t)
	cfg := roundtrip(1)
	cfg.asMap = true
	lines := printed(t, cfg)
	_, list, _ := strings.Cut(lines[1], "correlation-id")
	if !strings.HasPrefix(list, "=visit-100 coupon=<nil> note=<empty> traceparent=00-") ||
		!strings.HasSuffix(list, " via=gateway") || strings.Fields(lines[1])[3] != "5" {
		t.Errorf("%s", lines[1])
	}
}

func TestHops(t *testing.T) {
	for pileUp, want := range map[bool]string{false: "10", true: "26"} {
		kafkatest.Start(t)
		cfg := roundtrip(2)
		cfg.hops, cfg.pileUp = 5, pileUp
		lines := printed(t, cfg)
		if len(lines) != 15 || lines[13] != "12 of 12 came as they were written" {
			t.Fatalf("%q", lines)
		}
		last := lines[12]
		if strings.Fields(last)[3] != want || !strings.HasSuffix(last, "x-retry-count=5") {
			t.Errorf("pile up %t: %s", pileUp, last)
		}
	}
}

// Headers that pile up make a record that fits no more; the program ends and says so.
func TestPileUpUntilTooLarge(t *testing.T) {
	kafkatest.Start(t)
	cl, err := kafka.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if _, err := kafka.EnsureTopic(kafkatest.Context(t), cl, topic, 1, 3,
		map[string]string{"max.message.bytes": "400"}); err != nil {
		t.Fatal(err)
	}
	cfg := roundtrip(1)
	cfg.hops = 50
	if lines := printed(t, cfg); len(lines) != 54 {
		t.Errorf("%d lines without piling up", len(lines))
	}
	cfg.pileUp = true
	var out kafkatest.Buffer
	err = run(kafkatest.Context(t), cfg, &out, io.Discard)
	if !errors.Is(err, kerr.MessageTooLarge) ||
		!strings.Contains(out.String(), " failed=1 unknown=0\n") {
		t.Errorf("error %v, printed\n%s", err, &out)
	}
}

// One terminal writes, another one reads.
func TestProduceThenConsume(t *testing.T) {
	kafkatest.Start(t)
	cfg := roundtrip(5)
	cfg.mode = "produce"
	if lines := printed(t, cfg); lines[0] != "acknowledged=5 failed=0 unknown=0" {
		t.Errorf("%q", lines)
	}
	cfg.mode = "consume"
	lines := printed(t, cfg)
	if len(lines) != 6 || !strings.HasPrefix(lines[1], "0     0       order-0  6   118    trace") {
		t.Errorf("%q", lines)
	}
}

// A reader that waits for more says so, and ends by Ctrl+C.
func TestSignal(t *testing.T) {
	kafkatest.Start(t)
	cfg := roundtrip(1)
	cfg.mode = "produce"
	printed(t, cfg)
	cfg = roundtrip(2)
	cfg.mode = "consume"
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	defer cancel()
	var out, errs kafkatest.Buffer
	done := make(chan error, 1)
	go func() { done <- run(ctx, cfg, &out, &errs) }()
	out.Await(t, "order-0")
	errs.Await(t, "waiting for records in topic "+topic+"; Ctrl+C ends it\n")
	cancel()
	if err := <-done; err != nil {
		t.Errorf("error %v", err)
	}
}

// What cannot be printed is an error, in each mode.
func TestFullDisk(t *testing.T) {
	kafkatest.Start(t)
	for _, mode := range []string{"produce", "consume", "roundtrip"} {
		cfg := roundtrip(5)
		cfg.mode = mode
		if err := run(kafkatest.Context(t), cfg, full{}, io.Discard); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v", mode, err)
		}
	}
}

var errFull = errors.New("no space left on device")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// Ended before the reading has begun, it does not say that nothing came as it was written.
func TestNothingReadIsNoResult(t *testing.T) {
	kafkatest.Start(t)
	cfg := roundtrip(0)
	cfg.limits.For = 100 * time.Millisecond
	if lines := printed(t, cfg); len(lines) != 1 || !strings.HasPrefix(lines[0], "acknowledged=") {
		t.Errorf("%q", lines)
	}
}

func TestStop(t *testing.T) {
	deliverytest.Stop(t, 15, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := roundtrip(1000)
		cfg.topic, cfg.mode = topic, "produce"
		return run(ctx, cfg, stdout, io.Discard)
	})
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[2]
	c.Close()
	err := run(kafkatest.Context(t), roundtrip(5), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}
