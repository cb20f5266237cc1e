package differences

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// Questions about the cluster and what it offers.

func advertised(t *testing.T, s *site) string {
	brokers := ask[kadm.BrokerDetails](t)(s.admin(t).ListBrokers(kafkatest.Context(t)))
	var list []string
	for _, b := range brokers {
		host := net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))
		list = append(list, strings.ReplaceAll(host, strconv.Itoa(s.port+int(b.NodeID)), "PORT"))
	}
	slices.Sort(list)
	return fmt.Sprintf("%d, %s", len(list), strings.Join(slices.Compact(list), " "))
}

// Each broker is asked often: one that picks at random picks another one soon.
func controller(t *testing.T, s *site) string {
	cl, ids := s.client(t), map[int32]bool{}
	for i := range 60 {
		raw := ask[kmsg.Response](t)(cl.Broker(i%3).Request(kafkatest.Context(t),
			kmsg.NewPtrMetadataRequest()))
		ids[raw.(*kmsg.MetadataResponse).ControllerID] = true
	}
	if len(ids) == 1 {
		return oneBroker
	}
	return anyBroker
}

func versions(t *testing.T, s *site) *kmsg.ApiVersionsResponse {
	t.Helper()
	req := kmsg.NewPtrApiVersionsRequest()
	req.ClientSoftwareName, req.ClientSoftwareVersion = "test", "1"
	return ask[*kmsg.ApiVersionsResponse](t)(req.RequestWith(kafkatest.Context(t), s.client(t)))
}

// offered tells whether requests of a kind are.
func offered(req kmsg.Request) question {
	return func(t *testing.T, s *site) string {
		for _, k := range versions(t, s).ApiKeys {
			if k.ApiKey == req.Key() {
				return yes
			}
		}
		return no
	}
}

// kraftVersion is 0 where the voters stand in the settings: then it is not in the list.
func kraftVersion(t *testing.T, s *site) string {
	for _, f := range versions(t, s).FinalizedFeatures {
		if f.Name == "kraft.version" {
			return strconv.Itoa(int(f.MaxVersionLevel))
		}
	}
	return "0"
}

func offsetsTopic(t *testing.T, s *site) string {
	topics := ask[kadm.TopicDetails](t)(s.admin(t).ListTopicsWithInternal(kafkatest.Context(t)))
	if !topics.Has("__consumer_offsets") {
		return no
	}
	return yes
}

func acls(t *testing.T, s *site) string {
	b := kadm.NewACLs().AnyResource().Allow().AllowHosts().Operations(kadm.OpAny).
		ResourcePatternType(kadm.ACLPatternAny)
	results, err := s.admin(t).DescribeACLs(kafkatest.Context(t), b)
	if err != nil {
		return code(err)
	}
	for _, r := range results {
		if r.Err != nil {
			return code(r.Err)
		}
	}
	return accepted
}

// Topics.

// create tries to make a topic.
func create(rf int16, cfg ...string) question {
	return func(t *testing.T, s *site) string {
		settings := map[string]*string{}
		for i := 0; i < len(cfg); i += 2 {
			settings[cfg[i]] = &cfg[i+1]
		}
		_, err := s.admin(t).CreateTopic(kafkatest.Context(t), 1, rf, settings, unique(t))
		return code(err)
	}
}

// kafkaSettings are the settings of a topic by name.
var kafkaSettings = []string{
	"cleanup.policy", "compression.gzip.level", "compression.lz4.level", "compression.type",
	"compression.zstd.level", "delete.retention.ms", "errors.deadletterqueue.group.enable",
	"file.delete.delay.ms", "flush.messages", "flush.ms",
	"follower.replication.throttled.replicas", "index.interval.bytes",
	"leader.replication.throttled.replicas", "local.retention.bytes", "local.retention.ms",
	"max.compaction.lag.ms", "max.decompressed.message.bytes", "max.message.bytes",
	"message.timestamp.after.max.ms", "message.timestamp.before.max.ms", "message.timestamp.type",
	"min.cleanable.dirty.ratio", "min.compaction.lag.ms", "min.insync.replicas", "preallocate",
	"remote.copy.lag.bytes", "remote.copy.lag.ms", "remote.log.copy.disable",
	"remote.log.delete.on.disable", "remote.storage.enable", "retention.bytes", "retention.ms",
	"segment.bytes", "segment.index.bytes", "segment.jitter.ms", "segment.ms",
	"unclean.leader.election.enable",
}

// refusedSettings tries values for each setting that Kafka knows, without making topics. The
// answer is how many are refused, and a sum over which.
func refusedSettings(t *testing.T, s *site) string {
	adm := s.admin(t)
	var pairs [][2]string
	for _, setting := range kafkaSettings {
		for _, value := range []string{
			"", "abc", "-131073", "-3", "-2", "-1", "0", "0.5", "1", "3", "4", "9", "10", "17",
			"22", "23", "1048575", "1048576", "2147483639", "2147483640", "2147483647",
			"2147483648", "9223372036854775807", "9223372036854775808", "1e3", " 1 ", "+1",
			"true", "TRUE", "yes", "delete", "compact", "compact,delete", "delete, compact",
			"none", "gzip", "GZIP", "producer", "CreateTime", "*", "0:1", "0:1,1:2", "0:1,x",
		} {
			pairs = append(pairs, [2]string{setting, value})
		}
	}
	var wait sync.WaitGroup
	codes := make([]string, len(pairs))
	slots := make(chan struct{}, 16)
	for i, pair := range pairs {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			cfg := map[string]*string{pair[0]: &pair[1]}
			got, err := adm.ValidateCreateTopics(kafkatest.Context(t), 1, 3, cfg, unique(t))
			codes[i] = code(err)
			for _, topic := range got {
				codes[i] = code(topic.Err)
			}
		})
	}
	wait.Wait()
	sum, refused := crc32.NewIEEE(), 0
	for i, pair := range pairs {
		if codes[i] != accepted {
			refused++
			fmt.Fprintln(sum, pair, codes[i])
		}
	}
	return fmt.Sprintf("%d, sum %d", refused, sum.Sum32())
}

// byDefault makes a topic without saying how many partitions and replicas.
func byDefault(t *testing.T, s *site) string {
	ctx, adm, name := kafkatest.Context(t), s.admin(t), unique(t)
	if _, err := adm.CreateTopic(ctx, -1, -1, nil, name); err != nil {
		t.Fatal(err)
	}
	var made kadm.TopicDetail
	kafkatest.Eventually(t, "the topic", func() bool {
		made = ask[kadm.TopicDetails](t)(adm.ListTopics(ctx, name))[name]
		return made.Err == nil && len(made.Partitions) > 0
	})
	return fmt.Sprintf("%d x %d", len(made.Partitions), made.Partitions.NumReplicas())
}

func collidingNames(t *testing.T, s *site) string {
	ctx, adm := kafkatest.Context(t), s.admin(t)
	name := s.topic(t, 1)
	_, err := adm.CreateTopic(ctx, 1, 3, nil, strings.ReplaceAll(name, ".", "_"))
	return code(err)
}

func settings(t *testing.T, s *site) string {
	return strconv.Itoa(len(s.configs(t, s.topic(t, 1))))
}

// configs returns the settings of a topic. A broker may not have heard of it yet.
func (s *site) configs(t *testing.T, topic string) []kadm.Config {
	t.Helper()
	var list []kadm.Config
	adm, ctx := s.admin(t), kafkatest.Context(t)
	kafkatest.Eventually(t, "the settings of the topic", func() bool {
		all := ask[kadm.ResourceConfigs](t)(adm.DescribeTopicConfigs(ctx, topic))
		list = all[0].Configs
		return all[0].Err == nil
	})
	return list
}

// copies counts the files of the stand that hold a record.
func copies(t *testing.T, s *site) string {
	topic := s.topic(t, 1)
	value := []byte("a value that stands nowhere else: " + topic)
	_, err := s.send(t, &kgo.Record{Topic: topic, Value: value},
		kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		t.Fatal(err)
	}
	var n int
	err = filepath.WalkDir(filepath.Join(s.home, "data"),
		func(path string, d fs.DirEntry, err error) error {
			// Kafka's indexes are large and hold no records.
			if err != nil || d.IsDir() || strings.HasSuffix(path, "index") {
				return ignoreGone(err)
			}
			content, err := os.ReadFile(path)
			n += bytes.Count(content, value)
			return ignoreGone(err)
		})
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(n)
}

// ignoreGone lets a file disappear while others are looked at.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func idAfterRecreation(t *testing.T, s *site) string {
	ctx, topic := kafkatest.Context(t), s.topic(t, 1)
	adm := s.admin(t)
	id := func() kadm.TopicID { // a client remembers the id for a while: another one asks
		return ask[kadm.TopicDetails](t)(s.admin(t).ListTopics(ctx, topic))[topic].ID
	}
	first := id()
	if _, err := adm.DeleteTopic(ctx, topic); err != nil {
		t.Fatal(err)
	}
	kafkatest.Eventually(t, "the new topic", func() bool {
		_, err := adm.CreateTopic(ctx, 1, 3, nil, topic)
		return err == nil
	})
	kafkatest.Eventually(t, "another id", func() bool {
		now := id()
		return now != first && now != (kadm.TopicID{})
	})
	return another
}

// quorum asks who leads the controllers.
func quorum(t *testing.T, s *site) string {
	if offered(kmsg.NewPtrDescribeQuorumRequest())(t, s) == no {
		return no
	}
	req := kmsg.NewPtrDescribeQuorumRequest()
	rt := kmsg.NewDescribeQuorumRequestTopic()
	rt.Topic = "__cluster_metadata"
	rt.Partitions = append(rt.Partitions, kmsg.NewDescribeQuorumRequestTopicPartition())
	req.Topics = append(req.Topics, rt)
	resp := ask[*kmsg.DescribeQuorumResponse](t)(req.RequestWith(kafkatest.Context(t), s.client(t)))
	p := resp.Topics[0].Partitions[0]
	if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
		return code(err)
	}
	if len(p.CurrentVoters) != 3 || p.LeaderID < 0 {
		return fmt.Sprintf("leader %d of %d", p.LeaderID, len(p.CurrentVoters))
	}
	return yes
}
