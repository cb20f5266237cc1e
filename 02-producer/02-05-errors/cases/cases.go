// Package cases lists the ways to get an error that the lecture shows.
package cases

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/place"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
)

// Case is one way to get an error, or none.
type Case struct {
	Name     string
	Alone    bool              // only when it is asked for by name
	Suffix   string            // of the topic's name
	Settings map[string]string // of the topic
	Missing  bool              // nobody makes the topic
	Large    int               // size of the fourth record
	Lost     int               // answers that get lost
	Opts     []kgo.Opt
}

// region cases

// All returns the cases. Those that would never end give a record up after timeout (0: they
// never end); retries bounds the resends of "replicas" (-1: no bound).
func All(timeout time.Duration, retries int64) []Case {
	limit := kgo.RecordDeliveryTimeout(timeout)
	replicas := []kgo.Opt{limit}
	if retries >= 0 {
		replicas = append(replicas, kgo.RecordRetries(int(retries)))
	}
	return []Case{
		{Name: "all-is-well"},
		{Name: "too-large-client", Large: 2 << 20},
		{Name: "too-large-topic", Large: 20_000, Suffix: ".small",
			Settings: map[string]string{"max.message.bytes": "10000"}},
		{Name: "no-topic", Suffix: ".missing", Missing: true},
		{Name: "buffer-full",
			Opts: []kgo.Opt{kgo.MaxBufferedRecords(5), kgo.ManualFlushing()}},
		{Name: "lost-answer", Lost: 1},
		{Name: "no-answer", Lost: math.MaxInt,
			// Without the second one the limit does not hold for what was sent.
			Opts: []kgo.Opt{limit, kgo.AllowIdempotentProduceCancellation()}},
		{Name: "replicas", Alone: true, Opts: replicas, Suffix: ".strict",
			Settings: map[string]string{"min.insync.replicas": "3"}},
	}
}

// endregion cases

// Names returns what --case can be.
func Names() string {
	var b strings.Builder
	for _, c := range All(0, 0) {
		b.WriteString(c.Name + ", ")
	}
	return b.String() + "all"
}

// Check returns a usage error for flags that fit no case.
func Check(name string, timeout time.Duration, retries int64) error {
	switch {
	case !slices.Contains(strings.Split(Names(), ", "), name):
		return cli.Usagef("flag --case cannot be %s: %s", cli.Value(name), Names())
	case timeout != 0 && timeout < time.Second:
		return cli.Usagef("flag --timeout cannot be %s: 1s or more, or 0 for no limit", timeout)
	case retries < -1:
		return cli.Usagef("flag --retries cannot be %d: 0 or more, or -1 for no limit", retries)
	}
	return nil
}

// CheckMode returns a usage error for what is no mode of headers-demo, or for too many hops:
// each of them is a record.
func CheckMode(mode string, hops uint, limits cli.Limits) error {
	if !slices.Contains([]string{"produce", "consume", "roundtrip"}, mode) {
		return cli.Usagef("flag --mode cannot be %s: produce, consume or roundtrip",
			cli.Value(mode))
	}
	if hops > 1_000_000 {
		return cli.Usagef("flag --hops cannot be %d: 0 to 1000000", hops)
	}
	if mode == "roundtrip" && limits == (cli.Limits{}) {
		return cli.Usagef("--mode=roundtrip reads when it has written all: it takes --records " +
			"or --for")
	}
	return nil
}

// Quiet says on stderr that nothing comes, unless it is stopped within three seconds.
func Quiet(stderr io.Writer, topic string) *time.Timer {
	return time.AfterFunc(3*time.Second, func() {
		msg.Fprintf(stderr, "waiting for records in topic %s; Ctrl+C ends it\n", topic)
	})
}

// Record is the nth payment. A large one is of random bytes: what compresses well would fit.
func (c Case) Record(topic string, n uint) *kgo.Record {
	value := fmt.Appendf(nil, "PaymentTaken order_id=order-%d", n)
	if n == 3 && c.Large > 0 {
		value = make([]byte, c.Large)
		_, _ = rand.NewChaCha8([32]byte{}).Read(value) // never fails
	}
	return &kgo.Record{Topic: topic, Key: fmt.Appendf(nil, "order-%d", n), Value: value}
}

// Prepare makes the case's topic. Broker 0 leads it, so that stopping broker 1 takes a replica
// away and not the leader: a new leader knows how far the log may be read only when enough
// replicas are back, and would not tell what is stored. And it has the client get its producer
// id, which takes seconds on a cluster that has just started and is no part of a case.
func (c Case) Prepare(ctx context.Context, cl *kgo.Client, topic string) error {
	if _, _, err := cl.ProducerID(ctx); err != nil || c.Missing {
		return err
	}
	return place.EnsureTopic(ctx, cl, topic, c.Settings)
}

// Stored returns the end offset of a topic of one partition.
func Stored(ctx context.Context, adm *kadm.Client, topic string) (int64, error) {
	ends, err := adm.ListEndOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	end, _ := ends.Lookup(topic, 0)
	return end.Offset, err
}
