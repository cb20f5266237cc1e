package differences

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
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

// Lecture 01-03 says these things of a real Kafka. The ranges in its table come from
//
//	COURSE_TEST_KAFKA=1 go test -C course -run TestISR -v -timeout 20m ./differences -rounds=5
var rounds = flag.Int("rounds", 1, "how often to measure the time until the ISR shrinks")

func TestISR(t *testing.T) {
	t.Parallel()
	s := on(t, stand.Java)
	s.weather.Lock()
	defer s.weather.Unlock()
	for _, part := range []struct {
		name string
		run  func(*testing.T, *site)
	}{
		{"defaults", isrDefaults}, {"below the minimum", belowMinimum}, {"times", isrTimes},
		{"a write in a crash", writeInCrash}, {"no majority", noMajority},
		{"two clean stops", twoStops}, {"preferred leaders", preferredLeaders},
	} {
		t.Run(part.name, func(t *testing.T) {
			defer s.wake(t)
			part.run(t, s)
		})
	}
}

// wake starts what a failure has left stopped or paused: the parts that follow need it.
func (s *site) wake(t *testing.T) {
	if !t.Failed() {
		return
	}
	for _, verb := range []string{"resume", "start"} { // one of them is refused
		for node := range stand.Brokers {
			_, _ = s.run("broker", verb, strconv.Itoa(node))
		}
	}
}

// isrDefaults holds the settings that the text names, none of which the stand changes.
func isrDefaults(t *testing.T, s *site) {
	configs, err := s.admin(t).DescribeBrokerConfigs(kafkatest.Context(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range configs[0].Configs {
		got[c.Key] = c.MaybeValue()
	}
	for name, want := range map[string]string{
		"replica.lag.time.max.ms": "30000", "broker.session.timeout.ms": "9000",
		"broker.heartbeat.interval.ms": "2000", "auto.leader.rebalance.enable": "true",
		"leader.imbalance.check.interval.seconds": "300", "min.insync.replicas": "2",
		"unclean.leader.election.enable": "false",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// full returns when all brokers say that all replicas of a topic are in sync.
func (s *site) full(t *testing.T, topic string) {
	t.Helper()
	s.everywhere(t, topic, func(rt kmsg.MetadataResponseTopic) bool {
		return !slices.ContainsFunc(rt.Partitions, func(p kmsg.MetadataResponseTopicPartition) bool {
			return len(p.ISR) < 3
		})
	})
}

// belowMinimum has a topic that needs three in-sync replicas and two brokers.
func belowMinimum(t *testing.T, s *site) {
	ctx := kafkatest.Context(t)
	strict := s.topic(t, 1, "min.insync.replicas", "3")
	usual := s.topic(t, 1)
	s.full(t, strict)
	s.must(t, "broker", "stop", "1")
	send := func(topic string, acks kgo.Acks) error {
		cl := s.client(t, kgo.DisableIdempotentWrite(), kgo.RequiredAcks(acks),
			kgo.RecordRetries(0), kgo.DefaultProduceTopic(topic))
		records := make([]*kgo.Record, 20)
		for i := range records {
			records[i] = kgo.StringRecord(fmt.Sprint(i))
		}
		return cl.ProduceSync(ctx, records...).FirstErr()
	}
	if err := send(usual, kgo.AllISRAcks()); err != nil {
		t.Errorf("two of three replicas are enough for two: %v", err)
	}
	if err := send(strict, kgo.AllISRAcks()); !errors.Is(err, kerr.NotEnoughReplicas) {
		t.Errorf("acks=all with two of three that are needed: %v", err)
	}
	if err := send(strict, kgo.LeaderAck()); err != nil {
		t.Errorf("acks=1 with two of three that are needed: %v", err)
	}
	if end := s.end(t, strict); end != 0 {
		t.Errorf("acknowledged by the leader alone: the end offset is %d, want 0", end)
	}
	reader := s.client(t, kgo.ConsumeTopics(strict), kgo.ConsumeStartOffset(kgo.NewOffset().AtStart()))
	kafkatest.PollNothing(t, reader)

	// A clean stop leaves a broker among those that may lead although they are not in sync.
	req := kmsg.NewPtrDescribeTopicPartitionsRequest()
	rt := kmsg.NewDescribeTopicPartitionsRequestTopic()
	rt.Topic = strict
	req.Topics = append(req.Topics, rt)
	req.ResponsePartitionLimit = 10
	resp, err := req.RequestWith(ctx, s.client(t))
	if err != nil {
		t.Fatal(err)
	}
	if p := resp.Topics[0].Partitions[0]; !slices.Equal(p.EligibleLeaderReplicas, []int32{1}) {
		t.Errorf("eligible leaders %v with ISR %v, want broker 1", p.EligibleLeaderReplicas, p.ISR)
	}

	s.must(t, "broker", "start", "1")
	for got := 0; got < 20; {
		fetches := reader.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatalf("after %d records: %v", got, err)
		}
		got += fetches.NumRecords()
	}
	if end := s.end(t, strict); end != 20 {
		t.Errorf("with all replicas back, the end offset is %d, want 20", end)
	}
	s.full(t, usual)
}

// watcher is the lecture's own program, whose output is measured.
type watcher struct {
	events chan event
}

// event is a line of watch-isr that has a time.
type event struct {
	at    time.Time
	since time.Duration // what the program says has passed since the line before
	what  string
}

var eventLine = regexp.MustCompile(`^\[([0-9:.]+)\] \+(\S+) (.+)$`)

func (s *site) watch(t *testing.T, topic string) *watcher {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "watch-isr.exe") // the ending is needed on Windows only
	build := exec.Command("go", "build", "-o", bin, "./01-03-replication/cmd/watch-isr")
	build.Dir = filepath.Join("..", "..", "01-foundations")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(bin, "--topic="+topic, "--interval=50ms", "--for=15m")
	cmd.Env = append(cmd.Environ(), "COURSE_LANG=en", "KAFKA_BOOTSTRAP="+strings.Join(
		s.state(t).Bootstrap, ","))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := &watcher{events: make(chan event, 1000)}
	read, shown := make(chan struct{}), make(chan struct{})
	var first sync.Once
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			t.Logf("    %s", lines.Text())
			if strings.HasPrefix(lines.Text(), "0 ") {
				first.Do(func() { close(shown) }) // a row: what comes from now on is seen
			}
			if m := eventLine.FindStringSubmatch(lines.Text()); m != nil {
				w.events <- parsed(m)
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
	})
	select {
	case <-shown:
	case <-time.After(kafkatest.Deadline):
		t.Fatalf("no table within %s", kafkatest.Deadline)
	}
	return w
}

func parsed(m []string) event {
	now := time.Now()
	at, err := time.ParseInLocation("2006-01-02 15:04:05.000", now.Format("2006-01-02 ")+m[1],
		time.Local)
	since, err2 := time.ParseDuration(m[2])
	if err != nil || err2 != nil {
		return event{what: fmt.Sprintf("not understood: %q", m)}
	}
	if at.After(now.Add(time.Hour)) { // it was yesterday
		at = at.AddDate(0, 0, -1)
	}
	return event{at, since, m[3]}
}

// await returns the next event that says what is wanted, and the time since the event
// before it.
func (w *watcher) await(t *testing.T, what string) event {
	t.Helper()
	for {
		select {
		case e := <-w.events:
			if strings.Contains(e.what, what) {
				return e
			}
		case <-time.After(kafkatest.Deadline):
			t.Fatalf("waited %s in vain for %q", kafkatest.Deadline, what)
		}
	}
}

// isrTimes measures with the lecture's program how long it takes until the ISR shrinks. It
// asserts the order of things and wide bounds; the figures are in the log.
func isrTimes(t *testing.T, s *site) {
	topic := s.topic(t, 3)
	s.full(t, topic)
	w := s.watch(t, topic)
	const changed = "the partitions have changed"
	took := map[string][]time.Duration{}
	var stayed []time.Duration
	for range *rounds {
		for _, verb := range []string{"stop", "kill", "pause"} {
			began := time.Now()
			s.must(t, "broker", verb, "1")
			if verb == "stop" {
				// It leaves the ISR first, and then goes.
				shrunk := w.await(t, changed)
				gone := w.await(t, "broker 1 does not answer")
				took[verb] = append(took[verb], shrunk.at.Sub(began))
				stayed = append(stayed, gone.since)
			} else {
				silent := w.await(t, "broker 1 does not answer")
				shrunk := w.await(t, changed)
				took[verb] = append(took[verb], shrunk.since)
				if d := silent.at.Sub(began); d < -time.Second || d > 10*time.Second {
					t.Errorf("%s: silence was seen %s after the command", verb, d)
				}
			}
			back := map[string]string{"stop": "start", "kill": "start", "pause": "resume"}[verb]
			s.must(t, "broker", back, "1")
			w.await(t, "broker 1 answers again")
			s.full(t, topic)
			w.drain()
		}
	}
	t.Logf("until the ISR shrank: clean stop %s, of which it still answered for %s; crash %s; "+
		"pause %s", took["stop"], stayed, took["kill"], took["pause"])
	limit := map[string][2]time.Duration{
		"stop": {0, 6 * time.Second}, "kill": {6 * time.Second, 30 * time.Second},
		"pause": {6 * time.Second, 30 * time.Second},
	}
	for verb, all := range took {
		for _, d := range all {
			if d < limit[verb][0] || d > limit[verb][1] {
				t.Errorf("%s: %s until the ISR shrank", verb, d)
			}
		}
	}
}

// drain forgets what has come, when nothing more is to come.
func (w *watcher) drain() {
	for quiet := false; !quiet; {
		select {
		case <-w.events:
		case <-time.After(time.Second):
			quiet = true
		}
	}
}

// writeInCrash holds that a record with acks=all waits for the dead broker until it is out
// of the ISR, and that a client with default options is then told that all is well.
func writeInCrash(t *testing.T, s *site) {
	topic := s.topic(t, 1)
	s.full(t, topic)
	s.must(t, "broker", "kill", "1")
	began := time.Now()
	cl := s.client(t, kgo.DefaultProduceTopic(topic))
	if err := cl.ProduceSync(kafkatest.Context(t), kgo.StringRecord("x")).FirstErr(); err != nil {
		t.Error(err)
	}
	t.Logf("acknowledged %s after the crash", time.Since(began).Round(100*time.Millisecond))
	if p := s.partition(t, topic); slices.Contains(p.ISR, 1) {
		t.Errorf("acknowledged with ISR %v", p.ISR)
	}
	s.must(t, "broker", "start", "1")
	s.full(t, topic)
}

// noMajority kills two of three: what is left of the cluster goes on as it was recorded last.
func noMajority(t *testing.T, s *site) {
	var topic string
	for topic == "" || s.partition(t, topic).Leader != 0 {
		topic = s.topic(t, 1)
	}
	s.full(t, topic)
	b := newBatch(t, s, topic)
	s.must(t, "broker", "kill", "1")
	s.must(t, "broker", "kill", "2")
	killed := time.Now()

	// The leader is there, takes the record, and waits in vain for the others.
	if err := b.send(t, s, 0); !errors.Is(err, kerr.RequestTimedOut) {
		t.Errorf("acks=all: %v", err)
	}
	// Nobody is left who could make a topic.
	attempt := within(t, 3*time.Second)
	if _, err := s.admin(t).CreateTopic(attempt, 1, 3, nil, unique(t)); err == nil {
		t.Error("a topic was made")
	}
	// Far longer than a dead broker's session.
	for time.Since(killed) < 14*time.Second {
		if p := s.partition(t, topic); len(p.ISR) != 3 || p.Leader != 0 {
			t.Fatalf("leader %d, ISR %v: somebody decides", p.Leader, p.ISR)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if end := s.end(t, topic); end != 0 {
		t.Errorf("the end offset is %d, want 0", end)
	}
	s.must(t, "broker", "start", "1")
	s.must(t, "broker", "start", "2")
	s.full(t, topic)
	// What timed out was stored.
	kafkatest.Eventually(t, "the record is visible", func() bool { return s.end(t, topic) == 1 })
}

// twoStops stops two of three: the second one still finds a majority to say goodbye to.
func twoStops(t *testing.T, s *site) {
	topic := s.topic(t, 1)
	alone := s.topic(t, 1, "min.insync.replicas", "1") // for lecture 02-02
	s.full(t, topic)
	s.full(t, alone)
	b, one := newBatch(t, s, topic), newBatch(t, s, alone)
	s.must(t, "broker", "stop", "1")
	s.must(t, "broker", "stop", "2")
	if p := s.partition(t, topic); p.Leader != 0 || !slices.Equal(p.ISR, []int32{0}) {
		t.Errorf("leader %d, ISR %v, want broker 0 alone", p.Leader, p.ISR)
	}
	if err := b.send(t, s, 0); !errors.Is(err, kerr.NotEnoughReplicas) {
		t.Errorf("acks=all: %v", err)
	}
	if err := one.send(t, s, 0); err != nil {
		t.Errorf("acks=all with a minimum of one, and one in sync: %v", err)
	}
	s.must(t, "broker", "start", "1")
	s.must(t, "broker", "start", "2")
	s.full(t, topic)
}

// preferredLeaders holds that a broker which comes back leads nothing until it is elected.
func preferredLeaders(t *testing.T, s *site) {
	ctx := kafkatest.Context(t)
	topic := s.topic(t, 3)
	leaders := func() (string, string) {
		topics, err := s.admin(t).ListTopics(ctx, topic)
		if err != nil {
			t.Fatal(err)
		}
		var have, want string
		for _, p := range topics[topic].Partitions.Sorted() {
			have += strconv.Itoa(int(p.Leader)) + " "
			want += strconv.Itoa(int(p.Replicas[0])) + " "
		}
		return have, want
	}
	s.must(t, "broker", "stop", "1")
	s.must(t, "broker", "start", "1")
	s.full(t, topic)
	if have, _ := leaders(); strings.Contains(have, "1") {
		t.Errorf("broker 1 leads at once: %s", have)
	}
	set := kadm.TopicsSet{}
	set.Add(topic, 0, 1, 2)
	if _, err := s.admin(t).ElectLeaders(ctx, kadm.ElectPreferredReplica, set); err != nil {
		t.Fatal(err)
	}
	kafkatest.Eventually(t, "the preferred leaders lead", func() bool {
		have, want := leaders()
		return have == want
	})
}
