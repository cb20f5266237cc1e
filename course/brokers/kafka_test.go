//go:build unix

package brokers

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	psnet "github.com/shirou/gopsutil/v4/net"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/course/ports/portstest"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// The tests of this file start a real Kafka: `make test-kafka` runs them.

// How long things may take: three times what the course promises, for a busy machine.
const (
	readyLimit = 60 * time.Second
	groupLimit = 3 * time.Second
	downLimit  = 30 * time.Second
)

var update = flag.Bool("update", false, "write the sums of the jars that Maven brings")

func needKafka(t *testing.T) {
	t.Helper()
	if os.Getenv("COURSE_TEST_KAFKA") != "1" {
		t.Skip("left out: it starts a real Kafka; `make test-kafka` sets COURSE_TEST_KAFKA=1")
	}
}

// settings asks the program that `course up` asks.
func settings(t *testing.T) Settings {
	t.Helper()
	out, err := exec.Command("go", "run", "../cmd/brokers", "../../docker-compose.yml").Output()
	if err != nil {
		t.Fatal(err)
	}
	var s Settings
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// realStand is a stand of real nodes.
type realStand struct {
	Java
	said *lines
	opts Options
	s    stand.State
}

func newRealStand(t *testing.T) *realStand {
	t.Helper()
	needKafka(t)
	said := &lines{}
	r := &realStand{said: said}
	// Paths are as hard as they may be, and nothing in the environment helps with them.
	t.Setenv("LC_ALL", "C")
	r.Java = Java{
		Home: filepath.Join(t.TempDir(), "дом с пробелами*"), Settings: settings(t), Say: said.add,
	}
	r.opts = Options{First: portstest.Reserve(t), Bind: loopback, Advertise: "localhost"}
	if err := r.libs(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, err := r.all()
		if err == nil && len(left) > 0 {
			t.Errorf("%d nodes are left behind", len(left))
			err = kill(context.Background(), left)
		}
		if err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("it said:\n%s", said)
		}
	})
	return r
}

func (r *realStand) up(t *testing.T) {
	t.Helper()
	begin := time.Now()
	s, err := r.Start(t.Context(), r.opts)
	if err != nil {
		t.Fatal(err)
	}
	r.s = s
	took := time.Since(begin)
	t.Logf("ready in %s", took.Round(time.Millisecond))
	if took > readyLimit {
		t.Errorf("ready only after %s", took)
	}
}

// down stops the stand, whatever its brokers are.
func (r *realStand) down(t *testing.T, how string) {
	t.Helper()
	begin := time.Now()
	if err := r.Stop(t.Context(), r.s); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	t.Logf("down %s in %s", how, took.Round(time.Millisecond))
	if took > downLimit {
		t.Errorf("down %s only after %s", how, took)
	}
	if left, err := r.all(); err != nil || len(left) > 0 {
		t.Errorf("%d nodes are left: %v", len(left), err)
	}
}

func (r *realStand) do(t *testing.T, verb Verb, node int, want ...Status) {
	t.Helper()
	begin := time.Now()
	s, err := Do(t.Context(), r, r.s, verb, node)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %d in %s", verb, node, time.Since(begin).Round(time.Millisecond))
	r.s = s
	wantStatuses(t, r, r.s, want...)
}

func (r *realStand) client(t *testing.T, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(r.s.Bootstrap...)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

// produce writes n records and waits until all of them are acknowledged.
func (r *realStand) produce(t *testing.T, topic string, n int) {
	t.Helper()
	cl := r.client(t, kgo.DefaultProduceTopic(topic), kgo.UnknownTopicRetries(100))
	defer cl.Close()
	for i := range n {
		record := kgo.StringRecord(fmt.Sprint(i))
		if err := cl.ProduceSync(t.Context(), record).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// read reads n records as a member of a group, commits them, and returns how long the
// first one took.
func (r *realStand) read(t *testing.T, topic, group string, n int) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	begin := time.Now()
	var first time.Duration
	cl := r.client(t, kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit())
	defer cl.Close()
	for got := 0; got < n; {
		fetches := cl.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			t.Fatalf("after %d records: %v", got, err)
		}
		if first == 0 {
			first = time.Since(begin)
		}
		got += fetches.NumRecords()
	}
	if err := cl.CommitUncommittedOffsets(ctx); err != nil {
		t.Fatal(err)
	}
	return first
}

func TestRealKafka(t *testing.T) {
	r := newRealStand(t)
	r.up(t)
	adm := kadm.NewClient(r.client(t))
	t.Run("first producer id", r.testFirstProducerID)

	first := time.Now()
	if _, err := adm.CreateTopic(t.Context(), 3, -1, nil, "orders"); err != nil {
		t.Fatal(err)
	}
	r.produce(t, "orders", 10)
	t.Logf("topic made and ten records written in %s", time.Since(first).Round(time.Millisecond))
	took := r.read(t, "orders", "fresh", 10)
	t.Logf("first record of a fresh group in %s", took.Round(time.Millisecond))
	if took > groupLimit {
		t.Errorf("the first record of a fresh group came after %s", took)
	}
	all, err := r.Brokers(t.Context(), r.s)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		t.Logf("broker %d holds %d MiB", b.Node, b.Memory>>20)
	}

	t.Run("settings", func(t *testing.T) { r.testSettings(t, adm) })
	t.Run("listeners", r.testListeners)
	t.Run("compression", func(t *testing.T) { r.testCompression(t, adm) })
	t.Run("one broker less", func(t *testing.T) { r.testOneLess(t, adm) })

	// The data and the commits outlive the brokers, in whatever state they end.
	r.do(t, Stop, 1, Running, Stopped, Running)
	r.do(t, Pause, 2, Running, Stopped, Paused)
	r.down(t, "with one stopped and one paused")
	r.up(t)
	r.produce(t, "orders", 5)
	r.read(t, "orders", "fresh", 6) // the ten before are committed
	r.read(t, "orders", "other", 16)
	r.do(t, Kill, 2, Running, Running, Dead)
	r.down(t, "with one dead")
	if _, err := os.Stat(r.tempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what the nodes have unpacked is still there: %v", err)
	}
}

// testCompression makes the brokers compress, for which their jars unpack libraries. The one
// for gzip is Java's own, and the one for zstd is deleted as soon as it is loaded.
func (r *realStand) testCompression(t *testing.T, adm *kadm.Client) {
	for _, codec := range []string{"gzip", "snappy", "lz4", "zstd"} {
		if _, err := adm.CreateTopic(t.Context(), 1, -1,
			map[string]*string{"compression.type": &codec}, codec); err != nil {
			t.Fatal(err)
		}
		r.produce(t, codec, 1)
		r.read(t, codec, "reader-of-"+codec, 1)
	}
	for _, library := range []string{"snappy-*", "*lz4*"} {
		found, err := fs.Glob(os.DirFS(r.tempDir()), library)
		if err != nil || len(found) == 0 {
			t.Errorf("no %s is unpacked in %s: %v", library, r.tempDir(), err)
		}
	}
}

// testFirstProducerID shows why the first idempotent producer after a start is slow: a broker
// that has no ids to give refuses, and asks the controller for a thousand.
func (r *realStand) testFirstProducerID(t *testing.T) {
	cl := r.client(t)
	var id int64
	ask := func() error {
		resp, err := kmsg.NewPtrInitProducerIDRequest().RequestWith(t.Context(), cl.Broker(1))
		if err != nil {
			t.Fatal(err)
		}
		id = resp.ProducerID
		return kerr.ErrorForCode(resp.ErrorCode)
	}
	if err := ask(); !errors.Is(err, kerr.CoordinatorLoadInProgress) {
		t.Errorf("the first producer id: %v", err)
	}
	kafkatest.Eventually(t, "a producer id", func() bool { return ask() == nil })
	if id%1000 != 0 {
		t.Errorf("the first producer id of a broker is %d, and begins no thousand", id)
	}
}

// testListeners holds the nodes to addresses that nobody else can reach.
func (r *realStand) testListeners(t *testing.T) {
	listening := map[uint32]bool{}
	for _, p := range r.s.Processes {
		conns, err := psnet.ConnectionsPid("tcp", int32(p.PID))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range conns {
			if c.Status != "LISTEN" {
				continue
			}
			listening[c.Laddr.Port] = true
			if !net.ParseIP(c.Laddr.IP).IsLoopback() {
				t.Errorf("broker %d listens on %s:%d", p.Node, c.Laddr.IP, c.Laddr.Port)
			}
		}
	}
	for _, port := range AllPorts(r.opts.First) {
		if !listening[uint32(port)] {
			t.Errorf("nobody listens on port %d", port)
		}
		delete(listening, uint32(port))
	}
	if len(listening) > 0 {
		t.Errorf("the nodes listen on other ports, too: %v", listening)
	}
}

// testSettings compares what the brokers say about themselves with the file.
func (r *realStand) testSettings(t *testing.T, adm *kadm.Client) {
	configs, err := adm.DescribeBrokerConfigs(t.Context(), 0, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range configs {
		got := map[string]string{}
		for _, entry := range c.Configs {
			got[entry.Key] = entry.MaybeValue()
		}
		var node int
		if _, err := fmt.Sscan(c.Name, &node); err != nil {
			t.Fatal(err)
		}
		for name, want := range r.Settings.Properties(node, r.opts, r.nodeDir(node)) {
			if got[name] != want {
				t.Errorf("broker %d: %s is %q, want %q", node, name, got[name], want)
			}
		}
	}
}

// testOneLess stops and kills one broker, and looks at what still works.
func (r *realStand) testOneLess(t *testing.T, adm *kadm.Client) {
	strict := "3"
	if _, err := adm.CreateTopic(t.Context(), 1, 3,
		map[string]*string{"min.insync.replicas": &strict}, "strict"); err != nil {
		t.Fatal(err)
	}
	r.do(t, Stop, 1, Running, Stopped, Running)
	r.produce(t, "orders", 1)
	cl := r.client(t, kgo.DefaultProduceTopic("strict"), kgo.RecordRetries(2))
	err := cl.ProduceSync(t.Context(), kgo.StringRecord("x")).FirstErr()
	if !errors.Is(err, kerr.NotEnoughReplicas) {
		t.Errorf("two of three replicas are enough for three: %v", err)
	}
	r.do(t, Start, 1, Running, Running, Running)
	r.do(t, Kill, 1, Running, Dead, Running)
	r.do(t, Start, 1, Running, Running, Running)
	r.do(t, Pause, 1, Running, Paused, Running)
	r.do(t, Resume, 1, Running, Running, Running)
}

// What only Kafka can see is told with Kafka's reason, and nothing stays.
func TestRealKafkaWithDamagedData(t *testing.T) {
	r := newRealStand(t)
	java, err := findJava(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.prepare(t.Context(), r.opts, launch{Java: java, JVM: r.Settings.JVM}); err != nil {
		t.Fatal(err)
	}
	say(t, filepath.Join(r.nodeDir(1), "__cluster_metadata-0"), "quorum-state", "{damaged")
	s, err := r.Start(t.Context(), r.opts)
	if err == nil {
		r.s = s
		r.down(t, "after a start that should fail")
	}
	wantError(t, err, "broker 1 died at its start", "quorum-state", r.logFile(1))
	if left, err := r.all(); err != nil || len(left) > 0 {
		t.Errorf("%d nodes are left: %v", len(left), err)
	}
}

// The image's own start script turns the variables of docker-compose.yml into the
// settings that we turn them into.
func TestTheImageMakesTheSameOfTheFile(t *testing.T) {
	r := newRealStand(t)
	java, err := findJava(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{}
	for _, name := range []string{"default", "mounted", "final"} {
		dirs[name] = t.TempDir()
	}
	for _, name := range []string{"server.properties", "log4j2.yaml", "tools-log4j2.yaml"} {
		say(t, dirs["default"], name, "")
	}
	variables := maps.Clone(r.Settings.Nodes[1])
	variables["KAFKA_LOG_DIRS"] = filepath.Join(t.TempDir(), "data")
	want := map[string]string{}
	cmd := exec.Command(java, "-cp", filepath.Join(r.libDir(), "*"),
		"kafka.docker.KafkaDockerWrapper", "setup", "--default-configs-dir", dirs["default"],
		"--mounted-configs-dir", dirs["mounted"], "--final-configs-dir", dirs["final"])
	cmd.Env = append(environment(os.Environ()), "CLUSTER_ID="+r.Settings.ClusterID)
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
		if !named(image, name) {
			want[property(name)] = value
		}
	}
	// It formats the data folder, too, so it refuses what Kafka would.
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := read(filepath.Join(dirs["final"], "server.properties"))
	delete(got, "")
	if !maps.Equal(got, want) {
		t.Errorf("the image makes %v of it, and we %v", got, want)
	}
}

// The sums in the repository are those of what Maven brings.
func TestSumsOfTheJars(t *testing.T) {
	needKafka(t)
	mvn, err := findMaven(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := fetch(t.Context(), mvn, dir); err != nil {
		t.Fatal(err)
	}
	jars, err := filepath.Glob(filepath.Join(dir, "libs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	slices.Sort(jars)
	for _, path := range jars {
		sum, err := sumOf(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, filepath.Base(path))
	}
	if *update {
		if err := os.WriteFile("libs.sha256", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != sums {
		t.Error("Maven brings other jars; see what has changed with -update and git diff")
	}
}
