package headers

import (
	"fmt"
	"io"
	"strconv"

	"github.com/twmb/franz-go/pkg/kgo"
)

// region payment

// Payment is what the receipt service writes for the nth order.
func Payment(topic string, n uint, random io.Reader) *kgo.Record {
	return &kgo.Record{
		Topic: topic,
		Key:   fmt.Appendf(nil, "order-%d", n),
		Value: fmt.Appendf(nil, "PaymentTaken order_id=order-%d", n),
		Headers: []kgo.RecordHeader{
			{Key: "traceparent", Value: []byte(NewTrace(random))},
			{Key: "correlation-id", Value: fmt.Appendf(nil, "visit-%d", 100+n)},
			{Key: "via", Value: []byte("till-7")},
			{Key: "via", Value: []byte("gateway")}, // the same key once more
			{Key: "coupon", Value: nil},
			{Key: "note", Value: []byte{}},
		},
	}
}

// endregion payment

// Retries returns how often a record has failed: its x-retry-count, 0 if that is missing or
// no number.
func Retries(r *kgo.Record) uint {
	n, err := strconv.ParseUint(Get(r.Headers, "x-retry-count"), 10, 32)
	if err != nil {
		return 0
	}
	return uint(n)
}

// region retry

// Retry returns a copy of a record that has failed, for the same topic. Our headers, those
// with an x-, stand in it once; all others stay. With pileUp it is done as one does without
// thinking: each hop adds its headers to those of the hops before.
func Retry(
	r *kgo.Record, pileUp bool, reason string, random io.Reader,
) (*kgo.Record, error) {
	set := Set
	if pileUp {
		set = Add
	}
	trace, err := Child(Get(r.Headers, "traceparent"), random)
	if err != nil {
		return nil, err
	}
	list := Set(r.Headers, "traceparent", trace)
	if Retries(r) == 0 || pileUp { // where it came from in the first place
		list = set(list, "x-original-topic", r.Topic)
		list = set(list, "x-original-id", fmt.Sprintf("%d/%d", r.Partition, r.Offset))
	}
	list = set(list, "x-error-reason", reason)
	list = set(list, "x-retry-count", strconv.Itoa(int(Retries(r))+1))
	return &kgo.Record{Topic: r.Topic, Key: r.Key, Value: r.Value, Headers: list}, nil
}

// endregion retry
