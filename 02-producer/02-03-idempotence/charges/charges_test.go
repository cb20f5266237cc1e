package charges

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

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

func TestTLSIsRefused(t *testing.T) {
	c := kafkatest.Start(t)
	t.Setenv("KAFKA_BOOTSTRAP", c.ListenAddrs()[0])
	t.Setenv("KAFKA_TLS", "1")
	if err := EnsureTopic(kafkatest.Context(t), topic); err == nil ||
		!strings.Contains(err.Error(), "KAFKA_TLS") {
		t.Errorf("error %v", err)
	}
}
