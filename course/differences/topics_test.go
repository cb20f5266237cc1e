package differences

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/course/brokers"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

// Questions about topics, and what lecture 01-02 says of them.

// partitions are those of a topic, in order.
func (s *site) partitions(t *testing.T, topic string) []kadm.PartitionDetail {
	t.Helper()
	topics := ask[kadm.TopicDetails](t)(s.admin(t).ListTopics(kafkatest.Context(t), topic))
	if err := topics[topic].Err; err != nil {
		t.Fatal(err)
	}
	return topics[topic].Partitions.Sorted()
}

// placement looks at eight topics: three partitions each, for three brokers.
func placement(t *testing.T, s *site) string {
	for range 8 {
		leaders := map[int32]bool{}
		for _, p := range s.partitions(t, s.topic(t, 3)) {
			leaders[p.Leader] = true
			if p.Replicas[0] != p.Leader {
				t.Errorf("%+v: another than the first replica leads", p)
			}
		}
		if len(leaders) < 3 {
			return byChance
		}
	}
	return oneEach
}

func resized(by int) question {
	return func(t *testing.T, s *site) string {
		topic := s.topic(t, 3)
		resps, err := s.admin(t).UpdatePartitions(kafkatest.Context(t), 3+by, topic)
		return code(cmp.Or(err, resps.Error()))
	}
}

// anew deletes a topic of one partition and makes it again.
func (s *site) anew(t *testing.T, topic string) {
	t.Helper()
	ctx, cl := kafkatest.Context(t), s.client(t)
	if _, err := kadm.NewClient(cl).DeleteTopic(ctx, topic); err != nil {
		t.Fatal(err)
	}
	if _, err := kafka.EnsureTopic(ctx, cl, topic, 1, 3, nil); err != nil {
		t.Fatal(err)
	}
}

func commitsOfDeletedTopic(t *testing.T, s *site) string {
	topic, group, offsets := s.topic(t, 1), unique(t), kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, At: 7, LeaderEpoch: -1})
	if err := s.admin(t).CommitAllOffsets(kafkatest.Context(t), group, offsets); err != nil {
		t.Fatal(err)
	}
	witness := s.client(t)
	if got := kafkatest.Committed(t, witness, group, topic); got[0] != 7 {
		t.Fatalf("committed %v", got)
	}
	s.anew(t, topic)
	// The group's coordinator hears of the deletion a little later.
	kafkatest.Eventually(t, "the commit is forgotten", func() bool {
		return len(kafkatest.Committed(t, witness, group, topic)) == 0
	})
	return "-1"
}

// namesake reads a topic that is made anew meanwhile, until the poll brings an error.
func namesake(t *testing.T, s *site) string {
	topic := s.topic(t, 1)
	s.write(t, topic, 1)
	cl := s.client(t, kgo.ConsumeTopics(topic), kgo.FetchMaxWait(100*time.Millisecond))
	if n := cl.PollFetches(kafkatest.Context(t)).NumRecords(); n != 1 {
		t.Fatalf("%d records", n)
	}
	s.anew(t, topic)
	s.write(t, topic, 1)
	fetches := cl.PollFetches(kafkatest.Context(t))
	if n := fetches.NumRecords(); n > 0 {
		return fmt.Sprintf("%d records", n)
	}
	return code(fetches.Err())
}

// Which broker leads the first partition is chance; the others follow in turn.
func factPlacement(t *testing.T, s *site) {
	first := map[int32]bool{}
	for range 12 {
		partitions := s.partitions(t, s.topic(t, 3))
		for i, p := range partitions {
			for j, broker := range p.Replicas {
				if want := (partitions[0].Leader + int32(i+j)) % 3; broker != want {
					t.Errorf("partition %d: replicas %v, want %d at %d", i, p.Replicas, want, j)
				}
			}
		}
		first[partitions[0].Leader] = true
	}
	if len(first) < 2 {
		t.Errorf("partition 0 of twelve topics is led by %v", first)
	}
}

// The course's own check of names says what Kafka would.
func factNames(t *testing.T, s *site) {
	long := unique(t)
	long += strings.Repeat("x", 249-len(long))
	for _, name := range []string{long, long + "x", "a b", "..", "a/b", unique(t) + "_-.A9"} {
		_, err := s.admin(t).CreateTopic(kafkatest.Context(t), 1, 3, nil, name)
		if refused := kafka.CheckTopics(name, false) != nil; refused !=
			errors.Is(err, kerr.InvalidTopicException) || !refused && err != nil {
			t.Errorf("%s: Kafka says %v, we refuse it: %t", name, err, refused)
		}
	}
}

// java runs one of Kafka's own tools and returns what it prints.
func (s *site) java(t *testing.T, stdin, class string, args ...string) string {
	t.Helper()
	jars := filepath.Join(s.home, "kafka", brokers.Version, "*")
	cmd := exec.Command("java", append([]string{"-XX:TieredStopAtLevel=1", "-cp", jars,
		"org.apache.kafka.tools." + class, "--bootstrap-server",
		"localhost:" + strconv.Itoa(s.port)}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", class, err, out)
	}
	return string(out)
}

// Kafka's own description has the same id as ours, and two columns more.
func factDescription(t *testing.T, s *site) {
	topic := s.topic(t, 3)
	ours := s.must(t, "topic", "describe", topic)
	_, id, _ := strings.Cut(ours, "TopicId: ")
	id = strings.Fields(id)[0]
	out := s.java(t, "", "TopicCommand", "--describe", "--topic", topic)
	for want, n := range map[string]int{
		"TopicId: " + id: 1, "\tElr: \t": 3, "\tLastKnownElr: ": 3,
	} {
		if got := strings.Count(out, want); got != n || len(id) != 22 {
			t.Errorf("%d times %q in\n%s", got, want, out)
		}
	}
}

// The Java client puts a key where franz-go does.
func factJavaKeys(t *testing.T, s *site) {
	topic, lines := s.topic(t, 3), ""
	want := map[string]int32{}
	own := s.client(t)
	for i := range 100 {
		r := &kgo.Record{Topic: topic, Key: fmt.Appendf(nil, "user-%d", i)}
		if err := own.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
		want[string(r.Key)] = r.Partition
		lines += string(r.Key) + ":java\n"
	}
	s.java(t, lines, "ConsoleProducer", "--topic", topic, "--reader-property", "parse.key=true",
		"--reader-property", "key.separator=:")
	cl := s.client(t, kgo.ConsumeTopics(topic))
	for seen := 0; seen < 100; {
		fetches := cl.PollFetches(kafkatest.Context(t))
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if string(r.Value) != "java" {
				return
			}
			if seen++; r.Partition != want[string(r.Key)] {
				t.Errorf("%s: partition %d from Java, %d from here", r.Key, r.Partition,
					want[string(r.Key)])
			}
		})
	}
}

// A broker that is down counts for the replication factor: it is registered all the same.
// Leader it does not become, and in sync it is not.
func factStoppedBrokerCounts(t *testing.T, s *site) {
	s.must(t, "broker", "stop", "1")
	defer s.must(t, "broker", "start", "1")
	ctx, adm, name := kafkatest.Context(t), s.admin(t), unique(t)
	if _, err := adm.CreateTopic(ctx, 3, 4, nil, name); !errors.Is(err,
		kerr.InvalidReplicationFactor) {
		t.Errorf("four replicas: %v", err)
	}
	if _, err := kafka.EnsureTopic(ctx, s.client(t), name, 3, 3, nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.partitions(t, name) {
		if len(p.Replicas) != 3 || p.Leader == 1 || slices.Contains(p.ISR, 1) {
			t.Errorf("%+v", p)
		}
	}
}
