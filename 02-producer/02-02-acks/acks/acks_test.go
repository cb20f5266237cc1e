package acks

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const topic = "brew.receipts.v1"

func open(t *testing.T, list []string, idempotent func(string) bool, opts ...kgo.Opt) []*Writer {
	t.Helper()
	opts = append(opts, kgo.DefaultProduceTopic(topic))
	writers, err := Open(list, idempotent, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Close(writers) })
	return writers
}

func never(string) bool { return false }

func send(t *testing.T, w *Writer) error {
	t.Helper()
	answered := w.Tally.Promise(nil)
	r, err := w.Client.ProduceSync(kafkatest.Context(t), kgo.StringRecord("x")).First()
	answered(r, err)
	return err
}

// Each value goes to the broker, and an answer tells the offset. Without one, with acks=0, the
// client leaves it at 0, wherever the record is.
func TestAcksOnTheWire(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	var mu sync.Mutex
	var got []int16
	c.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		mu.Lock()
		defer mu.Unlock()
		got = append(got, req.(*kmsg.ProduceRequest).Acks)
		return nil, nil, false
	})
	for i, w := range open(t, []string{"all", "1", "0"}, Possible) {
		r, err := w.Client.ProduceSync(kafkatest.Context(t), kgo.StringRecord("x")).First()
		if err != nil {
			t.Fatal(err)
		}
		kafkatest.Eventually(t, "the record", func() bool {
			return c.PartitionInfo(topic, 0).HighWatermark == int64(i+1)
		})
		if known := r.Offset == int64(i); known != (w.Acks != "0") {
			t.Errorf("acks=%s: offset %d of record %d", w.Acks, r.Offset, i)
		}
	}
	if len(got) != 3 || got[0] != -1 || got[1] != 1 || got[2] != 0 {
		t.Errorf("asked for acks %v", got)
	}
}

// A refusal comes to whoever asked for an answer.
func TestWithAcks0ARefusalIsSuccess(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.InvalidRecord, Count: -1})
	for _, w := range open(t, All, Possible) {
		err := send(t, w)
		if w.Acks == "0" && err != nil || w.Acks != "0" && !errors.Is(err, kerr.InvalidRecord) {
			t.Errorf("acks=%s: %v", w.Acks, err)
		}
	}
	if got := c.PartitionInfo(topic, 0).HighWatermark; got != 0 {
		t.Errorf("%d records are stored", got)
	}
}

func TestIdempotenceDemandsAll(t *testing.T) {
	kafkatest.Start(t)
	always := func(string) bool { return true }
	for _, acks := range []string{"0", "1"} {
		_, err := Open([]string{"all", acks}, always)
		want := "acks=" + acks + ": idempotency requires acks=all; leave --idempotent out, or " +
			"say --acks=all"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	cl := open(t, []string{"all"}, always)[0].Client
	if cl.OptValue(kgo.DisableIdempotentWrite) != false {
		t.Error("acks=all is not idempotent")
	}
	usual := kafkatest.Client(t, kafkatest.Start(t))
	if usual.OptValue(kgo.RequiredAcks) != kgo.AllISRAcks() {
		t.Error("acks=all is not the default")
	}
}

// What the lecture says about limits: with too few replicas in sync the client tries again,
// without a limit unless somebody sets one. Which limit it is decides what one learns.
func TestWhichErrorALimitGives(t *testing.T) {
	for _, tt := range []struct {
		limit kgo.Opt
		want  error
		says  string
		line  string
	}{
		{
			kgo.RecordRetries(0), kerr.NotEnoughReplicas, "min.insync.replicas of the topic",
			"acknowledged=0 failed=1 unknown=0\n",
		},
		{
			kgo.RecordDeliveryTimeout(time.Second), kgo.ErrRecordTimeout,
			"RecordDeliveryTimeout=1s", "acknowledged=0 failed=0 unknown=1\n",
		},
	} {
		c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
		refused := c.Fault(kfake.Fault{
			Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1,
		})
		writers := open(t, []string{"all"}, Possible, tt.limit)
		err := send(t, writers[0])
		if !errors.Is(err, tt.want) {
			t.Errorf("%v, want %v", err, tt.want)
		}
		if tt.want == kgo.ErrRecordTimeout &&
			(errors.Is(err, kerr.NotEnoughReplicas) || refused.Hits() < 2) {
			t.Errorf("refused %d times, and then: %v", refused.Hits(), err)
		}
		var out strings.Builder
		err = Report(&out, writers)
		if out.String() != tt.line || err == nil || !strings.HasSuffix(err.Error(), tt.says) ||
			!strings.HasPrefix(err.Error(), "acks=all: ") {
			t.Errorf("%v\n%s", err, &out)
		}
	}
	cl := kafkatest.Client(t, kafkatest.Start(t))
	if cl.OptValue(kgo.RecordRetries) != int64(math.MaxInt64) ||
		cl.OptValue(kgo.RecordDeliveryTimeout) != time.Duration(0) {
		t.Error("there is a limit by default")
	}
}

// What acks=0 has sent is not counted as acknowledged.
func TestReport(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(1, topic))
	writers := open(t, All, never)
	for i, w := range writers {
		for range i + 1 {
			if err := send(t, w); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out strings.Builder
	err := Report(&out, writers)
	if err != nil || out.String() != "acks=0 sent=1\nacknowledged=5 failed=0 unknown=0\n" {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestCheck(t *testing.T) {
	for _, list := range [][]string{{"0"}, {"all", "1"}, All} {
		if err := Check(list); err != nil {
			t.Errorf("%q: %v", list, err)
		}
	}
	for says, list := range map[string][]string{
		"cannot be -1": {"-1"}, "cannot be 2": {"all", "2"}, "cannot be empty": nil,
		`cannot be "": 0, 1`: {"all", ""},
		"names 1 twice":      {"1", "1"}, `"\x1b[2J"`: {"\x1b[2J"}, "cannot be ALL": {"ALL"},
	} {
		err := Check(list)
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", list, err, says)
		}
	}
}
