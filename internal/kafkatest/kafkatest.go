// Package kafkatest gives tests an in-process cluster that behaves as the embedded
// stand does.
package kafkatest

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/embedded"
)

// Deadline is how long a test waits for what must come: much longer than it takes, so
// that a busy machine fails no test.
const Deadline = 60 * time.Second

// Start starts a cluster and points KAFKA_BOOTSTRAP at it until the test ends, so the
// test must not be parallel. Other KAFKA_ variables are cleared.
func Start(t testing.TB, opts ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	c, err := embedded.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	for _, name := range []string{
		"TLS", "TLS_CA", "TLS_CERT", "TLS_KEY", "SASL_MECHANISM", "SASL_USER", "SASL_PASSWORD",
	} {
		t.Setenv("KAFKA_"+name, "")
	}
	t.Setenv("KAFKA_BOOTSTRAP", strings.Join(c.ListenAddrs(), ","))
	return c
}

// Client returns a client of the cluster that is closed when the test ends.
func Client(t testing.TB, c *kfake.Cluster, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(c.ListenAddrs()...), kgo.MetadataMinAge(20 * time.Millisecond),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

// Committed returns the group's committed offsets of the topic by partition; a
// partition without one is left out.
func Committed(t testing.TB, cl *kgo.Client, group, topic string) map[int32]int64 {
	t.Helper()
	offsets, err := kadm.NewClient(cl).FetchOffsets(Context(t), group)
	if err != nil {
		t.Fatal(err)
	}
	committed := map[int32]int64{}
	offsets.Each(func(o kadm.OffsetResponse) {
		if o.Topic == topic && o.At >= 0 {
			committed[o.Partition] = o.At
		}
	})
	return committed
}

// PollTen polls until ten records have come and returns the partitions of the last poll.
func PollTen(t testing.TB, cl *kgo.Client) map[int32]bool {
	t.Helper()
	for n := 0; ; {
		fetches := cl.PollFetches(Context(t))
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		if n += fetches.NumRecords(); n == 10 {
			last := map[int32]bool{}
			fetches.EachRecord(func(r *kgo.Record) { last[r.Partition] = true })
			return last
		}
	}
}

// PollNothing polls once more, for a moment, and fails the test if records come.
func PollNothing(t testing.TB, cl *kgo.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(Context(t), 20*time.Millisecond)
	defer cancel()
	if n := cl.PollFetches(ctx).NumRecords(); n != 0 {
		t.Fatalf("%d more records", n)
	}
}

// PreviousPolls reads ten records with cl, a member of the group with the shortest interval of
// commits, and fails the test unless the background commit leaves out the last poll until
// there is another one. want is what is committed then.
func PreviousPolls(
	t testing.TB, cl, witness *kgo.Client, group, topic string, want map[int32]int64,
) {
	t.Helper()
	last := PollTen(t, cl)
	// Many intervals, in which a commit of the last poll would show.
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); {
		for p := range Committed(t, witness, group, topic) {
			if last[p] {
				t.Fatalf("partition %d of the last poll is committed without another poll", p)
			}
		}
	}
	PollNothing(t, cl)
	Eventually(t, "the commit after one more poll", func() bool {
		return maps.Equal(Committed(t, witness, group, topic), want)
	})
}

// Context returns a context that ends with the test, or after Deadline.
func Context(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), Deadline)
	t.Cleanup(cancel)
	return ctx
}

// Eventually returns when cond holds, and fails the test when it does not within Deadline.
func Eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Deadline); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain: %s", Deadline, what)
		}
	}
}

// Buffer collects what a program prints while a test looks on.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String returns all that was written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Await returns when text has been written.
func (b *Buffer) Await(t testing.TB, text string) {
	t.Helper()
	for deadline := time.Now().Add(Deadline); !strings.Contains(b.String(), text); {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain for %q; printed so far:\n%s", Deadline, text, b)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
