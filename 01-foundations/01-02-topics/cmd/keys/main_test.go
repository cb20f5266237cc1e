package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.keys.v1"

func defaults() config {
	return config{topic: topic, key: "user", records: 1000, from: 3, to: 4}
}

func keys(t *testing.T, cfg config) string {
	t.Helper()
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), cfg, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const (
	threeToFour = "PARTITION  OF-3  OF-4\n0          313   235\n1          341   260\n" +
		"2          346   258\n3          -     247\nmoved: 768 of 1000\n"
	threeToSix = "PARTITION  OF-3  OF-6\n0          313   153\n1          341   157\n" +
		"2          346   156\n3          -     160\n4          -     184\n5          -     190\n" +
		"moved: 534 of 1000\n"
)

// The numbers are those of murmur2, the same in each run and on each cluster: counted and,
// in a topic that grows between two writers, seen.
func TestKeysMoveWhenATopicGrows(t *testing.T) {
	c := kafkatest.Start(t)
	cfg := defaults()
	if got := keys(t, cfg); got != threeToFour {
		t.Errorf("counted\n%s, want\n%s", got, threeToFour)
	}
	cfg.to = 6
	if got := keys(t, cfg); got != threeToSix {
		t.Errorf("counted\n%s, want\n%s", got, threeToSix)
	}
	if c.TopicInfo(topic) != nil {
		t.Error("counting made a topic")
	}
	cfg.to, cfg.write = 4, true
	if got := keys(t, cfg); got != threeToFour {
		t.Errorf("written\n%s, want\n%s", got, threeToFour)
	}
	// What was written before the topic grew is where it was.
	for p, want := range []int64{313 + 235, 341 + 260, 346 + 258, 247} {
		if got := c.PartitionInfo(topic, int32(p)).HighWatermark; got != want {
			t.Errorf("partition %d holds %d records, want %d", p, got, want)
		}
	}
	// Growing is for once: the topic has four partitions now.
	err := run(kafkatest.Context(t), cfg, &kafkatest.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "partitions: 4, wanted 3") {
		t.Errorf("error %v", err)
	}
}

// The keys of the pictures and of lecture 01-05 are where the client puts them.
func TestWhereOrdersGo(t *testing.T) {
	c := kafkatest.Start(t)
	for _, test := range []struct {
		name string
		of   int32
		want map[int32][]string
	}{
		{"order", 3, map[int32][]string{0: {"2", "3", "6"}, 1: {"0", "1", "7", "9"},
			2: {"4", "5", "8"}}},
		{"order", 4, map[int32][]string{0: {"0"}, 1: {"6", "7", "8"}, 2: {"1", "4", "5", "9"},
			3: {"2", "3"}}},
		{"user", 3, map[int32][]string{0: {"8"}, 1: {"0", "4", "5"},
			2: {"1", "2", "3", "6", "7", "9"}}},
	} {
		name := fmt.Sprintf("of.%s.%d", test.name, test.of)
		if err := c.CreateTopic(name, test.of, nil); err != nil {
			t.Fatal(err)
		}
		cl, got := kafkatest.Client(t, c), map[int32][]string{}
		for i := range 10 {
			r := &kgo.Record{Topic: name, Key: fmt.Appendf(nil, "%s-%d", test.name, i)}
			if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
			got[r.Partition] = append(got[r.Partition], fmt.Sprint(i))
		}
		if !maps.EqualFunc(got, test.want, slices.Equal) {
			t.Errorf("%s of %d: %v, want %v", test.name, test.of, got, test.want)
		}
	}
}

// A key of no bytes is a key: it has its partition. Without a key there is none.
func TestEmptyIsNotNone(t *testing.T) {
	c := kafkatest.Start(t)
	cfg := defaults()
	cfg.to, cfg.write, cfg.key = 3, true, "empty"
	want := "PARTITION  RECORDS\n0          1000\n1          0\n2          0\n"
	for range 2 {
		if got := keys(t, cfg); got != want {
			t.Errorf("empty keys:\n%s, want\n%s", got, want)
		}
	}
	cfg.topic, cfg.key = "brew.none.v1", "none"
	keys(t, cfg)
	var total int64
	for _, p := range c.PartitionInfos(cfg.topic) {
		if total += p.HighWatermark; p.HighWatermark == 0 {
			t.Errorf("without a key partition %d got nothing", p.Partition)
		}
	}
	if total != 1000 {
		t.Errorf("%d records", total)
	}
	stored := map[string]bool{}
	for _, name := range []string{topic, cfg.topic} {
		cl := kafkatest.Client(t, c, kgo.ConsumeTopics(name))
		fetches := cl.PollFetches(kafkatest.Context(t))
		r := fetches.Records()[0]
		stored[fmt.Sprint(name, " nil=", r.Key == nil, " len=", len(r.Key))] = true
	}
	if !stored[topic+" nil=false len=0"] || !stored[cfg.topic+" nil=true len=0"] {
		t.Errorf("the brokers keep %v", stored)
	}
}

// Without a key the client stays with one partition for 64 KiB, and then picks again.
func TestNoKeySticksForSixtyFourKilobytes(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.write, cfg.key = true, "none"
	records, err := round(kafkatest.Context(t), cfg, 3)
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	for n := 1; n < len(records); n++ {
		if records[n].Partition == records[n-1].Partition {
			continue
		}
		// 32 records of 2,000 bytes, and of some bytes more for the rest of a record.
		if changes++; n%32 != 0 {
			t.Errorf("record %d goes to another partition than the one before it", n)
		}
	}
	if changes == 0 {
		t.Error("all went to one partition")
	}
}

func TestWrongUsage(t *testing.T) {
	for want, change := range map[string]func(*config){
		`flag --key cannot be "nil": user, empty or none`: func(c *config) { c.key = "nil" },
		"flag --key=none needs --write":                   func(c *config) { c.key = "none" },
		"flag --records cannot be 0":                      func(c *config) { c.records = 0 },
		"flag --records cannot be 100001":                 func(c *config) { c.records = 100_001 },
		"flags --from=0 --to=4":                           func(c *config) { c.from = 0 },
		"flags --from=3 --to=2":                           func(c *config) { c.to = 2 },
		"flags --from=3 --to=1001":                        func(c *config) { c.to = 1001 },
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

// Whoever runs while the topic grows goes on with the partitions it knows, until it asks for
// metadata again: a producer writes a key to where it used to go, and a consumer does not read
// the new partition. By itself a client asks every five minutes.
func TestARunningClientDoesNotSeeTheNewPartition(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	ctx := kafkatest.Context(t)
	reader := kafkatest.Client(t, c, kgo.ConsumeTopics(topic), kgo.ConsumerGroup("kitchen"))
	read := func() (partitions []int32) {
		fetches := reader.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) { partitions = append(partitions, r.Partition) })
		return partitions
	}
	write := func(cl *kgo.Client) int32 { // order-3: partition 0 of 3, partition 3 of 4
		r := &kgo.Record{Topic: topic, Key: []byte("order-3")}
		if err := cl.ProduceSync(ctx, r).FirstErr(); err != nil {
			t.Fatal(err)
		}
		return r.Partition
	}
	old := kafkatest.Client(t, c)
	if p, got := write(old), read(); p != 0 || !slices.Equal(got, []int32{0}) {
		t.Fatalf("written to %d, read from %v", p, got)
	}
	if _, err := kafka.GrowTopic(ctx, old, topic, 4); err != nil {
		t.Fatal(err)
	}
	if p := write(kafkatest.Client(t, c)); p != 3 {
		t.Errorf("a new producer writes to %d", p)
	}
	// Written later and read alone: the record before it waits where nobody looks.
	if p, got := write(old), read(); p != 0 || !slices.Equal(got, []int32{0}) {
		t.Errorf("written to %d, read from %v", p, got)
	}
	old.ForceMetadataRefresh()
	kafkatest.Eventually(t, "the old producer writes to the new partition", func() bool {
		return write(old) == 3
	})
	reader.ForceMetadataRefresh()
	kafkatest.Eventually(t, "the reader reads the new partition", func() bool {
		return slices.Contains(read(), 3)
	})
}
