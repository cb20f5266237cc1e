package kafka

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// wire is a network that can be cut: a program at its end has died, for the cluster.
type wire struct {
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func (w *wire) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return nil, errors.New("the wire is cut")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err == nil {
		w.conns = append(w.conns, conn)
	}
	return conn, err
}

func (w *wire) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
	for _, conn := range w.conns {
		conn.Close()
	}
}

// A member that waits for one that has died is told so, and gets in after the session
// timeout.
func TestMemberThatWaitsForADeadOne(t *testing.T) {
	t.Parallel()
	_, addrs := start(t, kfake.SeedTopics(3, "orders"))
	w := &wire{}
	dead := join(t, addrs, "kitchen", "dead", false, kgo.Dialer(w.dial),
		kgo.SessionTimeout(15*time.Second))
	hasAll := func(m *member) func() bool { return func() bool { return m.partitions() == 3 } }
	kafkatest.Eventually(t, "the first member has all", hasAll(dead))
	w.Close()

	late := join(t, addrs, "kitchen", "late", false)
	n := NewNotices(late.stderr, "2", false)
	if err := n.Topics(kafkatest.Context(t), late.cl); err != nil {
		t.Fatal(err)
	}
	late.stderr.Await(t, "[member=2] not in the group yet: it waits for a member that does not "+
		"answer (client id dead); one that died is given up after its session timeout, 45 s by "+
		"default\n")
	if n := late.partitions(); n != 0 {
		t.Errorf("it has %d partitions already", n)
	}
	kafkatest.Eventually(t, "the late member gets in", hasAll(late))
	if n := strings.Count(late.stderr.String(), "\n"); n != 1 {
		t.Errorf("%d lines: %s", n, late.stderr)
	}
}
