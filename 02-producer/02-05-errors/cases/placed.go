package cases

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Placed is a client's hook that knows which records wait in the batch of a partition.
// Records of a topic that the client does not know yet wait elsewhere, and a Flush in that
// moment sends them in more batches than one.
type Placed struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting map[*kgo.Record]bool
	count   int
}

// NewPlaced returns a hook that has seen no record.
func NewPlaced() *Placed {
	p := &Placed{waiting: map[*kgo.Record]bool{}}
	p.changed.L = &p.mu
	return p
}

// OnProduceRecordPartitioned counts a record that is in its batch.
func (p *Placed) OnProduceRecordPartitioned(r *kgo.Record, _ int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[r] = true
	p.count++
	p.changed.Broadcast()
}

// OnProduceRecordUnbuffered counts a record that did not come so far.
func (p *Placed) OnProduceRecordUnbuffered(r *kgo.Record, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.waiting[r] {
		p.count++
		p.changed.Broadcast()
	}
	delete(p.waiting, r)
}

// Await returns when n records are in their batches, or have failed before.
func (p *Placed) Await(n uint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for uint(p.count) < n {
		p.changed.Wait()
	}
}
