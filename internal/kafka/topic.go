package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// adminTimeout bounds EnsureTopic and Notices.Topics; a healthy cluster needs a fraction
// of it. A test shortens it.
var adminTimeout = 30 * time.Second

// leaderPoll is how often EnsureTopic asks whether the new partitions have leaders.
const leaderPoll = 50 * time.Millisecond

var topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

// CheckTopics returns a usage error for a topic name that Kafka would refuse or, with
// regex, for one that is no regular expression.
func CheckTopics(topic string, regex bool) error {
	if regex {
		if _, err := regexp.Compile(topic); err != nil || topic == "" {
			return cli.Usagef("topic %q is not a regular expression", topic)
		}
		return nil
	}
	if !topicName.MatchString(topic) || topic == "." || topic == ".." {
		return cli.Usagef("topic %.260q: a name has 1 to 249 letters, digits, dots, underscores "+
			"and hyphens", topic)
	}
	return nil
}

// CheckCounts returns a usage error for partitions or a replication factor that no topic
// has. -1 leaves the choice to the cluster.
func CheckCounts(partitions int32, rf int16) error {
	if partitions == 0 || partitions < -1 {
		return cli.Usagef("%d partitions: a topic has 1 or more "+
			"(-1: as many as the cluster's default)", partitions)
	}
	if rf == 0 || rf < -1 {
		return cli.Usagef("replication factor %d: 1 or more (-1: the cluster's default)", rf)
	}
	return nil
}

// CheckConsumer returns what CheckTopics or CheckGroup has against a consumer's flags.
func CheckConsumer(topic string, regex bool, group string) error {
	return cmp.Or(CheckTopics(topic, regex), CheckGroup(group))
}

// CheckGroup returns a usage error for a group name that Kafka would refuse.
func CheckGroup(group string) error {
	if strings.TrimSpace(group) == "" || len(group) > 32767 {
		return cli.Usagef("group %.60q: a group needs a name, its offsets are kept under it", group)
	}
	return nil
}

// EnsureTopic creates the topic unless it exists, and returns when every partition
// has a leader, so that the next produce or list of offsets works. It may be called
// again and from several programs at once. cfg holds topic settings such as
// "retention.ms"; partitions and rf of -1 leave the choice to the cluster.
//
// An existing topic is never changed: one with another number of partitions, another
// replication factor or another value of a setting in cfg is an error that says so.
func EnsureTopic(
	ctx context.Context, cl *kgo.Client, name string, partitions int32, rf int16,
	cfg map[string]string,
) (created bool, err error) {
	if err := CheckTopics(name, false); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	values := map[string]*string{}
	for k, v := range cfg {
		values[k] = &v
	}
	adm := kadm.NewClient(cl)
	resp, err := adm.CreateTopic(ctx, partitions, rf, values, name)
	switch {
	case err == nil:
		return true, awaitLeaders(ctx, cl, name, partitions, rf)
	case errors.Is(err, kerr.TopicAlreadyExists):
		return false, asWanted(ctx, cl, name, partitions, rf, cfg)
	case errors.Is(err, kerr.InvalidReplicationFactor):
		return false, msg.Errorf("topic %s: replication factor %d needs as many brokers, "+
			"and the cluster has fewer", name, rf)
	case errors.Is(err, kerr.TopicAuthorizationFailed),
		errors.Is(err, kerr.ClusterAuthorizationFailed):
		// Brokers look at the right to create first, and only then for the topic.
		if _, err := describe(ctx, cl, name); err == nil {
			return false, asWanted(ctx, cl, name, partitions, rf, cfg)
		}
		return false, msg.Errorf("topic %s does not exist and this user may not create it: "+
			"ask whoever runs the cluster", name)
	}
	if resp.ErrMessage != "" { // says more than the code's own text
		return false, msg.Errorf("create topic %s: %s", name, show.Text(resp.ErrMessage))
	}
	return false, msg.Errorf("create topic %s: %w", name, err)
}

// asWanted returns when an existing topic can be used, or an error that says what is
// other than wanted.
func asWanted(
	ctx context.Context, cl *kgo.Client, name string, partitions int32, rf int16,
	cfg map[string]string,
) error {
	if err := awaitLeaders(ctx, cl, name, partitions, rf); err != nil {
		return err
	}
	return sameSettings(ctx, kadm.NewClient(cl), name, cfg)
}

// awaitLeaders returns when each partition of the topic has a leader, or with an
// error when the topic is not as wanted.
func awaitLeaders(
	ctx context.Context, cl *kgo.Client, name string, partitions int32, rf int16,
) error {
	for {
		t, err := describe(ctx, cl, name)
		if err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) &&
			!errors.Is(err, kerr.LeaderNotAvailable) {
			return msg.Errorf("topic %s: %w", name, err)
		}
		have := int32(len(t.Partitions))
		if err == nil && have > 0 {
			if partitions > 0 && have != partitions {
				return differs(name, "partitions", fmt.Sprint(have), fmt.Sprint(partitions))
			}
			leaders := 0
			for _, p := range t.Partitions {
				if n := int16(len(p.Replicas)); rf > 0 && n != rf {
					return differs(name, "replication factor", fmt.Sprint(n), fmt.Sprint(rf))
				}
				if p.Leader >= 0 && p.ErrorCode == 0 {
					leaders++
				}
			}
			if leaders == len(t.Partitions) {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return msg.Errorf("topic %s: its partitions have no leaders yet: %w", name,
				context.Cause(ctx))
		case <-time.After(leaderPoll):
		}
	}
}

func differs(name, what, have, want string) error {
	return msg.Errorf("topic %s exists with another setting (%s: %s, wanted %s): "+
		"ask for that one, or delete the topic first (course topic delete %s)",
		name, what, have, want, name)
}

// describe asks a broker about a topic. It goes around the client's metadata cache,
// which may be older than the topic.
func describe(
	ctx context.Context, cl *kgo.Client, name string,
) (kmsg.MetadataResponseTopic, error) {
	req := kmsg.NewPtrMetadataRequest()
	topic := kmsg.NewMetadataRequestTopic()
	topic.Topic = kmsg.StringPtr(name)
	req.Topics = append(req.Topics, topic)
	resp, err := req.RequestWith(ctx, cl)
	if err != nil {
		return kmsg.MetadataResponseTopic{}, err
	}
	if len(resp.Topics) != 1 {
		return kmsg.MetadataResponseTopic{}, kerr.UnknownTopicOrPartition
	}
	return resp.Topics[0], kerr.ErrorForCode(resp.Topics[0].ErrorCode)
}

func sameSettings(
	ctx context.Context, adm *kadm.Client, name string, cfg map[string]string,
) error {
	if len(cfg) == 0 {
		return nil
	}
	described, err := adm.DescribeTopicConfigs(ctx, name)
	if err != nil {
		return msg.Errorf("topic %s: %w", name, err)
	}
	rc, err := described.On(name, nil)
	if err != nil {
		return msg.Errorf("topic %s: %w", name, err)
	}
	have := map[string]string{}
	for _, c := range rc.Configs {
		have[c.Key] = c.MaybeValue()
	}
	for _, k := range slices.Sorted(maps.Keys(cfg)) {
		if have[k] != cfg[k] {
			return differs(name, k, show.Text(have[k]), cfg[k])
		}
	}
	return nil
}

// missingTopics returns those names that no topic has.
func missingTopics(ctx context.Context, cl *kgo.Client, names []string) ([]string, error) {
	var missing []string
	for _, name := range names {
		_, err := describe(ctx, cl, name)
		switch {
		case errors.Is(err, kerr.UnknownTopicOrPartition):
			missing = append(missing, name)
		case err != nil:
			return nil, msg.Errorf("topic %s: %w", show.Text(name), err)
		}
	}
	return missing, nil
}

// matchingTopics returns how many topics match one of the patterns, as ConsumeRegex
// matches: anywhere in the name, internal topics left out.
func matchingTopics(ctx context.Context, cl *kgo.Client, patterns []string) (int, error) {
	re, err := regexp.Compile("(?:" + strings.Join(patterns, ")|(?:") + ")")
	if err != nil {
		return 0, err
	}
	topics, err := kadm.NewClient(cl).ListTopics(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, name := range topics.Names() {
		if re.MatchString(name) {
			n++
		}
	}
	return n, nil
}
