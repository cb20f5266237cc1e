package differences

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/course/ports"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// site is a stand of its own that `course up` has started.
type site struct {
	kind   string
	course string // the tool
	home   string
	port   int
	// release gives the ports back; nil before there are some.
	release func()
	// weather is held for reading while tests need a stand that serves, and for writing by
	// one that stops brokers.
	weather sync.RWMutex
}

// sites are the stands of this run: each test of a kind uses the same one, since a real
// Kafka takes long to start.
type sites struct {
	dir    string
	course func() (string, error)
	start  map[string]func() (*site, error)

	mu sync.Mutex
	up []*site
}

var stands *sites

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "brew-differences-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stands = newSites(dir)
	// The tests wait for brokers most of the time: as many at once as there are processors
	// would be few.
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := errors.Join(stands.down(), os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func newSites(dir string) *sites {
	s := &sites{dir: dir}
	s.course = sync.OnceValues(func() (string, error) {
		tool := filepath.Join(dir, "course.exe") // the ending is needed on Windows only
		out, err := exec.Command("go", "build", "-o", tool, "..").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("build the tool: %w: %s", err, out)
		}
		return tool, err
	})
	s.start = map[string]func() (*site, error){}
	for _, kind := range []string{stand.Embedded, stand.Java} {
		s.start[kind] = sync.OnceValues(func() (*site, error) { return s.open(kind) })
	}
	return s
}

// open starts a stand. Somebody may take a port after it was found free: three attempts.
func (s *sites) open(kind string) (*site, error) {
	tool, err := s.course()
	if err != nil {
		return nil, err
	}
	at := &site{kind: kind, course: tool, home: filepath.Join(s.dir, kind)}
	s.mu.Lock()
	s.up = append(s.up, at)
	s.mu.Unlock()
	if at.port, at.release, err = ports.Reserve(); err != nil {
		return nil, err
	}
	if out, err := at.run("up"); err != nil {
		return nil, fmt.Errorf("course up: %w: %s", err, out)
	}
	return at, nil
}

// down stops everything that was started.
func (s *sites) down() error {
	var failed error
	for _, at := range s.up {
		if out, err := at.run("down"); err != nil {
			failed = errors.Join(failed, fmt.Errorf("course down: %w: %s", err, out))
		}
		if at.release != nil {
			at.release()
		}
	}
	return failed
}

// on returns the stand of a kind.
func on(t *testing.T, kind string) *site {
	t.Helper()
	if kind == stand.Java && os.Getenv("COURSE_TEST_KAFKA") != "1" {
		t.Skip("left out: it starts a real Kafka; `make test-kafka` sets COURSE_TEST_KAFKA=1")
	}
	s, err := stands.start[kind]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run runs a verb of the tool and returns all that it says.
func (s *site) run(args ...string) (string, error) {
	cmd := exec.Command(s.course, args...)
	cmd.Env = []string{"COURSE_HOME=" + s.home, "COURSE_PORT=" + strconv.Itoa(s.port),
		"COURSE_STAND=" + s.kind, "COURSE_LANG=en"}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "COURSE_") && !strings.HasPrefix(kv, "KAFKA_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	// What the tool leaves behind must not keep us waiting for its output.
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs a verb that has to succeed.
func (s *site) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := s.run(args...)
	if err != nil {
		t.Fatalf("course %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// state is what the stand says of itself.
func (s *site) state(t *testing.T) stand.State {
	t.Helper()
	state, err := stand.Read(s.home)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// client returns a client that is closed with the test.
func (s *site) client(t *testing.T, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	var seeds []string
	for i := range stand.Brokers {
		seeds = append(seeds, net.JoinHostPort("localhost", strconv.Itoa(s.port+i)))
	}
	cl, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(seeds...), kgo.MetadataMinAge(20 * time.Millisecond),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

// admin returns a client for administration.
func (s *site) admin(t *testing.T) *kadm.Client { return kadm.NewClient(s.client(t)) }

// topic makes a topic that no other test uses, with three replicas, and returns its name.
// cfg are pairs of a setting and its value.
func (s *site) topic(t *testing.T, partitions int32, cfg ...string) string {
	t.Helper()
	name, settings := unique(t), map[string]string{}
	for i := 0; i < len(cfg); i += 2 {
		settings[cfg[i]] = cfg[i+1]
	}
	ctx := kafkatest.Context(t)
	cl := s.client(t)
	if _, err := kafka.EnsureTopic(ctx, cl, name, partitions, 3, settings); err != nil {
		t.Fatal(err)
	}
	return name
}

// everywhere returns when all brokers tell of a topic what is wanted: one hears of a change
// later than another.
func (s *site) everywhere(
	t *testing.T, name string, wanted func(kmsg.MetadataResponseTopic) bool,
) {
	t.Helper()
	ctx, cl, req := kafkatest.Context(t), s.client(t), kmsg.NewPtrMetadataRequest()
	rt := kmsg.NewMetadataRequestTopic()
	rt.Topic = &name
	req.Topics = append(req.Topics, rt)
	for node := range stand.Brokers {
		kafkatest.Eventually(t, "a broker has heard of "+name, func() bool {
			raw := ask[kmsg.Response](t)(cl.Broker(node).Request(ctx, req))
			return wanted(raw.(*kmsg.MetadataResponse).Topics[0])
		})
	}
}

var names struct {
	sync.Mutex
	n int
}

// unique returns a name for a topic or a group.
func unique(t *testing.T) string {
	t.Helper()
	names.Lock()
	defer names.Unlock()
	names.n++
	return fmt.Sprintf("differences.%d", names.n)
}

// send writes one record and returns it as it was acknowledged.
func (s *site) send(t *testing.T, r *kgo.Record, opts ...kgo.Opt) (*kgo.Record, error) {
	t.Helper()
	cl := s.client(t, append([]kgo.Opt{kgo.UnknownTopicRetries(50)}, opts...)...)
	defer cl.Close()
	return cl.ProduceSync(kafkatest.Context(t), r).First()
}

// write writes n records to partition 0 of a topic.
func (s *site) write(t *testing.T, topic string, n int) {
	t.Helper()
	for range n {
		if _, err := s.send(t, &kgo.Record{Topic: topic, Value: []byte("x")},
			kgo.RecordPartitioner(kgo.ManualPartitioner())); err != nil {
			t.Fatal(err)
		}
	}
}

// code is the name of the error that a broker has answered with.
func code(err error) string {
	var broker *kerr.Error
	switch {
	case err == nil:
		return accepted
	case errors.As(err, &broker):
		return broker.Message
	}
	return "error: " + err.Error()
}

// ask ends the test when a question could not be asked.
func ask[T any](t *testing.T) func(T, error) T {
	return func(answer T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

// within returns a context for one attempt of something that may be refused.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}
