package embedded

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// rule says what Kafka dislikes about a setting's value; "" if nothing. The sentences are
// those that Kafka sends, in English whatever language a client speaks.
type rule func(value string) string

// topicSettings are the settings of a topic that Apache Kafka 4.4 knows, with its types and
// ranges. kfake heeds a few of them, and would take any name with any value: a misspelling
// would go unnoticed until the program meets a real cluster.
var topicSettings = map[string]rule{
	"cleanup.policy":                          listOf("compact", "delete"),
	"compression.gzip.level":                  gzipLevel,
	"compression.lz4.level":                   integer(32, 1, 17),
	"compression.type":                        oneOf(codecs...),
	"compression.zstd.level":                  integer(32, -131072, 22),
	"delete.retention.ms":                     integer(64, 0, math.MaxInt64),
	"errors.deadletterqueue.group.enable":     boolean,
	"file.delete.delay.ms":                    integer(64, 0, math.MaxInt64),
	"flush.messages":                          integer(64, 1, math.MaxInt64),
	"flush.ms":                                integer(64, 0, math.MaxInt64),
	"follower.replication.throttled.replicas": throttled,
	"index.interval.bytes":                    integer(32, 0, math.MaxInt32),
	"leader.replication.throttled.replicas":   throttled,
	"local.retention.bytes":                   integer(64, -2, math.MaxInt64),
	"local.retention.ms":                      integer(64, -2, math.MaxInt64),
	"max.compaction.lag.ms":                   integer(64, 1, math.MaxInt64),
	"max.decompressed.message.bytes":          integer(32, 1, math.MaxInt32-8),
	"max.message.bytes":                       integer(32, 0, math.MaxInt32),
	"message.timestamp.after.max.ms":          integer(64, 0, math.MaxInt64),
	"message.timestamp.before.max.ms":         integer(64, 0, math.MaxInt64),
	"message.timestamp.type":                  oneOf("CreateTime", "LogAppendTime"),
	"min.cleanable.dirty.ratio":               ratio,
	"min.compaction.lag.ms":                   integer(64, 0, math.MaxInt64),
	"min.insync.replicas":                     integer(32, 1, math.MaxInt32),
	"preallocate":                             boolean,
	"remote.copy.lag.bytes":                   integer(64, -1, math.MaxInt64),
	"remote.copy.lag.ms":                      integer(64, -1, math.MaxInt64),
	"remote.log.copy.disable":                 boolean,
	"remote.log.delete.on.disable":            boolean,
	"remote.storage.enable":                   remoteStorage,
	"retention.bytes":                         integer(64, math.MinInt64, math.MaxInt64),
	"retention.ms":                            integer(64, -1, math.MaxInt64),
	"segment.bytes":                           integer(32, 1<<20, math.MaxInt32),
	"segment.index.bytes":                     integer(32, 4, math.MaxInt32),
	"segment.jitter.ms":                       integer(64, 0, math.MaxInt64),
	"segment.ms":                              integer(64, 1, math.MaxInt64),
	"unclean.leader.election.enable":          boolean,
	// kfake's own, not Kafka's: franz-go's tests make internal topics by it.
	"kfake.is_internal": boolean,
}

var codecs = []string{"uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"}

func integer(bits int, low, high int64) rule {
	typ := map[int]string{32: "INT", 64: "LONG"}[bits]
	return func(value string) string {
		n, err := strconv.ParseInt(value, 10, bits)
		switch {
		case err != nil:
			return "Not a number of type " + typ
		case n < low:
			return fmt.Sprintf("Value must be at least %d", low)
		case n > high:
			return fmt.Sprintf("Value must be no more than %d", high)
		}
		return ""
	}
}

func gzipLevel(value string) string {
	n, err := strconv.ParseInt(value, 10, 32)
	switch {
	case err != nil:
		return "Not a number of type INT"
	case n != -1 && (n < 1 || n > 9):
		return "Value must be between 1 and 9 or equal to -1"
	}
	return ""
}

func ratio(value string) string {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		return "Not a number of type DOUBLE"
	case n < 0:
		return "Value must be at least 0"
	case n > 1:
		return "Value must be no more than 1"
	}
	return ""
}

func boolean(value string) string {
	if strings.EqualFold(value, "true") || strings.EqualFold(value, "false") {
		return ""
	}
	return "Expected value to be either true or false"
}

// remoteStorage is for brokers that have somewhere else to put old segments.
func remoteStorage(value string) string {
	if strings.EqualFold(value, "true") {
		return "Tiered Storage functionality is disabled in the broker. Topic cannot be " +
			"configured with remote log storage."
	}
	return boolean(value)
}

func oneOf(words ...string) rule {
	return func(value string) string {
		if slices.Contains(words, value) {
			return ""
		}
		return "String must be one of: " + strings.Join(words, ", ")
	}
}

func listOf(words ...string) rule {
	return func(value string) string {
		for word := range strings.SplitSeq(value, ",") {
			if value != "" && !slices.Contains(words, strings.TrimSpace(word)) {
				return "String must be one of: " + strings.Join(words, ", ")
			}
		}
		return ""
	}
}

var replicas = regexp.MustCompile(`^(|\*|[0-9]+:[0-9]+(\s*,\s*[0-9]+:[0-9]+)*)$`)

func throttled(value string) string {
	if replicas.MatchString(value) {
		return ""
	}
	return "Must be the literal '*' or a list of replicas in the following format: " +
		"[partitionId]:[brokerId],[partitionId]:[brokerId],..."
}

// badSetting says in Kafka's words what is wrong with a setting; "" if nothing.
func badSetting(name string, value *string) string {
	allowed, ok := topicSettings[name]
	switch {
	case !ok:
		return "Unknown topic config name: " + name
	case value == nil:
		return "Null value not supported for topic configs: " + name
	}
	if reason := allowed(strings.TrimSpace(*value)); reason != "" {
		return fmt.Sprintf("Invalid value %s for configuration %s: %s", *value, name, reason)
	}
	return ""
}

// refuseSettings makes the cluster refuse topic settings that Kafka refuses. A request with
// one of them is refused as a whole: there is no way to leave a part of it to kfake.
func refuseSettings(c *kfake.Cluster) {
	c.ControlKey(keyCreateTopics, func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return refuseNew(c, r.(*kmsg.CreateTopicsRequest))
	})
	c.ControlKey(keyAlterConfigs, func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return refuseAll(r.(*kmsg.AlterConfigsRequest))
	})
	c.ControlKey(keyIncrementalAlterConfigs, func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return refuseSome(r.(*kmsg.IncrementalAlterConfigsRequest))
	})
}

// refuseNew answers a request for new topics. That one is there already weighs more than its
// settings.
func refuseNew(c *kfake.Cluster, req *kmsg.CreateTopicsRequest) (kmsg.Response, error, bool) {
	bad := map[string]string{}
	for _, t := range req.Topics {
		for _, s := range t.Configs {
			if c.TopicInfo(t.Topic) == nil {
				note(bad, kmsg.ConfigResourceTypeTopic, t.Topic, s.Name, s.Value)
			}
		}
	}
	resp := req.ResponseKind().(*kmsg.CreateTopicsResponse)
	for _, t := range req.Topics {
		rt := kmsg.NewCreateTopicsResponseTopic()
		rt.Topic, rt.ErrorCode = t.Topic, kerr.InvalidConfig.Code
		rt.ErrorMessage = why(bad, t.Topic)
		resp.Topics = append(resp.Topics, rt)
	}
	return resp, nil, len(bad) > 0
}

// refuseAll answers a request that sets all settings of topics.
func refuseAll(req *kmsg.AlterConfigsRequest) (kmsg.Response, error, bool) {
	bad := map[string]string{}
	resp := req.ResponseKind().(*kmsg.AlterConfigsResponse)
	for _, r := range req.Resources {
		for _, s := range r.Configs {
			note(bad, r.ResourceType, r.ResourceName, s.Name, s.Value)
		}
	}
	for _, r := range req.Resources {
		rr := kmsg.NewAlterConfigsResponseResource()
		rr.ResourceType, rr.ResourceName = r.ResourceType, r.ResourceName
		rr.ErrorCode, rr.ErrorMessage = kerr.InvalidConfig.Code, why(bad, r.ResourceName)
		resp.Resources = append(resp.Resources, rr)
	}
	return resp, nil, len(bad) > 0
}

// refuseSome answers a request that changes some settings of topics.
func refuseSome(req *kmsg.IncrementalAlterConfigsRequest) (kmsg.Response, error, bool) {
	bad := map[string]string{}
	resp := req.ResponseKind().(*kmsg.IncrementalAlterConfigsResponse)
	for _, r := range req.Resources {
		for _, s := range r.Configs {
			if s.Op == kmsg.IncrementalAlterConfigOpSet {
				note(bad, r.ResourceType, r.ResourceName, s.Name, s.Value)
			}
		}
	}
	for _, r := range req.Resources {
		rr := kmsg.NewIncrementalAlterConfigsResponseResource()
		rr.ResourceType, rr.ResourceName = r.ResourceType, r.ResourceName
		rr.ErrorCode, rr.ErrorMessage = kerr.InvalidConfig.Code, why(bad, r.ResourceName)
		resp.Resources = append(resp.Resources, rr)
	}
	return resp, nil, len(bad) > 0
}

// note notes what is wrong with a new setting of a topic.
func note(bad map[string]string, kind kmsg.ConfigResourceType, of, name string, value *string) {
	if kind != kmsg.ConfigResourceTypeTopic {
		return
	}
	if text := badSetting(name, value); text != "" {
		bad[of] = text
	}
}

// why says why a thing is refused: for itself, or for another one of the same request.
func why(bad map[string]string, name string) *string {
	text := bad[name]
	if text == "" && len(bad) > 0 {
		other := slices.Min(slices.Collect(maps.Keys(bad)))
		text = fmt.Sprintf("Refused together with %s: %s", other, bad[other])
	}
	return &text
}
