// Package delivery counts what became of the records that a program has handed to its
// client.
//
// A record is acknowledged, or it has failed and is surely in no log, or nobody here knows.
// The third sort exists because an answer can get lost after the record was stored. What
// cannot be proved is unknown: nothing that may be stored counts as failed, and nothing
// without an acknowledgement as stored.
package delivery

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// Outcome is what became of a record.
type Outcome int

// A record was acknowledged, or was not: for certain, or for all that we know.
const (
	Acknowledged Outcome = iota // the brokers that RequiredAcks asks for have it
	Failed                      // refused, by the client or by a broker: it is in no log
	Unknown                     // sent, or perhaps sent, and not answered: it may be stored
)

// A Tally counts the records of one client. It is one of the client's hooks, and gives
// Produce its callback:
//
//	var tally delivery.Tally
//	cl, err := kafka.NewClient(kgo.WithHooks(&tally))
//	…
//	cl.Produce(ctx, record, tally.Promise(nil))
//
// As a hook it learns of requests that were sent and never answered. Without it, every
// record that is not acknowledged counts as unknown. With acks=0 no broker acknowledges
// anything: the client says nil when it has sent the record, and so does the tally.
type Tally struct {
	handed, acknowledged, failed atomic.Int64 // handed first, and the others later

	// lost counts requests to produce that were sent, at least in part, and not answered.
	lost atomic.Int64
	// sure: an answer "refused" holds for all records of the partition that get it.
	sure atomic.Bool
	// once: the client never sends a record again after an answer.
	once atomic.Bool

	unanswered sync.WaitGroup
	mu         sync.Mutex
	client     *kgo.Client
	first      error
}

// OnNewClient looks at the options that decide what an answer proves.
func (t *Tally) OnNewClient(cl *kgo.Client) {
	// An error fails all of the partition's records that are buffered or on their way. The
	// broker stores none of them when their numbers have a gap, or when there is no other
	// request on its way.
	idempotent := !cl.OptValue(kgo.DisableIdempotentWrite).(bool)
	single := cl.OptValue(kgo.MaxProduceRequestsInflightPerBroker).(int) == 1
	t.sure.Store(idempotent || single)
	t.once.Store(cl.OptValue(kgo.RecordRetries).(int64) == 0)
	t.mu.Lock()
	t.client = cl
	t.mu.Unlock()
}

// OnBrokerE2E counts a request to produce that may have arrived and was not answered.
func (t *Tally) OnBrokerE2E(_ kgo.BrokerMetadata, key int16, e2e kgo.BrokerE2E) {
	if key == 0 && e2e.BytesWritten > 0 && e2e.Err() != nil {
		t.lost.Add(1)
	}
}

// Promise returns the callback for one record. It counts the record and then calls then, if
// that is not nil.
func (t *Tally) Promise(then func(*kgo.Record, error)) func(*kgo.Record, error) {
	t.handed.Add(1)
	t.unanswered.Add(1)
	lost := t.lost.Load()
	return func(r *kgo.Record, err error) {
		defer t.unanswered.Done()
		switch t.outcome(err, t.lost.Load() == lost) {
		case Acknowledged:
			t.acknowledged.Add(1)
		case Failed:
			t.failed.Add(1)
		}
		if err != nil {
			t.keep(r, err)
		}
		if then != nil {
			then(r, err)
		}
	}
}

// outcome judges a record by its error. answered: no request has been lost since the record
// was handed over.
//
// One gap is left, since the client tells the last answer only: a doubtful answer, then the
// resend is refused because somebody has changed the topic or the rights in that moment.
func (t *Tally) outcome(err error, answered bool) Outcome {
	outcome, retried := Judge(err)
	if outcome == Failed && !(t.sure.Load() && answered && (!retried || t.once.Load())) {
		return Unknown
	}
	return outcome
}

// Judge tells what an error proves about the one attempt that it answers. retried: the
// client sends such a record again, so that the error came after other attempts, of which
// it says nothing, unless RecordRetries is 0.
func Judge(err error) (outcome Outcome, retried bool) {
	if err == nil {
		return Acknowledged, false
	}
	if errors.Is(err, kgo.ErrMaxBuffered) {
		return Failed, false // never left the client
	}
	if errors.Is(err, kerr.NotEnoughReplicas) {
		return Failed, true // checked before the record is appended
	}
	for _, refused := range refusals {
		if errors.Is(err, refused) {
			return Failed, false
		}
	}
	return Unknown, false
}

// refusals are the answers that a broker gives in place of appending, and that end a record.
// Not among them: REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS_AFTER_APPEND and
// NOT_LEADER_OR_FOLLOWER, which may come after the append; UNKNOWN_SERVER_ERROR and
// KAFKA_STORAGE_ERROR, which say nothing; and those about sequence numbers and epochs, which
// say something about earlier attempts.
var refusals = []error{
	kerr.MessageTooLarge,
	kerr.RecordListTooLarge,
	kerr.InvalidRecord,
	kerr.InvalidTimestamp,
	kerr.CorruptMessage,
	kerr.UnsupportedCompressionType,
	kerr.UnsupportedForMessageFormat,
	kerr.InvalidRequiredAcks,
	kerr.UnknownTopicOrPartition,
	kerr.UnknownTopicID,
	kerr.InvalidTopicException,
	kerr.PolicyViolation,
	kerr.TopicAuthorizationFailed,
	kerr.ClusterAuthorizationFailed,
	kerr.TransactionalIDAuthorizationFailed,
}

func (t *Tally) keep(r *kgo.Record, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first != nil { // the first tells most
		return
	}
	if t.client != nil {
		err = Explain(t.client, err)
	}
	t.first = msg.Errorf("topic %s: %w", show.Text(r.Topic), err)
}

// Counts returns how many records are acknowledged, have failed, and are unknown. What has
// no answer yet is unknown.
func (t *Tally) Counts() (acknowledged, failed, unknown int64) {
	acknowledged, failed = t.acknowledged.Load(), t.failed.Load()
	return acknowledged, failed, t.handed.Load() - acknowledged - failed
}

// String returns "acknowledged=10 failed=0 unknown=0".
func (t *Tally) String() string {
	acknowledged, failed, unknown := t.Counts()
	return fmt.Sprintf("acknowledged=%d failed=%d unknown=%d", acknowledged, failed, unknown)
}

// Wait returns when each record has its answer. After cl.Close that is soon: Close answers
// all that is left, but does not wait for the callbacks.
func (t *Tally) Wait() { t.unanswered.Wait() }

// Err returns nil when all records are acknowledged, and else an error that names the first
// one that a record got. It is never context.Canceled, which counts as a normal end.
func (t *Tally) Err() error {
	_, failed, unknown := t.Counts()
	if failed == 0 && unknown == 0 {
		return nil
	}
	t.mu.Lock()
	first := t.first
	t.mu.Unlock()
	switch {
	case first == nil:
		return msg.Errorf("not acknowledged: failed=%d unknown=%d", failed, unknown)
	case errors.Is(first, context.Canceled):
		first = errors.New(first.Error())
	}
	return msg.Errorf("not acknowledged: failed=%d unknown=%d; the first: %w", failed,
		unknown, first)
}

// Grace returns a context that ends the given time after ctx does, or when cancel is called.
// Give it to Produce and Flush, and Ctrl+C lets what was handed over arrive, but nobody
// waits for a broker that will not answer.
func Grace(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	grace, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-grace.Done():
		case <-time.After(limit):
			cancel()
		}
	})
	return grace, func() { stop(); cancel() }
}
