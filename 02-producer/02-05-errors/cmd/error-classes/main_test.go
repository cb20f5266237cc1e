package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-05-errors/cases"
	"brew.example/02-producer/02-05-errors/classify"
	"brew.example/02-producer/02-05-errors/lossy"
	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.card-payments.v1"

func defaults(name string) config {
	return config{
		topic: topic, name: name, retries: -1, timeout: time.Second,
		limits: &cli.Limits{Records: 10},
	}
}

// rows runs the program and returns its rows without TOOK, by case, and its last line.
func rows(t *testing.T, cfg config) (cells map[string]string, last string, err error) {
	t.Helper()
	var out, log kafkatest.Buffer
	err = run(kafkatest.Context(t), cfg, &out, &log)
	t.Logf("\n%s", &out)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	cells = map[string]string{}
	for _, line := range lines[1 : len(lines)-1] {
		f := strings.Fields(line)
		cells[f[0]] = strings.Join(append(f[1:2:2], f[3:]...), " ")
	}
	return cells, lines[len(lines)-1], err
}

// The table of the lecture.
func TestAllCases(t *testing.T) {
	c := kafkatest.Start(t)
	got, last, err := rows(t, defaults("all"))
	for name, want := range map[string]string{
		"all-is-well":      "1 10 0 0 10 - done",
		"too-large-client": "1 9 1 0 9 MESSAGE_TOO_LARGE dead-letter",
		"too-large-topic":  "1 0 10 0 0 MESSAGE_TOO_LARGE dead-letter",
		"no-topic":         "0 0 10 0 - UNKNOWN_TOPIC_OR_PARTITION stop",
		"buffer-full":      "1 5 5 0 5 ErrMaxBuffered retry",
		"lost-answer":      "2 10 0 0 10 - done",
	} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
	requests, rest, _ := strings.Cut(got["no-answer"], " ")
	if requests == "0" || requests == "1" || rest != "0 0 10 10 ErrRecordTimeout ask" {
		t.Errorf("no-answer: %s", got["no-answer"])
	}
	if len(got) != 7 || last != "acknowledged=34 failed=26 unknown=10" {
		t.Errorf("%d rows, %s", len(got), last)
	}
	if !errors.Is(err, kerr.MessageTooLarge) || cli.Status(err) != 1 {
		t.Errorf("error %v", err)
	}
	if c.TopicInfo(topic+".missing") != nil {
		t.Error("the missing topic was made")
	}
	if _, last, err := rows(t, defaults("lost-answer")); err != nil ||
		last != "acknowledged=10 failed=0 unknown=0" {
		t.Errorf("a single case: %s, error %v", last, err)
	}
}

// A broker that says "not enough replicas" each time; what the program is told depends on
// who gives up first. A timeout does not carry the broker's answer.
func TestReplicas(t *testing.T) {
	for _, test := range []struct {
		retries int64
		want    string // without the requests, which no-one counts on for a timeout
		is      error
	}{
		{0, "1 0 10 0 0 NOT_ENOUGH_REPLICAS retry", kerr.NotEnoughReplicas},
		{1, "2 0 0 10 0 NOT_ENOUGH_REPLICAS retry", kerr.NotEnoughReplicas},
		{-1, "0 0 10 0 ErrRecordTimeout ask", kgo.ErrRecordTimeout},
	} {
		t.Run(fmt.Sprint(test.retries), func(t *testing.T) {
			c := kafkatest.Start(t)
			c.Fault(kfake.Fault{
				Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1,
			})
			cfg := defaults("replicas")
			cfg.retries = test.retries
			got, _, err := rows(t, cfg)
			if !strings.HasSuffix(got["replicas"], test.want) || !errors.Is(err, test.is) {
				t.Errorf("%s, error %v", got["replicas"], err)
			}
			if test.retries < 0 && errors.Is(err, kerr.NotEnoughReplicas) {
				t.Errorf("the timeout carries the broker's answer: %v", err)
			}
		})
	}
}

// The same, and the replicas come back: the client has tried again until it worked, and the
// payments stand there once.
func TestReplicasComeBack(t *testing.T) {
	c := kafkatest.Start(t)
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: 2})
	cfg := defaults("replicas")
	cfg.timeout = 0
	if got, _, err := rows(t, cfg); err != nil || got["replicas"] != "3 10 0 0 10 - done" {
		t.Errorf("%s, error %v", got["replicas"], err)
	}
}

// --debug shows the answers that the program is not told.
func TestDebugShowsTheBrokersAnswer(t *testing.T) {
	c := kafkatest.Start(t)
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	cfg := defaults("replicas")
	cfg.debug = true
	var out, log kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out, &log)
	if classify.Name(err) != "ErrRecordTimeout" ||
		!strings.Contains(log.String(), "NOT_ENOUGH_REPLICAS") {
		t.Errorf("error %v, log\n%s", err, &log)
	}
}

// What nobody has to set, as the text names it.
func TestDefaults(t *testing.T) {
	cl := kafkatest.Client(t, kafkatest.Start(t))
	for name, test := range map[string]struct{ got, want any }{
		"RecordRetries":         {cl.OptValue(kgo.RecordRetries), int64(math.MaxInt64)},
		"RecordDeliveryTimeout": {cl.OptValue(kgo.RecordDeliveryTimeout), time.Duration(0)},
		"UnknownTopicRetries":   {cl.OptValue(kgo.UnknownTopicRetries), int64(4)},
		"ProducerBatchMaxBytes": {cl.OptValue(kgo.ProducerBatchMaxBytes), int32(1_000_012)},
		"MaxBufferedRecords":    {cl.OptValue(kgo.MaxBufferedRecords), int64(50_000)},
	} {
		if test.got != test.want {
			t.Errorf("%s is %v (%T), want %v", name, test.got, test.got, test.want)
		}
	}
}

// The client asks for a missing topic five times, and writes nothing.
func TestMissingTopicIsAskedForFiveTimes(t *testing.T) {
	c := kafkatest.Start(t)
	asked := 0
	c.ControlKey(int16(kmsg.Metadata), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		for _, t := range r.(*kmsg.MetadataRequest).Topics {
			if t.Topic != nil && *t.Topic == topic {
				asked++
			}
		}
		return nil, nil, false
	})
	cl := kafkatest.Client(t, c)
	err := cl.ProduceSync(kafkatest.Context(t), &kgo.Record{Topic: topic}).FirstErr()
	if !errors.Is(err, kerr.UnknownTopicOrPartition) || asked != 5 {
		t.Errorf("asked %d times, error %v", asked, err)
	}
}

// Who gives Produce the context of the signal loses what the client holds at Ctrl+C.
func TestContextOfTheSignal(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	cl := kafkatest.Client(t, c, kgo.ProducerLinger(time.Minute))
	signal, cancel := context.WithCancel(kafkatest.Context(t))
	answered := make(chan error, 10)
	for range 10 {
		cl.Produce(signal, &kgo.Record{Topic: topic}, func(_ *kgo.Record, err error) {
			answered <- err
		})
	}
	cancel()
	if err := cl.Flush(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := <-answered; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

// The limits of requests bound no record: what they end is tried again.
func TestRequestLimitsBoundNoRecord(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(1, topic))
	wire := &lossy.Hook{Answers: math.MaxInt}
	cl, err := kafka.NewClient(kgo.WithHooks(wire), kgo.RequestRetries(1),
		kgo.RetryTimeout(time.Second), kgo.RequestTimeoutOverhead(time.Second),
		kgo.ProduceRequestTimeout(time.Second),
		// Nor does the one that is for records, for what was sent and not answered.
		kgo.RecordDeliveryTimeout(time.Second), kgo.RecordRetries(1))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	answered := make(chan error, 1)
	cl.Produce(kafkatest.Context(t), &kgo.Record{Topic: topic}, func(_ *kgo.Record, err error) {
		answered <- err
	})
	// The fourth comes after about two seconds: twice as long as any limit.
	sent := time.Now()
	kafkatest.Eventually(t, "the fourth attempt", func() bool { return wire.Requests() >= 4 })
	t.Logf("requests: %d after %s", wire.Requests(), time.Since(sent).Round(time.Millisecond))
	select {
	case err := <-answered:
		t.Errorf("given up: %v", err)
	default:
	}
}

// A request without an answer ends after ProduceRequestTimeout and RequestTimeoutOverhead;
// then comes the next.
func TestASilentBrokerIsAskedAgain(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	asked, over := make(chan time.Time, 10), make(chan struct{})
	defer close(over)
	c.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		select {
		case asked <- time.Now():
		default:
		}
		c.SleepControl(func() { <-over }) // no answer before the test is over
		return nil, nil, false
	})
	cl, err := kafka.NewClient(kgo.RequestTimeoutOverhead(time.Second),
		kgo.ProduceRequestTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	cl.Produce(kafkatest.Context(t), &kgo.Record{Topic: topic}, nil)
	first := <-asked
	if d := (<-asked).Sub(first); d < time.Second {
		t.Errorf("the second request came after %s", d)
	}
}

// While it waits for a topic's metadata, a timeout carries what went wrong last.
func TestTimeoutOfAnUnknownTopicCarriesTheAnswer(t *testing.T) {
	kafkatest.Start(t)
	cl, err := kafka.NewClient(kgo.UnknownTopicRetries(-1), kgo.RecordDeliveryTimeout(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	err = cl.ProduceSync(kafkatest.Context(t), &kgo.Record{Topic: topic}).FirstErr()
	if !errors.Is(err, kgo.ErrRecordTimeout) || !errors.Is(err, kerr.UnknownTopicOrPartition) {
		t.Errorf("error %v", err)
	}
}

// The client's limit is for what the batch is before compression, the topic's for what is
// sent.
func TestCompressionCountsAtTheTopic(t *testing.T) {
	kafkatest.Start(t)
	for size, want := range map[int]error{20_000: nil, 2 << 20: kerr.MessageTooLarge} {
		cl, err := kafka.NewClient()
		if err != nil {
			t.Fatal(err)
		}
		defer cl.Close()
		if _, err := kafka.EnsureTopic(kafkatest.Context(t), cl, topic, 1, 3,
			map[string]string{"max.message.bytes": "10000"}); err != nil {
			t.Fatal(err)
		}
		record := &kgo.Record{Topic: topic, Value: make([]byte, size)} // zeros
		err = cl.ProduceSync(kafkatest.Context(t), record).FirstErr()
		if !errors.Is(err, want) {
			t.Errorf("%d zeros: %v", size, err)
		}
		t.Logf("%d zeros, max.message.bytes=10000: error %v", size, err)
	}
}

// Stopped at any moment, it tells the truth about what is stored.
func TestStop(t *testing.T) {
	deliverytest.Stop(t, 25, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := defaults("all-is-well")
		cfg.topic, cfg.limits.Records = topic, 1000
		return run(ctx, cfg, stdout, io.Discard)
	})
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[2]
	c.Close()
	err := run(kafkatest.Context(t), defaults("all"), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

func TestWrongFlagValues(t *testing.T) {
	five := cli.Limits{Records: 5}
	for flag, check := range map[string]func() error{
		"--case":    func() error { return cases.Check("too-large", time.Second, 0) },
		"--timeout": func() error { return cases.Check("all", time.Millisecond, 0) },
		"--retries": func() error { return cases.Check("all", 0, -2) },
		"--mode":    func() error { return cases.CheckMode("read", 0, five) },
		"--hops":    func() error { return cases.CheckMode("roundtrip", math.MaxUint, five) },
		"--records": func() error { return cases.CheckMode("roundtrip", 0, cli.Limits{}) },
	} {
		err := check()
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: error %v", flag, err)
		}
	}
	for _, err := range []error{cases.Check("", 0, 0), cases.CheckMode("", 0, five)} {
		if !strings.Contains(err.Error(), ` cannot be "": `) {
			t.Errorf("nothing: error %v", err)
		}
	}
	if err := cases.Check("no-topic", 0, -1); err != nil {
		t.Error(err)
	}
	if err := cases.CheckMode("consume", 1_000_000, cli.Limits{}); err != nil {
		t.Error(err)
	}
}
