// Package charges is what the lecture's programs share: the records that they write, and
// how often each of them is in the log.
package charges

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-03-idempotence/lossy"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/table"
)

// New makes the record of a charge, keyed by its number.
func New(topic string, n uint) *kgo.Record {
	return &kgo.Record{
		Topic: topic,
		Key:   fmt.Appendf(nil, "charge-%d", n),
		Value: fmt.Appendf(nil, "CardCharged charge_id=charge-%d", n),
	}
}

// EnsureTopic makes the topic, unless it is there. It has one partition: sequence numbers are
// counted in each partition, and one is enough to watch them.
func EnsureTopic(ctx context.Context, topic string) error {
	cl, err := kafka.NewClient()
	if err != nil {
		return err
	}
	defer cl.Close()
	if cl.OptValue(kgo.DialTLSConfig).(*tls.Config) != nil {
		return msg.Errorf("the programs of this lecture read along between client and broker, " +
			"and TLS is there to prevent that: use a stand, or a cluster without KAFKA_TLS")
	}
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	_, err = kafka.EnsureTopic(ctx, cl, topic, 1, -1, nil)
	return err
}

// Answers prints what brokers answer, a row for each batch.
func Answers(w io.Writer) func(lossy.Answer) {
	rows := table.NewStream(w,
		"ANSWER  PRODUCER-ID          SEQUENCE  RECORDS  OFFSET  ARRIVED")
	return func(a lossy.Answer) {
		arrived := "yes"
		if a.Lost {
			arrived = "LOST"
		}
		producer, sequence := "-", "-"
		if a.ProducerID >= 0 {
			producer, sequence = fmt.Sprint(a.ProducerID), fmt.Sprint(a.Sequence)
		}
		// A terminal that is gone is no reason to lose an answer.
		_ = rows.Row(a.N, producer, sequence, a.Records, a.Offset, arrived)
	}
}

// Log is what the topic's partition 0 holds: the offsets at which each charge is, by key.
type Log map[string][]int64

// Records returns how many records there are.
func (l Log) Records() (n int) {
	for _, at := range l {
		n += len(at)
	}
	return n
}

// Duplicates returns how many of the records repeat an earlier one.
func (l Log) Duplicates() int { return l.Records() - len(l) }

// ReadLog reads the topic's partition 0 from its start to its end, within 15 s.
func ReadLog(ctx context.Context, topic string) (Log, error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	cl, err := kafka.NewClient(kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{
		topic: {0: kgo.NewOffset().AtStart()},
	}))
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	end, err := endOffset(ctx, cl, topic)
	if err != nil {
		return nil, err
	}
	log := Log{}
	for next := int64(0); next < end; {
		fetches := cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, msg.Errorf("read %s: %w", topic, err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if next = r.Offset + 1; next <= end { // else it was written since
				log[string(r.Key)] = append(log[string(r.Key)], r.Offset)
			}
		})
	}
	return log, nil
}

func endOffset(ctx context.Context, cl *kgo.Client, topic string) (int64, error) {
	ends, err := kadm.NewClient(cl).ListEndOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return 0, msg.Errorf("list the offsets of %s: %w", topic, err)
	}
	end, _ := ends.Lookup(topic, 0)
	return end.Offset, nil
}
