package kafka

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// describe asks a broker about a topic: the given one, or any if a client is given. It goes
// around the client's metadata cache, which may be older than the topic.
func describe(
	ctx context.Context, cl kmsg.Requestor, name string,
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

// led says whether each partition has a leader.
func led(t kmsg.MetadataResponseTopic) bool {
	for _, p := range t.Partitions {
		if p.Leader < 0 || p.ErrorCode != 0 {
			return false
		}
	}
	return true
}

// describeTimeout is how long everywhere waits for one broker's answer.
const describeTimeout = 3 * time.Second

// everywhere asks the brokers for the topic, one after another and each until it is ready.
// They learn of a change at different times, and a client asks any of them. One that does
// not answer is left out, if another one does.
func everywhere(
	ctx context.Context, cl *kgo.Client, name string,
	ready func(kmsg.MetadataResponseTopic) (bool, error),
) error {
	brokers, err := kadm.NewClient(cl).ListBrokers(ctx)
	if err != nil {
		return msg.Errorf("topic %s: %w", name, err)
	}
	var answered bool
	var silent error
	for _, broker := range brokers {
		for is := false; !is; {
			one, cancel := context.WithTimeout(ctx, describeTimeout)
			t, err := describe(one, cl.Broker(int(broker.NodeID)), name)
			cancel()
			code := (*kerr.Error)(nil)
			switch {
			case err == nil && len(t.Partitions) > 0:
				if is, err = ready(t); err != nil {
					return err
				}
				answered = true
			case err == nil, errors.Is(err, kerr.UnknownTopicOrPartition),
				errors.Is(err, kerr.LeaderNotAvailable): // not yet
			case errors.As(err, &code):
				return msg.Errorf("topic %s: %w", name, err)
			default:
				is, silent = true, err
			}
			if is {
				continue
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(leaderPoll):
			}
		}
	}
	if !answered && silent != nil {
		return msg.Errorf("topic %s: %w", name, silent)
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
