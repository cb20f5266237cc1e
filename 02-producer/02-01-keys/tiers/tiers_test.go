package tiers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

const topic = "brew.tiers.v1"

func premium() *kgo.Record {
	r := &kgo.Record{Topic: topic, Partition: -1}
	MakePremium(r)
	return r
}

func regular() *kgo.Record { return &kgo.Record{Topic: topic, Partition: -1} }

// Premium orders have index 0, and all others the other ones in turn, however many there are.
// With one index alone there is none for the others.
func TestIndexes(t *testing.T) {
	for n, want := range map[int][]int{
		1: {-1, -1, -1, -1, -1, -1}, 2: {1, 1, 1, 1, 1, 1}, 3: {1, 2, 1, 2, 1, 2},
		6: {1, 2, 3, 4, 5, 1},
	} {
		p := Partitioner("all").ForTopic(topic)
		var got []int
		for range want {
			if i := p.Partition(premium(), n); i != 0 {
				t.Errorf("of %d: premium at %d", n, i)
			}
			got = append(got, p.Partition(regular(), n))
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d: others at %v, want %v", n, got, want)
		}
	}
}

func TestWhoIsConsistent(t *testing.T) {
	for value, want := range map[Partitioner][2]bool{
		"all": {true, true}, "premium": {true, false}, "none": {false, false},
	} {
		p := value.ForTopic(topic)
		got := [2]bool{p.RequiresConsistency(premium()), p.RequiresConsistency(regular())}
		if got != want {
			t.Errorf("%s: premium and other orders are consistent: %v, want %v", value, got, want)
		}
	}
}

// fixed is the rule as it is often written: an index is taken for the number of a partition,
// and for all but premium orders it is said that another partition would do as well.
type fixed struct{ next int }

func (*fixed) ForTopic(string) kgo.TopicPartitioner   { return &fixed{} }
func (*fixed) RequiresConsistency(r *kgo.Record) bool { return IsPremium(r) }

func (f *fixed) Partition(r *kgo.Record, _ int) int {
	if IsPremium(r) {
		return 0
	}
	f.next++
	return 1 + (f.next-1)%2
}

// leaderless makes a cluster whose topic has a leader for each of its three partitions but
// the given ones.
func leaderless(t *testing.T, partitions ...int32) *kfake.Cluster {
	t.Helper()
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	fault := kfake.Fault{
		Keys: []kmsg.Key{kmsg.Metadata}, Topic: topic, Partitions: partitions,
		Err: kerr.LeaderNotAvailable, Count: -1,
	}
	refuse := fault // the cluster cannot name no leader: the one that it names refuses
	refuse.Keys, refuse.Err = []kmsg.Key{kmsg.Produce}, kerr.NotLeaderForPartition
	c.Fault(fault, refuse)
	return c
}

// Where a choice is not consistent, the partitions without a leader are left out of the count
// before Partition is asked: index 1 may be partition 2, and index 2 nothing at all.
func TestAnIndexIsNotAPartition(t *testing.T) {
	for _, down := range []int32{0, 1} {
		c := leaderless(t, down)
		cl := kafkatest.Client(t, c, kgo.RecordPartitioner(&fixed{}))
		first, err := cl.ProduceSync(kafkatest.Context(t), regular()).First()
		if err != nil || first.Partition != 2 {
			t.Errorf("without partition %d, index 1: partition %d, %v", down, first.Partition, err)
		}
		err = cl.ProduceSync(kafkatest.Context(t), regular()).FirstErr()
		const want = "invalid record partitioning choice of 2 from 2 available"
		if err == nil || err.Error() != want {
			t.Errorf("without partition %d, index 2: %v", down, err)
		}
	}
}

// With partition 0 alone, an order that is not premium fails, rather than going there.
func TestNoPlaceForOthers(t *testing.T) {
	cl := kafkatest.Client(t, leaderless(t, 1, 2), kgo.RecordPartitioner(Partitioner("premium")))
	r, err := cl.ProduceSync(kafkatest.Context(t), regular()).First()
	if err == nil || !strings.Contains(err.Error(), "choice of -1 from 1") || r.Partition >= 0 {
		t.Errorf("partition %d, error %v", r.Partition, err)
	}
	r, err = cl.ProduceSync(kafkatest.Context(t), premium()).First()
	if err != nil || r.Partition != 0 {
		t.Errorf("premium: partition %d, error %v", r.Partition, err)
	}
}

// All records wait in one buffer. Premium orders that fill it keep the others out, too.
func TestTheBufferIsShared(t *testing.T) {
	cl := kafkatest.Client(t, leaderless(t, 0), kgo.RecordPartitioner(Partitioner("all")),
		kgo.MaxBufferedRecords(10))
	ctx := kafkatest.Context(t)
	if err := cl.ProduceSync(ctx, regular()).FirstErr(); err != nil {
		t.Fatal(err) // while there is room they pass
	}
	for range 10 {
		cl.Produce(ctx, premium(), nil)
	}
	kept := make(chan error, 1)
	cl.TryProduce(ctx, regular(), func(_ *kgo.Record, err error) { kept <- err })
	if err := <-kept; !errors.Is(err, kgo.ErrMaxBuffered) {
		t.Errorf("with a full buffer another order gets %v", err)
	}
}

// Report finds each of the three ways in which the rule can be broken, and nothing else.
func TestReport(t *testing.T) {
	const head = "PARTITION  LEADER  PREMIUM  REGULAR  ACKNOWLEDGED\n"
	partitions := []kadm.PartitionDetail{{Leader: -1}, {Leader: 2}, {Leader: 0}}
	whole := head + "0          -       3        0        0\n" +
		"1          2       0        5        5\n2          0       0        4        4\n"
	for want, s := range map[string]Split{
		whole + checks(0, 0, 1, ""): {{3, 0, 0}, {0, 5, 5}, {0, 4, 4}},
		checks(1, 0, 0, "stray"):    {{3, 0, 3}, {0, 4, 4}, {1, 4, 5}},
		checks(0, 1, 0, "guest"):    {{3, 1, 4}, {0, 4, 4}, {0, 4, 4}},
		checks(0, 0, 2, "uneven"):   {{3, 0, 3}, {0, 3, 3}, {0, 5, 5}},
	} {
		var out strings.Builder
		err := s.Report(partitions, &out)
		fails := strings.Contains(want, "BROKEN")
		if !strings.HasSuffix(out.String(), want) || (err != nil) != fails {
			t.Errorf("error %v, printed\n%s, want\n%s", err, &out, want)
		}
	}
}

// checks are the last three lines of a report, the broken one marked.
func checks(stray, guests, skew int, broken string) string {
	verdict := func(name string) string {
		if name == broken {
			return "BROKEN"
		}
		return "ok"
	}
	return fmt.Sprintf("premium orders outside of partition 0: %d (%s)\n"+
		"other orders in partition 0: %d (%s)\n"+
		"other orders, fullest partition minus emptiest: %d (%s)\n",
		stray, verdict("stray"), guests, verdict("guest"), skew, verdict("uneven"))
}
