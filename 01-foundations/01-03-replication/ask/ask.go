// Package ask asks each broker of a cluster by itself about a topic, and tells which of
// them do not answer.
package ask

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafka"
	"brew.example/internal/msg"
)

// How long a broker may take to answer. One that was silent at the last look gets less
// time, so that it does not hold up the looks.
const (
	patience = 2 * time.Second
	doubt    = 300 * time.Millisecond
)

// Brokers are those at the addresses that the client starts from: on a stand, all.
type Brokers struct {
	list []*broker
	// teller is the one that is believed, until it falls silent. Brokers learn of a change
	// one after the other: whoever believes now this one and now that one sees things twice.
	teller int
}

type broker struct {
	addr, name string // the name is the address, until an answer tells the number
	client     *kgo.Broker
	answer     *kmsg.MetadataResponse // nil if there was none
	silent     bool
}

// New returns the brokers at the client's seed addresses.
func New(cl *kgo.Client) *Brokers {
	b := &Brokers{}
	addrs, _ := cl.OptValue(kgo.SeedBrokers).([]string)
	for i, seed := range cl.SeedBrokers() {
		b.list = append(b.list, &broker{addr: addrs[i], name: addrs[i], client: seed})
	}
	return b
}

// Topic asks all brokers at once and returns what the cluster says about the topic, its
// partitions in order, and the names of the brokers that have fallen silent since the last
// call, or answer again.
func (b *Brokers) Topic(ctx context.Context, name string) (
	topic kmsg.MetadataResponseTopic, fell, back []string, err error,
) {
	var asking sync.WaitGroup
	for _, one := range b.list {
		asking.Go(func() { one.ask(ctx, name) })
	}
	asking.Wait()
	if ctx.Err() != nil {
		return topic, nil, nil, context.Cause(ctx) // says nothing about the brokers
	}
	answers := func(one *broker) bool { return one.answer != nil }
	if !answers(b.list[b.teller]) {
		b.teller = max(0, slices.IndexFunc(b.list, answers))
	}
	told := b.list[b.teller].answer
	b.learn(told)
	for _, one := range b.list {
		switch {
		case one.silent && answers(one):
			back = append(back, one.name)
		case !one.silent && !answers(one):
			fell = append(fell, one.name)
		}
		one.silent = !answers(one)
	}
	if told == nil {
		return topic, fell, back, msg.Errorf("no broker answers")
	}
	topic = told.Topics[0]
	if err := kerr.ErrorForCode(topic.ErrorCode); err != nil {
		return topic, fell, back, TopicError(name, err)
	}
	slices.SortFunc(topic.Partitions, func(a, b kmsg.MetadataResponseTopicPartition) int {
		return int(a.Partition - b.Partition)
	})
	return topic, fell, back, nil
}

// TopicError says what is wrong with a topic, and the way out if it is missing.
func TopicError(name string, err error) error {
	if errors.Is(err, kerr.UnknownTopicOrPartition) {
		return msg.Errorf("topic %s does not exist: `make topic-create` makes it", name)
	}
	return msg.Errorf("topic %s: %w", name, err)
}

// region ask
// ask asks this very broker. Left to itself, the client may choose the frozen one, and
// kadm answers from a memory that may be seconds old.
func (b *broker) ask(ctx context.Context, name string) {
	limit := patience
	if b.silent {
		limit = doubt
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	topic := kmsg.NewMetadataRequestTopic()
	topic.Topic = kmsg.StringPtr(name)
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = append(req.Topics, topic)
	b.answer = nil
	if resp, err := b.client.Request(ctx, req); err == nil {
		b.answer, _ = resp.(*kmsg.MetadataResponse)
	}
}

// endregion ask

// Ends returns the end offset of each partition, its high watermark. Each leader is asked
// by itself, so that a dead one delays no other; a partition whose leader does not answer is
// left out.
func Ends(ctx context.Context, cl *kgo.Client, topic kmsg.MetadataResponseTopic) map[int32]int64 {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ends := map[int32]int64{}
	var mu sync.Mutex
	var asking sync.WaitGroup
	for _, p := range topic.Partitions {
		asking.Go(func() {
			if end, ok := endOf(ctx, cl.Broker(int(p.Leader)), *topic.Topic, p.Partition); ok {
				mu.Lock()
				defer mu.Unlock()
				ends[p.Partition] = end
			}
		})
	}
	asking.Wait()
	return ends
}

func endOf(ctx context.Context, leader *kgo.Broker, topic string, partition int32) (int64, bool) {
	rp := kmsg.NewListOffsetsRequestTopicPartition()
	rp.Partition, rp.Timestamp = partition, -1 // the end
	rt := kmsg.NewListOffsetsRequestTopic()
	rt.Topic, rt.Partitions = topic, append(rt.Partitions, rp)
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID, req.Topics = -1, append(req.Topics, rt)
	raw, err := leader.Request(ctx, req)
	if err != nil {
		return 0, false
	}
	resp, ok := raw.(*kmsg.ListOffsetsResponse)
	if !ok || len(resp.Topics) != 1 || len(resp.Topics[0].Partitions) != 1 {
		return 0, false
	}
	end := resp.Topics[0].Partitions[0]
	return end.Offset, end.ErrorCode == 0
}

// learn takes the brokers' numbers from an answer.
func (b *Brokers) learn(told *kmsg.MetadataResponse) {
	if told == nil {
		return
	}
	for _, node := range told.Brokers {
		addr := net.JoinHostPort(node.Host, strconv.Itoa(int(node.Port)))
		for _, one := range b.list {
			if one.addr == addr {
				one.name = fmt.Sprint(node.NodeID)
			}
		}
	}
}

// Embedded returns an error that says what the embedded stand cannot show, or nil when
// the programs use another cluster.
func Embedded() error {
	if !kafka.OnEmbeddedStand() {
		return nil
	}
	return msg.Errorf("the embedded stand is one process and copies no record: its ISR is " +
		"always full and its leaders stay; a real Kafka: `make down`, then " +
		"`COURSE_STAND=java make up`")
}
