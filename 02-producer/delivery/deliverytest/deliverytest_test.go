package deliverytest

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/delivery"
	"brew.example/internal/kafka"
)

// producer is how the module's programs write and stop. each: wait for each record.
func producer(records int, each bool) Program {
	return func(ctx context.Context, topic string, stdout io.Writer) error {
		var tally delivery.Tally
		cl, err := kafka.NewClient(kgo.WithHooks(&tally))
		if err != nil {
			return err
		}
		defer cl.Close()
		if _, err := kafka.EnsureTopic(ctx, cl, topic, 3, 3, nil); err != nil {
			return err
		}
		sending, cancel := delivery.Grace(ctx, 5*time.Second)
		defer cancel()
		for n := 0; n < records && ctx.Err() == nil; n++ {
			record := &kgo.Record{Topic: topic, Key: fmt.Appendf(nil, "order-%d", n)}
			if each {
				tally.Promise(nil)(cl.ProduceSync(sending, record).First())
			} else {
				cl.Produce(sending, record, tally.Promise(nil))
			}
		}
		_ = cl.Flush(sending) // what it did not get through is unknown
		cl.Close()
		tally.Wait()
		fmt.Fprintln(stdout, &tally)
		return tally.Err()
	}
}

func TestStop(t *testing.T) {
	t.Run("all at once", func(t *testing.T) { Stop(t, 15, producer(1000, false)) })
	t.Run("one by one", func(t *testing.T) { Stop(t, 15, producer(100, true)) })
}

// Nothing that a program can get wrong passes.
func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		printed string
		result  result
		right   bool
	}{
		{"", result{}, true},
		{"", result{records: 1}, false},
		{"", result{status: 1}, false},
		{"acknowledged=7 failed=0 unknown=0\n", result{records: 7}, true},
		{"acknowledged=7 failed=0 unknown=0\n", result{records: 6}, false},
		{"acknowledged=7 failed=0 unknown=0\n", result{records: 8}, false},
		{"acknowledged=7 failed=0 unknown=0\n", result{records: 7, status: 1}, false},
		{"acknowledged=7 failed=0 unknown=2\n", result{records: 9, status: 1}, true},
		{"acknowledged=7 failed=0 unknown=2\n", result{records: 10, status: 1}, false},
		{"acknowledged=7 failed=0 unknown=2\n", result{records: 7}, false},
		{"acknowledged=7 failed=2 unknown=0\n", result{records: 7, status: 1}, true},
		{"acknowledged=7 failed=2 unknown=0\n", result{records: 8, status: 1}, false},
	} {
		_, wrong := verdict("head\n"+test.printed, test.result)
		if (wrong == "") != test.right {
			t.Errorf("%q, %+v: %q", test.printed, test.result, wrong)
		}
	}
}
