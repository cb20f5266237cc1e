package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-03-idempotence/lossy"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.give-up.v1"

// Neither the context nor RecordRetries nor RecordDeliveryTimeout ends an idempotent send
// that was not answered. Three ways out do, and each leaves the charge in the log.
func TestWaysOut(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	earlier := &kgo.Record{Topic: topic, Key: []byte("none")} // of an earlier run: not counted
	results := kafkatest.Client(t, c).ProduceSync(kafkatest.Context(t), earlier)
	if err := results.FirstErr(); err != nil {
		t.Fatal(err)
	}
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), topic, &out)
	want := regexp.MustCompile(`^WAY-OUT +ENDED-AFTER +ERROR +ATTEMPTS +IN-LOG
none +>3s +- +([3-9]|\d\d+) +1
close +\d\S+ +client closed +([2-9]|\d\d+) +1
cancellation +\d\S+ +record failed after being retried too many times +2 +1
no-idempotence +\d\S+ +record failed after being retried too many times +2 +2
$`)
	if !want.MatchString(out.String()) {
		t.Errorf("printed\n%s", &out)
	}
	if err == nil || !strings.HasSuffix(err.Error(), "failed=0 unknown=4") {
		t.Errorf("error %v", err)
	}
}

// Without a way out a record whose broker does answer ends at the limits: it is refused for
// the moment, again and again, and surely not stored.
func TestLimitsOfARefusal(t *testing.T) {
	for name, test := range map[string]struct {
		limit kgo.Opt
		want  error
	}{
		"retries": {kgo.RecordRetries(1), kerr.NotEnoughReplicas},
		"timeout": {kgo.RecordDeliveryTimeout(time.Second), kgo.ErrRecordTimeout},
	} {
		c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
		c.Fault(kfake.Fault{
			Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1,
		})
		cl := kafkatest.Client(t, c, test.limit)
		err := cl.ProduceSync(kafkatest.Context(t), &kgo.Record{Topic: topic}).FirstErr()
		if !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
}

// The price of the way out: what the same client sends later is numbered anew, under a new
// epoch. It is stored, and the same charge, sent again, is stored twice.
func TestAfterACancellation(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	network := lossy.New(2, func(lossy.Answer) {}) // the second acknowledgement
	cl, err := kafka.NewClient(kgo.Dialer(network.Dial), kgo.RecordRetries(0),
		kgo.AllowIdempotentProduceCancellation())
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	send := func(key string) (*kgo.Record, error) {
		r := &kgo.Record{Topic: topic, Key: []byte(key)}
		return r, cl.ProduceSync(kafkatest.Context(t), r).FirstErr()
	}
	before, err := send("charge-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := send("charge-2"); !errors.Is(err, kgo.ErrRecordRetries) {
		t.Fatalf("error %v, want one of an answer that was lost", err)
	}
	again, err := send("charge-2")
	if err != nil {
		t.Fatal(err)
	}
	if again.ProducerID != before.ProducerID || again.ProducerEpoch != before.ProducerEpoch+1 {
		t.Errorf("producer %d/%d before, %d/%d after", before.ProducerID, before.ProducerEpoch,
			again.ProducerID, again.ProducerEpoch)
	}
	if end := c.PartitionInfo(topic, 0).HighWatermark; end != 3 || again.Offset != 2 {
		t.Errorf("offset %d, %d records in the log; want 2 and 3", again.Offset, end)
	}
}

// A signal ends all ways at once, and what they have sent is unknown.
func TestSignal(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	var out kafkatest.Buffer
	done := make(chan error, 1)
	go func() { done <- run(ctx, topic, &out) }()
	kafkatest.Eventually(t, "a charge in the log", func() bool {
		return c.PartitionInfo(topic, 0).HighWatermark > 0
	})
	cancel()
	err := <-done
	if err == nil || !strings.HasSuffix(err.Error(), "failed=0 unknown=4") || out.String() != "" {
		t.Errorf("error %v, printed\n%s", err, &out)
	}
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[0]
	c.Close()
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), topic, &out)
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}
