package main

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-01-keys/tiers"
	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.tiers.v1"

func defaults() config {
	return config{
		topic: topic, consistent: "all", premium: 30, seed: 1, timeout: 30 * time.Second,
		limits: &cli.Limits{Records: 1000},
	}
}

// cells returns a run's output without the column LEADER, one space between words.
func cells(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) == 5 {
			f = append(f[:1], f[2:]...)
		}
		lines = append(lines, strings.Join(f, " "))
	}
	return strings.Join(lines, "\n")
}

func expect(t *testing.T, cfg config, wantErr string, want ...string) {
	t.Helper()
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out, io.Discard)
	if (err == nil) != (wantErr == "") || err != nil && !strings.HasPrefix(err.Error(), wantErr) {
		t.Errorf("error %v, want %q", err, wantErr)
	}
	if got := cells(out.String()); got != strings.Join(want, "\n") {
		t.Errorf("printed\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

const (
	head     = "PARTITION PREMIUM REGULAR ACKNOWLEDGED"
	noStray  = "premium orders outside of partition 0: 0 (ok)"
	noGuests = "other orders in partition 0: 0 (ok)"
	broken   = "the rule for premium orders is broken"
)

// The split is that of the seed, each time, whatever the topic holds already.
func TestSplit(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(3, topic))
	for range 2 {
		expect(t, defaults(), "", head, "0 297 0 297", "1 0 352 352", "2 0 351 351", noStray,
			noGuests, "other orders, fullest partition minus emptiest: 1 (ok)",
			"acknowledged=1000 failed=0 unknown=0")
	}
	cfg := defaults()
	cfg.premium = 80
	expect(t, cfg, "", head, "0 802 0 802", "1 0 99 99", "2 0 99 99", noStray, noGuests,
		"other orders, fullest partition minus emptiest: 0 (ok)",
		"acknowledged=1000 failed=0 unknown=0")
}

// What the records say when they are read back is what the table says.
func TestTheLogHoldsWhatTheTableSays(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	if err := run(kafkatest.Context(t), defaults(), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	var got [3][2]int
	reader := kafkatest.Client(t, c, kgo.ConsumeTopics(topic))
	for n := 0; n < 1000; {
		fetches := reader.PollFetches(kafkatest.Context(t))
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			tier := 1
			if tiers.IsPremium(r) {
				tier = 0
			}
			got[r.Partition][tier]++
			n++
		})
	}
	if want := [3][2]int{{297, 0}, {0, 352}, {0, 351}}; got != want {
		t.Errorf("premium and other orders by partition: %v, want %v", got, want)
	}
}

// leaderless takes the leader of a partition away, and gives it back when the result is called.
// The cluster's metadata cannot name no leader at all, so the one that it names refuses.
func leaderless(c *kfake.Cluster, partition int32) (back func()) {
	fault := kfake.Fault{
		Keys: []kmsg.Key{kmsg.Metadata}, Topic: topic, Partitions: []int32{partition},
		Err: kerr.LeaderNotAvailable, Count: -1,
	}
	refuse := fault
	refuse.Keys, refuse.Err = []kmsg.Key{kmsg.Produce}, kerr.NotLeaderForPartition
	return c.Fault(fault, refuse).Remove
}

// Premium orders wait for the leader of partition 0, and go there when it is back. The others
// do not wait for it.
func TestPremiumWaits(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	back := leaderless(c, 0)
	var out, notes kafkatest.Buffer
	ended := make(chan error, 1)
	go func() { ended <- run(kafkatest.Context(t), defaults(), &out, &notes) }()
	notes.Await(t, "waiting: 297 orders without an answer\n")
	for p, want := range []int64{0, 352, 351} {
		if got := c.PartitionInfo(topic, int32(p)).HighWatermark; got != want {
			t.Errorf("meanwhile partition %d holds %d records, want %d", p, got, want)
		}
	}
	back()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !strings.HasSuffix(out.String(), "acknowledged=1000 failed=0 unknown=0\n") ||
		strings.Contains(out.String(), "BROKEN") ||
		c.PartitionInfo(topic, 0).HighWatermark != 297 {
		t.Errorf("printed\n%s", &out)
	}
}

// Without consistency premium orders go elsewhere, and the others to another partition than
// the index says. Nothing fails and nothing warns.
func TestWithoutALeaderAndConsistency(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	leaderless(c, 0)
	cfg := defaults()
	cfg.consistent = "none"
	expect(t, cfg, broken, head, "0 0 0 0", "1 297 0 297", "2 0 703 703",
		"premium orders outside of partition 0: 297 (BROKEN)", noGuests,
		"other orders, fullest partition minus emptiest: 703 (BROKEN)",
		"acknowledged=1000 failed=0 unknown=0")
	cfg.consistent, cfg.premium = "premium", 0
	expect(t, cfg, broken, head, "0 0 0 0", "1 0 0 0", "2 0 1000 1000", noStray, noGuests,
		"other orders, fullest partition minus emptiest: 1000 (BROKEN)",
		"acknowledged=1000 failed=0 unknown=0")
	// Who is consistent keeps to the rule, and half of the other orders wait, too.
	c = kafkatest.Start(t, kfake.SeedTopics(3, topic))
	leaderless(c, 1)
	cfg.consistent, cfg.premium, cfg.timeout = "all", 30, time.Second
	expect(t, cfg, "not acknowledged: failed=0 unknown=352", head, "0 297 0 297", "1 0 352 0",
		"2 0 351 351", noStray, noGuests, "other orders, fullest partition minus emptiest: 1 (ok)",
		"acknowledged=648 failed=0 unknown=352")
}

func TestLeader(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	if err := c.MoveTopicPartition(topic, 0, 2); err != nil {
		t.Fatal(err)
	}
	cfg := defaults()
	cfg.leader = true
	expect(t, cfg, "", "2")
	if n := c.PartitionInfo(topic, 0).HighWatermark; n != 0 {
		t.Errorf("%d records", n)
	}
}

func TestTopicsThatWillNotDo(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(1, "one"))
	cfg := defaults()
	expect(t, cfg, "topic brew.tiers.v1 does not exist: `make tiers-create RF=1` makes it")
	cfg.topic = "one"
	expect(t, cfg, "topic one has one partition")
}

// Stopped at any moment, the program says what is in the log.
func TestStopped(t *testing.T) {
	deliverytest.Stop(t, 15, func(ctx context.Context, topic string, stdout io.Writer) error {
		cl, err := kafka.NewClient()
		if err != nil {
			return err
		}
		defer cl.Close()
		if _, err := kafka.EnsureTopic(kafkatest.Context(t), cl, topic, 3, 3, nil); err != nil {
			return err
		}
		cfg := defaults()
		cfg.topic = topic
		cfg.limits.Records = 2000 // enough to be stopped among them
		return run(ctx, cfg, stdout, io.Discard)
	})
}

func TestWrongUsage(t *testing.T) {
	for want, change := range map[string]func(*config){
		"flag --consistent cannot be some: all, premium or none": func(c *config) {
			c.consistent = "some"
		},
		"flag --premium-pct cannot be 101: 0 to 100": func(c *config) { c.premium = 101 },
		"flag --timeout cannot be 1ms: 1s or more, or 0 for no limit": func(c *config) {
			c.timeout = time.Millisecond
		},
	} {
		cfg := defaults()
		if change(&cfg); cfg.check() == nil || cfg.check().Error() != want {
			t.Errorf("error %v, want %s", cfg.check(), want)
		}
	}
	cfg := defaults()
	if err := cfg.check(); err != nil {
		t.Error(err)
	}
}
