// Package embedded makes the course's in-process Kafka: franz-go's kfake with the
// settings of the stand, and with answers changed where kfake's differ from Kafka's.
package embedded

import (
	"maps"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// Protocol keys, as https://kafka.apache.org/protocol names them.
const (
	keyProduce                 = 0
	keyOffsetFetch             = 9
	keyListGroups              = 16
	keyCreateTopics            = 19
	keyAlterConfigs            = 33
	keyIncrementalAlterConfigs = 44
	keyDescribeTopicPartitions = 75
)

// New starts a cluster of three brokers, numbered 0, 1, 2, on free ports of
// 127.0.0.1, in memory; opts come last, so they can change that. Topics are never
// created by themselves; one made without a partition count gets one partition.
func New(opts ...kfake.Opt) (*kfake.Cluster, error) {
	versions := kversion.Stable()
	// Java's admin client asks with this key first and fails on kfake's answer. Not
	// offered, it falls back to Metadata.
	versions.SetMaxKeyVersion(keyDescribeTopicPartitions, -1)
	// From version 5 on the answer lists the new topic's settings; kfake leaves the
	// list null and Java's admin client dies of it, with the topic created.
	versions.SetMaxKeyVersion(keyCreateTopics, 4)
	// From version 13 on a topic is an id, and kfake panics on a request with two ids that
	// it does not know: a producer to two topics that have just been deleted ends it.
	versions.SetMaxKeyVersion(keyProduce, 12)

	c, err := kfake.NewCluster(append([]kfake.Opt{
		kfake.NumBrokers(3),
		kfake.MaxVersions(versions),
		kfake.DefaultNumPartitions(1),
		kfake.BrokerConfigs(map[string]string{
			"default.replication.factor": "3",
			"min.insync.replicas":        "2",
			// When kfake compacts, it applies its own retention as well (see ApplyRetention).
			// So it waits for a year instead of an hour.
			"log.cleaner.backoff.ms": "31536000000",
		}),
	}, opts...)...)
	if err != nil {
		return nil, err
	}
	c.ControlKey(keyOffsetFetch, func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return unknownGroups(c, req.(*kmsg.OffsetFetchRequest))
	})
	c.ControlKey(keyListGroups, func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		lowerTypes(req.(*kmsg.ListGroupsRequest))
		return nil, nil, false
	})
	refuseSettings(c)
	return c, nil
}

// lowerTypes writes the types that a ListGroups asks for as kfake does. Java's admin client
// asks for "Classic" and "Consumer"; to Kafka case does not matter, and kfake finds nothing.
func lowerTypes(req *kmsg.ListGroupsRequest) {
	for i, typ := range req.TypesFilter {
		req.TypesFilter[i] = strings.ToLower(typ)
	}
}

// unknownGroups answers an OffsetFetch of groups that do not exist as Kafka does:
// offset -1 and no error. kfake says GROUP_ID_NOT_FOUND, which stops librdkafka and
// Java consumers that name a group but assign partitions by hand. A request for known
// groups alone is left to kfake.
func unknownGroups(c *kfake.Cluster, req *kmsg.OffsetFetchRequest) (kmsg.Response, error, bool) {
	resp := req.ResponseKind().(*kmsg.OffsetFetchResponse)
	if req.Version < 8 {
		if c.GroupInfo(req.Group) != nil {
			return nil, nil, false
		}
		for _, t := range req.Topics {
			rt := kmsg.NewOffsetFetchResponseTopic()
			rt.Topic = t.Topic
			for _, p := range t.Partitions {
				rp := kmsg.NewOffsetFetchResponseTopicPartition()
				rp.Partition, rp.Offset, rp.LeaderEpoch = p, -1, -1
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	}
	known := 0
	for _, g := range req.Groups {
		info := c.GroupInfo(g.Group)
		if info != nil {
			known++
		}
		resp.Groups = append(resp.Groups, groupOffsets(c, g, info))
	}
	return resp, nil, known < len(req.Groups)
}

// groupOffsets is the answer for one of several groups; info is nil for an unknown one.
func groupOffsets(
	c *kfake.Cluster, g kmsg.OffsetFetchRequestGroup, info *kfake.GroupInfo,
) kmsg.OffsetFetchResponseGroup {
	rg := kmsg.NewOffsetFetchResponseGroup()
	rg.Group = g.Group
	var commits map[string]map[int32]kfake.GroupCommit
	if info != nil {
		commits = info.Commits
	}
	topics := g.Topics
	if topics == nil { // all that are committed
		for topic, partitions := range commits {
			rt := kmsg.NewOffsetFetchRequestGroupTopic()
			rt.Topic, rt.Partitions = topic, slices.Collect(maps.Keys(partitions))
			topics = append(topics, rt)
		}
	}
	for _, t := range topics {
		rt := kmsg.NewOffsetFetchResponseGroupTopic()
		rt.Topic, rt.TopicID = t.Topic, t.TopicID
		if info := c.TopicIDInfo(t.TopicID); t.Topic == "" && info != nil {
			rt.Topic = info.Topic // from version 10 on topics are named by their ids
		} else if info := c.TopicInfo(t.Topic); info != nil {
			rt.TopicID = info.TopicID
		}
		for _, p := range t.Partitions {
			rp := kmsg.NewOffsetFetchResponseGroupTopicPartition()
			rp.Partition, rp.Offset, rp.LeaderEpoch = p, -1, -1
			if at, ok := commits[rt.Topic][p]; ok {
				rp.Offset, rp.LeaderEpoch = at.Offset, at.LeaderEpoch
				rp.Metadata = kmsg.StringPtr(at.Metadata)
			}
			rt.Partitions = append(rt.Partitions, rp)
		}
		rg.Topics = append(rg.Topics, rt)
	}
	return rg
}
