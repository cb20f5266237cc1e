package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// together holds back a request to produce, once it is armed, until the next one comes: then
// the second is on its way before the first is answered.
type together struct {
	mu    sync.Mutex
	armed bool
	first []byte
	held  chan struct{} // closed when there is a first
}

func (h *together) arm() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.armed = true
}

// pass returns what goes out in place of a request.
func (h *together) pass(request []byte) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if key := binary.BigEndian.Uint16(request[4:]); !h.armed || key != uint16(kmsg.Produce) {
		return request
	}
	if h.first == nil {
		h.first = bytes.Clone(request)
		close(h.held)
		return nil
	}
	h.armed = false
	return append(h.first, request...)
}

type holding struct {
	net.Conn
	*together
}

func (c holding) Write(p []byte) (int, error) {
	_, err := c.Conn.Write(c.pass(p))
	return len(p), err
}

// Two requests are on their way, and the first is refused for the moment. Five requests at a
// time keep their order with idempotence only: the broker refuses the second as well.
func TestOrderOfRetries(t *testing.T) {
	unordered := []kgo.Opt{
		kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(5),
	}
	for name, test := range map[string]struct {
		opts []kgo.Opt
		want string
	}{
		"with":    {nil, "warm 1 2"},
		"without": {unordered, "warm 2 1 2"},
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
			hold := &together{held: make(chan struct{})}
			dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
				return holding{conn, hold}, err
			}
			opts := append(test.opts, kgo.Dialer(dial), kgo.ProducerLinger(0))
			cl := kafkatest.Client(t, c, opts...)
			ctx := kafkatest.Context(t)
			record := func(key string) *kgo.Record {
				return &kgo.Record{Topic: topic, Key: []byte(key)}
			}
			if err := cl.ProduceSync(ctx, record("warm")).FirstErr(); err != nil {
				t.Fatal(err)
			}
			c.Fault(kfake.Fault{
				Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: 1,
			})
			hold.arm()
			errs := make(chan error, 2)
			answered := func(_ *kgo.Record, err error) { errs <- err }
			cl.Produce(ctx, record("1"), answered)
			<-hold.held
			cl.Produce(ctx, record("2"), answered)
			if err := errors.Join(<-errs, <-errs); err != nil {
				t.Fatal(err)
			}
			got := log(t, c)
			t.Logf("the log holds %s", got)
			if got != test.want {
				t.Errorf("want %s", test.want)
			}
		})
	}
}

// keeping takes requests to produce and sends none, once it is armed.
type keeping struct {
	net.Conn
	armed *atomic.Bool
	kept  chan struct{}
}

func (c keeping) Write(p []byte) (int, error) {
	if key := binary.BigEndian.Uint16(p[4:]); !c.armed.Load() || key != uint16(kmsg.Produce) {
		return c.Conn.Write(p)
	}
	c.kept <- struct{}{}
	return len(p), nil
}

// Five requests are on their way to a broker at most, as many as it remembers batches.
func TestFiveRequestsOnTheirWay(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	var armed atomic.Bool
	kept := make(chan struct{}, 100)
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return keeping{conn, &armed, kept}, err
	}
	cl := kafkatest.Client(t, c, kgo.Dialer(dial), kgo.ProducerLinger(0))
	ctx := kafkatest.Context(t)
	// The first answer tells the client that the broker can do five.
	if err := cl.ProduceSync(ctx, &kgo.Record{Topic: topic}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	armed.Store(true)
	for n := range 5 {
		cl.Produce(ctx, &kgo.Record{Topic: topic}, nil)
		select {
		case <-kept:
		case <-ctx.Done():
			t.Fatalf("%d requests are on their way, want 5", n)
		}
	}
	cl.Produce(ctx, &kgo.Record{Topic: topic}, nil)
	select {
	case <-kept:
		t.Error("a sixth request is on its way")
	case <-time.After(300 * time.Millisecond): // the five came at once
	}
}

// log returns the keys of the topic's records in their order.
func log(t *testing.T, c *kfake.Cluster) string {
	t.Helper()
	cl := kafkatest.Client(t, c, kgo.ConsumeTopics(topic))
	var keys []string
	for int64(len(keys)) < c.PartitionInfo(topic, 0).HighWatermark {
		fetches := cl.PollFetches(kafkatest.Context(t))
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) { keys = append(keys, string(r.Key)) })
	}
	return strings.Join(keys, " ")
}
