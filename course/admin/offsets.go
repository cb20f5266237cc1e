package admin

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Timestamps that ListOffsets gives a meaning of their own.
const (
	atStart = -2
	atEnd   = -1
)

// listTimeout is what a broker gets to look an offset up, remote logs included. The 30 s that
// are usual would be all the time that a command has.
const listTimeout = 5 * time.Second

// listed is an offset of a partition, or why it could not be had.
type listed struct {
	offset int64
	err    error
}

// span is the part of a partition that can be read, from start up to but without end.
type span struct {
	start, end int64
	epoch      int32 // of the leader
	err        error
}

// errMissing stands for a partition that a broker left out of its answer.
var errMissing = errors.New("the broker's answer does not mention it")

// topic returns what the cluster knows about one topic, from a broker and not from the
// client's cache.
func (c *Client) topic(ctx context.Context, name string) (kadm.TopicDetail, error) {
	found, err := c.adm.ListTopicsWithInternal(ctx, name)
	if err != nil {
		return kadm.TopicDetail{}, err
	}
	t, ok := found[name]
	if !ok {
		return kadm.TopicDetail{}, kerr.UnknownTopicOrPartition
	}
	return t, t.Err
}

// spans returns the span of each partition of t. The ends are asked for last.
func (c *Client) spans(ctx context.Context, t kadm.TopicDetail) map[int32]span {
	spans := map[int32]span{}
	var ask []int32
	for _, p := range t.Partitions.Sorted() {
		switch {
		case p.Err != nil:
			spans[p.Partition] = span{err: p.Err}
		case p.Leader < 0:
			spans[p.Partition] = span{err: kerr.LeaderNotAvailable}
		default:
			ask = append(ask, p.Partition)
		}
	}
	starts := c.listOffsets(ctx, t.Topic, ask, atStart)
	var answered []int32 // a frozen leader is not waited for twice
	for _, p := range ask {
		if starts[p].err == nil {
			answered = append(answered, p)
		}
	}
	ends := c.listOffsets(ctx, t.Topic, answered, atEnd)
	for _, p := range ask {
		spans[p] = span{
			start: starts[p].offset, end: ends[p].offset, epoch: t.Partitions[p].LeaderEpoch,
			err: cmpErr(ends[p].err, starts[p].err),
		}
	}
	return spans
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// listOffsets returns for each partition the first offset at or after the timestamp
// (milliseconds, or one of the special ones). A partition that no broker answered for
// has the reason as its error.
func (c *Client) listOffsets(
	ctx context.Context, topic string, partitions []int32, timestamp int64,
) map[int32]listed {
	if len(partitions) == 0 {
		return nil
	}
	found := map[int32]listed{}
	req := kmsg.NewPtrListOffsetsRequest()
	req.TimeoutMillis = int32(listTimeout.Milliseconds())
	rt := kmsg.NewListOffsetsRequestTopic()
	rt.Topic = topic
	for _, p := range partitions {
		found[p] = listed{err: errMissing}
		rp := kmsg.NewListOffsetsRequestTopicPartition()
		rp.Partition, rp.Timestamp = p, timestamp
		rt.Partitions = append(rt.Partitions, rp)
	}
	req.Topics = append(req.Topics, rt)
	for _, shard := range c.cl.RequestSharded(ctx, req) {
		if shard.Err != nil {
			for _, t := range shard.Req.(*kmsg.ListOffsetsRequest).Topics {
				for _, p := range t.Partitions {
					found[p.Partition] = listed{err: shard.Err}
				}
			}
			continue
		}
		for _, t := range shard.Resp.(*kmsg.ListOffsetsResponse).Topics {
			for _, p := range t.Partitions {
				found[p.Partition] = listed{p.Offset, kerr.ErrorForCode(p.ErrorCode)}
			}
		}
	}
	return found
}
