package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

const topic = "brew.payments.v1"

// write runs the program and returns what it printed, with a space between two cells and
// the leaders taken out.
func write(t *testing.T, acks string) (string, error) {
	t.Helper()
	var out, stderr kafkatest.Buffer
	cfg := config{topic: topic, acks: acks, records: 20}
	err := run(kafkatest.Context(t), cfg, &out, &stderr)
	if stderr.String() != "" {
		t.Errorf("stderr %q", &stderr)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		if cells := strings.Fields(line); len(cells) == 6 {
			lines = append(lines, strings.Join(append(cells[:1], cells[2:]...), " "))
		}
	}
	return strings.Join(lines, "\n"), err
}

const columns = "PARTITION ACKNOWLEDGED FAILED WHY END-OFFSET\n"

func TestAcksGoToTheBroker(t *testing.T) {
	for acks, want := range map[string]int16{"all": -1, "1": 1} {
		c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
		var mu sync.Mutex
		seen := map[int16]int{}
		c.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
			c.KeepControl()
			mu.Lock()
			defer mu.Unlock()
			seen[req.(*kmsg.ProduceRequest).Acks]++
			return nil, nil, false
		})
		got, err := write(t, acks)
		if err != nil || got != columns+"0 7 0 - 7\n1 7 0 - 7\n2 6 0 - 6" {
			t.Errorf("--acks=%s: %v\n%s", acks, err, got)
		}
		if len(seen) != 1 || seen[want] == 0 {
			t.Errorf("--acks=%s: requests by acks: %v", acks, seen)
		}
	}
}

// A refusal shows Kafka's name for it, at the first answer and in its partition only. What
// timed out is in the log all the same.
func TestRefusals(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	fault := func(partition int32, err *kerr.Error) {
		c.Fault(kfake.Fault{
			Keys: []kmsg.Key{kmsg.Produce}, Topic: topic, Partitions: []int32{partition},
			Err: err, Count: -1,
		})
	}
	fault(0, kerr.NotEnoughReplicas)
	fault(2, kerr.RequestTimedOut)
	got, err := write(t, "all")
	want := columns + "0 0 7 NOT_ENOUGH_REPLICAS 0\n1 7 0 - 7\n2 0 6 UNKNOWN 6"
	if got != want || err == nil || err.Error() != "not acknowledged: 13 of 20" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestMissingTopic(t *testing.T) {
	kafkatest.Start(t)
	got, err := write(t, "all")
	if got != "" || err == nil ||
		err.Error() != "topic brew.payments.v1 does not exist: `make topic-create` makes it" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestWrongFlags(t *testing.T) {
	for _, tt := range []struct {
		topic, acks, says string
	}{
		{topic, "0", "--acks cannot be 0"}, {topic, "\x1b[2J", `"\x1b[2J"`}, {topic, "", "--acks"},
		{"a b", "1", `"a b"`}, {topic, "1", ""}, {topic, "all", ""},
	} {
		cfg := config{topic: tt.topic, acks: tt.acks}
		err := cfg.check()
		says := fmt.Sprint(err)
		if (err == nil) != (tt.says == "") || !strings.Contains(says, tt.says) {
			t.Errorf("%+v: %s", tt, says)
		}
	}
}
