package receipts

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-02-acks/acks"
	"brew.example/internal/kafkatest"
	"brew.example/internal/table"
)

const topic = "brew.receipts.v1"

func till(name string, sent, acked string) *Till {
	return &Till{
		Writer: &acks.Writer{Acks: name}, sent: strings.Fields(sent), acked: strings.Fields(acked),
	}
}

func TestVerdict(t *testing.T) {
	log := &Log{seen: map[string]bool{"a": true, "b": true, "of another run": true}}
	for _, tt := range []struct {
		till                   *Till
		beyond                 int64
		readable, hidden, gone int
	}{
		{till("all", "a b", "a b"), 0, 2, 0, 0},
		{till("1", "a b c d", "a b c"), 0, 2, 0, 1},
		// The leader has two more: these may be among them.
		{till("1", "a b c d", "a b c d"), 2, 2, 2, 0},
		// Sent and not acknowledged is never gone, and may be readable.
		{till("all", "a b c", "a"), 0, 2, 0, 0},
		// With acks=0 nothing is promised, so nothing is broken.
		{till("0", "a c", "a c"), 0, 1, 0, 0},
		{till("0", "a c", "a c"), 1, 1, 0, 0},
	} {
		r, h, g := log.verdict(tt.till, tt.beyond)
		if r != tt.readable || h != tt.hidden || g != tt.gone {
			t.Errorf("acks=%s %v of %v, %d beyond: %d readable, %d hidden, %d gone", tt.till.Acks,
				tt.till.acked, tt.till.sent, tt.beyond, r, h, g)
		}
	}
}

// A silence is told once, and so is its end.
func TestWatch(t *testing.T) {
	var out kafkatest.Buffer
	rows := table.NewStream(&out, "TIME          ACKS  ACKNOWLEDGED  EVENT")
	quiet := &Till{Writer: &acks.Writer{Acks: "0"}}
	for _, w := range []*Till{{Writer: &acks.Writer{Acks: "all"}}, quiet} {
		r := w.Next()
		w.Watch(rows)
		w.Answered(r, nil)
		r, late := w.Next(), w.Next()
		w.heard = time.Now().Add(-patience - time.Second)
		w.Watch(rows)
		w.Watch(rows)
		w.Answered(r, nil)
		w.Watch(rows)
		w.Answered(late, kerr.RequestTimedOut) // an answer, and no acknowledgement
		w.Watch(rows)
		if len(w.acked) != 2 || len(w.sent) != 3 || w.open != 0 {
			t.Errorf("%d sent, %d acknowledged, %d open", len(w.sent), len(w.acked), w.open)
		}
	}
	want := regexp.MustCompile(`^TIME          ACKS  ACKNOWLEDGED  EVENT
[\d:.]{12}  all   1             no answer for 2s
[\d:.]{12}  all   2             answered after 3s
$`)
	if !want.MatchString(out.String()) {
		t.Errorf("printed\n%s", &out)
	}
}

// The leader is asked twice: as consumers ask, and as somebody who may know where its log
// ends. The first is how far the log is read.
func TestReadsUpToTheHighWatermark(t *testing.T) {
	c := kafkatest.Start(t)
	ctx := kafkatest.Context(t)
	var out kafkatest.Buffer
	log, err := Open(ctx, topic, 2, &out)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	want := regexp.MustCompile(
		`^topic=brew.receipts.v1 leader=\d isr=0,1,2 min.insync.replicas=2\n$`)
	if !want.MatchString(out.String()) {
		t.Errorf("printed %q", &out)
	}
	cl := kafkatest.Client(t, c, kgo.DefaultProduceTopic(topic))
	for _, key := range []string{"a", "b", "c"} {
		if err := cl.ProduceSync(ctx, kgo.KeyStringRecord(key, "x")).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	c.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		req := r.(*kmsg.ListOffsetsRequest)
		if req.Topics[0].Partitions[0].Timestamp != -1 {
			return nil, nil, false // where the log begins
		}
		resp := req.ResponseKind().(*kmsg.ListOffsetsResponse)
		p := kmsg.NewListOffsetsResponseTopicPartition()
		p.Offset = 2
		if req.ReplicaID == -2 {
			p.Offset = 3
		}
		rt := kmsg.NewListOffsetsResponseTopic()
		rt.Topic, rt.Partitions = topic, append(rt.Partitions, p)
		resp.Topics = append(resp.Topics, rt)
		return resp, nil, true
	})
	beyond, err := log.read(ctx)
	if err != nil || beyond != 1 || !log.seen["a"] || !log.seen["b"] {
		t.Errorf("%d beyond what was read, %v; %v", beyond, log.seen, err)
	}
}

// The topic is made once; one that was made otherwise is refused by name.
func TestAnotherMinimum(t *testing.T) {
	kafkatest.Start(t)
	ctx := kafkatest.Context(t)
	for range 2 {
		log, err := Open(ctx, topic, 3, &kafkatest.Buffer{})
		if err != nil {
			t.Fatal(err)
		}
		log.Close()
	}
	_, err := Open(ctx, topic, 2, &kafkatest.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "min.insync.replicas: 3, wanted 2") {
		t.Errorf("error %v", err)
	}
}

// Broker 0 comes first among the replicas, so that it leads.
func TestBroker0IsTheFirstReplica(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, "other"))
	asked := make(chan *kmsg.CreateTopicsRequest, 10)
	c.ControlKey(int16(kmsg.CreateTopics), func(r kmsg.Request) (kmsg.Response, error, bool) {
		asked <- r.(*kmsg.CreateTopicsRequest)
		return nil, nil, false
	})
	log, err := Open(kafkatest.Context(t), topic, 2, &kafkatest.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	replicas := (<-asked).Topics[0].ReplicaAssignment
	if len(replicas) != 1 || len(replicas[0].Replicas) != 3 || replicas[0].Replicas[0] != 0 {
		t.Errorf("asked for replicas %+v", replicas)
	}
}
