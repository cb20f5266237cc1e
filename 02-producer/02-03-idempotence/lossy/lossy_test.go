package lossy

import (
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"brew.example/internal/kafkatest"
)

const topic = "brew.charges.v1"

// write produces so many records one by one through a network that loses each second
// acknowledgement, and returns what it told.
func write(t *testing.T, c *kfake.Cluster, records int, opts ...kgo.Opt) []Answer {
	t.Helper()
	var answers []Answer
	n := New(2, func(a Answer) { answers = append(answers, a) })
	cl := kafkatest.Client(t, c, append(opts, kgo.Dialer(n.Dial), kgo.AlwaysRetryEOF())...)
	for range records {
		record := &kgo.Record{Topic: topic, Value: []byte("x")}
		if err := cl.ProduceSync(kafkatest.Context(t), record).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	cl.Close()
	if lost, unheard := n.Lost(); lost != records-1 || unheard != int64(records-1) {
		t.Errorf("%d answers lost, of %d records; want %d", lost, unheard, records-1)
	}
	return answers
}

// Topics are names in older requests and ids in newer ones.
func TestEachSecondIsLost(t *testing.T) {
	for name, opts := range map[string][]kfake.Opt{
		"names": {kfake.MaxVersions(kversion.V2_8_0())},
		"stand": nil,
		"ids":   {kfake.MaxVersions(kversion.Stable())},
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, append(opts, kfake.SeedTopics(1, topic))...)
			answers := write(t, c, 3)
			if len(answers) != 5 {
				t.Fatalf("%d answers, want 5", len(answers))
			}
			for i, want := range []int64{0, 1, 1, 2, 2} { // 1 is repeated, and 2
				a := answers[i]
				if a.N != i+1 || a.Lost != (i%2 == 1) || a.Offset != want || a.Records != 1 ||
					int64(a.Sequence) != want || a.ProducerID < 0 || a.Err != nil {
					t.Errorf("answer %+v, want offset and sequence %d", a, want)
				}
			}
			if got := c.PartitionInfo(topic, 0).HighWatermark; got != 3 {
				t.Errorf("%d records in the log, want 3", got)
			}
		})
	}
}

func TestWithoutIdempotenceThereIsNoProducer(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	answers := write(t, c, 2, kgo.DisableIdempotentWrite())
	if len(answers) != 3 || answers[2].ProducerID != -1 || answers[2].Offset != 2 {
		t.Errorf("answers %+v", answers)
	}
}

// A refusal is neither counted nor lost: nothing was stored.
func TestRefusalsAreLeftAlone(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: 3})
	if answers := write(t, c, 2); len(answers) != 3 {
		t.Errorf("answers %+v", answers)
	}
}

func TestRepeat(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	answers := write(t, c, 3)
	n, ctx := New(0, nil), kafkatest.Context(t)
	again, err := n.Repeat(ctx, answers[0])
	if err != nil || again.Err != nil || again.Offset != 0 {
		t.Errorf("%v, %+v", err, again)
	}
	again, err = n.Repeat(ctx, answers[4].WithSequence(9))
	if err != nil || !errors.Is(again.Err, kerr.OutOfOrderSequenceNumber) {
		t.Errorf("%v, %+v", err, again)
	}
	again, err = n.Repeat(ctx, answers[4].WithSequence(3)) // the next: stored
	if err != nil || again.Err != nil || again.Offset != 3 {
		t.Errorf("%v, %+v", err, again)
	}
	c.Close()
	if _, err := n.Repeat(ctx, answers[0]); err == nil {
		t.Error("no broker, and no error")
	}
}

// A request may be written in pieces, and an answer be read in pieces.
func TestPieces(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	n := New(1, func(Answer) {})
	c := &conn{Conn: near, network: n, asked: map[int32]produce{}}
	req := kmsg.NewPtrProduceRequest()
	req.Version = 9
	frame := kmsg.NewRequestFormatter().AppendRequest(nil, req, 7)
	go func() {
		for _, b := range frame {
			if _, err := c.Write([]byte{b}); err != nil {
				t.Error(err)
			}
		}
	}()
	for range frame {
		if _, err := far.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	resp := req.ResponseKind()
	body := append([]byte{0, 0, 0, 7, 0}, resp.AppendTo(nil)...) // correlation id, no tags
	go func() {
		for _, b := range append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...) {
			if _, err := far.Write([]byte{b}); err != nil {
				t.Error(err)
			}
		}
	}()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the answer came through")
	}
	if lost, _ := n.Lost(); lost != 1 {
		t.Errorf("%d answers are lost", lost)
	}
}

// A broker that speaks TLS answers something else.
func TestNoKafka(t *testing.T) {
	for _, garbage := range []string{"\x15\x03\x03\x00\x02\x02\x50", "\x00\x00\x00\x01\x00"} {
		_, err := readFrame(strings.NewReader(garbage))
		if err == nil || !strings.Contains(err.Error(), "no Kafka") {
			t.Errorf("%q: error %v", garbage, err)
		}
	}
}
