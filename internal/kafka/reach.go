package kafka

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
)

// patience is when reach begins to doubt, and how long it then tries.
type patience struct {
	refused time.Duration // since a dial failed, with no answer in between
	silent  time.Duration // since the last answer
	probe   time.Duration
	tick    time.Duration // how often it looks
}

// usual keeps the line under 15 s. A fetch may wait for 5 s.
var usual = patience{
	refused: time.Second, silent: 7 * time.Second, probe: 5 * time.Second,
	tick: 250 * time.Millisecond,
}

// reach is a hook that prints a line when no broker can be reached any more and one
// when a broker is back. Without it a program whose cluster died looks idle: the client
// retries inside. A doubt alone prints nothing; a Ping decides.
//
// Which requests are still unanswered does not matter: the last answer may be to a small
// one, with all long ones on their way. So any silence is a doubt, that of an idle client
// as well.
type reach struct {
	w        io.Writer
	patience patience
	closed   context.Context
	close    context.CancelFunc

	seeds atomic.Pointer[[]string] // what UseAnswering has left; nil: all

	mu      sync.Mutex
	refused time.Time // the first failed dial since an answer; zero: none
	heard   time.Time // the last answer, or the first request; zero: nothing was sent
	down    bool      // the line was printed
	probed  time.Time // when the last probe failed
}

var (
	_ kgo.HookNewClient     = (*reach)(nil)
	_ kgo.HookClientClosed  = (*reach)(nil)
	_ kgo.HookBrokerConnect = (*reach)(nil)
	_ kgo.HookBrokerWrite   = (*reach)(nil)
	_ kgo.HookBrokerRead    = (*reach)(nil)
)

func newReach(w io.Writer, p patience) *reach {
	r := &reach{w: w, patience: p}
	r.closed, r.close = context.WithCancel(context.Background())
	return r
}

// reachOf returns the hook of a client; nil for one that NewClient has not made.
func reachOf(cl *kgo.Client) *reach {
	hooks, _ := cl.OptValue(kgo.WithHooks).([]kgo.Hook)
	for _, hook := range hooks {
		if r, ok := hook.(*reach); ok {
			return r
		}
	}
	return nil
}

func (r *reach) OnNewClient(cl *kgo.Client) {
	go func() {
		tick := time.NewTicker(r.patience.tick)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if r.doubtful() {
					r.probe(cl)
				}
			case <-r.closed.Done():
				return
			}
		}
	}()
}

func (r *reach) OnClientClosed(*kgo.Client) { r.close() }

func (r *reach) doubtful() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	longer := func(since time.Time, d time.Duration) bool {
		return !since.IsZero() && time.Since(since) >= d
	}
	if r.down {
		return longer(r.probed, r.patience.refused)
	}
	return longer(r.refused, r.patience.refused) || longer(r.heard, r.patience.silent)
}

// probe prints the line if no broker answers; the answer to a Ping is seen by OnBrokerRead.
func (r *reach) probe(cl *kgo.Client) {
	ctx, cancel := context.WithTimeout(r.closed, r.patience.probe)
	defer cancel()
	began := time.Now()
	err := Ping(ctx, cl)
	if err != nil {
		// Once more: the first try may have met a connection that died while it was idle.
		err = Ping(ctx, cl)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.refused, r.heard = time.Time{}, time.Now()
	case r.heard.After(began), errors.Is(err, kgo.ErrClientClosed), r.closed.Err() != nil:
	default:
		if !r.down {
			msg.Fprintf(r.w, "%v; still trying\n", err)
		}
		r.down, r.probed = true, time.Now()
	}
}

// success notes that a broker answered.
func (r *reach) success(m kgo.BrokerMetadata) {
	r.refused, r.heard = time.Time{}, time.Now()
	if r.down {
		r.down = false
		msg.Fprintf(r.w, "a broker answers again: %s\n",
			net.JoinHostPort(m.Host, strconv.Itoa(int(m.Port))))
	}
}

func (r *reach) OnBrokerConnect(m kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.success(m)
	} else if r.refused.IsZero() {
		r.refused = time.Now()
	}
}

func (r *reach) OnBrokerWrite(_ kgo.BrokerMetadata, _ int16, _ int, _, _ time.Duration, _ error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.heard.IsZero() {
		r.heard = time.Now()
	}
}

func (r *reach) OnBrokerRead(
	m kgo.BrokerMetadata, _ int16, _ int, _, _ time.Duration, err error,
) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.success(m)
	}
}
