package delivery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.orders.v1"

// tallied returns a client that counts with the tally that it returns as well.
func tallied(t *testing.T, c *kfake.Cluster, opts ...kgo.Opt) (*kgo.Client, *Tally) {
	t.Helper()
	var tally Tally
	return kafkatest.Client(t, c, append(opts, kgo.WithHooks(&tally))...), &tally
}

// want fails the test unless the tally says so, and the topic holds what it must then.
func want(t *testing.T, c *kfake.Cluster, tally *Tally, line string) {
	t.Helper()
	if tally.String() != line {
		t.Errorf("%s, want %s; %v", tally, line, tally.Err())
	}
	acknowledged, failed, unknown := tally.Counts()
	if got := stored(c); got < acknowledged || got > acknowledged+unknown {
		t.Errorf("%s, %d stored", tally, got)
	}
	if (tally.Err() == nil) != (failed+unknown == 0) {
		t.Errorf("%s, error %v", tally, tally.Err())
	}
}

func stored(c *kfake.Cluster) (sum int64) {
	for _, p := range c.PartitionInfos(topic) {
		sum += p.HighWatermark
	}
	return sum
}

func order(n int) *kgo.Record {
	return &kgo.Record{Topic: topic, Key: fmt.Appendf(nil, "order-%d", n)}
}

func TestAllAcknowledged(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	cl, tally := tallied(t, c)
	var then atomic.Int64
	for n := range 100 {
		cl.Produce(kafkatest.Context(t), order(n), tally.Promise(func(*kgo.Record, error) {
			then.Add(1)
		}))
	}
	if got := tally.String(); !strings.HasPrefix(got, "acknowledged=") {
		t.Error(got) // also while answers come in
	}
	tally.Wait()
	want(t, c, tally, "acknowledged=100 failed=0 unknown=0")
	if then.Load() != 100 {
		t.Errorf("%d callbacks", then.Load())
	}
}

// Errors that no record gets after it was sent, and answers that a broker gives in place of
// appending: such a record is in no log.
func TestFailed(t *testing.T) {
	for name, test := range map[string]struct {
		answer *kerr.Error
		opts   []kgo.Opt
	}{
		"refused":       {kerr.InvalidRecord, nil},
		"not allowed":   {kerr.TopicAuthorizationFailed, nil},
		"no resend":     {kerr.NotEnoughReplicas, []kgo.Opt{kgo.RecordRetries(0)}},
		"unknown topic": {kerr.UnknownTopicOrPartition, []kgo.Opt{kgo.UnknownTopicRetries(0)}},
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
			c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: test.answer, Count: -1})
			cl, tally := tallied(t, c, test.opts...)
			done := tally.Promise(nil)
			done(cl.ProduceSync(kafkatest.Context(t), order(0)).First())
			want(t, c, tally, "acknowledged=0 failed=1 unknown=0")
			if !errors.Is(tally.Err(), test.answer) {
				t.Errorf("error %v", tally.Err())
			}
		})
	}
}

// Errors that may come after the record was stored, in the attempt that they answer or in
// one before.
func TestUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		answer *kerr.Error
		opts   []kgo.Opt
	}{
		"the server says nothing": {kerr.UnknownServerError, nil},
		"a resend, refused":       {kerr.NotEnoughReplicas, []kgo.Opt{kgo.RecordRetries(1)}},
		"too late": {kerr.NotEnoughReplicas, []kgo.Opt{
			kgo.RecordDeliveryTimeout(time.Second)}},
		"another leader": {kerr.NotLeaderForPartition, []kgo.Opt{kgo.RecordRetries(0)}},
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
			c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: test.answer, Count: -1})
			cl, tally := tallied(t, c, test.opts...)
			tally.Promise(nil)(cl.ProduceSync(kafkatest.Context(t), order(0)).First())
			want(t, c, tally, "acknowledged=0 failed=0 unknown=1")
		})
	}
}

// breaker dials, and cuts a connection where the next answer to produce would come.
type breaker struct{ cut atomic.Bool }

type breaking struct {
	net.Conn
	b         *breaker
	producing atomic.Bool
}

func (b *breaker) dial(ctx context.Context, network, host string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, host)
	return &breaking{Conn: conn, b: b}, err
}

func (c *breaking) Write(p []byte) (int, error) {
	// A request begins with its size in four bytes and its key in two.
	c.producing.Store(len(p) > 6 && p[4] == 0 && p[5] == byte(kmsg.Produce))
	return c.Conn.Write(p)
}

func (c *breaking) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.producing.Load() && c.b.cut.CompareAndSwap(true, false) {
		c.Close()
		return 0, net.ErrClosed
	}
	return n, err
}

// A record was stored and the answer got lost; the resend is refused. The last answer alone
// would say that the record is nowhere.
func TestRefusedAfterALostAnswer(t *testing.T) {
	for name, hooked := range map[string]bool{"": true, "without the hook": false} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
			var b breaker
			var tally Tally
			opts := []kgo.Opt{kgo.Dialer(b.dial), kgo.DisableIdempotentWrite()}
			if hooked {
				opts = append(opts, kgo.WithHooks(&tally))
			}
			cl := kafkatest.Client(t, c, opts...)
			tally.Promise(nil)(cl.ProduceSync(kafkatest.Context(t), order(0)).First())
			want(t, c, &tally, "acknowledged=1 failed=0 unknown=0")
			requests := 0
			c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				if requests++; requests == 1 {
					b.cut.Store(true) // this one is stored
				} else {
					c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.InvalidRecord})
				}
				return nil, nil, false
			})
			tally.Promise(nil)(cl.ProduceSync(kafkatest.Context(t), order(1)).First())
			want(t, c, &tally, "acknowledged=1 failed=0 unknown=1")
			if stored(c) != 2 || !errors.Is(tally.Err(), kerr.InvalidRecord) {
				t.Errorf("%d stored, error %v", stored(c), tally.Err())
			}
		})
	}
}

// Records that the topic refuses fail what waits behind them in their partition, and what is
// on its way: none of it is stored. The rest is acknowledged.
func TestRefusedAmongOthers(t *testing.T) {
	c := kafkatest.Start(t)
	cl, tally := tallied(t, c, kgo.ProducerLinger(0),
		kgo.ProducerBatchCompression(kgo.NoCompression()))
	if _, err := kafka.EnsureTopic(kafkatest.Context(t), cl, topic, 3, 3,
		map[string]string{"max.message.bytes": "2000"}); err != nil {
		t.Fatal(err)
	}
	for n := range 1000 {
		record := order(n)
		if n%100 == 99 {
			record.Value = make([]byte, 3000)
		}
		cl.Produce(kafkatest.Context(t), record, tally.Promise(nil))
	}
	tally.Wait()
	acknowledged, failed, unknown := tally.Counts()
	if failed < 10 || unknown != 0 || acknowledged+failed != 1000 || stored(c) != acknowledged {
		t.Errorf("%s, %d stored", tally, stored(c))
	}
	if err := tally.Err(); !errors.Is(err, kerr.MessageTooLarge) ||
		!strings.HasSuffix(err.Error(), "; the limit: max.message.bytes of the topic") {
		t.Errorf("error %v", err)
	}
}

// Refused by the client, with the option that says so.
func TestLimitsOfTheClient(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	cl, tally := tallied(t, c, kgo.MaxBufferedRecords(1), kgo.ManualFlushing(),
		kgo.ProducerBatchMaxBytes(1<<20))
	large := &kgo.Record{Topic: topic, Value: make([]byte, 2<<20)}
	tally.Promise(nil)(cl.ProduceSync(kafkatest.Context(t), large).First())
	want(t, c, tally, "acknowledged=0 failed=1 unknown=0")
	if err := tally.Err(); !errors.Is(err, kerr.MessageTooLarge) ||
		!strings.HasSuffix(err.Error(), "; the limit: ProducerBatchMaxBytes=1048576") {
		t.Errorf("error %v", err)
	}
	full := make(chan error, 2)
	for n := range 2 {
		cl.Produce(kafkatest.Context(t), order(n), tally.Promise(func(_ *kgo.Record, err error) {
			full <- err
		}))
	}
	if err := Explain(cl, <-full); !errors.Is(err, kgo.ErrMaxBuffered) ||
		!strings.HasSuffix(err.Error(), "; the limit: MaxBufferedRecords=1") {
		t.Errorf("error %v", err)
	}
	if got := tally.String(); got != "acknowledged=0 failed=2 unknown=1" { // no answer yet
		t.Error(got)
	}
	if err := cl.Flush(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	want(t, c, tally, "acknowledged=1 failed=2 unknown=0")
}

// What a closed client or a cancelled context leaves unanswered is unknown, and no normal
// end.
func TestCutShort(t *testing.T) {
	for name, cut := range map[string]func(*kgo.Client, context.CancelFunc){
		"closed":    func(cl *kgo.Client, _ context.CancelFunc) { cl.Close() },
		"cancelled": func(_ *kgo.Client, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
			asked := make(chan struct{}, 1)
			c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				select {
				case asked <- struct{}{}:
				default:
				}
				return nil, errors.New("silence"), true
			})
			cl, tally := tallied(t, c, kgo.AllowIdempotentProduceCancellation())
			ctx, cancel := context.WithCancel(kafkatest.Context(t))
			defer cancel()
			cl.Produce(ctx, order(0), tally.Promise(nil))
			<-asked
			if got := tally.Err(); got == nil {
				t.Error("no answer, and no error")
			}
			cut(cl, cancel)
			tally.Wait()
			want(t, c, tally, "acknowledged=0 failed=0 unknown=1")
			if err := tally.Err(); errors.Is(err, context.Canceled) ||
				!strings.Contains(err.Error(), "topic brew.orders.v1: c") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestGrace(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	grace, cancel := Grace(ctx, 50*time.Millisecond)
	defer cancel()
	stop()
	start := time.Now()
	if grace.Err() != nil {
		t.Error("ended with its context")
	}
	<-grace.Done()
	if d := time.Since(start); d < 40*time.Millisecond {
		t.Errorf("ended after %s", d)
	}
	for _, first := range []context.Context{ctx, context.Background()} {
		grace, cancel := Grace(first, time.Hour)
		cancel()
		if grace.Err() != context.Canceled {
			t.Error("cancel does nothing")
		}
	}
}
