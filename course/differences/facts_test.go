package differences

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// TestFacts holds what the lectures of module 01 say of Kafka, and of franz-go with it,
// against a real one.
func TestFacts(t *testing.T) {
	t.Parallel()
	s := on(t, stand.Java)
	s.weather.RLock()
	t.Run("at once", func(t *testing.T) {
		for name, fact := range map[string]func(*testing.T, *site){
			"orders and their addresses":   factAddresses,
			"missing topic":                factMissingTopic,
			"defaults of Kafka":            factDefaults,
			"commit of the previous polls": factPreviousPolls,
			"commit on Close":              factHooks,
			"deltas in callbacks":          factDeltas,
			"coordinator":                  factCoordinator,
			"first join":                   factFirstJoin,
			"group with a member":          factNonEmptyGroup,
			"Kafka's own tool":             factTool,
			"placement of replicas":        factPlacement,
			"names of topics":              factNames,
			"description of a topic":       factDescription,
			"keys of the Java client":      factJavaKeys,
			"overtaken Java consumer":      factJavaGoesToTheEnd,
			"smallest segments":            factSmallestSegments,
			"memory of producers":          factProducerMemory,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				fact(t, s)
			})
		}
	})
	s.weather.RUnlock()
	s.weather.Lock()
	defer s.weather.Unlock()
	t.Run("no answer", func(t *testing.T) { factNoAnswer(t, s) })
	t.Run("stopped broker", func(t *testing.T) { factStoppedBrokerCounts(t, s) })
}

// ten are the offsets after order-0 to order-9 in three partitions.
var ten = map[int32]int64{0: 3, 1: 4, 2: 3}

// orders writes order-0 to order-9 to a new topic, as lecture 01-05 does.
func (s *site) orders(t *testing.T) (topic string, written []*kgo.Record) {
	t.Helper()
	topic = s.topic(t, 3)
	cl := s.client(t, kgo.DefaultProduceTopic(topic), kgo.UnknownTopicRetries(50))
	for i := range 10 {
		r := &kgo.Record{Key: fmt.Appendf(nil, "order-%d", i), Value: []byte("x")}
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
		written = append(written, r)
	}
	return topic, written
}

func factAddresses(t *testing.T, s *site) {
	topic, written := s.orders(t)
	var got []string
	for _, r := range written {
		got = append(got, fmt.Sprintf("%d/%d", r.Partition, r.Offset))
	}
	want := "1/0 1/1 0/0 0/1 2/0 2/1 0/2 1/2 2/2 1/3"
	if strings.Join(got, " ") != want {
		t.Errorf("partition/offset %v, want %s", got, want)
	}
	ends := ask[kadm.ListedOffsets](t)(s.admin(t).ListEndOffsets(kafkatest.Context(t), topic))
	var total int64
	ends.Each(func(o kadm.ListedOffset) { total += o.Offset })
	if total != 10 {
		t.Errorf("TOTAL %d", total)
	}
}

// franz-go asks four times more, a second in all.
func factMissingTopic(t *testing.T, s *site) {
	// As the lectures' helper has it: how often metadata are asked for sets the pace.
	cl := s.client(t, kgo.MetadataMinAge(250*time.Millisecond))
	begin := time.Now()
	err := cl.ProduceSync(kafkatest.Context(t), &kgo.Record{Topic: unique(t)}).FirstErr()
	took := time.Since(begin)
	t.Logf("refused after %s", took.Round(time.Millisecond))
	if !errors.Is(err, kerr.UnknownTopicOrPartition) || took > 10*time.Second {
		t.Errorf("after %s: %v", took, err)
	}
}

func factDefaults(t *testing.T, s *site) {
	want := map[string]string{
		"retention.ms":                   "604800000", // a week
		"segment.ms":                     "604800000",
		"segment.bytes":                  "1073741824", // 1 GiB
		"file.delete.delay.ms":           "60000",
		"message.timestamp.after.max.ms": "3600000", // an hour
		"min.insync.replicas":            "1",
		"message.timestamp.type":         "CreateTime",
	}
	topic := s.topic(t, 1)
	for name, wanted := range want {
		_, got := s.setting(t, kmsg.ConfigResourceTypeTopic, topic, name)
		if got != wanted {
			t.Errorf("%s is %q by default, want %q", name, got, wanted)
		}
	}
	for name, wanted := range map[string]string{
		"auto.create.topics.enable": "true", "num.partitions": "1",
		"offsets.retention.minutes":       "10080", // a week
		"log.retention.check.interval.ms": "300000",
	} {
		if _, got := s.setting(t, kmsg.ConfigResourceTypeBroker, "0", name); got != wanted {
			t.Errorf("%s of the brokers is %q by default, want %q", name, got, wanted)
		}
	}
}

// setting returns the value of a setting, and what it is if nobody says otherwise.
func (s *site) setting(
	t *testing.T, kind kmsg.ConfigResourceType, of, name string,
) (value, byDefault string) {
	t.Helper()
	req := kmsg.NewPtrDescribeConfigsRequest()
	req.IncludeSynonyms = true
	rr := kmsg.NewDescribeConfigsRequestResource()
	rr.ResourceType, rr.ResourceName, rr.ConfigNames = kind, of, []string{name}
	req.Resources = append(req.Resources, rr)
	resp := ask[*kmsg.DescribeConfigsResponse](t)(
		req.RequestWith(kafkatest.Context(t), s.client(t)))
	list := resp.Resources[0].Configs
	if len(list) != 1 || list[0].Value == nil {
		t.Fatalf("%s of %q: %+v", name, of, resp.Resources)
	}
	if list[0].Source == kmsg.ConfigSourceDefaultConfig {
		return *list[0].Value, *list[0].Value
	}
	for _, synonym := range list[0].ConfigSynonyms {
		if synonym.Source == kmsg.ConfigSourceDefaultConfig && synonym.Value != nil {
			byDefault = *synonym.Value
		}
	}
	return *list[0].Value, byDefault
}

// reader is a member with franz-go's defaults, but for a commit every 100 ms instead of 5 s.
func (s *site) reader(t *testing.T, topic, group string, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	return s.client(t, append([]kgo.Opt{
		kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic),
		kgo.AutoCommitInterval(100 * time.Millisecond),
	}, opts...)...)
}

func factPreviousPolls(t *testing.T, s *site) {
	topic, _ := s.orders(t)
	group := unique(t)
	cl := s.reader(t, topic, group)
	kafkatest.PreviousPolls(t, cl, s.client(t), group, topic, ten)
}

// The default hook commits on Close, a hook of one's own does not.
func factHooks(t *testing.T, s *site) {
	topic, _ := s.orders(t)
	own := kgo.OnPartitionsRevoked(func(context.Context, *kgo.Client, map[string][]int32) {})
	for _, test := range []struct {
		name string
		opts []kgo.Opt
		want map[int32]int64
	}{{"default hook", nil, ten}, {"own hook", []kgo.Opt{own}, map[int32]int64{}}} {
		group := unique(t)
		cl := s.reader(t, topic, group, append(test.opts, kgo.AutoCommitInterval(time.Hour))...)
		kafkatest.PollTen(t, cl)
		kafkatest.PollNothing(t, cl)
		cl.Close()
		if got := kafkatest.Committed(t, s.client(t), group, topic); !maps.Equal(got, test.want) {
			t.Errorf("%s: committed %v, want %v", test.name, got, test.want)
		}
	}
}

// calls are those of the callbacks of one or more members, in their order.
type calls struct {
	mu   sync.Mutex
	list []string
}

func (c *calls) hooks(member string) []kgo.Opt {
	note := func(what string) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, _ *kgo.Client, m map[string][]int32) {
			c.mu.Lock()
			defer c.mu.Unlock()
			var all []int32
			for _, p := range m {
				all = append(all, p...)
			}
			slices.Sort(all)
			c.list = append(c.list, fmt.Sprint(member, " ", what, " ", all))
		}
	}
	return []kgo.Opt{kgo.OnPartitionsAssigned(note("assigned")),
		kgo.OnPartitionsRevoked(note("revoked")), kgo.OnPartitionsLost(note("lost"))}
}

// filled returns the calls of a member with partitions, and how many came with none.
func (c *calls) filled(member string) (list []string, empty int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.list {
		rest, ok := strings.CutPrefix(call, member+" ")
		switch {
		case !ok:
		case strings.HasSuffix(rest, " []"):
			empty++
		default:
			list = append(list, rest)
		}
	}
	return list, empty
}

func (c *calls) await(t *testing.T, member string, want ...string) {
	t.Helper()
	kafkatest.Eventually(t, fmt.Sprintf("%s: %q", member, want), func() bool {
		got, _ := c.filled(member)
		return slices.Equal(got, want)
	})
}

func factDeltas(t *testing.T, s *site) {
	topic, _ := s.orders(t)
	group, c := unique(t), &calls{}
	first := s.reader(t, topic, group, c.hooks("1")...)
	kafkatest.PollTen(t, first)
	c.await(t, "1", "assigned [0 1 2]")
	second := s.reader(t, topic, group, c.hooks("2")...)
	c.await(t, "2", "assigned [2]")
	c.await(t, "1", "assigned [0 1 2]", "revoked [2]")
	second.Close()
	c.await(t, "2", "assigned [2]", "revoked [2]")
	c.await(t, "1", "assigned [0 1 2]", "revoked [2]", "assigned [2]")
	first.Close()
	c.await(t, "1", "assigned [0 1 2]", "revoked [2]", "assigned [2]", "revoked [0 1 2]")
	_, ones := c.filled("1")
	t.Logf("calls: %q", c.list)
	// How many the second has depends on which of its two rounds brings the partition.
	if ones == 0 {
		t.Error("no call without partitions: the text says that there are some")
	}
}

// javaHash is what Java makes of a name of ASCII letters.
func javaHash(name string) int32 {
	var h int32
	for _, c := range []byte(name) {
		h = 31*h + int32(c)
	}
	return h
}

// The coordinator of a group leads the partition that keeps the group's offsets.
func factCoordinator(t *testing.T, s *site) {
	ctx, adm := kafkatest.Context(t), s.admin(t)
	topics := ask[kadm.TopicDetails](t)(adm.ListTopicsWithInternal(ctx))
	offsets := topics["__consumer_offsets"].Partitions
	if len(offsets) != 50 {
		t.Fatalf("%d partitions of __consumer_offsets", len(offsets))
	}
	groups, negative := []string{"brew.kitchen-service", "brew.analytics"}, 0
	for i := range 20 {
		groups = append(groups, fmt.Sprint("group-", i*i))
	}
	for _, group := range groups {
		h := int64(javaHash(group))
		if h < 0 {
			negative++
			h = -h
		}
		want := offsets[int32(h%50)].Leader
		found := adm.FindGroupCoordinators(ctx, group)[group]
		if found.Err != nil || found.NodeID != want {
			t.Errorf("%s: coordinator %d, leader %d: %v", group, found.NodeID, want, found.Err)
		}
	}
	if negative == 0 {
		t.Error("no hash was negative: other names are needed")
	}
}

// Kafka waits three seconds for more members before the first of a group gets anything.
// The stand has that switched off.
func factFirstJoin(t *testing.T, s *site) {
	topic := s.topic(t, 1)
	s.write(t, topic, 1)
	begin := time.Now()
	if err := s.reader(t, topic, unique(t)).PollFetches(kafkatest.Context(t)).Err(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	t.Logf("first record of a new group after %s", took.Round(time.Millisecond))
	value, byDefault := s.setting(t, kmsg.ConfigResourceTypeBroker, "0",
		"group.initial.rebalance.delay.ms")
	if value != "0" || byDefault != "3000" {
		t.Errorf("the delay is %s, by default %s", value, byDefault)
	}
}

func factNonEmptyGroup(t *testing.T, s *site) {
	cl, group := s.member(t)
	ctx, adm := kafkatest.Context(t), s.admin(t)
	if _, err := adm.DeleteGroup(ctx, group); !errors.Is(err, kerr.NonEmptyGroup) {
		t.Errorf("a group with a member: %v", err)
	}
	cl.Close()
	kafkatest.Eventually(t, "the empty group is deleted", func() bool {
		_, err := adm.DeleteGroup(ctx, group)
		return err == nil
	})
}

// What Kafka's own tool prints for a group without members: a line that says so, and dashes.
func factTool(t *testing.T, s *site) {
	topic := s.topic(t, 2)
	s.write(t, topic, 3)
	group, offsets := unique(t), kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, At: 1, LeaderEpoch: -1})
	if err := s.admin(t).CommitAllOffsets(kafkatest.Context(t), group, offsets); err != nil {
		t.Fatal(err)
	}
	out := s.java(t, "", "consumer.group.ConsumerGroupCommand", "--describe", "--group", group)
	var lines []string
	for line := range strings.Lines(out) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	for _, want := range []string{
		"Consumer group '" + group + "' has no active members.",
		"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
		group + " " + topic + " 0 1 3 2 - - -",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in:\n%s", want, out)
		}
	}
}

// A record that was sent and not answered is given up only by a client that was told to.
func factNoAnswer(t *testing.T, s *site) {
	topic := s.topic(t, 1)
	impatient := []kgo.Opt{kgo.DefaultProduceTopic(topic), kgo.RecordRetries(0),
		kgo.ProduceRequestTimeout(time.Second), kgo.RequestTimeoutOverhead(time.Second)}
	holds := s.client(t, impatient...)
	gives := s.client(t, append(impatient, kgo.AllowIdempotentProduceCancellation())...)
	for _, cl := range []*kgo.Client{holds, gives} {
		kafkatest.Eventually(t, "a first record", func() bool {
			return cl.ProduceSync(kafkatest.Context(t), kgo.StringRecord("x")).FirstErr() == nil
		})
	}
	leader := strconv.Itoa(int(s.partition(t, topic).Leader))
	s.must(t, "broker", "pause", leader)
	resume := sync.OnceFunc(func() { s.must(t, "broker", "resume", leader) })
	defer resume()
	answer := make(chan error, 1)
	holds.Produce(within(t, time.Second), kgo.StringRecord("y"), func(_ *kgo.Record, err error) {
		answer <- err
	})
	err := gives.ProduceSync(within(t, time.Second), kgo.StringRecord("y")).FirstErr()
	t.Logf("given up with %v", err)
	if err == nil {
		t.Error("acknowledged by a broker that does nothing")
	}
	// Twice the limit is over. On a machine so slow that another broker takes over meanwhile,
	// the record is acknowledged; given up it is never.
	select {
	case err = <-answer:
	case <-time.After(time.Second):
		resume()
		err = <-answer
	}
	if err != nil {
		t.Errorf("given up without being told to: %v", err)
	}
}
