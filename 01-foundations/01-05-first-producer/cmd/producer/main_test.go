package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

const topic = "brew.orders.v1"

func defaults() config {
	return config{
		topic: topic, partitions: 3, rf: 3, send: "sync",
		linger: 10 * time.Millisecond, timeout: 30 * time.Second,
		limits: &cli.Limits{Records: 10},
	}
}

// coordinates returns "key partition/offset" of the rows in out, in their order.
func coordinates(out string) []string {
	row := regexp.MustCompile(`(?m)^\d+ +(\S+)  OrderPlaced order_id=(\S+) +(\d) +(\d+) +[0-9:.]+$`)
	var got []string
	for _, m := range row.FindAllStringSubmatch(out, -1) {
		if m[1] == m[2] {
			got = append(got, fmt.Sprintf("%s %s/%s", m[1], m[3], m[4]))
		}
	}
	return got
}

func TestTenOrdersAndTheirCoordinates(t *testing.T) {
	kafkatest.Start(t)
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), defaults(), &out); err != nil {
		t.Fatal(err)
	}
	want := "order-0 1/0,order-1 1/1,order-2 0/0,order-3 0/1,order-4 2/0," +
		"order-5 2/1,order-6 0/2,order-7 1/2,order-8 2/2,order-9 1/3"
	if got := strings.Join(coordinates(out.String()), ","); got != want {
		t.Errorf("coordinates\n%s, want\n%s\n%s", got, want, &out)
	}
	ends := "PARTITION  LATEST\n0          3\n1          4\n2          3\nTOTAL      10\n"
	if !strings.HasPrefix(out.String(), "topic brew.orders.v1: created=true\n") ||
		!strings.HasSuffix(out.String(), ends) {
		t.Errorf("printed\n%s", &out)
	}

	// The second run: the same partitions, the offsets go on, twenty in all.
	var again kafkatest.Buffer
	if err := run(kafkatest.Context(t), defaults(), &again); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"created=false\n", "TOTAL      20\n"} {
		if !strings.Contains(again.String(), want) {
			t.Errorf("the second run lacks %q:\n%s", want, &again)
		}
	}
	if got := coordinates(again.String())[7]; got != "order-7 1/6" {
		t.Errorf("second run: %s, want order-7 1/6", got)
	}
}

// Linger holds a batch back for more records, unless somebody waits: ProduceSync and
// Flush send at once what they wait for. ProduceSync does so only for a topic that the
// client knows already: its first record of a topic waits for the whole linger.
func TestWhoLingers(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(3, topic))
	const linger = 2 * time.Second
	cl := kafkatest.Client(t, c, kgo.ProducerLinger(linger))
	ctx := kafkatest.Context(t)
	record := func() *kgo.Record { return &kgo.Record{Topic: topic, Key: []byte("order-0")} }
	took := func(send func(acked chan error)) time.Duration {
		acked, start := make(chan error, 1), time.Now()
		send(acked)
		if err := <-acked; err != nil {
			t.Fatal(err)
		}
		return time.Since(start)
	}
	log := func(what string, d time.Duration) time.Duration {
		t.Logf("linger %s: %s took %s", linger, what, d.Round(100*time.Microsecond))
		return d
	}
	produce := func(acked chan error) {
		cl.Produce(ctx, record(), func(_ *kgo.Record, err error) { acked <- err })
	}
	sync := func(acked chan error) { acked <- cl.ProduceSync(ctx, record()).FirstErr() }
	if d := log("the first ProduceSync of a topic", took(sync)); d < linger {
		t.Errorf("the first ProduceSync of a topic took %s, linger is %s", d, linger)
	}
	if d := log("the second ProduceSync", took(sync)); d >= linger {
		t.Errorf("the second ProduceSync lingered: %s", d)
	}
	if d := log("Produce", took(produce)); d < linger {
		t.Errorf("Produce was acknowledged after %s, linger is %s", d, linger)
	}
	flush := func(acked chan error) { produce(acked); cl.Flush(ctx) }
	if d := log("Produce and Flush", took(flush)); d >= linger {
		t.Errorf("Flush lingered: %s", d)
	}
	first := kafkatest.Client(t, c, kgo.ProducerLinger(time.Minute))
	first.Produce(ctx, record(), nil)
	if err := first.Flush(ctx); err != nil { // also for a topic not yet known
		t.Fatal(err)
	}
}

// What the lecture says that nobody has to set.
func TestDefaultsThatTheLectureNames(t *testing.T) {
	cl := kafkatest.Client(t, kafkatest.Start(t))
	for name, test := range map[string]struct{ got, want any }{
		"RequiredAcks":           {cl.OptValue(kgo.RequiredAcks), kgo.AllISRAcks()},
		"ProducerLinger":         {cl.OptValue(kgo.ProducerLinger), 10 * time.Millisecond},
		"RecordDeliveryTimeout":  {cl.OptValue(kgo.RecordDeliveryTimeout), time.Duration(0)},
		"RecordRetries":          {cl.OptValue(kgo.RecordRetries), int64(math.MaxInt64)},
		"DisableIdempotentWrite": {cl.OptValue(kgo.DisableIdempotentWrite), false},
	} {
		if test.got != test.want {
			t.Errorf("%s is %v, want %v", name, test.got, test.want)
		}
	}
}

// Some errors of a send are certain: the record was never sent.
func TestErrorsThatMeanNotStored(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	cl := kafkatest.Client(t, c, kgo.UnknownTopicRetries(1))
	for name, test := range map[string]struct {
		record *kgo.Record
		want   error
	}{
		"too large": {
			&kgo.Record{Topic: topic, Value: make([]byte, 2<<20)}, kerr.MessageTooLarge,
		},
		"unknown topic": {&kgo.Record{Topic: "brew.order"}, kerr.UnknownTopicOrPartition},
	} {
		err := cl.ProduceSync(kafkatest.Context(t), test.record).FirstErr()
		if !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
	if got := c.PartitionInfo(topic, 0).HighWatermark; got != 0 {
		t.Errorf("%d records are stored", got)
	}
}

// A record that was stored and answered with an error is sent again by the client. With
// idempotence, the default, it stands in the log once.
func TestResendOfTheSameClientIsStoredOnce(t *testing.T) {
	for name, test := range map[string]struct {
		opts []kgo.Opt
		want int64
	}{
		"idempotent": {nil, 1},
		"not":        {[]kgo.Opt{kgo.DisableIdempotentWrite()}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
			c.Fault(kfake.Fault{
				Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicasAfterAppend, Count: 1,
			})
			cl := kafkatest.Client(t, c, test.opts...)
			record := &kgo.Record{Topic: topic, Key: []byte("order-7")}
			if err := cl.ProduceSync(kafkatest.Context(t), record).FirstErr(); err != nil {
				t.Fatal(err)
			}
			if got := c.PartitionInfo(topic, 0).HighWatermark; got != test.want {
				t.Errorf("%d records in the log, want %d", got, test.want)
			}
		})
	}
}

func TestAsyncStoresTheSameTen(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.send, cfg.linger = "async", time.Minute // Flush does not wait for it
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), cfg, &out); err != nil {
		t.Fatal(err)
	}
	if got := coordinates(out.String()); len(got) != 10 || !slices.Contains(got, "order-7 1/2") {
		t.Errorf("coordinates %v\n%s", got, &out)
	}
}

// An exit without Flush drops what still waits in a batch, and says so to each promise.
func TestWithoutFlushNothingIsStored(t *testing.T) {
	c := kafkatest.Start(t)
	cfg := defaults()
	cfg.send, cfg.linger = "no-flush", time.Minute
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	if !errors.Is(err, kgo.ErrClientClosed) || !strings.Contains(err.Error(), "order-") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(out.String(), "acknowledged: 0 of 10 in ") {
		t.Errorf("printed\n%s", &out)
	}
	for _, p := range c.PartitionInfos(topic) {
		if p.HighWatermark != 0 {
			t.Errorf("partition %d holds %d records", p.Partition, p.HighWatermark)
		}
	}
}

// silence makes the brokers take produce requests and answer none.
func silence(c *kfake.Cluster) {
	c.ControlKey(0, func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return nil, errors.New("silence"), true
	})
}

func TestTimeoutBoundsASend(t *testing.T) {
	c := kafkatest.Start(t)
	silence(c)
	cfg := defaults()
	cfg.timeout = time.Second
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	if err == nil || !strings.Contains(err.Error(), "no acknowledgement: order-0: ") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(out.String(), "acknowledged: 0 of 1 in ") {
		t.Errorf("went on after the first failure:\n%s", &out)
	}
}

// Nothing bounds a send when the limit is 0; the signal ends it all the same.
func TestSignalEndsASendWithoutALimit(t *testing.T) {
	c := kafkatest.Start(t)
	silence(c)
	cfg := defaults()
	cfg.timeout = 0
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	var out kafkatest.Buffer
	done := make(chan error, 1)
	go func() { done <- run(ctx, cfg, &out) }()
	out.Await(t, "created=true")
	select {
	case err := <-done:
		t.Fatalf("ended by itself: %v", err)
	case <-time.After(1500 * time.Millisecond): // longer than the shortest limit there is
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("a signal is a normal end: %v", err)
		}
	case <-time.After(kafkatest.Deadline):
		t.Fatal("the signal did not end it")
	}
}

func TestOtherPartitionCountIsRefused(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(6, topic))
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), defaults(), &out)
	if err == nil || !strings.Contains(err.Error(), "partitions: 6, wanted 3") {
		t.Errorf("error %v", err)
	}
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[2]
	c.Close()
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), defaults(), &out)
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

// The longest linger that is no wrong usage is one that the client takes.
func TestLongestLinger(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.linger = time.Minute
	if err := cfg.check(); err != nil {
		t.Error(err)
	}
	cl, err := kafka.NewClient(kgo.ProducerLinger(cfg.linger))
	if err != nil {
		t.Fatal(err)
	}
	cl.Close()
}

// What the embedded stand refuses, on a full disk say, stands in its log.
func TestErrorNamesTheLog(t *testing.T) {
	c := kafkatest.Start(t)
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownServerError, Count: -1})
	home := t.TempDir()
	t.Setenv("KAFKA_BOOTSTRAP", "")
	t.Setenv("COURSE_HOME", home)
	s := stand.State{Kind: stand.Embedded, Bootstrap: c.ListenAddrs(), Ports: []int{1, 2, 3}}
	if err := stand.Write(home, s); err != nil {
		t.Fatal(err)
	}
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), defaults(), &out)
	if err == nil || !strings.Contains(err.Error(), "UNKNOWN_SERVER_ERROR") ||
		!strings.HasSuffix(err.Error(), stand.Log(home)) {
		t.Errorf("error %v, want one that names %s", err, stand.Log(home))
	}
}

func TestWrongFlagValues(t *testing.T) {
	for flag, change := range map[string]func(*config){
		"--send":      func(c *config) { c.send = "later" },
		"--linger":    func(c *config) { c.linger = time.Minute + 1 },
		"--timeout":   func(c *config) { c.timeout = time.Millisecond },
		"partitions":  func(c *config) { c.partitions = 0 },
		"replication": func(c *config) { c.rf = -2 },
	} {
		cfg := defaults()
		change(&cfg)
		err := cfg.check()
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: error %v", flag, err)
		}
	}
}
