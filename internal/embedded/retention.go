package embedded

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// segmentsAtOnce is how many segments of a partition a pass looks at. What is left is for
// the next pass.
const segmentsAtOnce = 100

// ApplyRetention deletes the records that Kafka would delete by now: whole segments, from
// the oldest on, whose youngest record is older than retention.ms. The last segment goes as
// well. cl is a client of c.
//
// kfake's own ApplyRetention looks at single batches. There no younger record protects an
// older one, and a record with a time of long ago takes all that lie before it along.
//
// kfake has segments by size alone, so the ones by time are found here, by Kafka's rule: a
// record begins a new segment when its time is more than segment.ms after that of the
// segment's first one. (Kafka asks this of a batch, whose records lie milliseconds apart.)
// Neither retention.bytes nor segment.bytes is looked at.
func ApplyRetention(
	ctx context.Context, c *kfake.Cluster, cl *kgo.Client, now time.Time,
) error {
	logs, err := expiring(ctx, cl, now)
	if err != nil || len(logs) == 0 {
		return err
	}
	// The ends come first: what is written while we ask is no business of this pass.
	ends, err := logs.ask(ctx, cl, func(*segmented) int64 { return -1 })
	if err != nil {
		return err
	}
	young, err := logs.ask(ctx, cl, func(l *segmented) int64 { return l.cutoff })
	if err != nil {
		return err
	}
	walking := partitions{}
	for p, l := range logs {
		if keep, ok := young[p]; ok {
			l.keep = keep.offset
			walking[p] = l
		} else {
			l.upTo = ends[p].offset // nothing is young enough: Kafka rolls a new segment
		}
	}
	if err := walking.walk(ctx, cl); err != nil {
		return err
	}
	for p, l := range logs {
		if l.upTo > l.first.offset {
			// A topic that has just been deleted has no records to delete.
			if err := c.DeleteRecords(p.topic, p.n, l.upTo); err != nil &&
				err != kerr.UnknownTopicOrPartition {
				return err
			}
		}
	}
	return nil
}

type partition struct {
	topic string
	n     int32
}

// mark is a record's offset and its time in ms.
type mark struct{ offset, time int64 }

// segmented is a partition seen as a row of segments.
type segmented struct {
	cutoff  int64 // records with this time or a later one stay
	segment int64 // segment.ms
	first   mark  // the first record of the log, or of the segment that walk has come to
	keep    int64 // the offset of the first record that stays, and its segment with it
	upTo    int64 // the records below are to be deleted
}

type partitions map[partition]*segmented

// expiring returns the partitions whose first record is past its topic's retention.ms.
func expiring(ctx context.Context, cl *kgo.Client, now time.Time) (partitions, error) {
	adm := kadm.NewClient(cl)
	topics, err := adm.ListTopics(ctx)
	if err != nil || len(topics) == 0 {
		return nil, err
	}
	configs, err := adm.DescribeTopicConfigs(ctx, topics.Names()...)
	if err != nil {
		return nil, err
	}
	logs := partitions{}
	for _, cfg := range configs {
		retention, segment, ok := settings(cfg)
		if !ok {
			continue
		}
		for _, p := range topics[cfg.Name].Partitions {
			logs[partition{cfg.Name, p.Partition}] = &segmented{
				cutoff: now.UnixMilli() - retention, segment: segment,
			}
		}
	}
	firsts, err := logs.ask(ctx, cl, func(*segmented) int64 { return 0 })
	if err != nil {
		return nil, err
	}
	for p, l := range logs {
		first, ok := firsts[p]
		l.first = first
		if !ok || first.time >= l.cutoff {
			delete(logs, p)
		}
	}
	return logs, nil
}

// settings returns retention.ms and segment.ms; false where records are kept for ever.
func settings(cfg kadm.ResourceConfig) (retention, segment int64, ok bool) {
	values := map[string]string{}
	for _, c := range cfg.Configs {
		values[c.Key] = c.MaybeValue()
	}
	if !strings.Contains(values["cleanup.policy"], "delete") {
		return 0, 0, false
	}
	retention, err := strconv.ParseInt(values["retention.ms"], 10, 64)
	if err != nil || retention < 0 {
		return 0, 0, false
	}
	segment, err = strconv.ParseInt(values["segment.ms"], 10, 64)
	return retention, segment, err == nil
}

// walk finds the segments up to the one that holds keep.
func (t partitions) walk(ctx context.Context, cl *kgo.Client) error {
	for range segmentsAtOnce {
		next, err := t.ask(ctx, cl, func(l *segmented) int64 {
			if l.first.time >= math.MaxInt64-l.segment {
				return math.MaxInt64
			}
			return l.first.time + l.segment + 1
		})
		if err != nil {
			return err
		}
		for p, l := range t {
			begin, ok := next[p]
			if !ok || begin.offset > l.keep {
				delete(t, p)
				continue
			}
			l.first.time, l.upTo = begin.time, begin.offset
		}
		if len(t) == 0 {
			return nil
		}
	}
	return nil
}

// ask returns the first record of each partition whose time is that of at or later, by one
// ListOffsets. A partition without such a record is left out, and one that has been deleted
// leaves the logs as well.
func (t partitions) ask(
	ctx context.Context, cl *kgo.Client, at func(*segmented) int64,
) (map[partition]mark, error) {
	byTopic := map[string][]kmsg.ListOffsetsRequestTopicPartition{}
	for p, l := range t {
		rp := kmsg.NewListOffsetsRequestTopicPartition()
		rp.Partition, rp.Timestamp = p.n, at(l)
		byTopic[p.topic] = append(byTopic[p.topic], rp)
	}
	req := kmsg.NewPtrListOffsetsRequest()
	for topic, asked := range byTopic {
		rt := kmsg.NewListOffsetsRequestTopic()
		rt.Topic, rt.Partitions = topic, asked
		req.Topics = append(req.Topics, rt)
	}
	if len(req.Topics) == 0 {
		return nil, nil
	}
	resp, err := req.RequestWith(ctx, cl)
	if err != nil {
		return nil, err
	}
	marks := map[partition]mark{}
	for _, rt := range resp.Topics {
		for _, rp := range rt.Partitions {
			p, err := partition{rt.Topic, rp.Partition}, kerr.ErrorForCode(rp.ErrorCode)
			switch {
			case err == kerr.UnknownTopicOrPartition:
				delete(t, p)
			case err != nil:
				return nil, err
			case rp.Offset >= 0:
				marks[p] = mark{rp.Offset, rp.Timestamp}
			}
		}
	}
	return marks, nil
}
