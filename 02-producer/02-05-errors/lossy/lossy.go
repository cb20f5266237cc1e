// Package lossy loses the answers of brokers: it closes the connection when a request to
// produce has been sent.
package lossy

import (
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Hook is one of a client's hooks: WithHooks(hook). It works on any cluster, since it
// touches nothing but the client's own connections.
type Hook struct {
	// Answers is how many answers get lost.
	Answers int
	// requests counts the requests to produce that were sent.
	requests int

	mu    sync.Mutex
	conns map[int32][]net.Conn
}

// OnBrokerConnect remembers the connection.
func (h *Hook) OnBrokerConnect(b kgo.BrokerMetadata, _ time.Duration, c net.Conn, err error) {
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.conns == nil {
		h.conns = map[int32][]net.Conn{}
	}
	h.conns[b.NodeID] = append(h.conns[b.NodeID], c)
}

// region lose

// OnBrokerWrite runs when a request has been sent, before its answer is read. The broker
// goes on as if nothing had happened: it appends the records, and answers nobody.
func (h *Hook) OnBrokerWrite(
	broker kgo.BrokerMetadata, key int16, sent int, _, _ time.Duration, _ error,
) {
	if key != 0 || sent == 0 { // 0 is the key of produce
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests++
	if h.requests > h.Answers {
		return
	}
	for _, conn := range h.conns[broker.NodeID] {
		conn.Close()
	}
	h.conns[broker.NodeID] = nil
}

// endregion lose

// Requests returns how many requests to produce were sent.
func (h *Hook) Requests() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.requests
}
