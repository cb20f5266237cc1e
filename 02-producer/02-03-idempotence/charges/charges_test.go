package charges

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-03-idempotence/lossy"
	"brew.example/internal/kafkatest"
)

const topic = "brew.charges.v1"

func TestReadLog(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	ctx := kafkatest.Context(t)
	if log, err := ReadLog(ctx, topic); err != nil || log.Records() != 0 || log.Duplicates() != 0 {
		t.Errorf("an empty topic: %v, %v", log, err)
	}
	cl := kafkatest.Client(t, c)
	for _, n := range []uint{7, 8, 7, 9, 7} {
		if err := cl.ProduceSync(ctx, New(topic, n)).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	log, err := ReadLog(ctx, topic)
	if err != nil || log.Records() != 5 || log.Duplicates() != 2 || len(log["charge-7"]) != 3 {
		t.Errorf("%v, %v", log, err)
	}
	if _, err := ReadLog(ctx, "brew.no"); err == nil || !strings.Contains(err.Error(), "brew.no") {
		t.Errorf("a missing topic: %v", err)
	}
}

// The records of a batch are in it when Wait returns, even if the topic is new to the client.
func TestBufferedIsOneBatch(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	var answers []lossy.Answer
	network := lossy.New(0, func(a lossy.Answer) { answers = append(answers, a) })
	for range 20 {
		buffered := make(Buffered, 100)
		cl := kafkatest.Client(t, c, kgo.Dialer(network.Dial), kgo.WithHooks(buffered),
			kgo.ManualFlushing())
		for n := range uint(100) {
			cl.Produce(kafkatest.Context(t), New(topic, n), nil)
		}
		buffered.Wait(kafkatest.Context(t), 100)
		if err := cl.Flush(kafkatest.Context(t)); err != nil {
			t.Fatal(err)
		}
		cl.Close()
	}
	for _, a := range answers {
		if a.Records != 100 {
			t.Errorf("a batch of %d records, want 100", a.Records)
		}
	}
}

func TestTLSIsRefused(t *testing.T) {
	c := kafkatest.Start(t)
	t.Setenv("KAFKA_BOOTSTRAP", c.ListenAddrs()[0])
	t.Setenv("KAFKA_TLS", "1")
	if err := EnsureTopic(kafkatest.Context(t), topic); err == nil ||
		!strings.Contains(err.Error(), "KAFKA_TLS") {
		t.Errorf("error %v", err)
	}
}
