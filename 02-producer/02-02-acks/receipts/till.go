package receipts

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-02-acks/acks"
	"brew.example/internal/msg"
	"brew.example/internal/table"
)

// patience is how long a till waits for an answer before it says so.
const patience = 2 * time.Second

// Till writes receipts with its acks, and keeps book.
type Till struct {
	*acks.Writer
	run  string   // older runs are in the topic, too
	sent []string // the keys

	mu     sync.Mutex
	acked  []string  // the keys of what was acknowledged
	open   int       // records without an answer
	heard  time.Time // of the last answer, or when the first of the open records was sent
	silent time.Time // heard, when the silence was told of
}

// Tills returns one for each writer.
func Tills(writers []*acks.Writer) []*Till {
	run := strconv.FormatInt(time.Now().UnixNano(), 36)
	tills := make([]*Till, len(writers))
	for i, w := range writers {
		tills[i] = &Till{Writer: w, run: run}
	}
	return tills
}

// Next returns the next receipt.
func (t *Till) Next() *kgo.Record {
	key := fmt.Sprintf("%s-%s-%d", t.run, t.Acks, len(t.sent))
	t.sent = append(t.sent, key)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == 0 {
		t.heard = time.Now()
	}
	t.open++
	return &kgo.Record{Key: []byte(key), Value: []byte("PaymentTaken amount=3.20")}
}

// Answered books a receipt as acknowledged, or not.
func (t *Till) Answered(r *kgo.Record, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open--
	t.heard = time.Now()
	if err == nil {
		t.acked = append(t.acked, string(r.Key))
	}
}

// Watch prints a row when nothing has been answered for a while, and one when it is again.
// With acks=0 nobody answers.
func (t *Till) Watch(rows *table.Stream) {
	t.mu.Lock()
	defer t.mu.Unlock()
	event := ""
	switch {
	case t.Acks == "0":
	case t.silent.IsZero() && t.open > 0 && time.Since(t.heard) > patience:
		t.silent = t.heard
		event = msg.Sprintf("no answer for %s", patience)
	case !t.silent.IsZero() && t.heard.After(t.silent):
		after := t.heard.Sub(t.silent).Round(100 * time.Millisecond)
		event = msg.Sprintf("answered after %s", after)
		t.silent = time.Time{}
	}
	if event != "" {
		_ = rows.Row(time.Now().Format("15:04:05.000"), t.Acks, len(t.acked), event)
	}
}
