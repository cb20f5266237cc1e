package kafka

import (
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
)

// How long until a silent cluster is called unreachable. Refused connections say it
// clearly, so a broker's restart is all that they have to outlast. A broker that
// takes requests and does not answer must outlast a fetch, which waits up to 5 s.
const (
	refusedFor = 2 * time.Second
	silentFor  = 10 * time.Second
	reachTick  = 250 * time.Millisecond
)

// Requests that a healthy broker may answer late: joining waits for other members.
const (
	keyProduce   = 0
	keyJoinGroup = 11
	keySyncGroup = 14
)

// reach is a hook that prints a line when no broker can be reached any more and one
// when a broker is back. Without it a program whose cluster died looks idle.
type reach struct {
	w    io.Writer
	now  func() time.Time
	stop chan struct{}

	mu         sync.Mutex
	noAck      bool                  // produce requests get no answer
	live       map[net.Conn]struct{} // open connections
	refused    time.Time             // the first failed dial with none open; zero when one is
	refusal    string                // the newest failed dial: address and reason
	unanswered map[int32]int         // requests written and not answered, by broker
	heard      time.Time             // the newest answer, or the first request after it
	down       bool                  // the line was printed
}

var (
	_ kgo.HookNewClient        = (*reach)(nil)
	_ kgo.HookClientClosed     = (*reach)(nil)
	_ kgo.HookBrokerConnect    = (*reach)(nil)
	_ kgo.HookBrokerDisconnect = (*reach)(nil)
	_ kgo.HookBrokerWrite      = (*reach)(nil)
	_ kgo.HookBrokerRead       = (*reach)(nil)
)

func newReach(w io.Writer) *reach {
	return &reach{
		w: w, now: time.Now, stop: make(chan struct{}),
		live: map[net.Conn]struct{}{}, unanswered: map[int32]int{},
	}
}

func (r *reach) OnNewClient(cl *kgo.Client) {
	acks, _ := cl.OptValue(kgo.RequiredAcks).(kgo.Acks)
	r.noAck = acks == kgo.NoAck()
	go func() {
		tick := time.NewTicker(reachTick)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.check()
			case <-r.stop:
				return
			}
		}
	}()
}

func (r *reach) OnClientClosed(*kgo.Client) { close(r.stop) }

// check prints the line when the cluster has been out of reach for long enough.
func (r *reach) check() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.down:
	case !r.refused.IsZero() && r.now().Sub(r.refused) >= refusedFor:
		r.down = true
		msg.Fprintf(r.w, "cannot reach any broker (%s); still trying\n", r.refusal)
	case len(r.unanswered) > 0 && r.now().Sub(r.heard) >= silentFor:
		r.down = true
		msg.Fprintf(r.w, "no broker answers (silent for %s); still waiting\n", silentFor)
	}
}

func (r *reach) OnBrokerConnect(m kgo.BrokerMetadata, _ time.Duration, conn net.Conn, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.live[conn] = struct{}{}
		r.refused = time.Time{}
		r.back(m)
	case len(r.live) == 0:
		r.refusal = address(m) + ": " + reason(err)
		if r.refused.IsZero() {
			r.refused = r.now()
		}
	}
}

func (r *reach) OnBrokerDisconnect(m kgo.BrokerMetadata, conn net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, conn)
	delete(r.unanswered, m.NodeID) // the answers that were awaited will not come
}

func (r *reach) OnBrokerWrite(
	m kgo.BrokerMetadata, key int16, _ int, _, _ time.Duration, err error,
) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || !r.counts(key) {
		return
	}
	if len(r.unanswered) == 0 {
		r.heard = r.now()
	}
	r.unanswered[m.NodeID]++
}

func (r *reach) OnBrokerRead(
	m kgo.BrokerMetadata, key int16, _ int, _, _ time.Duration, err error,
) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts(key) && r.unanswered[m.NodeID] > 0 {
		if r.unanswered[m.NodeID]--; r.unanswered[m.NodeID] == 0 {
			delete(r.unanswered, m.NodeID)
		}
	}
	if err == nil {
		r.heard = r.now()
		r.back(m)
	}
}

// counts says whether a request of this kind is answered soon by a healthy broker.
func (r *reach) counts(key int16) bool {
	return key != keyJoinGroup && key != keySyncGroup && (key != keyProduce || !r.noAck)
}

func (r *reach) back(m kgo.BrokerMetadata) {
	if r.down {
		r.down = false
		msg.Fprintf(r.w, "reached a broker again (%s)\n", address(m))
	}
}

func address(m kgo.BrokerMetadata) string {
	return net.JoinHostPort(m.Host, strconv.Itoa(int(m.Port)))
}
