package main

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/cli"
	"brew.example/internal/embedded"
	"brew.example/internal/kafkatest"
)

const topic, group = "brew.orders.brief.v1", "brew.kitchen-service"

// shop is the program running beside a test, on a cluster without retention of its own.
type shop struct {
	t        *testing.T
	c        *kfake.Cluster
	cl       *kgo.Client
	out, err kafkatest.Buffer
	cancel   context.CancelFunc
	done     chan error
	stopOnce sync.Once
}

// usual is what `make run` asks for, but for the interval.
func usual() config {
	return config{
		topic: topic, group: group, partitions: 3, rf: 3, retention: 10 * time.Second,
		segment: time.Hour, interval: 20 * time.Millisecond, limits: cli.Limits{Records: 100},
	}
}

func start(t *testing.T, c *kfake.Cluster, cfg config) *shop {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &shop{
		t: t, c: c, cl: kafkatest.Client(t, c), cancel: cancel, done: make(chan error, 1),
	}
	go func() { s.done <- run(ctx, cfg, &s.out, &s.err) }()
	t.Cleanup(s.stop)
	return s
}

// stop is Ctrl+C.
func (s *shop) stop() {
	s.t.Helper()
	s.stopOnce.Do(func() {
		s.cancel()
		select {
		case err := <-s.done:
			if err != nil && !errors.Is(err, context.Canceled) {
				s.t.Errorf("after the signal: %v", err)
			}
		case <-time.After(kafkatest.Deadline):
			s.t.Errorf("still running\n%s\n%s", &s.out, &s.err)
		}
	})
}

// want returns when a row has been printed. Its cells are separated by single spaces, without
// the time.
func (s *shop) want(row string) {
	s.t.Helper()
	kafkatest.Eventually(s.t, "the row "+row, func() bool { return s.has(row) })
}

var after = regexp.MustCompile(`^\d+\.\ds$`)

func (s *shop) has(row string) bool {
	for line := range strings.Lines(s.out.String()) {
		f := strings.Fields(line)
		if len(f) == 6 && after.MatchString(f[0]) && strings.Join(f[1:], " ") == row {
			return true
		}
	}
	return false
}

// retain is the broker's look for expired records, at a time of the test's choice.
func (s *shop) retain(now time.Time) {
	s.t.Helper()
	if err := embedded.ApplyRetention(kafkatest.Context(s.t), s.c, s.cl, now); err != nil {
		s.t.Fatal(err)
	}
}

// newest returns the time of the partition's newest record where that is oldest.
func (s *shop) newest() time.Time {
	var newest time.Time
	for _, p := range s.c.PartitionInfos(topic) {
		at := time.UnixMilli(p.MaxTimestamp)
		if newest.IsZero() || at.Before(newest) {
			newest = at
		}
	}
	return newest
}

func (s *shop) commit(offsets ...int64) {
	s.t.Helper()
	var all kadm.Offsets
	for p, at := range offsets {
		all.Add(kadm.Offset{Topic: topic, Partition: int32(p), At: at, LeaderEpoch: -1})
	}
	err := kadm.NewClient(s.cl).CommitAllOffsets(kafkatest.Context(s.t), group, all)
	if err != nil {
		s.t.Fatal(err)
	}
}

// The keys decide: 100 orders never lie 34/33/33. Then nobody writes any more, and the idle
// log loses all it has, its last segment too.
func TestIdleTopicIsEmptied(t *testing.T) {
	s := start(t, kafkatest.Start(t), usual())
	s.want("2 0 - 29 29")
	s.commit(32, 39, 20)
	s.want("2 0 20 29 29")
	s.retain(time.Now())
	s.retain(s.newest().Add(11 * time.Second))
	s.want("2 29 20 29 0")
	s.stop()
	head := regexp.MustCompile("^topic brew.orders.brief.v1: created=true\n" +
		"orders written: 100; watching, Ctrl\\+C to exit.\n" +
		"AFTER   PARTITION  EARLIEST  COMMITTED  LATEST  RETAINED\n" +
		`\d+\.\ds +0          0         -          32      32\n` +
		`\d+\.\ds +1          0         -          39      39\n`)
	if !head.MatchString(s.out.String()) {
		t.Errorf("stdout\n%s\nwant it to begin with\n%s", &s.out, head)
	}
	for _, row := range []string{"0 32 32 32 0", "1 39 39 39 0", "TOTAL 100 91 100 0"} {
		if !s.has(row) {
			t.Errorf("no row %s in\n%s", row, &s.out)
		}
	}
	if n := strings.Count(s.out.String(), "\n"); n > 2+1+3*3+1 {
		t.Errorf("%d lines: rows without a change\n%s", n, &s.out)
	}
	if s.err.String() != "" {
		t.Errorf("stderr %q", &s.err)
	}
}

// A younger record in the same segment protects all older ones: a topic that is written to
// keeps everything while its segment lasts.
func TestBusyTopicKeepsItsSegment(t *testing.T) {
	cfg := usual()
	cfg.retention, cfg.heartbeat = time.Second, true
	begun := time.Now()
	s := start(t, kafkatest.Start(t), cfg)
	s.want("2 0 - 29 29")
	kafkatest.Eventually(t, "the first orders are two seconds older than the last", func() bool {
		return s.newest().Sub(begun) > 2*time.Second
	})
	s.retain(s.newest().Add(900 * time.Millisecond))
	s.stop()
	if !regexp.MustCompile(`(?m)^\S+ +TOTAL +0 +- +(\d+) +(\d+)$`).MatchString(s.out.String()) {
		t.Errorf("records are gone:\n%s", &s.out)
	}
	if n := strings.Count(s.out.String(), "\n"); n != 2+1+3+1 {
		t.Errorf("%d lines: ends that move are no news here\n%s", n, &s.out)
	}
	s.retain(s.newest().Add(5 * time.Second)) // after the last heartbeat nothing protects them
	for _, p := range s.c.PartitionInfos(topic) {
		if p.LogStartOffset != p.HighWatermark {
			t.Errorf("partition %d: %d to %d", p.Partition, p.LogStartOffset, p.HighWatermark)
		}
	}
}

// With short segments a busy topic lets go of its oldest ones.
func TestBusyTopicLosesClosedSegments(t *testing.T) {
	cfg := usual()
	cfg.retention, cfg.segment, cfg.heartbeat = time.Second, time.Second, true
	s := start(t, kafkatest.Start(t), cfg)
	s.want("2 0 - 29 29")
	begun := s.newest()
	kafkatest.Eventually(t, "the first segment is old enough", func() bool {
		return s.newest().Sub(begun) > 3*time.Second
	})
	s.retain(s.newest().Add(500 * time.Millisecond))
	kafkatest.Eventually(t, "a row of each partition", func() bool {
		return strings.Count(s.out.String(), "\n") == 2+1+3+3
	})
	s.stop()
	for _, p := range s.c.PartitionInfos(topic) {
		if p.LogStartOffset < 29 || p.LogStartOffset >= p.HighWatermark {
			t.Errorf("partition %d: %d to %d", p.Partition, p.LogStartOffset, p.HighWatermark)
		}
	}
}

// A second run adds its orders; one with other settings is refused, and --recreate begins anew.
func TestTopicThatExists(t *testing.T) {
	c := kafkatest.Start(t)
	s := start(t, c, usual())
	s.want("2 0 - 29 29")
	s.stop()
	s = start(t, c, usual())
	s.want("2 0 - 58 58")
	s.stop()
	if !strings.Contains(s.out.String(), ": created=false\n") || !s.has("1 0 - 78 78") {
		t.Errorf("stdout\n%s", &s.out)
	}
	again := usual()
	again.retention = time.Minute
	err := run(kafkatest.Context(t), again, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "topic brew.orders.brief.v1 exists with "+
		"another setting (retention.ms: 10000, wanted 60000)") {
		t.Errorf("error %v", err)
	}
	again.recreate, again.limits.Records = true, 0
	s = start(t, c, again)
	s.want("2 0 - 0 0")
	s.stop()
	if !strings.Contains(s.out.String(), ": created=true\n") || !s.has("TOTAL 0 - 0 0") {
		t.Errorf("stdout\n%s", &s.out)
	}
}

// --for ends the watch, even before its first look.
func TestEndsByItself(t *testing.T) {
	c := kafkatest.Start(t)
	cfg := usual()
	for _, cfg.limits.For = range []time.Duration{1, 300 * time.Millisecond} {
		if err := run(kafkatest.Context(t), cfg, io.Discard, io.Discard); err != nil {
			t.Error(err)
		}
	}
	if end := c.PartitionInfo(topic, 0).HighWatermark; end != 64 {
		t.Errorf("%d orders in partition 0", end)
	}
}

// A broker that fails in the middle of the watch is told once, and the watch goes on.
func TestWatchOutlivesAFailingBroker(t *testing.T) {
	c := kafkatest.Start(t)
	s := start(t, c, usual())
	s.want("2 0 - 29 29")
	fault := c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.ListOffsets}, Err: kerr.TopicAuthorizationFailed, Count: 4,
	})
	if err := fault.Wait(kafkatest.Context(t), 4); err != nil {
		t.Fatal(err)
	}
	s.err.Await(t, "the cluster answers again\n")
	s.commit(1, 2, 3)
	s.want("2 0 3 29 29")
	s.stop()
	if n := strings.Count(s.err.String(), "; still watching\n"); n != 1 ||
		!strings.Contains(s.err.String(), " offsets of brew.orders.brief.v1: TOPIC_AUTH") {
		t.Errorf("stderr\n%s", &s.err)
	}
}

func TestNoBrokerInTheMiddle(t *testing.T) {
	c := kafkatest.Start(t)
	cfg := usual()
	cfg.heartbeat = true
	s := start(t, c, cfg)
	kafkatest.Eventually(t, "the second heartbeat", func() bool {
		p := c.PartitionInfo(topic, 2)
		return p != nil && p.HighWatermark >= 29+2*3
	})
	c.Close()
	s.err.Await(t, "; still watching\n")
	s.stop()
	if strings.Count(s.err.String(), "\n") != 1 || !strings.Contains(s.out.String(), "  TOTAL  ") {
		t.Errorf("stdout\n%s\nstderr\n%s", &s.out, &s.err)
	}
}

func TestNoBrokerAtTheStart(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[0]
	c.Close()
	err := run(kafkatest.Context(t), usual(), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), addr+", ") ||
		!strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

func TestWrongUsage(t *testing.T) {
	for want, change := range map[string]func(*config){
		"flag --interval cannot be 0s: 10ms or more":  func(c *config) { c.interval = 0 },
		"flag --retention cannot be 0s: 1s or more":   func(c *config) { c.retention = 0 },
		"flag --segment cannot be 10ms: 1s or more":   func(c *config) { c.segment = 1e7 },
		"-2 partitions: a topic has 1 or more":        func(c *config) { c.partitions = -2 },
		"replication factor 0: 1 or more":             func(c *config) { c.rf = 0 },
		`topic "a b": a name has 1 to 249 letters`:    func(c *config) { c.topic = "a b" },
		`group "": a group needs a name, its offsets`: func(c *config) { c.group = "" },
	} {
		cfg := usual()
		change(&cfg)
		err := cfg.check()
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	cfg := usual()
	if err := cfg.check(); err != nil {
		t.Error(err)
	}
}
