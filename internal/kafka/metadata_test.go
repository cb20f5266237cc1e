package kafka

import (
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"brew.example/internal/kafkatest"
)

// behind makes broker 2 tell of a topic as it was, in its first answers; it returns how many
// times broker 2 was asked.
func behind(
	c *kfake.Cluster, name string, answers int32, old func(*kmsg.MetadataResponseTopic),
) *atomic.Int32 {
	var asked atomic.Int32
	c.ControlKey(keyMetadata, func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		r := req.(*kmsg.MetadataRequest)
		if c.CurrentNode() != 2 || len(r.Topics) != 1 || r.Topics[0].Topic == nil ||
			*r.Topics[0].Topic != name || asked.Add(1) > answers {
			return nil, nil, false
		}
		resp := r.ResponseKind().(*kmsg.MetadataResponse)
		topic := kmsg.NewMetadataResponseTopic()
		topic.Topic = r.Topics[0].Topic
		old(&topic)
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	return &asked
}

// three are partitions as a broker tells of them.
func three(t *kmsg.MetadataResponseTopic) {
	for i := range int32(3) {
		p := kmsg.NewMetadataResponseTopicPartition()
		p.Partition, p.Replicas = i, []int32{0, 1, 2}
		t.Partitions = append(t.Partitions, p)
	}
}

// A broker that has not heard of the new topic refuses what the caller does next; one that
// still tells of an older topic of the name sends the caller to that.
func TestEnsureTopicWaitsForEveryBroker(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]func(*kmsg.MetadataResponseTopic){
		"unknown": func(t *kmsg.MetadataResponseTopic) {
			t.ErrorCode = kerr.UnknownTopicOrPartition.Code
		},
		"another": func(t *kmsg.MetadataResponseTopic) { t.TopicID[0] = 1; three(t) },
	} {
		// The id of a new topic is in the answer of a Kafka; the stand's leaves it out.
		c, addrs := start(t, kfake.MaxVersions(kversion.Stable()))
		asked := behind(c, "orders", 4, old)
		cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
		created, err := EnsureTopic(kafkatest.Context(t), cl, "orders", 6, 3, nil)
		if !created || err != nil || asked.Load() <= 4 {
			t.Errorf("%s: created=%t after %d answers, %v", name, created, asked.Load(), err)
		}
	}
}

// A broker that is gone is one that the caller cannot ask either.
func TestEnsureTopicLeavesADeadBrokerOut(t *testing.T) {
	t.Parallel()
	c, addrs := start(t)
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	if err := cl.Ping(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := kadm.NewClient(cl).ListBrokers(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	c.ControlKey(keyMetadata, func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return nil, nil, c.CurrentNode() == 2 // no answer
	})
	if created, err := EnsureTopic(kafkatest.Context(t), cl, "orders", 3, 3, nil); !created ||
		err != nil {
		t.Errorf("created=%t, %v", created, err)
	}
}

func TestGrowTopic(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(3, "orders"))
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))
	ctx := kafkatest.Context(t)
	asked := behind(c, "orders", 4, three)
	for i, want := range []bool{true, false} {
		grown, err := GrowTopic(ctx, cl, "orders", 4)
		if grown != want || err != nil || len(c.PartitionInfos("orders")) != 4 {
			t.Errorf("call %d: grown=%t, %v", i+1, grown, err)
		}
	}
	if asked.Load() <= 4 {
		t.Errorf("returned while broker 2 knew of three partitions")
	}
	// What follows at once must work.
	r := &kgo.Record{Topic: "orders", Partition: 3, Value: []byte("x")}
	if err := cl.ProduceSync(ctx, r).FirstErr(); err != nil {
		t.Error(err)
	}
	_, err := GrowTopic(ctx, cl, "orders", 2)
	oneLine(t, err, "orders", "4", "2")
	_, err = GrowTopic(ctx, cl, "missing", 4)
	oneLine(t, err, "topic missing: UNKNOWN_TOPIC_OR_PARTITION")
	_, err = GrowTopic(ctx, cl, "a b", 4)
	isUsage(t, err)

	c.ControlKey(int16(kmsg.CreatePartitions), refuseGrowth)
	grown, err := GrowTopic(ctx, cl, "orders", 5)
	oneLine(t, err, "topic orders: POLICY_VIOLATION", `"no\x1b[2J"`)
	if grown || len(c.PartitionInfos("orders")) != 4 {
		t.Errorf("grown=%t to %d", grown, len(c.PartitionInfos("orders")))
	}
}

// TestGrowTopicWithoutController: a broker of Kafka waits for the controller, and then tells so.
func TestGrowTopicWithoutController(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(3, "orders"))
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.CreatePartitions}, Err: kerr.RequestTimedOut, Count: -1,
	})
	_, err := GrowTopic(kafkatest.Context(t), cl, "orders", 4)
	oneLine(t, err, "topic orders: no answer for ", "`make broker-ls`")
}

func refuseGrowth(req kmsg.Request) (kmsg.Response, error, bool) {
	resp := req.ResponseKind().(*kmsg.CreatePartitionsResponse)
	t := kmsg.NewCreatePartitionsResponseTopic()
	t.Topic = req.(*kmsg.CreatePartitionsRequest).Topics[0].Topic
	t.ErrorCode, t.ErrorMessage = kerr.PolicyViolation.Code, kmsg.StringPtr("no\x1b[2J")
	resp.Topics = append(resp.Topics, t)
	return resp, nil, true
}
