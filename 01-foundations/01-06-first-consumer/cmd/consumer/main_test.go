package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const (
	topic = "brew.orders.v1"
	group = "brew.kitchen-service"
)

// wantRows are the keys of ten orders in each of three partitions, in order.
var wantRows = map[string][]string{
	"0": {"order-2", "order-3", "order-6"},
	"1": {"order-0", "order-1", "order-7", "order-9"},
	"2": {"order-4", "order-5", "order-8"},
}

// brew starts a cluster with n orders in brew.orders.v1.
func brew(t *testing.T, n int) *kfake.Cluster {
	t.Helper()
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	order(t, c, topic, n)
	return c
}

func order(t *testing.T, c *kfake.Cluster, topic string, n int) {
	t.Helper()
	cl := kafkatest.Client(t, c)
	for i := range n {
		r := &kgo.Record{
			Topic: topic,
			Key:   fmt.Appendf(nil, "order-%d", i),
			Value: fmt.Appendf(nil, "OrderPlaced order_id=order-%d", i),
		}
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// member is a consumer that runs in this process.
type member struct {
	t        *testing.T
	out, err kafkatest.Buffer
	cancel   context.CancelFunc
	done     chan error
	stopOnce sync.Once
}

func start(t *testing.T, cfg config) *member {
	t.Helper()
	if cfg.limits == nil {
		cfg.limits = &cli.Limits{}
	}
	if cfg.topic == "" {
		cfg.topic = topic
	}
	if cfg.group == "" {
		cfg.group = group
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &member{t: t, cancel: cancel, done: make(chan error, 1)}
	go func() { m.done <- run(ctx, cfg, &m.out, &m.err) }()
	t.Cleanup(m.stop)
	return m
}

// wait returns when the program has ended, with its error.
func (m *member) wait() error {
	m.t.Helper()
	select {
	case err := <-m.done:
		m.done <- err
		return err
	case <-time.After(kafkatest.Deadline):
		m.t.Fatalf("still running\nstdout:\n%s\nstderr:\n%s", &m.out, &m.err)
		return nil
	}
}

// stop is Ctrl+C.
func (m *member) stop() {
	m.t.Helper()
	m.stopOnce.Do(func() {
		m.cancel()
		// What the signal cuts short at the start is a normal end, too.
		if err := m.wait(); err != nil && !errors.Is(err, context.Canceled) {
			m.t.Errorf("after the signal: %v", err)
		}
	})
}

// rows returns the keys that were printed, by partition.
func (m *member) rows() map[string][]string {
	got := map[string][]string{}
	for line := range strings.Lines(m.out.String()) {
		f := strings.Fields(line)
		if len(f) == 7 && strings.HasPrefix(f[3], "order-") {
			got[f[1]] = append(got[f[1]], f[3])
		}
	}
	return got
}

func (m *member) awaitRows(n int) {
	m.t.Helper()
	kafkatest.Eventually(m.t, fmt.Sprintf("%d rows", n), func() bool {
		got := 0
		for _, keys := range m.rows() {
			got += len(keys)
		}
		return got >= n
	})
}

func (m *member) wantRows(want map[string][]string) {
	m.t.Helper()
	if got := m.rows(); !maps.EqualFunc(got, want, slices.Equal) {
		m.t.Errorf("rows %v, want %v\n%s", got, want, &m.out)
	}
}

func TestPrintsTenOrdersAndItsPartitions(t *testing.T) {
	brew(t, 10)
	m := start(t, config{member: "1", fromStart: true})
	m.awaitRows(10)
	m.stop()
	m.wantRows(wantRows)

	row := regexp.MustCompile(`(?m)^1       1          2       order-7  ` +
		`OrderPlaced order_id=order-7  \d\d:\d\d:\d\d\.\d{3}$`)
	for _, want := range []string{
		`kitchen-service started: brew-topic="brew.orders.v1" group="brew.kitchen-service" ` +
			"member=1 from-start=true\nreading brew-orders; Ctrl+C to exit.\n" +
			"MEMBER  PARTITION  OFFSET  KEY      VALUE                         BROKER-TS\n",
		"\nrecords read: 10\nkitchen-service stopped by a signal.\n",
		row.FindString(m.out.String()),
	} {
		if want == "" || !strings.Contains(m.out.String(), want) {
			t.Errorf("stdout lacks %q:\n%s", want, &m.out)
		}
	}
	wantErr := "[member=1] assigned: map[brew.orders.v1:[0 1 2]]\n" +
		"[member=1] revoked:  map[brew.orders.v1:[0 1 2]]\n"
	if m.err.String() != wantErr {
		t.Errorf("stderr %q, want %q", &m.err, wantErr)
	}
}

// The hook of our own took the final commit away: a stop within the five seconds of the
// background commit commits nothing, and the next run reads the same ten again.
func TestStopWithinFiveSecondsRepeatsTheTen(t *testing.T) {
	c := brew(t, 10)
	for range 2 {
		m := start(t, config{member: "1", fromStart: true})
		m.awaitRows(10)
		m.stop()
		m.wantRows(wantRows)
		if got := kafkatest.Committed(t, kafkatest.Client(t, c), group, topic); len(got) != 0 {
			t.Fatalf("committed %v right after the rows, want nothing", got)
		}
	}
}

func TestAfterTheBackgroundCommitNothingIsRepeated(t *testing.T) {
	c := brew(t, 10)
	cl := kafkatest.Client(t, c)
	m := start(t, config{member: "1", fromStart: true})
	m.awaitRows(10)
	want := map[int32]int64{0: 3, 1: 4, 2: 3}
	kafkatest.Eventually(t, "the commit 3/4/3", func() bool {
		return maps.Equal(kafkatest.Committed(t, cl, group, topic), want)
	})
	m.stop()

	again := start(t, config{member: "1", fromStart: true})
	again.err.Await(t, "assigned")
	order(t, c, topic, 1) // the next record is the proof that the ten were passed over
	again.awaitRows(1)
	again.stop()
	again.wantRows(map[string][]string{"1": {"order-0"}})

	analytics := start(t, config{member: "1", group: "brew.analytics", fromStart: true})
	analytics.awaitRows(11) // another group has its own offsets
}

func TestSecondMemberTakesOneOfThreeAndGivesItBack(t *testing.T) {
	brew(t, 10)
	one := start(t, config{member: "1", fromStart: true})
	one.err.Await(t, "[member=1] assigned: map[brew.orders.v1:[0 1 2]]")
	two := start(t, config{member: "2", fromStart: true})
	two.err.Await(t, "[member=2] assigned: map[brew.orders.v1:[2]]\n")
	two.stop()
	one.err.Await(t, "[member=1] assigned: map[brew.orders.v1:[2]]\n")
	one.stop()
	want := "[member=1] assigned: map[brew.orders.v1:[0 1 2]]\n" +
		"[member=1] revoked:  map[brew.orders.v1:[2]]\n" +
		"[member=1] assigned: map[brew.orders.v1:[2]]\n" +
		"[member=1] revoked:  map[brew.orders.v1:[0 1 2]]\n"
	if one.err.String() != want {
		t.Errorf("member 1 said\n%swant\n%s", &one.err, want)
	}
}

func TestFourthMemberIsToldThatItIsIdle(t *testing.T) {
	brew(t, 0)
	var members []*member
	for i := range 3 {
		m := start(t, config{member: fmt.Sprint(i + 1), fromStart: true})
		m.err.Await(t, "assigned")
		members = append(members, m)
	}
	four := start(t, config{member: "4", fromStart: true})
	four.err.Await(t, "[member=4] no partitions assigned (3 partitions, 4 members)\n")
	members[0].stop()
	four.err.Await(t, "[member=4] assigned: map[brew.orders.v1:[") // a place was free
}

func TestFromStartFlag(t *testing.T) {
	c := brew(t, 10)
	end := start(t, config{member: "1", group: "fresh", typed: true})
	end.err.Await(t, "assigned")
	// The end is looked up after the assignment; what is written later is read.
	kafkatest.Eventually(t, "a row", func() bool {
		order(t, c, topic, 1)
		return len(end.rows()) > 0
	})
	end.stop()
	if _, old := end.rows()["0"]; old {
		t.Errorf("a new group that starts at the end read old records:\n%s", &end.out)
	}
	if strings.Contains(end.err.String(), "--from-start") {
		t.Errorf("a notice about a flag that had its effect:\n%s", &end.err)
	}
}

func TestNoticeOfAStartFlagThatDoesNothing(t *testing.T) {
	c := brew(t, 10)
	cl := kafkatest.Client(t, c, kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic))
	kafkatest.Eventually(t, "a poll and a commit", func() bool {
		cl.PollFetches(kafkatest.Context(t))
		return cl.CommitUncommittedOffsets(kafkatest.Context(t)) == nil
	})
	cl.Close()
	const notice = "[member=1] group brew.kitchen-service has committed offsets, " +
		"so --from-start does nothing"
	typed := start(t, config{member: "1", fromStart: true, typed: true})
	typed.err.Await(t, notice)
	typed.stop()
	silent := start(t, config{member: "1", fromStart: true})
	silent.err.Await(t, "assigned")
	silent.stop()
	if strings.Contains(silent.err.String(), "--from-start") {
		t.Errorf("a notice about a flag that was not given:\n%s", &silent.err)
	}
}

func TestPatternReadsAllTopicsThatMatch(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic, "brew.payments.v1", "other"))
	order(t, c, topic, 2)
	order(t, c, "brew.payments.v1", 2)
	order(t, c, "other", 2)
	m := start(t, config{member: "1", topic: `^brew\.`, regex: true, fromStart: true})
	m.awaitRows(4)
	m.stop()
	m.wantRows(map[string][]string{"0": m.rows()["0"][:4]})
	for _, name := range []string{topic, "brew.payments.v1"} {
		if !strings.Contains(m.err.String(), name+":[0]") {
			t.Errorf("%s not assigned: %s", name, &m.err)
		}
	}
}

func TestEndsByItself(t *testing.T) {
	brew(t, 10)
	m := start(t, config{member: "1", fromStart: true, limits: &cli.Limits{Records: 4}})
	if err := m.wait(); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(m.out.String(), "\nrecords read: 4\n") {
		t.Errorf("stdout:\n%s", &m.out)
	}
	m = start(t, config{member: "1", fromStart: true, limits: &cli.Limits{For: time.Millisecond}})
	if err := m.wait(); err != nil {
		t.Fatal(err)
	}
	all := &cli.Limits{Records: 10}
	fresh := start(t, config{member: "1", fromStart: true, fresh: true, limits: all})
	if err := fresh.wait(); err != nil {
		t.Fatal(err)
	}
	random := regexp.MustCompile(`group="brew\.kitchen-service-[0-9a-f]{8}"`)
	if !random.MatchString(fresh.out.String()) {
		t.Errorf("no fresh group in\n%s", &fresh.out)
	}
}

func TestUnknownTopicIsAnError(t *testing.T) {
	c := brew(t, 0)
	m := start(t, config{member: "1", topic: "brew.order.v1", fromStart: true})
	err := m.wait()
	if err == nil || !strings.Contains(err.Error(), "topic brew.order.v1 does not exist") {
		t.Errorf("error %v", err)
	}
	m.stopOnce.Do(func() {}) // it ended by itself
	if c.TopicInfo("brew.order.v1") != nil {
		t.Error("the topic was created by the consumer")
	}
}

// To a client a topic that was deleted and made anew is another one: without an end the
// consumer would wait for the old one for ever, and say so thousands of times a second.
func TestTopicMadeAnewEndsTheConsumer(t *testing.T) {
	c := brew(t, 10)
	m := start(t, config{member: "1", fromStart: true})
	m.awaitRows(10)
	if err := c.DeleteTopic(topic); err != nil {
		t.Fatal(err)
	}
	if err := c.CreateTopic(topic, 3, nil); err != nil {
		t.Fatal(err)
	}
	err := m.wait()
	m.stopOnce.Do(func() {})
	if err == nil || !strings.Contains(err.Error(), "brew.orders.v1 was deleted and made anew") {
		t.Errorf("error %v", err)
	}
}

// The group has committed 2 of partition 0, where records below 5 are gone by now.
func TestRecordsThatExpiredAreTold(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	order(t, c, topic, 10)
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, At: 2, LeaderEpoch: -1})
	adm := kadm.NewClient(kafkatest.Client(t, c))
	if err := adm.CommitAllOffsets(kafkatest.Context(t), group, offsets); err != nil {
		t.Fatal(err)
	}
	if err := c.DeleteRecords(topic, 0, 5); err != nil {
		t.Fatal(err)
	}
	m := start(t, config{member: "1", fromStart: true})
	m.awaitRows(5)
	m.stop()
	m.wantRows(map[string][]string{"0": {"order-5", "order-6", "order-7", "order-8", "order-9"}})
	want := "[member=1] missed: 3 records expired unread (topic brew.orders.v1, partition 0, " +
		"offsets 2 to 4); the log begins at 5 now\n[member=1] assigned: "
	if !strings.HasPrefix(m.err.String(), want) {
		t.Errorf("stderr %q, want it to begin with %q", &m.err, want)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// What could not be printed is not done, so it must not be committed.
func TestRowThatCannotBePrintedIsNotCommitted(t *testing.T) {
	c := brew(t, 10)
	cfg := config{topic: topic, group: group, member: "1", fromStart: true, limits: &cli.Limits{}}
	err := run(kafkatest.Context(t), cfg, fullDisk{}, &kafkatest.Buffer{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if got := kafkatest.Committed(t, kafkatest.Client(t, c), group, topic); len(got) != 0 {
		t.Errorf("committed %v", got)
	}
}

func TestNoBrokerIsAnErrorThatNamesTheAddress(t *testing.T) {
	c := brew(t, 0)
	addr := c.ListenAddrs()[0]
	c.Close()
	m := start(t, config{member: "1", fromStart: true})
	err := m.wait()
	m.stopOnce.Do(func() {})
	if err == nil || !strings.Contains(err.Error(), addr) ||
		!strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}
