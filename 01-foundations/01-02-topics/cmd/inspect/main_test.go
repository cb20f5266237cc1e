package main

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

const topic = "brew.orders.v1"

func defaults() config { return config{topic: topic, partitions: 3, rf: 3} }

// inspect runs the program and returns what it prints.
func inspect(t *testing.T, cfg config) (string, error) {
	t.Helper()
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	return out.String(), err
}

// id is the topic's id as the cluster has it, written as Kafka's tools write it.
func id(c *kfake.Cluster) string {
	info := c.TopicInfo(topic)
	return base64.RawURLEncoding.EncodeToString(info.TopicID[:])
}

func TestCreatesOnceAndShows(t *testing.T) {
	c := kafkatest.Start(t)
	first, err := inspect(t, defaults())
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("Topic: %s\nTopicID: %s\nPartitions: 3\n"+
		"PARTITION  LEADER  REPLICAS  ISR    OFFLINE\n", topic, id(c))
	for p := range int32(3) {
		l := c.LeaderFor(topic, p)
		replicas := fmt.Sprintf("%d,%d,%d", l, (l+1)%3, (l+2)%3)
		want += fmt.Sprintf("%d          %d       %s     %[3]s  -\n", p, l, replicas)
	}
	if first != "topic brew.orders.v1 created\n"+want {
		t.Errorf("printed\n%s, want\n%s", first, want)
	}
	again, err := inspect(t, defaults())
	if err != nil || again != "topic brew.orders.v1 exists already\n"+want {
		t.Errorf("the second time: %v\n%s", err, again)
	}
	any := config{topic: topic, partitions: -1, rf: -1}
	if out, err := inspect(t, any); err != nil || !strings.HasSuffix(out, want) {
		t.Errorf("without numbers: %v\n%s", err, out)
	}
}

// What cannot be is an error that names the topic, and nothing is made or changed.
func TestRefuses(t *testing.T) {
	c := kafkatest.Start(t)
	if _, err := inspect(t, defaults()); err != nil {
		t.Fatal(err)
	}
	before := id(c)
	for name, test := range map[string]struct {
		cfg  config
		want string
	}{
		"other partitions": {config{topic: topic, partitions: 6, rf: 3},
			"topic brew.orders.v1 exists with another setting (partitions: 3, wanted 6)"},
		"other replicas": {config{topic: topic, partitions: 3, rf: 2},
			"topic brew.orders.v1 exists with another setting (replication factor: 3, wanted 2)"},
		"more replicas than brokers": {config{topic: "brew.menu.v1", partitions: 3, rf: 4},
			"topic brew.menu.v1: replication factor 4 needs as many brokers"},
		"a dot for an underscore": {config{topic: "brew_orders.v1", partitions: 3, rf: 3},
			"topic brew_orders.v1 cannot stand beside brew.orders.v1"},
		"a name": {config{topic: "a b", partitions: 3, rf: 3}, `topic "a b": a name has 1 to 249`},
	} {
		out, err := inspect(t, test.cfg)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || out != "" ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: printed %q, error %v", name, out, err)
		}
	}
	topics, err := kadm.NewClient(kafkatest.Client(t, c)).ListTopics(kafkatest.Context(t))
	if err != nil || len(topics) != 1 || id(c) != before || len(c.PartitionInfos(topic)) != 3 {
		t.Errorf("there are %v now, %d partitions", topics.Names(), len(c.PartitionInfos(topic)))
	}
}

// --recreate may change anything about a topic: the new one has nothing to do with the old.
func TestRecreates(t *testing.T) {
	c := kafkatest.Start(t)
	if _, err := inspect(t, defaults()); err != nil {
		t.Fatal(err)
	}
	cl := kafkatest.Client(t, c)
	r := &kgo.Record{Topic: topic, Key: []byte("order-0")}
	if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
		t.Fatal(err)
	}
	// What could not be made again is not deleted.
	out, err := inspect(t, config{topic: topic, partitions: 3, rf: 4, recreate: true})
	if err == nil || !strings.HasPrefix(err.Error(), "topic brew.orders.v1 stays, a new one "+
		"would be refused: INVALID_REPLICATION_FACTOR") || out != "" ||
		c.PartitionInfo(topic, 0).HighWatermark+c.PartitionInfo(topic, 1).HighWatermark+
			c.PartitionInfo(topic, 2).HighWatermark != 1 {
		t.Errorf("printed %q, error %v", out, err)
	}
	// Nor is it when no controller answers.
	fault := c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.CreateTopics}, Err: kerr.RequestTimedOut, Count: -1,
	})
	before := id(c)
	_, err = inspect(t, config{topic: topic, partitions: 3, rf: 3, recreate: true})
	if err == nil || !strings.HasPrefix(err.Error(), "topic brew.orders.v1: no answer for ") ||
		id(c) != before {
		t.Errorf("without a controller: %v", err)
	}
	fault.Remove()
	ids := map[string]bool{before: true}
	for n := range 3 {
		out, err := inspect(t, config{topic: topic, partitions: 6, rf: 2, recreate: true})
		if err != nil || !strings.HasPrefix(out, "topic brew.orders.v1 deleted with its records\n"+
			"topic brew.orders.v1 created\n") || !strings.Contains(out, "TopicID: "+id(c)+"\n") {
			t.Fatalf("%v\n%s", err, out)
		}
		if ids[id(c)] = true; len(ids) != n+2 {
			t.Errorf("an id came again: %s", out)
		}
		if rows := regexp.MustCompile(`(?m)^\d  .*`).FindAllString(out, -1); len(rows) != 6 {
			t.Errorf("%d partitions in\n%s", len(rows), out)
		}
		for _, p := range c.PartitionInfos(topic) {
			if p.HighWatermark != 0 {
				t.Errorf("a record outlived the topic: %+v", p)
			}
		}
	}
	// A topic that is not there is as good as deleted.
	cfg := config{topic: "brew.menu.v1", partitions: 1, rf: 1, recreate: true}
	if out, err := inspect(t, cfg); err != nil ||
		!strings.HasPrefix(out, "topic brew.menu.v1 created\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// kadm answers from what the client has asked before, for as long as MetadataMinAge: 5 s by
// default, 250 ms in the course's helper.
func TestListTopicsMayBeOld(t *testing.T) {
	c := kafkatest.Start(t)
	ctx := kafkatest.Context(t)
	list := func(adm *kadm.Client) bool {
		topics, err := adm.ListTopics(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return topics.Has(topic)
	}
	old := kadm.NewClient(kafkatest.Client(t, c, kgo.MetadataMinAge(4*time.Minute)))
	list(old)
	if err := c.CreateTopic(topic, 3, nil); err != nil {
		t.Fatal(err)
	}
	if list(old) {
		t.Error("the client has asked again")
	}
	if !list(kadm.NewClient(kafkatest.Client(t, c))) {
		t.Error("a new client does not see the topic either")
	}
	plain, err := kgo.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	minAge, maxAge := plain.OptValue(kgo.MetadataMinAge), plain.OptValue(kgo.MetadataMaxAge)
	if minAge != 5*time.Second || maxAge != 5*time.Minute {
		t.Errorf("by default metadata are kept for %v, and asked for every %v", minAge, maxAge)
	}
}
