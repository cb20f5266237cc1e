package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const topic = "brew.users.v1"

func defaults() config {
	return config{
		topic: topic, partitions: 3, rf: 3, users: 10, size: 30, seed: 1,
		timeout: 30 * time.Second, limits: &cli.Limits{Records: 1000},
	}
}

func write(t *testing.T, cfg config) string {
	t.Helper()
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), cfg, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const all = "acknowledged=1000 failed=0 unknown=0\n"

// The numbers are those of the seed and of murmur2: the same in each run and on each cluster.
func TestSkew(t *testing.T) {
	c := kafkatest.Start(t)
	want := "PARTITION  KEYS  RECORDS  SHARE\n0          1     100      10.0%\n" +
		"1          3     297      29.7%\n2          6     603      60.3%\n" +
		"KEY     PARTITION  RECORDS\nuser-7  2          116\nuser-9  2          105\n" +
		"user-4  1          104\n" + all
	for _, created := range []bool{true, false} {
		head := fmt.Sprintf("topic %s: created=%t\n", topic, created)
		if got := write(t, defaults()); got != head+want {
			t.Errorf("printed\n%s, want\n%s", got, head+want)
		}
	}
	for p, want := range []int64{200, 594, 1206} {
		if got := c.PartitionInfo(topic, int32(p)).HighWatermark; got != want {
			t.Errorf("partition %d holds %d records, want %d", p, got, want)
		}
	}
	cfg := defaults()
	cfg.seed = 2
	if got := write(t, cfg); strings.Contains(got, want) {
		t.Errorf("another seed draws the same users:\n%s", got)
	}
}

var row = regexp.MustCompile(`(?m)^(\d+) +(\d+) +(\d+) +([\d.]+)%$`)

// spread returns "keys/records" for each partition.
func spread(out string) string {
	var list []string
	for _, m := range row.FindAllStringSubmatch(out, -1) {
		list = append(list, m[2]+"/"+m[3])
	}
	return strings.Join(list, " ")
}

// Many keys even out. Few do not, and more partitions do not help: they stay empty. Least of
// all do they help against one hot key, unless it is made several keys.
func TestManyKeysFewKeysAndAHotOne(t *testing.T) {
	kafkatest.Start(t)
	for i, test := range []struct {
		change func(*config)
		want   string
	}{
		{func(c *config) { c.users = 1000 }, "201/320 212/334 208/346"},
		{func(c *config) { c.partitions = 12 },
			"0/0 0/0 0/0 0/0 0/0 1/89 0/0 2/204 3/310 1/100 1/93 2/204"},
		{func(c *config) { c.partitions = 24 },
			"0/0 0/0 0/0 0/0 0/0 1/89 0/0 1/104 1/102 1/100 0/0 2/204 0/0 0/0 0/0 0/0 0/0 0/0 " +
				"0/0 1/100 2/208 0/0 1/93 0/0"},
		{func(c *config) { c.hot = 50 }, "1/49 3/641 6/310"},
		{func(c *config) { c.hot, c.partitions = 50, 12 },
			"0/0 0/0 0/0 0/0 0/0 1/48 0/0 2/599 3/156 1/49 1/42 2/106"},
		{func(c *config) { c.hot, c.partitions, c.salt = 50, 12, 12 },
			"1/42 0/0 2/92 0/0 1/46 2/101 1/48 5/235 4/196 1/49 1/42 3/149"},
	} {
		cfg := defaults()
		cfg.topic = fmt.Sprint("brew.users.", i)
		test.change(&cfg)
		if got := spread(write(t, cfg)); got != test.want {
			t.Errorf("%+v:\n%s, want\n%s", cfg, got, test.want)
		}
	}
}

var digits = regexp.MustCompile(`(?m)^\d+ +([\d-]+)$`)

// strip returns the digits of a run without keys.
func strip(out string) string {
	var all strings.Builder
	for _, m := range digits.FindAllStringSubmatch(out, -1) {
		all.WriteString(m[1])
	}
	return all.String()
}

// Without a key the client stays with a partition for 64 KiB: 65 records of 1,000 bytes and
// a little more, and all of a thousand small ones.
func TestWithoutKeys(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.users = 0
	got := strip(write(t, cfg))
	if len(got) != 1000 || strings.Trim(got, got[:1]) != "" {
		t.Errorf("small records: %s", got)
	}
	cfg.size, cfg.limits.Records = 1000, 1000
	got = strip(write(t, cfg))
	if len(got) != 1000 {
		t.Errorf("%d digits", len(got))
	}
	seen := map[byte]bool{}
	for n := range len(got) {
		seen[got[n]] = true
		if n > 0 && got[n] != got[n-1] && n%65 != 0 {
			t.Errorf("record %d goes elsewhere: %s", n, got)
		}
	}
	// Each of 15 further choices takes one of three: all the same once in 14 million runs.
	if len(seen) < 2 {
		t.Errorf("all in one partition: %s", got)
	}
}

// The end of a batch is no reason to change: 100 records that are sent alone, each in a
// batch of its own, share one partition. The older sticky partitioner changes each time.
func TestABatchIsNoReason(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	changes := func(opts ...kgo.Opt) (n int) {
		cl := kafkatest.Client(t, c, opts...)
		last := int32(-1)
		for range 101 {
			r, err := cl.ProduceSync(kafkatest.Context(t), &kgo.Record{Topic: topic}).First()
			if err != nil {
				t.Fatal(err)
			}
			if last >= 0 && r.Partition != last {
				n++
			}
			last = r.Partition
		}
		return n
	}
	if n := changes(); n != 0 {
		t.Errorf("by default: %d changes", n)
	}
	if n := changes(kgo.RecordPartitioner(kgo.StickyPartitioner())); n != 100 {
		t.Errorf("StickyPartitioner: %d changes, want 100", n)
	}
}

// A value that no batch can hold is refused by the client, and the line names the limit.
func TestTooLarge(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.size, cfg.limits.Records = 2_000_000, 3
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	if err == nil || !strings.Contains(err.Error(), "MESSAGE_TOO_LARGE") ||
		!strings.Contains(err.Error(), "ProducerBatchMaxBytes=1000012") {
		t.Errorf("error %v", err)
	}
	if !strings.HasSuffix(out.String(), "\nacknowledged=0 failed=3 unknown=0\n") {
		t.Errorf("printed\n%s", &out)
	}
	cfg.users = 0
	if err := run(kafkatest.Context(t), cfg, &out); err == nil ||
		!strings.Contains(out.String(), "\n0       ---\n") {
		t.Errorf("error %v, printed\n%s", err, &out)
	}
}

// Stopped at any moment, the program says what is in the log.
func TestStopped(t *testing.T) {
	deliverytest.Stop(t, 25, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := defaults()
		cfg.topic = topic
		cfg.limits.Records = 2000 // enough to be stopped among them
		return run(ctx, cfg, stdout)
	})
}

func TestWrongUsage(t *testing.T) {
	for want, change := range map[string]func(*config){
		"flag --hot cannot be 101: 0 to 100 percent": func(c *config) { c.hot = 101 },
		"flags --hot and --salt need users: --users=10": func(c *config) {
			c.users, c.salt = 0, 2
		},
		"flag --partitions cannot be 0: 1 to 1000": func(c *config) { c.partitions = 0 },
		"flag --partitions cannot be 11: 1 to 10 without keys": func(c *config) {
			c.users, c.partitions = 0, 11
		},
		"flag --size cannot be 10000001: at most 10000000": func(c *config) { c.size = 10_000_001 },
		"flag --timeout cannot be 1ms: 1s or more":         func(c *config) { c.timeout = 1e6 },
		"replication factor 0: 1 or more":                  func(c *config) { c.rf = 0 },
	} {
		cfg := defaults()
		if change(&cfg); cfg.check() == nil || !strings.HasPrefix(cfg.check().Error(), want) {
			t.Errorf("error %v, want %s", cfg.check(), want)
		}
	}
	cfg := defaults()
	if err := cfg.check(); err != nil {
		t.Error(err)
	}
}
