package results

import (
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Batches is a hook of a client that counts the batches which the brokers have stored.
type Batches struct {
	mu    sync.Mutex
	total Totals
}

// Totals are the batches so far: how many, with how many records, and the bytes of these
// before and after compression.
type Totals struct{ Batches, Records, Raw, Wire int64 }

// OnProduceBatchWritten counts one batch.
func (b *Batches) OnProduceBatchWritten(
	_ kgo.BrokerMetadata, _ string, _ int32, m kgo.ProduceBatchMetrics,
) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total.Batches++
	b.total.Records += int64(m.NumRecords)
	b.total.Raw += int64(m.UncompressedBytes)
	b.total.Wire += int64(m.CompressedBytes)
}

// Total returns the batches so far.
func (b *Batches) Total() Totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total
}

// Await returns the batches once they hold so many records: the client calls the hook a
// moment after it has told that the records are acknowledged.
func (b *Batches) Await(records int64) Totals {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if t := b.Total(); t.Records >= records {
			return t
		}
		time.Sleep(100 * time.Microsecond)
	}
	return b.Total()
}
