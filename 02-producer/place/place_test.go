package place

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// The in-process cluster puts leaders where it likes, so this holds what is asked for; that
// Kafka does it is shown by the texts of 02-02 and 02-05.
func TestEnsureTopic(t *testing.T) {
	c := kafkatest.Start(t)
	asked := make(chan kmsg.CreateTopicsRequestTopic, 10)
	c.ControlKey(int16(kmsg.CreateTopics), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		asked <- r.(*kmsg.CreateTopicsRequest).Topics[0]
		return nil, nil, false
	})
	ctx, cl := kafkatest.Context(t), kafkatest.Client(t, c)
	for range 2 {
		cfg := map[string]string{"min.insync.replicas": "3"}
		if err := EnsureTopic(ctx, cl, "payments", cfg); err != nil {
			t.Fatal(err)
		}
	}
	rt := <-asked
	if rt.Topic != "payments" || rt.ReplicaAssignment[0].Replicas[0] != 0 ||
		rt.Configs[0].Name != "min.insync.replicas" || *rt.Configs[0].Value != "3" {
		t.Errorf("asked for %+v", rt)
	}
}

// TestNoSuchBrokers: on a cluster whose brokers have other ids the topic is made all the same.
func TestNoSuchBrokers(t *testing.T) {
	c := kafkatest.Start(t)
	first := true
	c.ControlKey(int16(kmsg.CreateTopics), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if !first {
			return nil, nil, false
		}
		first = false
		resp := r.ResponseKind().(*kmsg.CreateTopicsResponse)
		topic := kmsg.NewCreateTopicsResponseTopic()
		topic.Topic, topic.ErrorCode = "payments", kerr.InvalidReplicaAssignment.Code
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	err := EnsureTopic(kafkatest.Context(t), kafkatest.Client(t, c), "payments", nil)
	if err != nil {
		t.Error(err)
	}
}
