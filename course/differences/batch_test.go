package differences

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// batch is one record as an idempotent producer sends it. A client of franz-go never sends
// the same batch twice when it was answered; this one does.
type batch struct {
	topic    string
	id       kadm.TopicID
	producer int64
	epoch    int16
	sequence int32
}

// newBatch returns the first batch of a new producer.
func newBatch(t *testing.T, s *site, topic string) batch {
	t.Helper()
	ctx := kafkatest.Context(t)
	resp := ask[*kmsg.InitProducerIDResponse](t)(
		kmsg.NewPtrInitProducerIDRequest().RequestWith(ctx, s.client(t)))
	if err := kerr.ErrorForCode(resp.ErrorCode); err != nil {
		t.Fatal(err)
	}
	id := ask[kadm.TopicDetails](t)(s.admin(t).ListTopics(ctx, topic))[topic].ID
	return batch{topic: topic, id: id, producer: resp.ProducerID, epoch: resp.ProducerEpoch}
}

// encode returns the batch as it goes over the wire.
func (b batch) encode() []byte {
	r := kmsg.Record{Value: []byte("x")}
	r.Length = int32(len(r.AppendTo(nil)) - 1) // a length of 0 takes one byte
	now := time.Now().UnixMilli()
	rb := kmsg.RecordBatch{
		PartitionLeaderEpoch: -1, Magic: 2, FirstTimestamp: now, MaxTimestamp: now,
		ProducerID: b.producer, ProducerEpoch: b.epoch, FirstSequence: b.sequence,
		NumRecords: 1, Records: r.AppendTo(nil),
	}
	raw := rb.AppendTo(nil)
	binary.BigEndian.PutUint32(raw[8:], uint32(len(raw)-12)) // what follows the length
	sum := crc32.Checksum(raw[21:], crc32.MakeTable(crc32.Castagnoli))
	binary.BigEndian.PutUint32(raw[17:], sum)
	return raw
}

// send sends it to partition 0 with acks=all.
func (b batch) send(t *testing.T, s *site, leader int32) error {
	t.Helper()
	req := kmsg.NewPtrProduceRequest()
	req.Acks, req.TimeoutMillis = -1, 10_000
	rt := kmsg.NewProduceRequestTopic()
	rt.Topic, rt.TopicID = b.topic, b.id
	rp := kmsg.NewProduceRequestTopicPartition()
	rp.Records = b.encode()
	rt.Partitions = append(rt.Partitions, rp)
	req.Topics = append(req.Topics, rt)
	cl := s.client(t, kgo.RetryTimeout(10*time.Second))
	raw, err := cl.Broker(int(leader)).Request(kafkatest.Context(t), req)
	if err != nil {
		return err
	}
	return kerr.ErrorForCode(raw.(*kmsg.ProduceResponse).Topics[0].Partitions[0].ErrorCode)
}

// deliver sends it until a leader is there to answer.
func (b batch) deliver(t *testing.T, s *site) error {
	t.Helper()
	var err error
	kafkatest.Eventually(t, "a leader that answers", func() bool {
		leader := s.partition(t, b.topic).Leader
		if leader >= 0 {
			err = b.send(t, s, leader)
		}
		return leader >= 0 && !kerr.IsRetriable(err)
	})
	return err
}

// partition describes partition 0 of a topic.
func (s *site) partition(t *testing.T, topic string) kadm.PartitionDetail {
	t.Helper()
	topics := ask[kadm.TopicDetails](t)(s.admin(t).ListTopics(kafkatest.Context(t), topic))
	return topics[topic].Partitions[0]
}
