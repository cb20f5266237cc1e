package kafka

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

func write(t *testing.T, cl *kgo.Client, topic string, n int) {
	t.Helper()
	for range n {
		r := &kgo.Record{Topic: topic, Value: []byte("x")}
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOvertakenWhileAway: a group has committed 2, and records up to 5 of 10 are gone. It
// goes on at 5, not at the end, and says what it will never see.
func TestOvertakenWhileAway(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(1, "orders", "other"))
	ctx := kafkatest.Context(t)
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	write(t, cl, "orders", 10)
	write(t, cl, "other", 3)
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: "orders", At: 2, LeaderEpoch: -1})
	offsets.Add(kadm.Offset{Topic: "other", At: 3, LeaderEpoch: -1})
	if err := kadm.NewClient(cl).CommitAllOffsets(ctx, "kitchen", offsets); err != nil {
		t.Fatal(err)
	}
	for topic, to := range map[string]int64{"orders": 5, "other": 3} {
		if err := c.DeleteRecords(topic, 0, to); err != nil {
			t.Fatal(err)
		}
	}
	var stderr kafkatest.Buffer
	n := NewNotices(&stderr, "1", false)
	grouped, _ := clientOf(t, vars("BOOTSTRAP", addrs), kgo.ConsumerGroup("kitchen"),
		kgo.ConsumeTopics("orders", "other"), kgo.OnPartitionsAssigned(n.Assigned),
		kgo.FetchMaxWait(100*time.Millisecond)) // "other" holds up its broker's next fetch
	var read []string
	for len(read) < 5 {
		fetches := grouped.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		n.Fetched(fetches)
		fetches.EachRecord(func(r *kgo.Record) {
			read = append(read, fmt.Sprint(r.Topic, r.Offset))
		})
	}
	if got := strings.Join(read, " "); got != "orders5 orders6 orders7 orders8 orders9" {
		t.Errorf("read %s", got)
	}
	want := "[member=1] missed: 3 records expired unread (topic orders, partition 0, " +
		"offsets 2 to 4); " +
		"the log begins at 5 now\n"
	if stderr.String() != want {
		t.Errorf("printed %q, want %q", stderr.String(), want)
	}
}

// TestOvertakenWhileReading has a consumer that is too slow for its topic's retention.
func TestOvertakenWhileReading(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(1, "orders"))
	ctx := kafkatest.Context(t)
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs), kgo.ConsumeTopics("orders"))
	var stderr kafkatest.Buffer
	n := NewNotices(&stderr, "1", false)
	poll := func() int64 {
		fetches := cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		n.Fetched(fetches)
		return fetches.Records()[0].Offset
	}
	// No fetch from offset 1 on is answered before the records are gone.
	gone := make(chan struct{})
	c.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		for _, topic := range req.(*kmsg.FetchRequest).Topics {
			if topic.Partitions[0].FetchOffset > 0 {
				c.SleepControl(func() { <-gone })
			}
		}
		return nil, nil, false
	})
	write(t, cl, "orders", 1)
	poll()
	write(t, cl, "orders", 9)
	if err := c.DeleteRecords("orders", 0, 7); err != nil {
		t.Fatal(err)
	}
	close(gone)
	if first := poll(); first != 7 {
		t.Errorf("went on at %d", first)
	}
	want := "[member=1] missed: 6 records expired unread (topic orders, partition 0, " +
		"offsets 1 to 6); " +
		"the log begins at 7 now\n"
	if stderr.String() != want {
		t.Errorf("printed %q, want %q", stderr.String(), want)
	}
}

// TestGapsThatAreNoLoss: a partition that was elsewhere in between, a hole in the log, and a
// log whose start moved over what was read.
func TestGapsThatAreNoLoss(t *testing.T) {
	var stderr kafkatest.Buffer
	n := NewNotices(&stderr, "1", false)
	fetched := func(partition int32, logStart int64, offsets ...int64) {
		p := kgo.FetchPartition{Partition: partition, LogStartOffset: logStart}
		for _, o := range offsets {
			p.Records = append(p.Records, &kgo.Record{Offset: o})
		}
		n.Fetched(kgo.Fetches{{Topics: []kgo.FetchTopic{{
			Topic: "orders", Partitions: []kgo.FetchPartition{p},
		}}}})
	}
	fetched(0, 90, 90, 91) // the first fetch: what lay before is not ours to miss
	fetched(0, 91)         // no records
	fetched(0, 92, 92)     // all up to 92 were read
	fetched(0, 92, 95)     // markers of transactions, or compaction
	fetched(1, 0, 0)
	n.Revoked(map[string][]int32{"orders": {1}})
	fetched(1, 50, 50)
	if stderr.String() != "" {
		t.Errorf("printed %q", stderr.String())
	}
	fetched(0, 98, 99) // 96 and 97 were deleted, 98 may never have been a record
	want := "[member=1] missed: 2 records expired unread (topic orders, partition 0, " +
		"offsets 96 to 97); " +
		"the log begins at 98 now\n"
	if stderr.String() != want {
		t.Errorf("printed %q, want %q", stderr.String(), want)
	}
}
