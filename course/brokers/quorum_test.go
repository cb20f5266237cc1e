//go:build unix

package brokers

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// quorum asks who leads the log of the metadata; nil when nobody says so within the time.
func (r *realStand) quorum(
	t *testing.T, patience time.Duration,
) *kmsg.DescribeQuorumResponseTopicPartition {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cl := r.client(t)
	defer cl.Close()
	req := kmsg.NewPtrDescribeQuorumRequest()
	req.Topics = []kmsg.DescribeQuorumRequestTopic{{Topic: "__cluster_metadata",
		Partitions: []kmsg.DescribeQuorumRequestTopicPartition{{}}}}
	for ; ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		resp, err := req.RequestWith(ctx, cl)
		if err != nil {
			continue
		}
		if q := &resp.Topics[0].Partitions[0]; q.LeaderID >= 0 && q.HighWatermark >= 0 {
			return q
		}
	}
	return nil
}

// Lecture 01-01 says all this of a real Kafka.
func TestRealQuorum(t *testing.T) {
	r := newRealStand(t)
	r.up(t)
	adm := kadm.NewClient(r.client(t))
	if _, err := adm.CreateTopic(t.Context(), 3, -1, nil, "orders"); err != nil {
		t.Fatal(err)
	}
	r.produce(t, "orders", 10)
	t.Run("tools", r.testTools)
	t.Run("no other mode", r.testOnlyKRaft)

	// The controller of a metadata response is any broker; the leader stays.
	first := r.quorum(t, time.Minute)
	named := map[int32]bool{}
	for range 40 {
		meta, err := kadm.NewClient(r.client(t)).BrokerMetadata(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		named[meta.Controller] = true
	}
	if q := r.quorum(t, time.Minute); len(named) < 2 || q.LeaderID != first.LeaderID ||
		q.LeaderEpoch != first.LeaderEpoch || len(q.CurrentVoters) != 3 || len(q.Observers) != 0 {
		t.Errorf("controllers %v, the quorum was %+v and is %+v", named, first, q)
	}

	// A leader that stops: another one, a later epoch, and a voter that nobody has heard of.
	r.control(t, Stop, first.LeaderID)
	second := r.quorum(t, time.Minute)
	if second.LeaderID == first.LeaderID || second.LeaderEpoch <= first.LeaderEpoch ||
		len(second.CurrentVoters) != 3 {
		t.Errorf("the quorum was %+v and is %+v", first, second)
	}
	for _, v := range second.CurrentVoters {
		if (v.LogEndOffset < 0) != (v.ReplicaID == first.LeaderID) {
			t.Errorf("the voters are %+v", second.CurrentVoters)
		}
	}

	// One of three is no majority. Reads go on, and writes that one broker may answer.
	r.control(t, Stop, second.LeaderID)
	r.testMinority(t, adm)

	for _, q := range []*kmsg.DescribeQuorumResponseTopicPartition{first, second} {
		r.control(t, Start, q.LeaderID)
	}
	if q := r.quorum(t, time.Minute); q == nil || q.LeaderEpoch <= second.LeaderEpoch {
		t.Errorf("the quorum was %+v and is %+v", second, q)
	}
	t.Run("killed", r.testKilledController)
	r.down(t, "with a dead controller")
}

// testKilledController kills the leader and holds that the metadata response goes on naming
// it as the controller now and then, until the broker's session is over.
func (r *realStand) testKilledController(t *testing.T) {
	t.Helper()
	leader := r.quorum(t, time.Minute).LeaderID
	cl := r.client(t)
	r.control(t, Kill, leader)
	asked := 0
	for begin := time.Now(); time.Since(begin) < 9*time.Second; asked++ {
		// Not kadm: it answers from the client's cache.
		meta, err := kmsg.NewPtrMetadataRequest().RequestWith(t.Context(), cl)
		if err == nil && meta.ControllerID == leader {
			return
		}
	}
	t.Errorf("of %d answers none names the dead controller %d", asked, leader)
}

func (r *realStand) control(t *testing.T, verb Verb, node int32) {
	t.Helper()
	s, err := Do(t.Context(), r, r.s, verb, int(node))
	if err != nil {
		t.Fatal(err)
	}
	r.s = s
}

func (r *realStand) testMinority(t *testing.T, adm *kadm.Client) {
	t.Helper()
	if q := r.quorum(t, 5*time.Second); q != nil {
		t.Errorf("one of three leads: %+v", q)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reader := r.client(t, kgo.ConsumeTopics("orders"))
	n := 0
	for n < 10 && ctx.Err() == nil {
		n += reader.PollFetches(ctx).NumRecords()
	}
	if n != 10 {
		t.Errorf("read %d of ten records", n)
	}
	moment, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	member := r.client(t, kgo.ConsumeTopics("orders"), kgo.ConsumerGroup("kitchen"))
	if n := member.PollFetches(moment).NumRecords(); n != 0 {
		t.Errorf("a new group reads %d records", n)
	}
	record := kgo.KeyStringRecord("k", "latte")
	record.Topic = "orders"
	one := r.client(t, kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite())
	if err := one.ProduceSync(ctx, record).FirstErr(); err != nil {
		t.Errorf("acks=1: %v", err)
	}
	all := r.client(t, kgo.DisableIdempotentWrite(), kgo.RecordRetries(1))
	err := all.ProduceSync(ctx, &kgo.Record{Topic: "orders"}).FirstErr()
	if !errors.Is(err, kerr.NotEnoughReplicas) {
		t.Errorf("acks=all: %v", err)
	}
	soon, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := adm.CreateTopic(soon, 1, 1, nil, "invoices"); err == nil {
		t.Error("a topic has been created without a controller")
	}
}

// testOnlyKRaft holds that this Kafka has no mode but KRaft: settings for ZooKeeper do not
// start it.
func (r *realStand) testOnlyKRaft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "zookeeper.properties")
	if err := os.WriteFile(path, []byte("zookeeper.connect=localhost:2181\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	java, err := findJava(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), java, "-cp", filepath.Join(r.libDir(), "*"),
		mainClass, path)
	cmd.Env = environment(os.Environ())
	out, err := cmd.CombinedOutput()
	const want = `Missing required configuration "process.roles"`
	if err == nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, and no %q in\n%s", err, want, out)
	}
}

// Every tool is in the jars, and one of them runs.
func (r *realStand) testTools(t *testing.T) {
	jars, err := filepath.Glob(filepath.Join(r.libDir(), "*.jar"))
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]bool{}
	for _, path := range jars {
		jar, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range jar.File {
			classes[f.Name] = true
		}
		jar.Close()
	}
	for name, class := range tools {
		if !classes[strings.ReplaceAll(class, ".", "/")+".class"] {
			t.Errorf("%s: no class %s in the jars", name, class)
		}
	}
	cmd, err := Tool(t.Context(), r, r.s, "kafka-metadata-quorum", []string{"describe", "--status"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"ClusterId:  ", "LeaderId:  ", "CurrentVoters:  "} {
		if err != nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "INFO") {
			t.Errorf("%v, and no %q in\n%s", err, want, out)
		}
	}
}
