package differences

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// Questions about what is written and read.

func missingTopic(t *testing.T, s *site) string {
	_, err := s.send(t, &kgo.Record{Topic: unique(t)}, kgo.AllowAutoTopicCreation(),
		kgo.UnknownTopicRetries(4))
	return code(err)
}

// deletedTopic writes as a client does that has known the topic.
func deletedTopic(t *testing.T, s *site) string {
	ctx, topic, adm := kafkatest.Context(t), s.topic(t, 1), s.admin(t)
	b, leader := newBatch(t, s, topic), s.partition(t, topic).Leader
	if _, err := adm.DeleteTopic(ctx, topic); err != nil {
		t.Fatal(err)
	}
	s.everywhere(t, topic, func(told kmsg.MetadataResponseTopic) bool {
		return told.ErrorCode == kerr.UnknownTopicOrPartition.Code
	})
	return code(b.send(t, s, leader))
}

func retention(t *testing.T, s *site) string {
	topic := s.topic(t, 1, "retention.ms", "1000")
	s.write(t, topic, 3)
	kafkatest.Eventually(t, "the records are deleted", func() bool {
		return s.start(t, topic) == 3
	})
	return "3"
}

// start is the first offset that is left.
func (s *site) start(t *testing.T, topic string) int64 {
	t.Helper()
	list := ask[kadm.ListedOffsets](t)(s.admin(t).ListStartOffsets(kafkatest.Context(t), topic))
	o, _ := list.Lookup(topic, 0)
	return o.Offset
}

func (s *site) end(t *testing.T, topic string) int64 {
	t.Helper()
	list := ask[kadm.ListedOffsets](t)(s.admin(t).ListEndOffsets(kafkatest.Context(t), topic))
	o, _ := list.Lookup(topic, 0)
	return o.Offset
}

func deleteRecords(t *testing.T, s *site) string {
	topic := s.topic(t, 1)
	s.write(t, topic, 5)
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, At: 2})
	deleted := ask[kadm.DeleteRecordsResponses](t)(
		s.admin(t).DeleteRecords(kafkatest.Context(t), offsets))
	if err := deleted.Error(); err != nil {
		return code(err)
	}
	return strconv.FormatInt(s.start(t, topic), 10)
}

// refusedRecord tells what the broker says to a record. settings are those of its topic.
func refusedRecord(r kgo.Record, settings ...string) question {
	return func(t *testing.T, s *site) string {
		record := r // both stands are asked at once
		record.Topic = s.topic(t, 1, settings...)
		_, err := s.send(t, &record)
		return code(err)
	}
}

func large() kgo.Record {
	value := make([]byte, 2000) // random, so that it cannot be compressed
	rand.Read(value)
	return kgo.Record{Value: value}
}

// oneCopy has a topic with one replica where two have to be in sync.
func oneCopy(t *testing.T, s *site) string {
	ctx, topic, two := kafkatest.Context(t), unique(t), "2"
	cfg := map[string]*string{"min.insync.replicas": &two}
	if _, err := s.admin(t).CreateTopic(ctx, 1, 1, cfg, topic); err != nil {
		t.Fatal(err)
	}
	_, err := s.send(t, &kgo.Record{Topic: topic})
	return code(err)
}

func appendTime(t *testing.T, s *site) string {
	topic := s.topic(t, 1, "message.timestamp.type", "LogAppendTime")
	old := time.Now().Add(-time.Hour)
	if _, err := s.send(t, &kgo.Record{Topic: topic, Timestamp: old}); err != nil {
		return code(err)
	}
	cl := s.client(t, kgo.ConsumeTopics(topic))
	r := cl.PollFetches(kafkatest.Context(t)).Records()[0]
	if time.Since(r.Timestamp) > 30*time.Minute {
		return clientsClock
	}
	return brokersClock
}

func transaction(t *testing.T, s *site) string {
	ctx, topic := kafkatest.Context(t), s.topic(t, 1)
	cl := s.client(t, kgo.TransactionalID(topic), kgo.DefaultProduceTopic(topic),
		kgo.UnknownTopicRetries(50))
	if err := cl.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	if err := cl.ProduceSync(ctx, kgo.StringRecord("x")).FirstErr(); err != nil {
		t.Fatal(err)
	}
	if err := cl.EndTransaction(ctx, kgo.TryCommit); err != nil {
		t.Fatal(err)
	}
	kafkatest.Eventually(t, "the marker", func() bool { return s.end(t, topic) > 1 })
	return strconv.FormatInt(s.end(t, topic), 10)
}

// afterTheLast asks for the first record after a time that no record has.
func afterTheLast(t *testing.T, s *site) string {
	topic := s.topic(t, 1)
	s.write(t, topic, 1)
	req := kmsg.NewPtrListOffsetsRequest()
	rt := kmsg.NewListOffsetsRequestTopic()
	rt.Topic = topic
	rp := kmsg.NewListOffsetsRequestTopicPartition()
	rp.Timestamp = time.Now().Add(time.Hour).UnixMilli()
	rt.Partitions = append(rt.Partitions, rp)
	req.Topics = append(req.Topics, rt)
	resp := ask[*kmsg.ListOffsetsResponse](t)(req.RequestWith(kafkatest.Context(t), s.client(t)))
	return fmt.Sprint(resp.Topics[0].Partitions[0].Offset)
}
