package kafka

import (
	"context"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/embedded"
	"brew.example/internal/kafkatest"
)

// hasty is a patience for tests that do not measure it.
var hasty = patience{
	refused: 50 * time.Millisecond, silent: 500 * time.Millisecond, probe: 2 * time.Second,
	tick: 10 * time.Millisecond,
}

// doubting is one for tests where a Ping succeeds, however slow the machine is.
var doubting = patience{
	refused: hasty.refused, silent: 100 * time.Millisecond, probe: kafkatest.Deadline,
	tick: hasty.tick,
}

// network stands between a cluster and its clients. It can pause, as a stopped process
// does: connections are accepted, nothing is read or written. Its connections can be cut.
type network struct {
	mu       sync.Mutex
	changed  *sync.Cond
	paused   bool
	accepted int
	nodes    []*node
}

// node is one broker's listener.
type node struct {
	net.Listener
	of    *network
	conns []*conn
}

type conn struct {
	net.Conn
	of     *network
	closed bool
}

func newNetwork(t *testing.T) *network {
	n := &network{}
	n.changed = sync.NewCond(&n.mu)
	t.Cleanup(func() { n.pause(false) })
	return n
}

func (n *network) listen(network, address string) (net.Listener, error) {
	ln, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.nodes = append(n.nodes, &node{Listener: ln, of: n})
	return n.nodes[len(n.nodes)-1], nil
}

func (n *network) pause(paused bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paused = paused
	n.changed.Broadcast()
}

func (n *network) connections() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.accepted
}

// cut closes the node's connections; kill its listener as well.
func (d *node) cut() {
	d.of.mu.Lock()
	conns := d.conns
	d.conns = nil
	d.of.mu.Unlock()
	for _, c := range conns {
		c.Close()
	}
}

func (d *node) kill() {
	d.Listener.Close()
	d.cut()
}

func (d *node) Accept() (net.Conn, error) {
	inner, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	d.of.mu.Lock()
	defer d.of.mu.Unlock()
	c := &conn{Conn: inner, of: d.of}
	d.conns = append(d.conns, c)
	d.of.accepted++
	return c, nil
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.waitPaused()
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	c.waitPaused()
	return c.Conn.Write(p)
}

func (c *conn) waitPaused() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	for c.of.paused && !c.closed {
		c.of.changed.Wait()
	}
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.closed = true
	c.of.changed.Broadcast()
	return err
}

// dials counts the dials that failed.
type dials struct{ failed atomic.Int32 }

func (d *dials) OnBrokerConnect(_ kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	if err != nil {
		d.failed.Add(1)
	}
}

// watched returns a client whose reach has the patience p, and what that printed.
func watched(t *testing.T, addrs string, p patience, opts ...kgo.Opt) (
	*kgo.Client, *kafkatest.Buffer,
) {
	t.Helper()
	var stderr kafkatest.Buffer
	cl, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(strings.Split(addrs, ",")...), kgo.WithHooks(newReach(&stderr, p)),
		kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond }),
		kgo.MetadataMinAge(20 * time.Millisecond),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl, &stderr
}

// consume polls until the client closes and counts the records.
func consume(cl *kgo.Client) *atomic.Int32 {
	var n atomic.Int32
	go func() {
		for {
			fetches := cl.PollFetches(context.Background())
			if fetches.IsClientClosed() {
				return
			}
			n.Add(int32(fetches.NumRecords()))
		}
	}()
	return &n
}

func produce(t *testing.T, cl *kgo.Client) {
	t.Helper()
	r := &kgo.Record{Topic: "orders", Value: []byte("x")}
	if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

const (
	goneLine = "no broker answers: "
	backLine = "a broker answers again: "
)

// TestStandDies holds the promise to a learner with what NewClient gives: the stand is
// killed under a consumer, and one line says so within 15 s; it returns, one line says so,
// and the consumer goes on.
func TestStandDies(t *testing.T) {
	t.Parallel()
	c, opts := startFixed(t)
	addrs := strings.Join(c.ListenAddrs(), ",")
	var failed dials
	cl, stderr := clientOf(t, vars("BOOTSTRAP", addrs), kgo.ConsumeTopics("orders"),
		kgo.WithHooks(&failed))
	read := consume(cl)
	produce(t, cl)
	kafkatest.Eventually(t, "the record is read", func() bool { return read.Load() == 1 })

	began := time.Now()
	c.Close()
	stderr.Await(t, goneLine)
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("the line came after %s", took)
	}
	before := failed.failed.Load()
	kafkatest.Eventually(t, "more dials", func() bool { return failed.failed.Load() > before+3 })
	got := stderr.String()
	if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "; still trying\n") {
		t.Errorf("printed %q, want one line", got)
	}
	for addr := range strings.SplitSeq(addrs, ",") {
		if !strings.Contains(got, addr) {
			t.Errorf("no %s in %q", addr, got)
		}
	}

	again, err := embedded.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(again.Close)
	stderr.Await(t, backLine)
	produce(t, cl)
	kafkatest.Eventually(t, "the second record is read", func() bool { return read.Load() == 2 })
	if got := stderr.String(); strings.Count(got, "\n") != 2 {
		t.Errorf("printed %q, want two lines", got)
	}
}

// startFixed starts a cluster on ports that neither the kernel nor a test of the stands uses
// (those take 10000 to 32767), and returns the options to start it there again with all that
// it stored.
func startFixed(t *testing.T) (*kfake.Cluster, []kfake.Opt) {
	t.Helper()
	var err error
	for range 50 {
		port := 8000 + rand.IntN(1900)
		opts := []kfake.Opt{
			kfake.Ports(port, port+1, port+2), kfake.DataDir(t.TempDir()),
			kfake.SeedTopics(3, "orders"),
		}
		var c *kfake.Cluster
		if c, err = embedded.New(opts...); err == nil {
			t.Cleanup(c.Close)
			return c, opts
		}
	}
	t.Fatal(err)
	return nil, nil
}

// TestPausedCluster holds that brokers which still take connections and answer nothing
// are noticed within 15 s as well.
func TestPausedCluster(t *testing.T) {
	t.Parallel()
	between := newNetwork(t)
	_, addrs := start(t, kfake.SeedTopics(3, "orders"), kfake.ListenFn(between.listen))
	cl, stderr := clientOf(t, vars("BOOTSTRAP", addrs), kgo.ConsumeTopics("orders"))
	read := consume(cl)
	produce(t, cl)
	kafkatest.Eventually(t, "the record is read", func() bool { return read.Load() == 1 })
	began := time.Now()
	between.pause(true)
	stderr.Await(t, goneLine)
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("the line came after %s", took)
	}
	if got := stderr.String(); !strings.Contains(got, "no answer") {
		t.Errorf("printed %q", got)
	}
	between.pause(false)
	stderr.Await(t, backLine)
	if got := stderr.String(); strings.Count(got, "\n") != 2 {
		t.Errorf("printed %q, want two lines", got)
	}
}

// TestIdleClient holds that a client which asks for nothing learns of the end and of the
// return as well.
func TestIdleClient(t *testing.T) {
	t.Parallel()
	between := newNetwork(t)
	_, addrs := start(t, kfake.SeedTopics(1, "orders"), kfake.ListenFn(between.listen))
	cl, stderr := watched(t, addrs, hasty)
	produce(t, cl)
	between.pause(true)
	stderr.Await(t, goneLine)
	between.pause(false)
	stderr.Await(t, backLine)
	produce(t, cl)
	if got := stderr.String(); strings.Count(got, "\n") != 2 {
		t.Errorf("printed %q, want two lines", got)
	}
}

// TestConnectingIsNoAnswer holds that a broker which only takes connections, as the
// kernel does for a stopped process, is not said to be back.
func TestConnectingIsNoAnswer(t *testing.T) {
	t.Parallel()
	between := newNetwork(t)
	_, addrs := start(t, kfake.SeedTopics(3, "orders"), kfake.ListenFn(between.listen))
	cl, stderr := watched(t, addrs, hasty, kgo.ConsumeTopics("orders"))
	read := consume(cl)
	produce(t, cl)
	kafkatest.Eventually(t, "the record is read", func() bool { return read.Load() == 1 })
	between.pause(true)
	stderr.Await(t, goneLine)
	before := between.connections()
	for _, n := range between.nodes {
		n.cut()
	}
	kafkatest.Eventually(t, "new connections", func() bool {
		return between.connections() > before+3
	})
	if got := stderr.String(); strings.Count(got, "\n") != 1 {
		t.Errorf("printed %q, want one line", got)
	}
	between.pause(false)
	stderr.Await(t, backLine)
	if got := stderr.String(); strings.Count(got, "\n") != 2 {
		t.Errorf("printed %q, want two lines", got)
	}
}

// TestOneBrokerOfThreeDies holds that one dead broker is no reason for a line.
func TestOneBrokerOfThreeDies(t *testing.T) {
	t.Parallel()
	between := newNetwork(t)
	_, addrs := start(t, kfake.SeedTopics(3, "orders"), kfake.ListenFn(between.listen))
	var failed dials
	cl, stderr := watched(t, addrs, doubting, kgo.ConsumeTopics("orders"), kgo.WithHooks(&failed))
	read := consume(cl)
	produce(t, cl)
	kafkatest.Eventually(t, "the record is read", func() bool { return read.Load() == 1 })
	between.nodes[1].kill()
	dead := cl.SeedBrokers()[1]
	kafkatest.Eventually(t, "dials that fail", func() bool {
		if _, err := dead.Request(kafkatest.Context(t), kmsg.NewPtrMetadataRequest()); err == nil {
			t.Error("the dead broker answers")
		}
		return failed.failed.Load() > 20
	})
	if stderr.String() != "" {
		t.Errorf("printed %q", stderr)
	}
}

// TestSlowAnswersAreNoAlarm holds that a request which a broker answers late, as it does
// a JoinGroup while the other members take their time, is no reason for a line.
func TestSlowAnswersAreNoAlarm(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(3, "orders"), kfake.SleepOutOfOrder())
	probes := countProbes(c)
	release := make(chan struct{})
	joining := make(chan struct{}, 8)
	c.ControlKey(11, func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		joining <- struct{}{}
		c.SleepControl(func() { <-release })
		return nil, nil, false
	})
	// Without a refresh of the metadata the JoinGroup is the only request under way.
	cl, stderr := watched(t, addrs, doubting, kgo.ConsumeTopics("orders"),
		kgo.ConsumerGroup("kitchen"), kgo.MetadataMinAge(time.Minute),
		kgo.MetadataMaxAge(time.Hour))
	read := consume(cl)
	<-joining
	awaitProbes(t, probes)
	close(release)
	other, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	produce(t, other)
	kafkatest.Eventually(t, "the record is read", func() bool { return read.Load() == 1 })
	if stderr.String() != "" {
		t.Errorf("printed %q", stderr)
	}
}

// countProbes counts how often reach asks the cluster whether it is there.
func countProbes(c *kfake.Cluster) *kfake.FaultHandle {
	return c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.Metadata}, Observe: true, Count: -1,
		When: func(req kmsg.Request) bool { return req.(*kmsg.MetadataRequest).Topics == nil },
	})
}

func awaitProbes(t *testing.T, probes *kfake.FaultHandle) {
	t.Helper()
	if err := probes.Wait(kafkatest.Context(t), 1); err != nil {
		t.Fatal(err)
	}
}

// TestUnacknowledgedIsNoAlarm holds that a producer with acks=0, which gets no answers at
// all, is no reason for a line.
func TestUnacknowledgedIsNoAlarm(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(1, "orders"))
	probes := countProbes(c)
	cl, stderr := watched(t, addrs, doubting, kgo.RequiredAcks(kgo.NoAck()),
		kgo.DisableIdempotentWrite(), kgo.MetadataMaxAge(time.Hour),
		kgo.MetadataMinAge(time.Minute))
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				cl.Produce(context.Background(), &kgo.Record{Topic: "orders"}, nil)
			}
		}
	})
	awaitProbes(t, probes)
	close(done)
	wg.Wait()
	if stderr.String() != "" {
		t.Errorf("printed %q", stderr)
	}
}

// TestCloseEndsReach holds that Close, also twice and in the middle of a probe, leaves no
// goroutine and prints nothing.
func TestCloseEndsReach(t *testing.T) {
	connected := make(chan struct{}, 64)
	silent := listen(t, func(net.Conn) { connected <- struct{}{} })
	cl, stderr := watched(t, silent, patience{
		silent: time.Millisecond, probe: time.Minute, tick: time.Millisecond, refused: time.Minute,
	})
	go cl.Ping(context.Background())
	<-connected
	kafkatest.Eventually(t, "a probe", func() bool { return running("kafka.(*reach).probe") })
	cl.Close()
	cl.Close()
	awaitNone(t, "kafka.(*reach)")
	if stderr.String() != "" {
		t.Errorf("printed %q", stderr)
	}
	// A client that could not be made leaves none either.
	env := vars("BOOTSTRAP", silent)
	_, err := newClient(func(n string) string { return env[n] }, stderr, kgo.SessionTimeout(-1))
	if err == nil {
		t.Error("a session timeout below zero was accepted")
	}
	awaitNone(t, "kafka.(*reach)")
}
