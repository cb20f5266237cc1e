package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

const apiVersions, describeQuorum = 18, 55

// answer is what a cluster says when it is asked about its quorum; a broker that says nothing
// closes the connection.
type answer struct {
	code  int16
	said  quorum
	quiet bool
}

// node is a voter or an observer with so much of the log.
func node(id int32, end int64) kmsg.DescribeQuorumResponseTopicPartitionReplicaState {
	r := kmsg.NewDescribeQuorumResponseTopicPartitionReplicaState()
	r.ReplicaID, r.LogEndOffset = id, end
	return r
}

// led is a quorum of three with a leader.
func led(leader, epoch int32) quorum {
	q := kmsg.NewDescribeQuorumResponseTopicPartition()
	q.LeaderID, q.LeaderEpoch, q.HighWatermark = leader, epoch, 100
	q.CurrentVoters = append(q.CurrentVoters, node(2, 100), node(0, 97), node(1, -1))
	return q
}

// withQuorum starts a cluster that answers as brokers with a quorum do: one answer after the
// other, the last one again and again.
func withQuorum(t *testing.T, answers ...answer) *kfake.Cluster {
	t.Helper()
	c := kafkatest.Start(t)
	c.ControlKey(apiVersions, func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		resp := req.ResponseKind().(*kmsg.ApiVersionsResponse)
		for key, most := range map[int16]int16{0: 9, 3: 12, apiVersions: 3, describeQuorum: 2} {
			k := kmsg.NewApiVersionsResponseApiKey()
			k.ApiKey, k.MaxVersion = key, most
			resp.ApiKeys = append(resp.ApiKeys, k)
		}
		return resp, nil, true
	})
	c.ControlKey(describeQuorum, func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		asked := req.(*kmsg.DescribeQuorumRequest).Topics
		if len(asked) != 1 || asked[0].Topic != "__cluster_metadata" ||
			len(asked[0].Partitions) != 1 || asked[0].Partitions[0].Partition != 0 {
			t.Errorf("asked for %+v", asked)
		}
		a := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		if a.quiet {
			return nil, errors.New("the connection is closed"), true
		}
		resp := req.ResponseKind().(*kmsg.DescribeQuorumResponse)
		resp.ErrorCode = a.code
		topic := kmsg.NewDescribeQuorumResponseTopic()
		topic.Topic, topic.Partitions = "__cluster_metadata", []quorum{a.said}
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	return c
}

// hasten shortens the wait for an election.
func hasten(t *testing.T, d time.Duration) {
	old := patience
	patience = d
	t.Cleanup(func() { patience = old })
}

func status(t *testing.T, leaderAlone bool) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(kafkatest.Context(t), leaderAlone, &out)
	return out.String(), err
}

func wantParts(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func TestShowsTheQuorum(t *testing.T) {
	withQuorum(t, answer{said: led(2, 7)})
	out, err := status(t, false)
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, out, "cluster=kfake brokers=3\n", "metadata controller (random broker): node=",
		"leader=2 epoch=7 voters=3 observers=0 after=", "NODE  HOST")
	var rows [][]string
	for line := range strings.Lines(out[strings.Index(out, "NODE"):]) {
		f := strings.Fields(line)
		rows = append(rows, append(f[:1], f[4:]...))
	}
	want := [][]string{
		{"NODE", "ROLE", "LOG-END", "LAG"}, {"0", "voter", "97", "3"}, {"1", "voter", "-", "-"},
		{"2", "active", "controller", "100", "0"},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if out, err := status(t, true); err != nil || out != "2\n" {
		t.Errorf("--leader prints %q, %v", out, err)
	}
}

// In an election there is no leader, or one that nobody has followed yet: neither is shown.
func TestWaitsForAnElection(t *testing.T) {
	elected := led(0, 8)
	elected.HighWatermark = -1
	nobody := led(-1, 8)
	busy := led(1, 8)
	busy.ErrorCode = kerr.NotLeaderForPartition.Code
	withQuorum(t, answer{said: nobody}, answer{said: elected}, answer{said: busy},
		answer{said: led(1, 9)})
	if out, err := status(t, true); err != nil || out != "1\n" {
		t.Errorf("printed %q, %v", out, err)
	}
}

func TestNoMajority(t *testing.T) {
	hasten(t, 500*time.Millisecond)
	elected := led(2, 9)
	elected.HighWatermark = -1
	for _, a := range []answer{{said: led(-1, 9)}, {said: elected}} {
		withQuorum(t, a)
		out, err := status(t, false)
		wantParts(t, out, "brokers=3\n", "metadata controller (random broker): node=",
			"0     127.0.0.1", "  broker  -  ")
		if strings.Contains(out, "leader=") || strings.Contains(out, "active") {
			t.Errorf("it names a leader:\n%s", out)
		}
		const want = "no controller has answered for 500ms: a majority of the voters"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v", err)
		}
		if out, err := status(t, true); err == nil || out != "" {
			t.Errorf("--leader prints %q, %v", out, err)
		}
	}
}

// The embedded stand has no controllers: the brokers are shown, and what is missing.
func TestEmbeddedStand(t *testing.T) {
	kafkatest.Start(t)
	out, err := status(t, false)
	wantParts(t, out, "brokers=3\n", "metadata controller (random broker): node=", "NODE",
		"  broker  -        -\n")
	if err == nil || !strings.Contains(err.Error(), "COURSE_STAND=java") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

func TestErrorOfTheController(t *testing.T) {
	withQuorum(t, answer{code: kerr.ClusterAuthorizationFailed.Code})
	_, err := status(t, false)
	if !errors.Is(err, kerr.ClusterAuthorizationFailed) ||
		!strings.HasPrefix(err.Error(), "the quorum cannot be asked: ") {
		t.Errorf("error %v", err)
	}
}

// A broker that goes away in the middle: another one is asked.
func TestBrokerThatGoesAway(t *testing.T) {
	withQuorum(t, answer{quiet: true}, answer{said: led(1, 3)})
	if out, err := status(t, true); err != nil || out != "1\n" {
		t.Errorf("printed %q, %v", out, err)
	}
}

func TestAllBrokersGoAway(t *testing.T) {
	hasten(t, 500*time.Millisecond)
	withQuorum(t, answer{quiet: true})
	out, err := status(t, false)
	wantParts(t, out, "brokers=3\n")
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line", err)
	}
}

func TestNoBrokerAnswers(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[0]
	c.Close()
	_, err := status(t, false)
	if err == nil || !strings.Contains(err.Error(), addr) ||
		!strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

func TestInterrupted(t *testing.T) {
	withQuorum(t, answer{said: led(-1, 1)})
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := run(ctx, true, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestTableThatCannotBePrinted(t *testing.T) {
	withQuorum(t, answer{said: led(2, 7)})
	err := run(kafkatest.Context(t), false, fullDisk{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
}

func TestRows(t *testing.T) {
	broker := func(id int32) kgo.BrokerMetadata {
		return kgo.BrokerMetadata{NodeID: id, Host: "kafka", Port: 9092 + id}
	}
	unknown := led(-1, 5)
	apart := led(101, 5)
	apart.CurrentVoters = append(apart.CurrentVoters[:0], node(100, 99), node(101, 104))
	apart.Observers = append(apart.Observers, node(1, 100), node(20, 40))
	for _, tt := range []struct {
		name    string
		q       quorum
		brokers kadm.BrokerDetails
		want    []string
	}{
		{"nothing known", quorum{}, nil, nil},
		{"brokers alone", quorum{}, kadm.BrokerDetails{broker(10), broker(9)}, []string{
			"9 kafka 9101 - broker - -", "10 kafka 9102 - broker - -"}},
		{"no leader", unknown, kadm.BrokerDetails{broker(2)}, []string{
			"0 - - - voter 97 3", "1 - - - voter - -", "2 kafka 9094 - voter 100 0"}},
		{"the leader is not in the list", led(2, 5), kadm.BrokerDetails{broker(0)}, []string{
			"0 kafka 9092 - voter 97 3", "1 - - - voter - -", "2 - - - active controller 100 0"}},
		{"controllers of their own", apart, kadm.BrokerDetails{broker(1), broker(20), broker(21)},
			[]string{"1 kafka 9093 - observer 100 0", "20 kafka 9112 - observer 40 60",
				"21 kafka 9113 - broker - -", "100 - - - voter 99 1",
				"101 - - - active controller 104 0"}},
		{"an escape in a name", quorum{}, kadm.BrokerDetails{{
			Host: "\x1b[2J", Port: 1, Rack: kmsg.StringPtr("a\tb")}},
			[]string{`0 "\x1b[2J" 1 "a\tb" broker - -`}},
	} {
		var got []string
		for _, row := range rows(tt.q, tt.brokers) {
			got = append(got, strings.Join(row, " "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
