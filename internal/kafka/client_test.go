package kafka

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// TestCloseIsBounded holds that a broker which never answers the goodbye of a member does
// not keep its program from ending.
func TestCloseIsBounded(t *testing.T) {
	t.Parallel()
	c, addrs := start(t, kfake.SeedTopics(3, "orders"))
	answer := make(chan struct{})
	var asked atomic.Bool
	c.ControlKey(int16(kmsg.LeaveGroup), func(kmsg.Request) (kmsg.Response, error, bool) {
		asked.Store(true)
		c.KeepControl()
		c.SleepControl(func() { <-answer })
		return nil, nil, false
	})
	m := join(t, addrs, "kitchen", "leaves", false, kgo.FetchMaxWait(100*time.Millisecond))
	kafkatest.Eventually(t, "it has all partitions", func() bool { return m.partitions() == 3 })

	closed := make(chan time.Duration, 1)
	began := time.Now()
	go func() {
		Close(m.cl)
		closed <- time.Since(began)
	}()
	select {
	case took := <-closed:
		if took < closeTimeout || took > 4*closeTimeout { // a client alone tries for 30 s
			t.Errorf("Close took %s, want %s", took, closeTimeout)
		}
	case <-time.After(kafkatest.Deadline):
		t.Error("Close waits for an answer that does not come")
	}
	if !asked.Load() {
		t.Error("the broker was not asked")
	}
	close(answer)
	// With an answer it does not wait out its time.
	other := join(t, addrs, "readers", "leaves too", false, kgo.FetchMaxWait(100*time.Millisecond))
	kafkatest.Eventually(t, "it has all, too", func() bool { return other.partitions() == 3 })
	began = time.Now()
	Close(other.cl)
	if took := time.Since(began); took >= closeTimeout {
		t.Errorf("an answered Close took %s", took)
	}
}
