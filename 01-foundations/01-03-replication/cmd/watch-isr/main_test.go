package main

import (
	"context"
	"errors"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/01-foundations/01-03-replication/ask"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

const topic = "brew.payments.v1"

// watch is a watch that runs in this process.
type watch struct {
	t        *testing.T
	out, err kafkatest.Buffer
	stop     func() error
}

func start(t *testing.T) *watch {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &watch{t: t}
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, config{topic: topic, interval: 10 * time.Millisecond}, &w.out, &w.err)
	}()
	w.stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = w.stop() })
	return w
}

// end is Ctrl+C: a normal end.
func (w *watch) end() {
	w.t.Helper()
	if err := w.stop(); err != nil {
		w.t.Errorf("after the signal: %v", err)
	}
}

// move makes a broker the leader of partition 0; another one, if it was it already.
func move(t *testing.T, c *kfake.Cluster) {
	t.Helper()
	if err := c.MoveTopicPartition(topic, 0, (c.LeaderFor(topic, 0)+1)%3); err != nil {
		t.Fatal(err)
	}
}

const table3 = `PARTITION +LEADER +REPLICAS +ISR +UNDER-REPLICATED
(?:\d +\d +\d,\d,\d +0,1,2 +no
){3}`

func TestPrintsChangesAndNothingElse(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	looks := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Metadata}, Count: -1, Observe: true})
	w := start(t)
	w.out.Await(t, "\n2 ")
	// Some looks, at three brokers each, when nothing has changed.
	seen := looks.Hits()
	kafkatest.Eventually(t, "more looks", func() bool { return looks.Hits() > seen+10 })
	move(t, c)
	w.out.Await(t, "the partitions have changed\n")
	kafkatest.Eventually(t, "two tables", func() bool {
		return strings.Count(w.out.String(), "\n2 ") == 2
	})
	w.end()
	want := regexp.MustCompile(`^` + table3 +
		`\[\d\d:\d\d:\d\d\.\d{3}\] \+[\d.]+m?s the partitions have changed\n` + table3 + `$`)
	if !want.MatchString(w.out.String()) || w.err.String() != "" {
		t.Errorf("printed\n%s\nand on stderr %q", &w.out, &w.err)
	}
}

// gate passes bytes on to a broker until it is frozen: then it takes them, as the kernel
// does for a paused process, and nothing is answered.
type gate struct {
	addr   string
	mu     sync.RWMutex // held by who freezes it
	frozen bool
}

func newGate(t *testing.T, to string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{addr: l.Addr().String()}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go g.pass(out, in)
			go g.pass(in, out)
		}
	}()
	t.Cleanup(g.thaw)
	return g
}

func (g *gate) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	_, _ = io.Copy(to, reader{g, from})
}

type reader struct {
	g    *gate
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.g.mu.RLock()
	defer r.g.mu.RUnlock()
	return n, err
}

func (g *gate) freeze() { g.mu.Lock(); g.frozen = true }

func (g *gate) thaw() {
	if g.frozen {
		g.frozen = false
		g.mu.Unlock()
	}
}

// The broker that was believed until now freezes: another one is believed, and the frozen
// one holds up neither the looks nor the news.
func TestAFrozenBroker(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	addrs := c.ListenAddrs()
	g := newGate(t, addrs[0])
	t.Setenv("KAFKA_BOOTSTRAP", strings.Join([]string{g.addr, addrs[1], addrs[2]}, ","))
	w := start(t)
	w.out.Await(t, "\n2 ")
	g.freeze()
	// The cluster does not know it by the gate's address, so it has no number.
	w.out.Await(t, "broker "+g.addr+" does not answer\n")
	began := time.Now()
	move(t, c)
	w.out.Await(t, "the partitions have changed\n")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the change was seen only after %s", took)
	}
	g.thaw()
	w.out.Await(t, "broker "+g.addr+" answers again\n")
	w.end()
	if got := strings.Count(w.out.String(), "does not answer"); got != 1 || w.err.String() != "" {
		t.Errorf("silence was told %d times; stderr %q\n%s", got, &w.err, &w.out)
	}
}

// Brokers that are gone are named by the numbers that an answer has told; when all are,
// it says so once on stderr, and watches on.
func TestAllBrokersGone(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	w := start(t)
	w.out.Await(t, "\n2 ")
	c.Close()
	w.err.Await(t, "no broker answers; still watching\n")
	for _, broker := range []string{"0", "1", "2"} {
		w.out.Await(t, "broker "+broker+" does not answer\n")
	}
	w.end()
}

func TestTopics(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	var out, stderr kafkatest.Buffer
	cfg := config{topic: "nope", interval: time.Second}
	err := run(kafkatest.Context(t), cfg, &out, &stderr)
	if err == nil || err.Error() != "topic nope does not exist: `make topic-create` makes it" {
		t.Errorf("a missing topic: %v", err)
	}
	if out.String()+stderr.String() != "" {
		t.Errorf("a missing topic: printed %q, %q", &out, &stderr)
	}

	// Deleted in the middle of a watch: one line, and it goes on.
	w := start(t)
	w.out.Await(t, "\n2 ")
	adm := kadm.NewClient(kafkatest.Client(t, c))
	if _, err := adm.DeleteTopic(kafkatest.Context(t), topic); err != nil {
		t.Fatal(err)
	}
	w.err.Await(t, "topic brew.payments.v1 does not exist: `make topic-create` makes it; "+
		"still watching\n")
	if _, err := adm.CreateTopic(kafkatest.Context(t), 3, 3, nil, topic); err != nil {
		t.Fatal(err)
	}
	w.err.Await(t, "the cluster answers again\n")
	w.end()
	if got := strings.Count(w.err.String(), "\n"); got != 2 {
		t.Errorf("%d lines on stderr:\n%s", got, &w.err)
	}
}

func TestEnds(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(3, topic))
	for name, cfg := range map[string]config{
		"--once": {once: true}, "--for": {limits: cli.Limits{For: 100 * time.Millisecond}},
	} {
		cfg.topic, cfg.interval = topic, time.Minute
		var out, stderr kafkatest.Buffer
		if err := run(kafkatest.Context(t), cfg, &out, &stderr); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !regexp.MustCompile(`^` + table3 + `$`).MatchString(out.String()) {
			t.Errorf("%s: printed\n%s", name, &out)
		}
	}
}

// On the embedded stand there is a table, and one line that says what is missing.
func TestOnTheEmbeddedStand(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	home := t.TempDir()
	t.Setenv("COURSE_HOME", home)
	t.Setenv("KAFKA_BOOTSTRAP", "")
	if err := stand.Write(home, stand.State{
		Version: stand.FormatVersion, Kind: stand.Embedded, Bootstrap: c.ListenAddrs(),
		Ports: []int{1, 2, 3}, Software: "kfake", Started: time.Now(),
	}); err != nil {
		t.Fatal(err)
	}
	var out, stderr kafkatest.Buffer
	err := run(kafkatest.Context(t), config{topic: topic, interval: time.Minute}, &out, &stderr)
	if err == nil || !strings.Contains(err.Error(), "its ISR is always full") ||
		!strings.Contains(err.Error(), "COURSE_STAND=java make up") {
		t.Fatalf("the error does not say what is missing and what to do: %v", err)
	}
	if !regexp.MustCompile(`^` + table3 + `$`).MatchString(out.String()) {
		t.Errorf("printed\n%s", &out)
	}
	var usage cli.UsageError
	if errors.As(err, &usage) || strings.Contains(err.Error(), "\n") {
		t.Errorf("not a plain error of one line: %v", err)
	}
}

func TestRows(t *testing.T) {
	partition := func(n, leader int32, replicas, isr []int32) (
		p kmsg.MetadataResponseTopicPartition,
	) {
		p.Partition, p.Leader, p.Replicas, p.ISR = n, leader, replicas, isr
		return p
	}
	var got []string
	for _, row := range rows([]kmsg.MetadataResponseTopicPartition{
		partition(0, 0, []int32{0, 1, 2}, []int32{2, 1, 0}),
		partition(1, 2, []int32{1, 2, 0}, []int32{2, 0}),
		partition(2, -1, []int32{2, 0, 1}, nil),
		partition(3, 2, []int32{1, 2, 0}, []int32{2}),
	}) {
		got = append(got, strings.Join(row, " "))
	}
	want := "0 0 0,1,2 0,1,2 no\n" + "1 2 1,2,0 0,2 yes (missing [1])\n" +
		"2 none 2,0,1 - yes (missing [2 0 1])\n" + "3 2 1,2,0 2 yes (missing [1 0])"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// Why the program sends its own request: with kadm and franz-go's defaults a second look
// within five seconds is answered from memory.
func TestKadmAnswersFromMemory(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	for ctx := kafkatest.Context(t); ; {
		began := time.Now()
		before, after, ours, age := lookTwice(ctx, t, c)
		if age != 5*time.Second {
			t.Fatalf("the default of MetadataMinAge is %s", age)
		}
		if time.Since(began) >= age {
			if ctx.Err() != nil {
				t.Fatal("the machine is too busy: the memory always grows old")
			}
			continue
		}
		if now := c.LeaderFor(topic, 0); before == now || after != before || ours != now {
			t.Errorf("the leader was %d and is %d; kadm says %d, we say %d", before, now, after,
				ours)
		}
		return
	}
}

// lookTwice returns the leader of partition 0 as kadm tells it before and after a move, and
// as we do then, with a client that has franz-go's defaults.
func lookTwice(ctx context.Context, t *testing.T, c *kfake.Cluster) (
	before, after, ours int32, age time.Duration,
) {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	adm := kadm.NewClient(cl)
	byKadm := func() int32 {
		topics, err := adm.ListTopics(ctx, topic)
		if err != nil {
			t.Fatal(err)
		}
		return topics[topic].Partitions[0].Leader
	}
	before = byKadm()
	move(t, c)
	after = byKadm()
	answer, _, _, err := ask.New(cl).Topic(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	age, _ = cl.OptValue(kgo.MetadataMinAge).(time.Duration)
	return before, after, answer.Partitions[0].Leader, age
}
