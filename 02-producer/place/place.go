// Package place makes topics whose leader is known beforehand, for experiments that stop the
// leader, or anybody else.
package place

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafka"
)

// EnsureTopic is kafka.EnsureTopic for a topic of one partition and three replicas. If it
// makes the topic, broker 0 is its first leader: the controller is told which brokers are to
// have the replicas, and the first of them is preferred. On a cluster without brokers 0, 1
// and 2 any broker may lead. A topic that exists stays as it is.
func EnsureTopic(ctx context.Context, cl *kgo.Client, topic string, cfg map[string]string) error {
	replicas := kmsg.NewCreateTopicsRequestTopicReplicaAssignment()
	replicas.Partition, replicas.Replicas = 0, []int32{0, 1, 2}
	rt := kmsg.NewCreateTopicsRequestTopic()
	rt.Topic, rt.NumPartitions, rt.ReplicationFactor = topic, -1, -1
	rt.ReplicaAssignment = append(rt.ReplicaAssignment, replicas)
	for name, value := range cfg {
		c := kmsg.NewCreateTopicsRequestTopicConfig()
		c.Name, c.Value = name, &value
		rt.Configs = append(rt.Configs, c)
	}
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Topics = append(req.Topics, rt)
	err := kafka.Within(ctx, topic, func(ctx context.Context) error {
		_, err := req.RequestWith(ctx, cl)
		return err
	})
	if err != nil {
		return err
	}
	// It is there now, or EnsureTopic says what is wrong; and it waits for the leader.
	_, err = kafka.EnsureTopic(ctx, cl, topic, 1, 3, cfg)
	return err
}
