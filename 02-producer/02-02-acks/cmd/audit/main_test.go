package main

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-02-acks/acks"
	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

const topic = "brew.receipts.v1"

func defaults() config {
	return config{
		topic: topic, acks: acks.All, minISR: 2, retries: -1, timeout: time.Minute,
		settle: kafkatest.Deadline, limits: &cli.Limits{Records: 5},
	}
}

// soon is how long a test looks for records that are not there.
const soon = 200 * time.Millisecond

// plain returns what was printed with one space between cells, from the line of acks=0 on.
func plain(out string) string {
	out = regexp.MustCompile(` +`).ReplaceAllString(out, " ")
	_, after, _ := strings.Cut(out, "\n")
	return after
}

const head = "ACKS SENT ACKNOWLEDGED FAILED UNKNOWN READABLE HIDDEN GONE\n"

func TestAllIsWell(t *testing.T) {
	kafkatest.Start(t)
	for range 2 { // older receipts do not count
		var out, stderr kafkatest.Buffer
		cfg := defaults()
		cfg.wait = true // for nothing
		if err := run(kafkatest.Context(t), cfg, &out, &stderr); err != nil {
			t.Fatal(err)
		}
		want := "acks=0 sent=5\nacknowledged=10 failed=0 unknown=0\n" + head +
			"0 5 - 0 0 5 - -\n1 5 5 0 0 5 none none\nall 5 5 0 0 5 none none\n"
		if got := plain(out.String()); got != want || stderr.String() != "" {
			t.Errorf("printed\n%s\nand on stderr %q", got, &stderr)
		}
	}
}

// A record that the topic does not take: only who asked learns of it.
func TestRefusedRecords(t *testing.T) {
	c := kafkatest.Start(t)
	limit, minimum := "64", "2"
	_, err := kadm.NewClient(kafkatest.Client(t, c)).CreateTopic(kafkatest.Context(t), 1, 3,
		map[string]*string{"max.message.bytes": &limit, "min.insync.replicas": &minimum}, topic)
	if err != nil {
		t.Fatal(err)
	}
	var out kafkatest.Buffer
	cfg := defaults()
	cfg.settle = soon
	err = run(kafkatest.Context(t), cfg, &out, io.Discard)
	want := "acks=0 sent=5\nacknowledged=0 failed=10 unknown=0\n" + head +
		"0 5 - 0 0 0 - -\n1 5 0 5 0 0 none none\nall 5 0 5 0 0 none none\n"
	if got := plain(out.String()); got != want {
		t.Errorf("printed\n%s", got)
	}
	if err == nil || !strings.HasSuffix(err.Error(), "the limit: max.message.bytes of the topic") {
		t.Errorf("error %v", err)
	}
}

// liar acknowledges what was sent with acks=1, and stores nothing.
func liar(c *kfake.Cluster) {
	c.ControlKey(int16(kmsg.Produce), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		req := r.(*kmsg.ProduceRequest)
		if req.Acks != 1 {
			return nil, nil, false
		}
		resp := req.ResponseKind().(*kmsg.ProduceResponse)
		for _, rt := range req.Topics {
			st := kmsg.NewProduceResponseTopic()
			st.Topic, st.TopicID = rt.Topic, rt.TopicID
			for _, rp := range rt.Partitions {
				sp := kmsg.NewProduceResponseTopicPartition()
				sp.Partition = rp.Partition
				st.Partitions = append(st.Partitions, sp)
			}
			resp.Topics = append(resp.Topics, st)
		}
		return resp, nil, true
	})
}

func TestAcknowledgedAndGone(t *testing.T) {
	liar(kafkatest.Start(t))
	cfg := defaults()
	cfg.acks, cfg.settle = []string{"1", "all"}, soon
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out, io.Discard)
	if got := plain(out.String()); !strings.HasSuffix(got,
		head+"1 5 5 0 0 0 none 5\nall 5 5 0 0 5 none none\n") {
		t.Errorf("printed\n%s", got)
	}
	if err == nil || err.Error() != "acknowledged and gone: 5" {
		t.Errorf("error %v", err)
	}
}

// hide holds the high watermark at 0 until it is released. The end of the leader's log, which
// is asked for with replica id -2, stays what it is.
func hide(c *kfake.Cluster) (release func()) {
	var mu sync.Mutex
	hidden := true
	c.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		mu.Lock()
		defer mu.Unlock()
		req := r.(*kmsg.ListOffsetsRequest)
		if !hidden || req.ReplicaID == -2 || req.Topics[0].Partitions[0].Timestamp != -1 {
			return nil, nil, false
		}
		resp := req.ResponseKind().(*kmsg.ListOffsetsResponse)
		rt := kmsg.NewListOffsetsResponseTopic()
		rt.Topic = topic
		p := kmsg.NewListOffsetsResponseTopicPartition()
		p.Offset = 0
		rt.Partitions = append(rt.Partitions, p)
		resp.Topics = append(resp.Topics, rt)
		return resp, nil, true
	})
	return func() { mu.Lock(); defer mu.Unlock(); hidden = false }
}

func TestWaitsForHiddenRecords(t *testing.T) {
	release := hide(kafkatest.Start(t))
	cfg := defaults()
	cfg.acks, cfg.settle = []string{"1"}, soon
	var once, out, stderr kafkatest.Buffer
	const hidden = head + "1 5 5 0 0 0 5 none\n"
	if err := run(kafkatest.Context(t), cfg, &once, &stderr); err != nil ||
		!strings.HasSuffix(plain(once.String()), hidden) || stderr.String() != "" {
		t.Errorf("%v\n%s%s", err, &once, &stderr)
	}
	cfg.wait = true
	done := make(chan error, 1)
	go func() { done <- run(kafkatest.Context(t), cfg, &out, &stderr) }()
	stderr.Await(t, "waiting until nothing is hidden; Ctrl+C ends it\n")
	release()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := plain(out.String()); !strings.HasSuffix(got,
		hidden+head+"1 5 5 0 0 5 none none\n") {
		t.Errorf("printed\n%s", got)
	}
}

// With too few replicas the first answer says why; a time limit says only that it is over,
// and what may have been stored is unknown.
func TestTooFewReplicas(t *testing.T) {
	for want, change := range map[string]func(*config){
		"5 0 5 0 0": func(c *config) { c.retries = 0 },
		"5 0 0 5 0": func(c *config) { c.timeout = time.Second },
	} {
		c := kafkatest.Start(t)
		c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
		cfg := defaults()
		cfg.acks, cfg.settle = []string{"all"}, soon
		change(&cfg)
		var out kafkatest.Buffer
		err := run(kafkatest.Context(t), cfg, &out, io.Discard)
		if !strings.Contains(plain(out.String()), "all "+want+" none none\n") {
			t.Errorf("printed\n%s", &out)
		}
		if named := errors.Is(err, kerr.NotEnoughReplicas); err == nil ||
			named != (cfg.retries == 0) {
			t.Errorf("error %v", err)
		}
	}
}

// Without a limit it writes until the signal, and counts then.
func TestUntilTheSignal(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.limits.Records, cfg.interval = 0, 10*time.Millisecond
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	var out kafkatest.Buffer
	done := make(chan error, 1)
	go func() { done <- run(ctx, cfg, &out, io.Discard) }()
	out.Await(t, "each till has sent its first receipt; Ctrl+C ends it and counts\n")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	row := regexp.MustCompile(`(?m)^all +(\d+) +(\d+) +0 +0 +(\d+) +none +none$`)
	m := row.FindStringSubmatch(out.String())
	if m == nil || m[1] != m[2] || m[2] != m[3] || m[1] == "0" {
		t.Errorf("printed\n%s", &out)
	}
}

func TestStopAtAnyMoment(t *testing.T) {
	deliverytest.Stop(t, 15, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := defaults()
		cfg.topic, cfg.acks, cfg.settle = topic, []string{"1", "all"}, soon
		cfg.limits.Records, cfg.interval = 50, time.Millisecond
		return run(ctx, cfg, stdout, io.Discard)
	})
}

func TestOnTheEmbeddedStand(t *testing.T) {
	c := kafkatest.Start(t)
	home := t.TempDir()
	t.Setenv("COURSE_HOME", home)
	t.Setenv("KAFKA_BOOTSTRAP", "")
	if err := stand.Write(home, stand.State{
		Version: stand.FormatVersion, Kind: stand.Embedded, Bootstrap: c.ListenAddrs(),
		Ports: []int{1, 2, 3}, Software: "kfake", Started: time.Now(),
	}); err != nil {
		t.Fatal(err)
	}
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), defaults(), &out, io.Discard)
	if err == nil || !strings.HasPrefix(err.Error(), "the embedded stand copies no record") ||
		!strings.Contains(out.String(), "\nall   5     5 ") {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestWrongFlagValues(t *testing.T) {
	for flag, change := range map[string]func(*config){
		"--min-isr cannot be 0":    func(c *config) { c.minISR = 0 },
		"--min-isr cannot be 4":    func(c *config) { c.minISR = 4 },
		"--retries cannot be -2":   func(c *config) { c.retries = -2 },
		"--timeout cannot be 10ms": func(c *config) { c.timeout = 10 * time.Millisecond },
		"--acks cannot be none":    func(c *config) { c.acks = []string{"none"} },
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
