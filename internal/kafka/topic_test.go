package kafka

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const (
	keyMetadata     = 3
	keyCreateTopics = 19
)

func TestEnsureTopic(t *testing.T) {
	t.Parallel()
	c, addrs := start(t)
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	ctx := kafkatest.Context(t)
	cfg := map[string]string{"retention.ms": "60000", "cleanup.policy": "delete"}
	for i, want := range []bool{true, false, false} {
		created, err := EnsureTopic(ctx, cl, "orders", 3, 2, cfg)
		if err != nil || created != want {
			t.Fatalf("call %d: created=%t, %v", i+1, created, err)
		}
	}
	// An existing topic with what one does not ask about is as wanted.
	for _, want := range []struct {
		partitions int32
		rf         int16
	}{{-1, -1}, {3, -1}, {-1, 2}} {
		if created, err := EnsureTopic(ctx, cl, "orders", want.partitions, want.rf, nil); created ||
			err != nil {
			t.Errorf("%+v: created=%t, %v", want, created, err)
		}
	}
	if info := c.TopicInfo("orders"); len(c.PartitionInfos("orders")) != 3 || info == nil {
		t.Errorf("the cluster has %+v", info)
	}
	// What follows at once must work.
	err := cl.ProduceSync(ctx, &kgo.Record{Topic: "orders", Value: []byte("x")}).FirstErr()
	if err != nil {
		t.Error(err)
	}
	if created, err := EnsureTopic(ctx, cl, "defaults", -1, -1, nil); !created || err != nil {
		t.Errorf("created=%t, %v", created, err)
	}
	if n := len(c.PartitionInfos("defaults")); n != 1 {
		t.Errorf("%d partitions by default, want the stand's 1", n)
	}
}

// TestEnsureTopicFromMany holds that of programs that start together one creates the
// topic and none fails.
func TestEnsureTopicFromMany(t *testing.T) {
	t.Parallel()
	c, addrs := start(t)
	const programs = 8
	created := make([]bool, programs)
	var wg sync.WaitGroup
	for i := range programs {
		cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
		wg.Go(func() {
			var err error
			created[i], err = EnsureTopic(kafkatest.Context(t), cl, "orders", 6, 3, nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	n := 0
	for _, is := range created {
		if is {
			n++
		}
	}
	if n != 1 || len(c.PartitionInfos("orders")) != 6 {
		t.Errorf("%d programs created the topic; it has %d partitions", n,
			len(c.PartitionInfos("orders")))
	}
}

// TestEnsureTopicFails holds that each failure names the topic and what is the matter, in
// one line, and that nothing was changed or created.
func TestEnsureTopicFails(t *testing.T) {
	t.Parallel()
	c, addrs := start(t)
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	ctx := kafkatest.Context(t)
	_, err := EnsureTopic(ctx, cl, "orders", 3, 2, map[string]string{"retention.ms": "60000"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := EnsureTopic(ctx, cl, "or_ders.v1", 1, 1, nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name       string
		topic      string
		partitions int32
		rf         int16
		cfg        map[string]string
		want       string
	}{
		{"partitions", "orders", 4, 2, nil, "orders|3|4|course topic delete orders"},
		{"replication factor", "orders", 3, 3, nil, "orders|2|3|course topic delete orders"},
		{"setting", "orders", 3, 2, map[string]string{"retention.ms": "1"},
			"orders|retention.ms: 60000|course topic delete orders"},
		{"setting not there", "orders", 3, 2, map[string]string{"no.such": "1"}, "orders|no.such"},
		{"name", "or.ders_v1", 3, 2, nil, "or.ders_v1|or_ders.v1"},
		{"too few brokers", "more", 1, 4, nil, "more|4"},
		{"no partitions", "none", 0, 1, nil, "none|INVALID_PARTITIONS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			created, err := EnsureTopic(ctx, cl, tt.topic, tt.partitions, tt.rf, tt.cfg)
			if created {
				t.Error("created")
			}
			oneLine(t, err, strings.Split(tt.want, "|")...)
		})
	}
	if len(c.PartitionInfos("orders")) != 3 || c.TopicInfo("more") != nil ||
		c.TopicInfo("none") != nil {
		t.Error("a topic was changed or created")
	}
	// Kafka answers so to a factor above the number of brokers; the limit is not ours.
	c.ControlKey(keyCreateTopics, answerCreate(kerr.InvalidReplicationFactor))
	created, err := EnsureTopic(ctx, cl, "replicated", 1, 3, nil)
	if created {
		t.Error("created")
	}
	oneLine(t, err, "replicated", "3")
}

// answerCreate answers one request to create topics with an error for each.
func answerCreate(e *kerr.Error) func(kmsg.Request) (kmsg.Response, error, bool) {
	return func(req kmsg.Request) (kmsg.Response, error, bool) {
		resp := req.ResponseKind().(*kmsg.CreateTopicsResponse)
		for _, t := range req.(*kmsg.CreateTopicsRequest).Topics {
			rt := kmsg.NewCreateTopicsResponseTopic()
			rt.Topic, rt.ErrorCode = t.Topic, e.Code
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	}
}

// TestEnsureTopicOfNoRights holds that a user who may not create topics can use one that
// is there: brokers look at the right first, whether the topic exists or not.
func TestEnsureTopicOfNoRights(t *testing.T) {
	t.Parallel()
	describe := func(name string) kfake.ACL {
		return kfake.ACL{Resource: kmsg.ACLResourceTypeTopic, Name: name, Allow: true,
			Pattern: kmsg.ACLResourcePatternTypeLiteral, Operation: kmsg.ACLOperationDescribe}
	}
	_, addrs := start(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.SeedTopics(3, "orders"),
		kfake.Superuser("PLAIN", "root", canary),
		kfake.User("PLAIN", "ann", canary, describe("orders"), describe("missing")))
	cl, _ := clientOf(t, login(addrs, "PLAIN", "ann", canary))
	ctx := kafkatest.Context(t)
	if created, err := EnsureTopic(ctx, cl, "orders", 3, -1, nil); created || err != nil {
		t.Errorf("existing topic: created=%t, %v", created, err)
	}
	created, err := EnsureTopic(ctx, cl, "missing", 3, -1, nil)
	if created {
		t.Error("created without the right to")
	}
	oneLine(t, err, "topic missing does not exist and this user may not create it")
}

// TestEnsureTopicAwaitsLeaders holds that EnsureTopic returns when the last partition has
// a leader, and soon after it: a client that met no leader waits 5 s by default before
// it asks again.
func TestEnsureTopicAwaitsLeaders(t *testing.T) {
	t.Parallel()
	c, addrs := start(t)
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs))
	ctx := kafkatest.Context(t)
	var mu sync.Mutex
	answers := 0
	var led time.Time
	c.ControlKey(keyMetadata, func(req kmsg.Request) (kmsg.Response, error, bool) {
		r := req.(*kmsg.MetadataRequest)
		if len(r.Topics) != 1 || r.Topics[0].Topic == nil || *r.Topics[0].Topic != "late" {
			return nil, nil, false
		}
		mu.Lock()
		defer mu.Unlock()
		if answers++; answers > 4 {
			c.DropControl()
			led = time.Now()
			return nil, nil, false
		}
		c.KeepControl()
		return unled(r, answers), nil, true
	})
	created, err := EnsureTopic(ctx, cl, "late", 2, 3, nil)
	if !created || err != nil {
		t.Fatalf("created=%t, %v", created, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if answers <= 4 {
		t.Fatalf("returned after %d answers without all leaders", answers)
	}
	if took := time.Since(led); took > 4*time.Second {
		t.Errorf("returned %s after the leaders were there", took)
	}
	began := time.Now()
	record := &kgo.Record{Topic: "late", Value: []byte("x")}
	if err := cl.ProduceSync(ctx, record).FirstErr(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("the first record took %s", took)
	}
}

// unled is the metadata of a topic that is being created: unknown at first, then without
// leaders, then with one of two.
func unled(req *kmsg.MetadataRequest, answer int) *kmsg.MetadataResponse {
	resp := req.ResponseKind().(*kmsg.MetadataResponse)
	topic := kmsg.NewMetadataResponseTopic()
	topic.Topic = req.Topics[0].Topic
	switch answer {
	case 1:
		topic.ErrorCode = kerr.UnknownTopicOrPartition.Code
	case 2:
		topic.ErrorCode = kerr.LeaderNotAvailable.Code
	default:
		for i := range int32(2) {
			p := kmsg.NewMetadataResponseTopicPartition()
			p.Partition, p.Replicas = i, []int32{0, 1, 2}
			if p.Leader = -1; answer == 4 && i == 0 {
				p.Leader = 0
			} else {
				p.ErrorCode = kerr.LeaderNotAvailable.Code
			}
			topic.Partitions = append(topic.Partitions, p)
		}
	}
	resp.Topics = append(resp.Topics, topic)
	return resp
}

// TestEnsureTopicOnDeadCluster holds that EnsureTopic gives up, and that it names the
// topic when it does.
func TestEnsureTopicOnDeadCluster(t *testing.T) {
	defer func(d time.Duration) { adminTimeout = d }(adminTimeout)
	adminTimeout = time.Second
	for name, at := range map[string]struct{ addr, says string }{
		"refused": {deadAddr(t), "create topic orders: unable to dial: "},
		"silent":  {silentAddr(t), "topic orders: no answer for 1s; "},
	} {
		cl, _ := clientOf(t, vars("BOOTSTRAP", at.addr), kgo.ConsumeTopics("orders"))
		began := time.Now()
		_, err := EnsureTopic(context.Background(), cl, "orders", 1, 1, nil)
		oneLine(t, err, at.says)
		err = NewNotices(io.Discard, "1", false).Topics(context.Background(), cl)
		oneLine(t, err, "topic orders: ")
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}

// TestEnsureTopicWithoutController: a topic that exists can be used while none can be made.
func TestEnsureTopicWithoutController(t *testing.T) {
	defer func(d time.Duration) { adminTimeout = d }(adminTimeout)
	c := kafkatest.Start(t)
	cl := kafkatest.Client(t, c)
	ctx := kafkatest.Context(t)
	if _, err := EnsureTopic(ctx, cl, "orders", 3, 3, nil); err != nil {
		t.Fatal(err)
	}
	adminTimeout = 2 * time.Second
	released := make(chan struct{})
	defer close(released)
	var answers atomic.Bool
	c.ControlKey(int16(kmsg.CreateTopics), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if !answers.Load() {
			c.SleepControl(func() { <-released })
		}
		return nil, nil, false
	})
	if created, err := EnsureTopic(ctx, cl, "orders", 3, 3, nil); created || err != nil {
		t.Errorf("the existing topic: %t, %v", created, err)
	}
	_, err := EnsureTopic(ctx, cl, "orders", 4, 3, nil)
	oneLine(t, err, "topic orders exists with another setting (partitions: 3, wanted 4)")
	_, err = EnsureTopic(ctx, cl, "invoices", 3, 3, nil)
	oneLine(t, err, "topic invoices: no answer for 2s; it takes a controller")

	// A broker of Kafka waits for the controller, and then tells so.
	answers.Store(true)
	c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.CreateTopics}, Err: kerr.RequestTimedOut, Count: -1,
	})
	if created, err := EnsureTopic(ctx, cl, "orders", 3, 3, nil); created || err != nil {
		t.Errorf("the existing topic: %t, %v", created, err)
	}
}

func TestWithin(t *testing.T) {
	defer func(d time.Duration) { adminTimeout = d }(adminTimeout)
	adminTimeout = 50 * time.Millisecond
	forever := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	oneLine(t, Within(t.Context(), "orders", forever), "topic orders: no answer for 50ms")
	// Whoever ends the program is told nothing, and what was answered comes as it is.
	ended, end := context.WithCancel(t.Context())
	end()
	if err := Within(ended, "orders", forever); !errors.Is(err, context.Canceled) {
		t.Errorf("after Ctrl+C: %v", err)
	}
	for _, want := range []error{nil, kerr.PolicyViolation} {
		got := Within(t.Context(), "orders", func(context.Context) error { return want })
		if got != want {
			t.Errorf("%v for %v", got, want)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 249)
	for name, legal := range map[string]bool{
		"orders": true, "brew.orders.v1": true, "A_z-0.9": true, "...": true, long: true,
		"": false, ".": false, "..": false, long + "x": false, "a b": false, "a/b": false,
		"über": false, "a\n": false, "\x1b[2J": false, "a;touch p": false, "a\x00": false,
	} {
		err := CheckTopics(name, false)
		if (err == nil) != legal {
			t.Errorf("%q: %v", name, err)
		}
		if err != nil {
			isUsage(t, err)
		}
	}
	for regex, legal := range map[string]bool{
		"brew.*": true, "^brew\\.(orders|menu)$": true, "": false, "(": false, "*": false,
	} {
		err := CheckTopics(regex, true)
		if (err == nil) != legal {
			t.Errorf("regex %q: %v", regex, err)
		}
		if err != nil {
			isUsage(t, err)
		}
	}
	for group, legal := range map[string]bool{
		"brew.kitchen": true, "two words": true, "": false, " \t": false,
		strings.Repeat("g", 32767): true, strings.Repeat("g", 32768): false,
	} {
		err := CheckGroup(group)
		if (err == nil) != legal {
			t.Errorf("group %.60q: %v", group, err)
		}
		if err != nil {
			isUsage(t, err)
		}
	}
	for counts, legal := range map[[2]int]bool{
		{3, 3}: true, {-1, -1}: true, {1, -1}: true, {0, 3}: false, {-2, 3}: false, {3, 0}: false,
		{3, -2}: false,
	} {
		err := CheckCounts(int32(counts[0]), int16(counts[1]))
		if (err == nil) != legal {
			t.Errorf("%v: %v", counts, err)
		}
		if err != nil {
			isUsage(t, err)
		}
	}
}

func isUsage(t *testing.T, err error) {
	t.Helper()
	oneLine(t, err)
	if !errors.As(err, new(cli.UsageError)) {
		t.Errorf("no UsageError: %v", err)
	}
	if len(err.Error()) > 600 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

func TestIllegalNamesAreNotSent(t *testing.T) {
	t.Parallel()
	cl, _ := clientOf(t, vars("BOOTSTRAP", silentAddr(t)))
	began := time.Now()
	_, err := EnsureTopic(kafkatest.Context(t), cl, "a b", 1, 1, nil)
	isUsage(t, err)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s: the broker was asked", took)
	}
}

func TestPrintEnds(t *testing.T) {
	t.Parallel()
	_, addrs := start(t, kfake.SeedTopics(3, "orders"))
	cl, _ := clientOf(t, vars("BOOTSTRAP", addrs), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	ctx := kafkatest.Context(t)
	for _, partition := range []int32{0, 2, 2} {
		r := &kgo.Record{Topic: "orders", Partition: partition, Value: []byte("x")}
		if err := cl.ProduceSync(ctx, r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := PrintEnds(ctx, cl, "orders", &out); err != nil {
		t.Fatal(err)
	}
	want := "PARTITION  LATEST\n0          1\n1          0\n2          2\nTOTAL      3\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	oneLine(t, PrintEnds(ctx, cl, "missing", &out), "missing", "UNKNOWN_TOPIC")
	if out.Len() > 0 {
		t.Errorf("printed %q", out.String())
	}
}
