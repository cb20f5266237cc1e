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
var adminTimeout = 15 * time.Second

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

// EnsureTopic creates the topic unless it exists, and returns when every partition has a
// leader and every broker knows of it, so that the next produce or list of offsets works,
// whichever broker is asked. It may be called again and from several programs at once. cfg
// holds topic settings such as "retention.ms"; partitions and rf of -1 leave the choice to
// the cluster.
//
// An existing topic is never changed: one with another number of partitions, another
// replication factor or another value of a setting in cfg is an error that says so.
func EnsureTopic(
	whole context.Context, cl *kgo.Client, name string, partitions int32, rf int16,
	cfg map[string]string,
) (created bool, err error) {
	if err := CheckTopics(name, false); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(whole, adminTimeout)
	defer cancel()
	values := map[string]*string{}
	for k, v := range cfg {
		values[k] = &v
	}
	// region create
	resp, err := kadm.NewClient(cl).CreateTopic(ctx, partitions, rf, values, name)
	switch {
	case err == nil:
		return true, awaitLeaders(ctx, cl, name, resp.ID, partitions, rf)
	case errors.Is(err, kerr.TopicAlreadyExists): // somebody was faster: is it as wanted?
		return false, asWanted(ctx, cl, name, partitions, rf, cfg)
	}
	// endregion create
	switch {
	case unanswered(whole, ctx, err):
		return false, undecided(whole, cl, name, partitions, rf, cfg)
	case errors.Is(err, kerr.InvalidReplicationFactor):
		return false, msg.Errorf("topic %s: replication factor %d needs as many brokers, "+
			"and the cluster has fewer", name, rf)
	case errors.Is(err, kerr.InvalidTopicException):
		if other := collision(ctx, cl, name); other != "" {
			return false, msg.Errorf("topic %s cannot stand beside %s: in the names of metrics a "+
				"dot and an underscore are the same", name, show.Text(other))
		}
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

// undecided goes on when nobody has answered whether a topic is to be made. Without a majority
// of the controllers none is made, and brokers still know those that exist.
func undecided(
	ctx context.Context, cl *kgo.Client, name string, partitions int32, rf int16,
	cfg map[string]string,
) error {
	ctx, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	if _, err := describe(ctx, cl, name); err == nil {
		return asWanted(ctx, cl, name, partitions, rf, cfg)
	}
	return noAnswer(name)
}

// Within calls f, which asks for a change of the topic, and gives it 15 s. Without a majority
// of the controllers nobody answers such a request, and a frozen broker answers none.
func Within(whole context.Context, topic string, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(whole, adminTimeout)
	defer cancel()
	err := f(ctx)
	if err != nil && unanswered(whole, ctx, err) {
		return noAnswer(topic)
	}
	return err
}

// unanswered says whether err comes of ctx, a part of whole, that has run out of time, or of
// a broker that waited for the controller in vain.
func unanswered(whole, ctx context.Context, err error) bool {
	return whole.Err() == nil && (ctx.Err() != nil || errors.Is(err, kerr.RequestTimedOut))
}

func noAnswer(topic string) error {
	return msg.Errorf("topic %s: no answer for %s; it takes a controller, and so a majority of "+
		"the brokers, and none that is frozen (see `make broker-ls`)", topic, adminTimeout)
}

// collision returns a topic whose name differs in dots and underscores only: Kafka allows
// one of the two, and the embedded stand does not say which is there. Like describe it goes
// around the cache.
func collision(ctx context.Context, cl *kgo.Client, name string) string {
	plain := func(name string) string { return strings.ReplaceAll(name, ".", "_") }
	resp, err := kmsg.NewPtrMetadataRequest().RequestWith(ctx, cl) // of all topics
	if err != nil {
		return "" // the broker's own words must do
	}
	for _, t := range resp.Topics {
		if t.Topic != nil && *t.Topic != name && plain(*t.Topic) == plain(name) {
			return *t.Topic
		}
	}
	return ""
}

// asWanted returns when an existing topic can be used, or an error that says what is
// other than wanted.
func asWanted(
	ctx context.Context, cl *kgo.Client, name string, partitions int32, rf int16,
	cfg map[string]string,
) error {
	if err := awaitLeaders(ctx, cl, name, kadm.TopicID{}, partitions, rf); err != nil {
		return err
	}
	return sameSettings(ctx, kadm.NewClient(cl), name, cfg)
}

// awaitLeaders returns when every broker knows a leader of each partition of the topic, or
// with an error when the topic is not as wanted. With an id it waits for that topic: a broker
// that is behind may still tell of an older one of the same name.
func awaitLeaders(
	ctx context.Context, cl *kgo.Client, name string, id kadm.TopicID, partitions int32, rf int16,
) error {
	err := everywhere(ctx, cl, name, func(t kmsg.MetadataResponseTopic) (bool, error) {
		if id != (kadm.TopicID{}) && t.TopicID != id {
			return false, nil
		}
		if have := int32(len(t.Partitions)); partitions > 0 && have != partitions {
			return false, differs(name, "partitions", fmt.Sprint(have), fmt.Sprint(partitions))
		}
		for _, p := range t.Partitions {
			if n := int16(len(p.Replicas)); rf > 0 && n != rf {
				return false, differs(name, "replication factor", fmt.Sprint(n), fmt.Sprint(rf))
			}
		}
		return led(t), nil
	})
	if ctx.Err() != nil {
		return msg.Errorf("topic %s: its partitions have no leaders yet: %w", name,
			context.Cause(ctx))
	}
	return err
}

// GrowTopic gives an existing topic more partitions and returns when every broker knows a
// leader of each. It may be called again; a topic never gets fewer.
func GrowTopic(
	whole context.Context, cl *kgo.Client, name string, partitions int32,
) (grown bool, err error) {
	if err := CheckTopics(name, false); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(whole, adminTimeout)
	defer cancel()
	t, err := describe(ctx, cl, name)
	if err != nil {
		if unanswered(whole, ctx, err) {
			return false, noAnswer(name)
		}
		return false, msg.Errorf("topic %s: %w", name, err)
	}
	if have := len(t.Partitions); have > int(partitions) {
		return false, msg.Errorf("topic %s has %d partitions and cannot get down to %d: make "+
			"another topic and copy the records", name, have, partitions)
	} else if have == int(partitions) {
		return false, nil
	}
	resps, err := kadm.NewClient(cl).UpdatePartitions(ctx, int(partitions), name)
	if err == nil {
		err = resps.Error()
	}
	if err != nil {
		if unanswered(whole, ctx, err) {
			return false, noAnswer(name)
		}
		if said := resps[name].ErrMessage; said != "" { // says more than the code's own text
			return false, msg.Errorf("topic %s: %w: %s", name, err, show.Text(said))
		}
		return false, msg.Errorf("topic %s: %w", name, err)
	}
	err = everywhere(ctx, cl, name, func(t kmsg.MetadataResponseTopic) (bool, error) {
		return len(t.Partitions) >= int(partitions) && led(t), nil
	})
	if ctx.Err() != nil {
		return true, msg.Errorf("topic %s: its partitions have no leaders yet: %w", name,
			context.Cause(ctx))
	}
	return true, err
}

func differs(name, what, have, want string) error {
	return msg.Errorf("topic %s exists with another setting (%s: %s, wanted %s): "+
		"ask for that one, or delete the topic first (course topic delete %s)",
		name, what, have, want, name)
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
