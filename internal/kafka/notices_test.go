package kafka

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// member is a consumer of the tests with the notices that it printed.
type member struct {
	cl     *kgo.Client
	stderr *kafkatest.Buffer

	mu    sync.Mutex
	owned int
}

// join starts a member of the group that polls until the test ends or leave is called.
func join(t *testing.T, addrs, group, id string, fromStart bool, opts ...kgo.Opt) *member {
	t.Helper()
	m := &member{stderr: &kafkatest.Buffer{}}
	n := NewNotices(m.stderr, id, fromStart)
	count := func(by int, changed map[string][]int32) {
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, partitions := range changed {
			m.owned += by * len(partitions)
		}
	}
	lost := func(_ context.Context, _ *kgo.Client, gone map[string][]int32) {
		n.Revoked(gone)
		count(-1, gone)
	}
	m.cl, _ = clientOf(t, vars("BOOTSTRAP", addrs), append([]kgo.Opt{
		kgo.ConsumerGroup(group), kgo.ConsumeTopics("orders"), kgo.ClientID(id),
		kgo.OnPartitionsAssigned(func(ctx context.Context, cl *kgo.Client, got map[string][]int32) {
			n.Assigned(ctx, cl, got)
			count(1, got)
		}),
		kgo.OnPartitionsRevoked(lost), kgo.OnPartitionsLost(lost),
	}, opts...)...)
	go func() {
		for !m.cl.PollFetches(context.Background()).IsClientClosed() {
		}
	}()
	return m
}

func (m *member) partitions() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.owned
}

// TestIdleMember holds that of four members on three partitions the idle one is told so
// within 10 s, with both counts, once; and once more when the counts change.
func TestIdleMember(t *testing.T) {
	t.Parallel()
	for name, balancer := range map[string]kgo.GroupBalancer{
		"cooperative": kgo.CooperativeStickyBalancer(), "range": kgo.RangeBalancer(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, addrs := start(t, kfake.SeedTopics(3, "orders"))
			began := time.Now()
			var members []*member
			for i := range 4 {
				members = append(members, join(t, addrs, "kitchen", fmt.Sprint(i), false,
					kgo.Balancers(balancer)))
			}
			said := func(text string) (n int) {
				for _, m := range members {
					n += strings.Count(m.stderr.String(), text)
				}
				return n
			}
			line := "no partitions assigned (3 partitions, 4 members)\n"
			kafkatest.Eventually(t, line, func() bool { return said(line) > 0 })
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			for i, m := range members {
				if want := fmt.Sprintf("[member=%d] %s", i, line); m.stderr.String() != "" &&
					m.stderr.String() != want {
					t.Errorf("printed %q, want %q", m.stderr, want)
				}
			}
			members = append(members,
				join(t, addrs, "kitchen", "5", false, kgo.Balancers(balancer)))
			five := "no partitions assigned (3 partitions, 5 members)\n"
			kafkatest.Eventually(t, five, func() bool { return said(five) == 2 })
			if said(line) != 1 {
				t.Errorf("%q was said %d times", line, said(line))
			}
		})
	}
}

// TestGainingMember holds that a newcomer that gets partitions in the second step of a
// cooperative rebalance is not told that it got none.
func TestGainingMember(t *testing.T) {
	t.Parallel()
	_, addrs := start(t, kfake.SeedTopics(3, "orders"))
	limit := make(chan struct{}, 5)
	for i := range 30 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			limit <- struct{}{}
			defer func() { <-limit }()
			group, fast := fmt.Sprintf("kitchen-%d", i), kgo.HeartbeatInterval(100*time.Millisecond)
			first := join(t, addrs, group, "1", false, fast)
			kafkatest.Eventually(t, "the first has all", func() bool {
				return first.partitions() == 3
			})
			second := join(t, addrs, group, "2", false, fast)
			kafkatest.Eventually(t, "both have some", func() bool {
				return second.partitions() > 0 && first.partitions()+second.partitions() == 3
			})
			first.cl.Close()
			kafkatest.Eventually(t, "the second has all", func() bool {
				return second.partitions() == 3
			})
			second.cl.Close()
			for _, m := range []*member{first, second} {
				if m.stderr.String() != "" {
					t.Errorf("printed %q", m.stderr)
				}
			}
		})
	}
}

// TestCallbacksInAnyOrder holds that Notices stand every order of callbacks (the lost one
// comes before any assignment when a join fails for good), and leave no goroutine.
func TestCallbacksInAnyOrder(t *testing.T) {
	_, addrs := start(t, kfake.SeedTopics(3, "orders"))
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	some := map[string][]int32{"orders": {0, 1}}
	for _, fromStart := range []bool{false, true} {
		var stderr kafkatest.Buffer
		n := NewNotices(&stderr, "1", fromStart)
		n.Revoked(nil)
		n.Revoked(some)
		n.Revoked(map[string][]int32{})
		n.Assigned(ctx, cl, nil)
		n.Assigned(ctx, cl, map[string][]int32{})
		n.Assigned(ctx, cl, map[string][]int32{"orders": nil})
		n.Assigned(ctx, cl, some)
		n.Assigned(ctx, cl, some)
		n.Revoked(some)
		n.Revoked(some)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 50 {
					n.Assigned(ctx, cl, some)
					n.Revoked(some)
					n.Assigned(ctx, cl, nil)
					n.Revoked(nil)
				}
			})
		}
		wg.Wait()
		if len(n.owned) != 0 {
			t.Errorf("holds %v after all was revoked", n.owned)
		}
		if stderr.String() != "" {
			t.Errorf("printed %q", &stderr)
		}
	}
	cancel()
	awaitNone(t, "kafka.(*Notices).idle")
}

// awaitNone returns when no goroutine runs the function. A test that calls it must not be
// parallel to others that do.
func awaitNone(t *testing.T, function string) {
	t.Helper()
	kafkatest.Eventually(t, "no goroutine in "+function, func() bool { return !running(function) })
}

// running says whether a goroutine is in the function.
func running(function string) bool {
	stacks := make([]byte, 4<<20)
	return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), function)
}

// TestIdleEndsWithClient holds that a member that closes while it waits to be told
// leaves nothing behind.
func TestIdleEndsWithClient(t *testing.T) {
	c, addrs := start(t, kfake.SeedTopics(1, "orders"))
	asked := c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.DescribeGroups}, Err: kerr.GroupAuthorizationFailed, Count: -1,
	})
	members := []*member{
		join(t, addrs, "kitchen", "1", false), join(t, addrs, "kitchen", "2", false),
	}
	if err := asked.Wait(kafkatest.Context(t), 3); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		m.cl.Close()
		if m.stderr.String() != "" {
			t.Errorf("printed %q", m.stderr)
		}
	}
	awaitNone(t, "kafka.(*Notices).idle")
}

// TestFromStart holds that --from-start is said to be void if and only if the user gave it
// and the group has a commit, before Assigned returns, and once.
func TestFromStart(t *testing.T) {
	t.Parallel()
	_, addrs := start(t, kfake.SeedTopics(3, "orders"))
	ctx := kafkatest.Context(t)
	for _, tt := range []struct {
		name             string
		group            string
		typed, committed bool
	}{
		{"typed, committed", "a", true, true}, {"typed, none", "b", true, false},
		{"default, committed", "c", false, true}, {"default, none", "d", false, false},
		{"escape", "\x1b[2J", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
			if tt.committed {
				offsets := kadm.Offsets{}
				offsets.Add(kadm.Offset{Topic: "orders", Partition: 1, At: 0, LeaderEpoch: -1})
				if err := kadm.NewClient(cl).CommitAllOffsets(ctx, tt.group, offsets); err != nil {
					t.Fatal(err)
				}
			}
			grouped, _ := clientOf(t, vars("BOOTSTRAP", addrs), kgo.ConsumerGroup(tt.group))
			var stderr kafkatest.Buffer
			n := NewNotices(&stderr, "7", tt.typed)
			for range 2 {
				n.Assigned(ctx, grouped, map[string][]int32{"orders": {0}})
				got := stderr.String()
				want := tt.typed && tt.committed
				if strings.Contains(got, "[member=7] group ") != want ||
					strings.Contains(got, "--from-start does nothing") != want ||
					strings.Contains(got, "make group-delete") != want ||
					strings.Count(got, "\n") > 1 || strings.Contains(got, "\x1b") {
					t.Errorf("printed %q", got)
				}
			}
		})
	}
}

func TestTopics(t *testing.T) {
	t.Parallel()
	// Topics must not make a topic by asking for it, even where the cluster would.
	c, addrs := start(t, kfake.SeedTopics(1, "orders", "menu"), kfake.AllowAutoTopicCreation())
	for _, tt := range []struct {
		name      string
		opts      []kgo.Opt
		err, said string
	}{
		{"there", []kgo.Opt{kgo.ConsumeTopics("orders", "menu")}, "", ""},
		{"one misspelt", []kgo.Opt{kgo.ConsumeTopics("orders", "ordres")},
			"topic ordres does not exist: check the spelling", ""},
		{"escape", []kgo.Opt{kgo.ConsumeTopics("a\x1b[2J")}, `topic "a\x1b[2J"`, ""},
		{"regex", []kgo.Opt{kgo.ConsumeTopics("^ord", "nothing"), kgo.ConsumeRegex()}, "", ""},
		{"regex without match", []kgo.Opt{kgo.ConsumeTopics("^rder"), kgo.ConsumeRegex()}, "",
			"[member=1] no topic matches ^rder yet: waiting for one\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cl, _ := clientOf(t, vars("BOOTSTRAP", addrs), tt.opts...)
			var stderr kafkatest.Buffer
			err := NewNotices(&stderr, "1", false).Topics(kafkatest.Context(t), cl)
			if tt.err != "" {
				oneLine(t, err, tt.err)
			} else if err != nil {
				t.Error(err)
			}
			if stderr.String() != tt.said {
				t.Errorf("printed %q, want %q", &stderr, tt.said)
			}
		})
	}
	if c.TopicInfo("ordres") != nil {
		t.Error("the misspelt topic was created")
	}
}
