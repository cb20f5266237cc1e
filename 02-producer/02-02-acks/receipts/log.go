// Package receipts holds the books of Brew's tills: what each one has sent, what was
// acknowledged, and what the topic's log says.
package receipts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/place"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
)

// Log is a topic of one partition, read from its start.
type Log struct {
	cl    *kgo.Client
	topic string
	next  int64 // the offset to read next
	seen  map[string]bool
}

// Open returns the log, makes the topic if there is none, and prints who leads it. Close it.
func Open(ctx context.Context, topic string, minISR uint16, stdout io.Writer) (*Log, error) {
	cl, err := kafka.NewClient(kgo.ClientID("auditor"), kgo.ConsumeTopics(topic),
		kgo.ConsumeStartOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return nil, err
	}
	if err = kafka.Ping(ctx, cl); err == nil {
		// Led by broker 0, so that it is clear whom to stop.
		err = place.EnsureTopic(ctx, cl, topic,
			map[string]string{"min.insync.replicas": fmt.Sprint(minISR)})
	}
	if err == nil {
		err = describe(ctx, cl, topic, minISR, stdout)
	}
	if err != nil {
		cl.Close()
		return nil, err
	}
	return &Log{cl: cl, topic: topic, seen: map[string]bool{}}, nil
}

// Close ends the reading.
func (l *Log) Close() { l.cl.Close() }

func describe(
	ctx context.Context, cl *kgo.Client, topic string, minISR uint16, stdout io.Writer,
) error {
	rt := kmsg.NewMetadataRequestTopic()
	rt.Topic = &topic
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = append(req.Topics, rt)
	resp, err := req.RequestWith(ctx, cl)
	if err != nil {
		return msg.Errorf("topic %s: %w", topic, err)
	}
	p := resp.Topics[0].Partitions[0] // EnsureTopic has seen that there is one
	slices.Sort(p.ISR)
	_, err = fmt.Fprintf(stdout, "topic=%s leader=%d isr=%s min.insync.replicas=%d\n", topic,
		p.Leader, show.Brokers(p.ISR...), minISR)
	return err
}

// read reads on up to the high watermark, where consumers end. The leader may hold more:
// hidden says how many records. It waits up to 30 s for a leader that answers.
func (l *Log) read(ctx context.Context) (hidden int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	high, end, err := l.ends(ctx)
	for err != nil && ctx.Err() == nil {
		runctx.Sleep(ctx, 100*time.Millisecond)
		high, end, err = l.ends(ctx)
	}
	for err == nil && l.next < high && ctx.Err() == nil {
		l.cl.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			l.seen[string(r.Key)] = true
			l.next = r.Offset + 1
		})
	}
	if err == nil && l.next < high {
		err = context.Cause(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = msg.Errorf("no answer for %s", 30*time.Second)
	}
	if err != nil {
		return 0, msg.Errorf("topic %s cannot be read to its end: %w", l.topic, err)
	}
	return end - high, nil
}

// region ends
// ends returns the high watermark, up to which consumers read, and the end of the leader's
// own log, which it tells to those who ask with replica id -2, for debugging.
func (l *Log) ends(ctx context.Context) (high, end int64, err error) {
	const consumer, debugger = -1, -2
	if high, err = l.end(ctx, consumer); err == nil {
		end, err = l.end(ctx, debugger)
	}
	return high, end, err
}

// endregion ends

func (l *Log) end(ctx context.Context, who int32) (int64, error) {
	p := kmsg.NewListOffsetsRequestTopicPartition()
	p.Timestamp = -1 // the end
	rt := kmsg.NewListOffsetsRequestTopic()
	rt.Topic, rt.Partitions = l.topic, append(rt.Partitions, p)
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID, req.Topics = who, append(req.Topics, rt)
	resp, err := req.RequestWith(ctx, l.cl)
	if err != nil {
		return 0, err
	}
	answer := resp.Topics[0].Partitions[0]
	return answer.Offset, kerr.ErrorForCode(answer.ErrorCode)
}
