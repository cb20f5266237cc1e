package main

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// This file proves what the lecture says of franz-go itself. The client here has no
// hooks of ours, and commits every 100 ms where the default is 5 s.

// ten are the committed offsets of a group that has read the ten orders.
var ten = map[int32]int64{0: 3, 1: 4, 2: 3}

func reader(t *testing.T, c *kfake.Cluster, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	return kafkatest.Client(t, c, append([]kgo.Opt{
		kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic),
		kgo.AutoCommitInterval(100 * time.Millisecond),
	}, opts...)...)
}

// Widely told: auto-commit commits what was just polled, so a crash loses it. franz-go
// commits what the polls before the last one returned.
func TestAutoCommitNeverCommitsTheBatchInHand(t *testing.T) {
	c := brew(t, 10)
	cl := reader(t, c)
	kafkatest.PreviousPolls(t, cl, kafkatest.Client(t, c), group, topic, ten)
}

// What the wide-spread tale describes has to be asked for.
func TestGreedyAutoCommitCommitsTheBatchInHand(t *testing.T) {
	c := brew(t, 10)
	kafkatest.PollTen(t, reader(t, c, kgo.GreedyAutoCommit()))
	witness := kafkatest.Client(t, c)
	kafkatest.Eventually(t, "a commit without another poll", func() bool {
		return maps.Equal(kafkatest.Committed(t, witness, group, topic), ten)
	})
}

// The default hook commits on Close, a hook of one's own does not, even an empty one.
func TestWhatTheDefaultHookWouldDo(t *testing.T) {
	for name, test := range map[string]struct {
		opts []kgo.Opt
		want map[int32]int64
	}{
		"default hook": {nil, ten},
		"empty hook": {[]kgo.Opt{kgo.OnPartitionsRevoked(
			func(context.Context, *kgo.Client, map[string][]int32) {})}, map[int32]int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			c := brew(t, 10)
			cl := reader(t, c, append(test.opts, kgo.AutoCommitInterval(time.Hour))...)
			kafkatest.PollTen(t, cl)
			kafkatest.PollNothing(t, cl) // as Ctrl+C ends a poll: what came before counts as done
			cl.Close()
			got := kafkatest.Committed(t, kafkatest.Client(t, c), group, topic)
			if !maps.Equal(got, test.want) {
				t.Errorf("committed %v, want %v", got, test.want)
			}
		})
	}
}

// A loop that does not look at its context does not block after Ctrl+C: it spins.
func TestPollOnACancelledContextReturnsAtOnce(t *testing.T) {
	c := brew(t, 0)
	cl := reader(t, c)
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	cancel()
	start := time.Now()
	for range 1000 {
		if err := cl.PollFetches(ctx).Err0(); err != context.Canceled {
			t.Fatalf("poll error %v", err)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("1000 polls took %s: they wait", took)
	}
}

func TestDefaultsThatTheLectureNames(t *testing.T) {
	c := brew(t, 0)
	cl := kafkatest.Client(t, c, kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic))
	for name, test := range map[string]struct{ got, want any }{
		"AutoCommitInterval": {cl.OptValue(kgo.AutoCommitInterval), 5 * time.Second},
		"SessionTimeout":     {cl.OptValue(kgo.SessionTimeout), 45 * time.Second},
		"HeartbeatInterval":  {cl.OptValue(kgo.HeartbeatInterval), 3 * time.Second},
		"ConsumeStartOffset": {cl.OptValue(kgo.ConsumeStartOffset), kgo.NewOffset().AtStart()},
	} {
		if test.got != test.want {
			t.Errorf("%s is %v, want %v", name, test.got, test.want)
		}
	}
	balancers, _ := cl.OptValue(kgo.Balancers).([]kgo.GroupBalancer)
	if len(balancers) != 1 || balancers[0].ProtocolName() != "cooperative-sticky" {
		t.Errorf("balancers %v", balancers)
	}
}
