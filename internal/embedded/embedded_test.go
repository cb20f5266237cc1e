package embedded

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

func start(t *testing.T, opts ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	c, err := New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func client(t *testing.T, c *kfake.Cluster, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	cl, err := kgo.NewClient(append(opts, kgo.SeedBrokers(c.ListenAddrs()...))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestCluster(t *testing.T) {
	c := start(t)
	for _, addr := range c.ListenAddrs() {
		if !strings.HasPrefix(addr, "127.0.0.1:") {
			t.Errorf("listens on %s", addr)
		}
	}
	brokers, err := kadm.NewClient(client(t, c)).ListBrokers(deadline(t))
	if err != nil || fmt.Sprint(brokers.NodeIDs()) != "[0 1 2]" {
		t.Errorf("brokers %v, %v", brokers.NodeIDs(), err)
	}
	one := start(t, kfake.NumBrokers(1))
	if n := len(one.ListenAddrs()); n != 1 {
		t.Errorf("%d brokers: the caller's option did not win", n)
	}
}

// TestApiVersions holds which requests are not offered, or in older versions only, since
// Java's clients fail on kfake's answers.
func TestApiVersions(t *testing.T) {
	req := kmsg.NewPtrApiVersionsRequest()
	req.ClientSoftwareName, req.ClientSoftwareVersion = "test", "1"
	resp, err := req.RequestWith(deadline(t), client(t, start(t)))
	if err != nil {
		t.Fatal(err)
	}
	offered := map[int16]int16{}
	for _, k := range resp.ApiKeys {
		offered[k.ApiKey] = k.MaxVersion
	}
	if v, ok := offered[keyDescribeTopicPartitions]; ok {
		t.Errorf("DescribeTopicPartitions is offered up to version %d", v)
	}
	if v, ok := offered[keyCreateTopics]; !ok || v != 4 {
		t.Errorf("CreateTopics is offered up to version %d", v)
	}
	if v, ok := offered[keyOffsetFetch]; !ok || v < 9 {
		t.Errorf("OffsetFetch is offered up to version %d", v)
	}
}

func TestTopics(t *testing.T) {
	c := start(t)
	ctx := deadline(t)
	cl := client(t, c, kgo.AllowAutoTopicCreation(), kgo.UnknownTopicRetries(1))
	created, err := kadm.NewClient(cl).CreateTopic(ctx, -1, -1, nil, "orders")
	if err != nil || created.Err != nil {
		t.Fatal(err, created.Err)
	}
	if n := len(c.PartitionInfos("orders")); n != 1 {
		t.Errorf("%d partitions by default, want 1", n)
	}
	if info := c.TopicInfo("orders"); info.NumReplicas != 3 {
		t.Errorf("replication factor %d by default, want 3", info.NumReplicas)
	}
	err = cl.ProduceSync(ctx, &kgo.Record{Topic: "misspelt", Value: []byte("x")}).FirstErr()
	if !errors.Is(err, kerr.UnknownTopicOrPartition) {
		t.Errorf("produce to a missing topic: %v", err)
	}
	if c.TopicInfo("misspelt") != nil {
		t.Error("a topic was created by itself")
	}
}

// TestOffsetFetch holds for every version of the request that a group which does not
// exist has offset -1 and no error, that an existing one has what it committed, and that
// a request for both gets both.
func TestOffsetFetch(t *testing.T) {
	c := start(t, kfake.SeedTopics(2, "orders"))
	ctx := deadline(t)
	adm := kadm.NewClient(client(t, c))
	commits := kadm.Offsets{}
	commits.Add(kadm.Offset{Topic: "orders", Partition: 1, At: 7, LeaderEpoch: 3, Metadata: "m"})
	if err := adm.CommitAllOffsets(ctx, "known", commits); err != nil {
		t.Fatal(err)
	}
	id := c.TopicInfo("orders").TopicID
	for version := int16(1); version <= 10; version++ {
		versions := kversion.Stable()
		versions.SetMaxKeyVersion(keyOffsetFetch, version)
		cl := client(t, c, kgo.MaxVersions(versions))
		for _, groups := range [][]string{
			{"unknown"}, {"known"}, {"known", "unknown"}, {"unknown", "known", "unknown2"},
		} {
			if version < 8 && len(groups) > 1 {
				continue // one group a request
			}
			for _, all := range []bool{false, true} {
				if all && version < 2 {
					continue // all topics: from version 2 on
				}
				t.Run(fmt.Sprint(version, groups, all), func(t *testing.T) {
					resp := fetch(t, ctx, cl, c.CoordinatorFor("known"), version, groups, all, id)
					if len(resp) != len(groups) {
						t.Fatalf("answers for %d of %d groups", len(resp), len(groups))
					}
					for _, g := range resp {
						checkGroup(t, g, version, all, id)
					}
				})
			}
		}
	}
}

// fetch sends an OffsetFetch to one broker, as clients do for groups with the same
// coordinator, and returns the answers in the form of the newer versions.
func fetch(
	t *testing.T, ctx context.Context, cl *kgo.Client, node int32, version int16, groups []string,
	all bool, id [16]byte,
) []kmsg.OffsetFetchResponseGroup {
	t.Helper()
	req := kmsg.NewPtrOffsetFetchRequest()
	for _, group := range groups {
		if req.Group = group; !all && version < 8 {
			rt := kmsg.NewOffsetFetchRequestTopic()
			rt.Topic, rt.Partitions = "orders", []int32{0, 1}
			req.Topics = append(req.Topics, rt)
		}
		rg := kmsg.NewOffsetFetchRequestGroup()
		if rg.Group = group; !all {
			rt := kmsg.NewOffsetFetchRequestGroupTopic()
			rt.Topic, rt.TopicID, rt.Partitions = "orders", id, []int32{0, 1}
			rg.Topics = append(rg.Topics, rt)
		}
		req.Groups = append(req.Groups, rg)
	}
	raw, err := cl.Broker(int(node)).Request(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	resp := raw.(*kmsg.OffsetFetchResponse)
	if resp.Version != version {
		t.Fatalf("version %d was used", resp.Version)
	}
	if version >= 8 {
		return resp.Groups
	}
	g := kmsg.NewOffsetFetchResponseGroup()
	g.Group, g.ErrorCode = req.Group, resp.ErrorCode
	for _, topic := range resp.Topics {
		rt := kmsg.NewOffsetFetchResponseGroupTopic()
		rt.Topic = topic.Topic
		for _, p := range topic.Partitions {
			rt.Partitions = append(rt.Partitions, kmsg.OffsetFetchResponseGroupTopicPartition(p))
		}
		g.Topics = append(g.Topics, rt)
	}
	return []kmsg.OffsetFetchResponseGroup{g}
}

func checkGroup(
	t *testing.T, g kmsg.OffsetFetchResponseGroup, version int16, all bool, id [16]byte,
) {
	t.Helper()
	if g.ErrorCode != 0 {
		t.Errorf("%s: %v", g.Group, kerr.ErrorForCode(g.ErrorCode))
	}
	got := map[int32]string{}
	for _, topic := range g.Topics {
		if version >= 10 && topic.TopicID != id || version < 10 && topic.Topic != "orders" {
			t.Errorf("%s: topic %q, id %x", g.Group, topic.Topic, topic.TopicID)
		}
		for _, p := range topic.Partitions {
			metadata := ""
			if p.Metadata != nil {
				metadata = *p.Metadata
			}
			epoch := p.LeaderEpoch
			if version < 5 {
				epoch = -1
			}
			got[p.Partition] = fmt.Sprintf("%d epoch=%d %q error=%d", p.Offset, epoch, metadata,
				p.ErrorCode)
		}
	}
	none, seven := `-1 epoch=-1 "" error=0`, `7 epoch=3 "m" error=0`
	if version < 5 {
		seven = `7 epoch=-1 "m" error=0`
	}
	want := map[int32]string{0: none, 1: none}
	switch {
	case g.Group == "known" && all:
		want = map[int32]string{1: seven}
	case g.Group == "known":
		want[1] = seven
	case all:
		want = map[int32]string{}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", g.Group, got, want)
	}
}

// TestManyGroups holds that a client which asks for the offsets of several groups, as the
// course's tool does, gets those of the ones that exist.
func TestManyGroups(t *testing.T) {
	c := start(t, kfake.SeedTopics(1, "orders"))
	ctx := deadline(t)
	adm := kadm.NewClient(client(t, c))
	groups := []string{"a", "b", "c", "no-1", "no-2", "no-3"}
	for i, group := range groups[:3] {
		commits := kadm.Offsets{}
		commits.Add(kadm.Offset{Topic: "orders", At: int64(i), LeaderEpoch: -1})
		if err := adm.CommitAllOffsets(ctx, group, commits); err != nil {
			t.Fatal(err)
		}
	}
	fetched := adm.FetchManyOffsets(ctx, groups...)
	for i, group := range groups {
		r := fetched[group]
		if r.Err != nil {
			t.Errorf("%s: %v", group, r.Err)
			continue
		}
		o, ok := r.Fetched.Lookup("orders", 0)
		if ok != (i < 3) || ok && o.At != int64(i) {
			t.Errorf("%s: %v %+v", group, ok, o)
		}
	}
}

// TestListGroupsOfAType holds that the case of a type does not matter, as in Kafka: Java
// asks for "Classic" and "Consumer".
func TestListGroupsOfAType(t *testing.T) {
	c := start(t, kfake.SeedTopics(1, "orders"))
	ctx := deadline(t)
	cl := client(t, c)
	commits := kadm.Offsets{}
	commits.Add(kadm.Offset{Topic: "orders", At: 1, LeaderEpoch: -1})
	if err := kadm.NewClient(cl).CommitAllOffsets(ctx, "readers", commits); err != nil {
		t.Fatal(err)
	}
	for typ, want := range map[string]int{"Classic": 1, "classic": 1, "Consumer": 0} {
		req := kmsg.NewPtrListGroupsRequest()
		req.TypesFilter = []string{typ}
		found := 0
		for _, shard := range cl.RequestSharded(ctx, req) {
			if shard.Err != nil {
				t.Fatal(shard.Err)
			}
			found += len(shard.Resp.(*kmsg.ListGroupsResponse).Groups)
		}
		if found != want {
			t.Errorf("%s: %d groups, want %d", typ, found, want)
		}
	}
}

func TestSettingsThatKafkaRefuses(t *testing.T) {
	c := start(t)
	adm := kadm.NewClient(client(t, c))
	cfg := func(name string, value *string) map[string]*string {
		return map[string]*string{name: value}
	}
	for _, s := range []struct {
		name  string
		value *string
		says  string
	}{
		{"retention.minutes", kmsg.StringPtr("1"), "Unknown topic config name: retention.minutes"},
		{"retention.ms", nil, "Null value not supported for topic configs: retention.ms"},
		{"retention.ms", kmsg.StringPtr("abc"),
			"Invalid value abc for configuration retention.ms: Not a number of type LONG"},
		{"retention.ms", kmsg.StringPtr("-2"),
			"Invalid value -2 for configuration retention.ms: Value must be at least -1"},
		{"compression.gzip.level", kmsg.StringPtr("10"), "Invalid value 10 for configuration " +
			"compression.gzip.level: Value must be between 1 and 9 or equal to -1"},
	} {
		resp, err := adm.CreateTopics(deadline(t), 1, 3, cfg(s.name, s.value), "orders")
		if err != nil {
			t.Fatal(err)
		}
		if r := resp["orders"]; !errors.Is(r.Err, kerr.InvalidConfig) || r.ErrMessage != s.says {
			t.Errorf("%s: %v, %q, want %q", s.name, r.Err, r.ErrMessage, s.says)
		}
		if c.TopicInfo("orders") != nil {
			t.Fatalf("%s: the topic was made", s.name)
		}
	}

	// One bad topic is the end of the whole request.
	two := kmsg.NewPtrCreateTopicsRequest()
	for _, name := range []string{"good", "worse"} {
		rt := kmsg.NewCreateTopicsRequestTopic()
		rt.Topic, rt.NumPartitions, rt.ReplicationFactor = name, 1, 3
		two.Topics = append(two.Topics, rt)
	}
	s := kmsg.NewCreateTopicsRequestTopicConfig()
	s.Name = "x"
	two.Topics[1].Configs = append(two.Topics[1].Configs, s)
	answer, err := two.RequestWith(deadline(t), client(t, c))
	if err != nil || !strings.Contains(*answer.Topics[0].ErrorMessage, "with worse: Unknown") {
		t.Errorf("two topics: %+v, %v", answer, err)
	}
}

func TestChangedSettingsThatKafkaRefuses(t *testing.T) {
	c := start(t)
	adm := kadm.NewClient(client(t, c))
	ok := map[string]*string{"retention.ms": kmsg.StringPtr("1000")}
	if _, err := adm.CreateTopic(deadline(t), 1, 3, ok, "orders"); err != nil {
		t.Fatal(err)
	}
	bad := kmsg.StringPtr("abc")
	// That a topic exists is said before anything about its settings.
	_, err := adm.CreateTopic(deadline(t), 1, 3, map[string]*string{"x": bad}, "orders")
	if !errors.Is(err, kerr.TopicAlreadyExists) {
		t.Errorf("an existing topic: %v", err)
	}
	alter := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "retention.ms", Value: bad}}
	for name, call := range map[string]func() (kadm.AlterConfigsResponses, error){
		"incremental": func() (kadm.AlterConfigsResponses, error) {
			return adm.AlterTopicConfigs(deadline(t), alter, "orders")
		},
		"whole": func() (kadm.AlterConfigsResponses, error) {
			return adm.AlterTopicConfigsState(deadline(t), alter, "orders")
		},
	} {
		resp, err := call()
		if err != nil || len(resp) != 1 || !errors.Is(resp[0].Err, kerr.InvalidConfig) {
			t.Errorf("%s: %+v, %v", name, resp, err)
		}
	}
	if info := c.TopicInfo("orders"); *info.Configs["retention.ms"] != "1000" {
		t.Errorf("retention.ms is %s now", *info.Configs["retention.ms"])
	}
	alter[0].Value = kmsg.StringPtr("2000")
	r, err := adm.AlterTopicConfigs(deadline(t), alter, "orders")
	if err != nil || r[0].Err != nil {
		t.Errorf("a good value: %+v, %v", r, err)
	}
	// A broker's settings have other names.
	alter[0].Name = "log.retention.ms"
	if r, err := adm.AlterBrokerConfigs(deadline(t), alter); err != nil || r[0].Err != nil {
		t.Errorf("a broker's setting: %+v, %v", r, err)
	}
}
