package kafka

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// expiredTimeout bounds what Assigned asks for: a group's callback holds everybody up.
const expiredTimeout = 2 * time.Second

// Fetched takes what a poll has returned and tells of the records that were deleted before
// this consumer came to them. franz-go goes on at the log's start then, without a word.
//
// Offsets that are missing inside of a log are no loss: markers of transactions and
// compaction leave them. Only what lies before the log's start is told.
func (n *Notices) Fetched(fetches kgo.Fetches) {
	n.mu.Lock()
	defer n.mu.Unlock()
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		if len(p.Records) == 0 {
			return
		}
		at := place{p.Topic, p.Partition}
		first, last := p.Records[0].Offset, p.Records[len(p.Records)-1].Offset
		if next, ok := n.next[at]; ok {
			n.tellExpired(at, next, min(first, p.LogStartOffset))
		}
		n.next[at] = last + 1
	})
}

// overtaken tells what retention has deleted while nobody read: the partition's committed
// offset lies before its log.
func (n *Notices) overtaken(
	ctx context.Context, cl *kgo.Client, got map[string][]int32, committed kadm.OffsetResponses,
) {
	topics := slices.Sorted(maps.Keys(got))
	starts, err := kadm.NewClient(cl).ListStartOffsets(ctx, topics...)
	if err != nil {
		return // Fetched tells it with the first record that comes
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, topic := range topics {
		for _, p := range slices.Sorted(slices.Values(got[topic])) {
			o, ok := committed.Lookup(topic, p)
			start, known := starts.Lookup(topic, p)
			if !ok || o.Err != nil || o.At < 0 || !known || start.Err != nil {
				continue
			}
			n.tellExpired(place{topic, p}, o.At, start.Offset)
			n.next[place{topic, p}] = max(o.At, start.Offset)
		}
	}
}

// tellExpired says that the records from one offset up to another are gone, if any are.
func (n *Notices) tellExpired(at place, from, to int64) {
	if from >= to {
		return
	}
	msg.Fprintf(n.w, "%smissed: %d records expired unread (topic %s, partition %d, offsets %d "+
		"to %d); the log begins at %d now\n",
		n.prefix, to-from, show.Text(at.topic), at.partition, from, to-1, to)
}
