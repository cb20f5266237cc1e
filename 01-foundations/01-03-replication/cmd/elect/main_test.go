package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

const topic = "brew.payments.v1"

// The in-process cluster says yes and elects nobody, so this holds what is asked for; that
// Kafka does it is shown by the lecture's text.
func TestAsksForPreferredLeadersOfAllPartitions(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	asked := make(chan kmsg.ElectLeadersRequest, 10)
	c.ControlKey(int16(kmsg.ElectLeaders), func(r kmsg.Request) (kmsg.Response, error, bool) {
		asked <- *r.(*kmsg.ElectLeadersRequest)
		return nil, nil, false
	})
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), topic, &out); err != nil {
		t.Fatal(err)
	}
	req := <-asked
	if req.ElectionType != int8(kadm.ElectPreferredReplica) || len(req.Topics) != 1 ||
		req.Topics[0].Topic != topic || len(req.Topics[0].Partitions) != 3 {
		t.Errorf("asked for %+v", req)
	}
	want := regexp.MustCompile(`^PARTITION  LEADER  PREFERRED  ELECTION
0          \d       \d          OK
1          \d       \d          OK
2          \d       \d          OK
$`)
	if !want.MatchString(out.String()) {
		t.Errorf("printed\n%s", &out)
	}
}

func TestRefusal(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.ElectLeaders}, Topic: topic, Partitions: []int32{0},
		Err: kerr.PreferredLeaderNotAvailable,
	})
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), topic, &out); err != nil ||
		!strings.Contains(out.String(), "PREFERRED_LEADER_NOT_AVAILABLE\n") {
		t.Errorf("%v\n%s", err, &out)
	}
	err := run(kafkatest.Context(t), "nope", &out)
	if err == nil || err.Error() != "topic nope does not exist: `make topic-create` makes it" {
		t.Errorf("a missing topic: %v", err)
	}
}

// TestNoMajority: the brokers that are left know the topic, and no controller elects.
func TestNoMajority(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	c.ControlKey(int16(kmsg.ElectLeaders), func(r kmsg.Request) (kmsg.Response, error, bool) {
		resp := r.ResponseKind().(*kmsg.ElectLeadersResponse)
		resp.ErrorCode = kerr.RequestTimedOut.Code
		return resp, nil, true
	})
	err := run(kafkatest.Context(t), topic, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "it takes a controller") {
		t.Errorf("no majority: %v", err)
	}
}
