package embedded

import (
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// aged is a topic whose records are as old as a test needs them.
type aged struct {
	t     *testing.T
	c     *kfake.Cluster
	cl    *kgo.Client
	now   time.Time
	topic string
}

func newAged(t *testing.T, cfg map[string]string) *aged {
	t.Helper()
	c := start(t)
	a := &aged{t: t, c: c, cl: client(t, c), now: time.Now(), topic: "aged"}
	a.create("aged", cfg)
	return a
}

func (a *aged) create(topic string, cfg map[string]string) {
	a.t.Helper()
	values := map[string]*string{}
	for k, v := range cfg {
		values[k] = &v
	}
	_, err := kadm.NewClient(a.cl).CreateTopic(deadline(a.t), 1, 3, values, topic)
	if err != nil {
		a.t.Fatal(err)
	}
}

// write writes a record for each age, in a batch of its own. A new client writes, as the
// stand's clients do.
func (a *aged) write(ages ...time.Duration) {
	a.t.Helper()
	cl := client(a.t, a.c)
	for _, age := range ages {
		r := &kgo.Record{Topic: a.topic, Value: []byte("x"), Timestamp: a.now.Add(-age)}
		if err := cl.ProduceSync(deadline(a.t), r).FirstErr(); err != nil {
			a.t.Fatal(err)
		}
	}
}

// retain applies our retention and returns the log's start.
func (a *aged) retain() int64 {
	a.t.Helper()
	if err := ApplyRetention(deadline(a.t), a.c, a.cl, a.now); err != nil {
		a.t.Fatal(err)
	}
	return a.c.PartitionInfo(a.topic, 0).LogStartOffset
}

// TestRetention has topics that keep their records for a minute.
func TestRetention(t *testing.T) {
	const m = time.Minute
	tests := []struct {
		name    string
		segment string
		ages    []time.Duration
		want    int64
	}{
		{"nothing is old", "3600000", []time.Duration{m / 2, 0}, 0},
		{"an idle topic loses its only segment", "3600000", []time.Duration{3 * m, 2 * m}, 2},
		{"a younger record protects its segment", "3600000", []time.Duration{3 * m, 2 * m, 0}, 0},
		{"an old record takes no younger ones along", "3600000",
			[]time.Duration{0, 60 * 24 * time.Hour, 0}, 0},
		{"an old record at the end takes nothing along", "3600000", []time.Duration{0, 9 * m}, 0},
		// Segments of 30 s: 180 and 170, 140 and 120, 65 and 50 seconds old.
		{"old segments go, the one with a young record stays", "30000", []time.Duration{
			180 * time.Second, 170 * time.Second, 140 * time.Second, 120 * time.Second,
			65 * time.Second, 50 * time.Second}, 4},
		// Writes 20 s apart: from the last write on, no segment would ever be closed.
		{"a segment's age counts from its first record", "30000", []time.Duration{
			130 * time.Second, 110 * time.Second, 90 * time.Second, 70 * time.Second,
			50 * time.Second}, 4},
		{"exactly segment.ms is not enough", "30000", []time.Duration{
			80 * time.Second, 50 * time.Second}, 0},
		{"segments without end", "9223372036854775807", []time.Duration{3 * m, 0}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := newAged(t, map[string]string{"retention.ms": "60000", "segment.ms": tt.segment})
			a.write(tt.ages...)
			for pass := range 2 {
				if got := a.retain(); got != tt.want {
					t.Errorf("log start %d after pass %d, want %d", got, pass, tt.want)
				}
			}
			end := a.c.PartitionInfo(a.topic, 0).HighWatermark
			if end != int64(len(tt.ages)) {
				t.Errorf("the log ends at %d", end)
			}
		})
	}
}

// TestRetentionThatKeeps has records as old as Kafka itself, which stay.
func TestRetentionThatKeeps(t *testing.T) {
	for _, cfg := range []map[string]string{
		{"retention.ms": "-1"},
		{"retention.ms": "1", "cleanup.policy": "compact"},
		{"retention.ms": fmt.Sprint(int64(1<<63 - 1))},
	} {
		a := newAged(t, cfg)
		r := &kgo.Record{Topic: a.topic, Key: []byte("k"), Timestamp: time.UnixMilli(1)}
		if err := a.cl.ProduceSync(deadline(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
		if got := a.retain(); got != 0 {
			t.Errorf("%v: log start %d", cfg, got)
		}
	}
}

// A pass looks at segmentsAtOnce segments and leaves the rest to the next one.
func TestRetentionOfManySegments(t *testing.T) {
	a := newAged(t, map[string]string{"retention.ms": "60000", "segment.ms": "1"})
	n := segmentsAtOnce + 20
	for i := range n {
		a.write(2*time.Hour - time.Duration(i)*time.Second)
	}
	a.write(0)
	if got := a.retain(); got != int64(segmentsAtOnce) {
		t.Errorf("log start %d after the first pass", got)
	}
	if got := a.retain(); got != int64(n) {
		t.Errorf("log start %d after the second pass, want %d", got, n)
	}
}

// TestRetentionOfManyTopics looks at all topics at once; an empty one is no obstacle.
func TestRetentionOfManyTopics(t *testing.T) {
	a := newAged(t, map[string]string{"retention.ms": "1000"})
	a.create("empty", map[string]string{"retention.ms": "1000"})
	a.create("week", nil)
	a.create("short", map[string]string{"retention.ms": "2000"})
	a.write(time.Minute)
	a.topic = "week"
	a.write(time.Minute, 8*24*time.Hour)
	a.topic = "short"
	a.write(3 * time.Second)
	if got := a.retain(); got != 1 {
		t.Errorf("short starts at %d", got)
	}
	for topic, want := range map[string]int64{"aged": 1, "empty": 0, "week": 0} {
		if got := a.c.PartitionInfo(topic, 0).LogStartOffset; got != want {
			t.Errorf("%s starts at %d, want %d", topic, got, want)
		}
	}
}

// TestRetentionOfKfake is why there is one of our own: kfake deletes younger records, and
// older ones that lie in a segment with a younger one. When it fails, ours may go.
func TestRetentionOfKfake(t *testing.T) {
	a := newAged(t, map[string]string{"retention.ms": "60000"})
	a.write(0, 24*time.Hour, 0)
	a.c.ApplyRetention()
	if got := a.c.PartitionInfo(a.topic, 0).LogStartOffset; got != 2 {
		t.Errorf("kfake's log start is %d, it used to be 2 where Kafka's is 0", got)
	}
}
