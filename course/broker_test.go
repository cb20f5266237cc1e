//go:build unix

package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/shirou/gopsutil/v4/process"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/embedded"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

var brokerVerbs = []string{"stop", "kill", "pause", "resume", "start"}

func TestBrokersOfTheEmbeddedStand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, verb := range brokerVerbs {
		p.refused(p.course("broker", verb, "1"), 1, "no stand is up", "COURSE_STAND=java")
	}
	p.refused(p.course("broker", "ls"), 1, "no stand is up", "COURSE_STAND=java")
	pid := p.up().Processes[0].PID
	for _, verb := range brokerVerbs {
		r := p.course("broker", verb, "1")
		p.refused(r, 1, "the embedded stand is one process", "COURSE_STAND=java", "make down")
	}
	p.refused(p.course("broker", "ls"), 1, "the embedded stand is one process")
	if p.pid() != pid || !exists(pid) {
		t.Error("the stand is another one now")
	}
}

func TestBrokerUsage(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, verb := range brokerVerbs {
		p.refused(p.course("broker", verb), 2, "course broker "+verb+" N")
		p.refused(p.course("broker", verb, "1", "2"), 2, "course broker "+verb+" N")
		p.refused(p.course("broker", verb, "\x1b[2J"), 2, `\x1b[2J`, "0, 1 or 2")
		p.refused(p.course("broker", verb, ""), 2, `"" is not the number`, "0, 1 or 2")
	}
	p.refused(p.course("broker", "ls", "1"), 2, "unexpected argument 1")
	p.refused(p.course("broker", "stpo", "1"), 2, "course broker stop")
	r := p.must(p.course("broker", "--help"), 0)
	for _, verb := range append(brokerVerbs, "ls") {
		if !strings.Contains(r.stdout, "\n  "+verb+" ") {
			t.Errorf("the help does not name %s: %v", verb, r)
		}
	}
}

func TestTool(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.refused(p.course("tool"), 2, "name a tool")
	p.refused(p.course("tool", "kafka-nonsense"), 2, "kafka-nonsense", "course tool --help")
	r := p.must(p.course("tool", "--help"), 0)
	if !strings.Contains(r.stdout, "\n    kafka-metadata-quorum\n") {
		t.Errorf("the help does not list the tools: %v", r)
	}
	for _, arg := range []string{"--bootstrap-server", "--bootstrap-server=localhost:1", "--boots"} {
		p.refused(p.course("tool", "kafka-topics", arg), 2, "adds --bootstrap-server", "leave it")
	}
	args := []string{"tool", "kafka-topics.sh", "--list"}
	p.refused(p.course(args...), 1, "no stand is up", "COURSE_STAND=java")
	p.up()
	p.refused(p.course(args...), 1, "kafka-topics comes with a real Kafka", "COURSE_STAND=java")
	p.vars = append(p.vars, "KAFKA_BOOTSTRAP=a:1,b:2")
	p.refused(p.course(args...), 1, "bin/kafka-topics.sh --bootstrap-server a:1,b:2")
}

// Who has exported COURSE_STAND for a real Kafka shall not work on the embedded stand
// without knowing.
func TestAnotherKindRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	p.up()
	as := func(kind string, args ...string) result {
		cmd := p.command(args...)
		cmd.Env = p.environ("COURSE_STAND=" + kind)
		return p.finish(cmd)
	}
	for _, args := range [][]string{{"up"}, {"run", "./cmd/tell"}} {
		for _, kind := range []string{stand.Java, stand.Docker} {
			p.refused(as(kind, args...), 1, "embedded stand runs", "COURSE_STAND="+kind, "make down")
		}
		p.refused(as("x", args...), 2, "COURSE_STAND", "java")
	}
	p.must(as(stand.Embedded, "run", "./cmd/tell"), 7)
	p.finds(as(stand.Docker, "doctor"), "fail", "stand", "embedded stand runs", "make down")
}

// TestUpBesideTheRecordsOfAnother: who forgot COURSE_STAND in this terminal is told.
func TestUpBesideTheRecordsOfAnother(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	p.must(p.course("down"), 0)
	if err := os.MkdirAll(filepath.Join(p.home, "data", stand.Java), 0o700); err != nil {
		t.Fatal(err)
	}
	const note = "the records of a java stand are kept as well"
	if r := p.must(p.course("up"), 0); !strings.Contains(r.stderr, note) {
		t.Errorf("no word of them: %v", r)
	}
	p.must(p.course("down"), 0)
	cmd := p.command("up")
	cmd.Env = p.environ("COURSE_STAND=" + stand.Embedded)
	if r := p.must(p.finish(cmd), 0); strings.Contains(r.stderr, note) {
		t.Errorf("the kind was chosen: %v", r)
	}
}

func TestRealKindsNeedTheCourse(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{stand.Java, stand.Docker} {
		p := newPlace(t)
		p.vars = []string{"COURSE_STAND=" + kind}
		p.refused(p.course("up"), 1, "no course folder")
	}
}

func TestDoctorOfARealKind(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		stand.Java: "no `java` on PATH", stand.Docker: "no `docker` on PATH",
	} {
		p := newPlace(t)
		p.vars = []string{"COURSE_STAND=" + kind, "PATH=" + t.TempDir(), "JAVA_HOME="}
		r := p.must(p.course("doctor"), 1)
		if !strings.Contains(r.stdout, want) {
			t.Errorf("it does not say %q: %v", want, r)
		}
	}
}

// root is the course's folder.
func root(t *testing.T) string {
	t.Helper()
	dir, err := stand.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The script is a docker that notes its command lines and has the containers that the
// file ps names.
const fakeDocker = `#!/bin/sh
echo "$@" >> "$FAKE/log"
if [ -f "$FAKE/fail" ] && echo "$* " | grep -qE "$(cat "$FAKE/fail")"; then
	echo "no daemon" >&2
	exit 1
fi
case "$*" in
*"version --short") echo 2.40.3 ;;
*" ps "*) cat "$FAKE/ps" ;;
esac
`

// docker is a place whose docker is the script, and whose containers are an in-process
// cluster.
type docker struct {
	*place
	fake    string
	cluster *kfake.Cluster
}

func newDocker(t *testing.T) *docker {
	t.Helper()
	fake := t.TempDir()
	path := filepath.Join(fake, "docker")
	if err := os.WriteFile(path, []byte(fakeDocker), 0o700); err != nil {
		t.Fatal(err)
	}
	d := &docker{place: newPlace(t), fake: fake}
	d.dir = root(t)
	d.vars = []string{"COURSE_STAND=docker", "FAKE=" + fake,
		"PATH=" + fake + string(os.PathListSeparator) + os.Getenv("PATH")}
	c, err := embedded.New(kfake.Ports(stand.Ports(d.port)...),
		kfake.SeedTopics(3, "__consumer_offsets"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	d.cluster = c
	d.ps("running", "running", "running")
	return d
}

// ps sets how the containers are.
func (d *docker) ps(states ...string) {
	d.t.Helper()
	var b strings.Builder
	for node, state := range states {
		state, code, _ := strings.Cut(state, " ")
		fmt.Fprintf(&b, "{\"Service\":\"broker-%d\",\"State\":%q,\"ExitCode\":%s}\n", node, state,
			cmp.Or(code, "137"))
	}
	d.set("ps", b.String())
}

// set writes a file that the script looks at.
func (d *docker) set(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.fake, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// told checks what docker was told to do since the last time.
func (d *docker) told(want ...string) {
	d.t.Helper()
	path := filepath.Join(d.fake, "log")
	log, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		d.t.Fatal(err)
	}
	var got []string
	prefix := "compose --file " + filepath.Join(d.dir, "docker-compose.yml") + " "
	for line := range strings.Lines(string(log)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), prefix); ok &&
			!strings.HasPrefix(rest, "ps ") {
			got = append(got, rest)
		}
	}
	if !slices.Equal(got, want) {
		d.t.Errorf("docker was told %q, want %q", got, want)
	}
}

func TestDockerStand(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	s := d.up()
	d.told("up --detach --wait")
	if s.Kind != stand.Docker || len(s.Processes) != 0 || s.Ports[0] != d.port {
		t.Errorf("stand.json says %+v", s)
	}
	d.must(d.course("up"), 0)
	ordersAndGroups(d.place, 3)
	resetOffsets(d.place)
	d.told()

	d.ps("running", "exited", "paused")
	r := d.must(d.course("up"), 0)
	for _, want := range []string{"broker 1 is dead", "broker 2 is paused"} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("up does not say that %s: %v", want, r)
		}
	}
	want := fmt.Sprintf("BROKER  ADDRESS          STATE    PID  MEMORY\n"+
		"0       localhost:%d  running  -    -\n1       localhost:%d  dead     -    -\n"+
		"2       localhost:%d  paused   -    -\n", d.port, d.port+1, d.port+2)
	if r := d.must(d.course("broker", "ls"), 0); r.stdout != want {
		t.Errorf("broker ls: %v", r)
	}
	r = d.must(d.course("status"), 0)
	if !strings.Contains(r.stdout, want) || !strings.Contains(r.stdout, "pid=- ") {
		t.Errorf("status: %v", r)
	}
	r = d.course("doctor")
	d.finds(r, "warn", "broker", "broker 1 is dead", "course broker start 1")
	d.finds(r, "warn", "broker", "broker 2 is paused", "course broker resume 2")
	d.told()

	for _, c := range []struct{ verb, node, call, says string }{
		{"stop", "0", "stop --timeout 15 broker-0", "Broker 0 is stopped.\n"},
		{"kill", "0", "kill --signal KILL broker-0", "Broker 0 is killed.\n"},
		{"pause", "0", "pause broker-0", "Broker 0 is paused.\n"},
		{"start", "1", "start broker-1", "Broker 1 is started.\n"},
		{"resume", "2", "unpause broker-2", "Broker 2 goes on.\n"},
	} {
		r := d.must(d.course("broker", c.verb, c.node), 0)
		if r.stdout != c.says {
			t.Errorf("it says %q, want %q", r.stdout, c.says)
		}
		d.told(c.call)
	}
	d.must(d.course("tool", "kafka-topics", "--list", "--version"), 0)
	d.told("exec -T broker-0 /opt/kafka/bin/kafka-topics.sh --bootstrap-server broker-0:9092 " +
		"--list --version")
	d.refused(d.course("broker", "stop", "1"), 1, "broker 1 is dead", "course broker start 1")
	d.refused(d.course("broker", "stop", "3"), 2, "there is no broker 3")
	d.told()

	d.must(d.course("down"), 0)
	d.told("unpause broker-2", "--profile * down --timeout 6")
	d.must(d.course("wipe", "-y"), 0)
	d.told("unpause broker-2", "--profile * down --timeout 6 --volumes")
	d.must(d.course("wipe", "-y"), 0) // what is gone needs no docker
	if _, err := os.Stat(filepath.Join(d.fake, "log")); err == nil {
		t.Error("docker is asked to wipe what is gone")
	}
}

func TestDockerStandThatIsGone(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.up()
	d.ps("exited", "exited", "exited") // after a restart of the machine, say
	r := d.course("status")
	if r.code != 1 || !strings.Contains(r.stdout, "no broker of the last stand runs") {
		t.Errorf("status: %v", r)
	}
	r = d.must(d.course("up"), 0)
	if !strings.Contains(r.stderr, "starts again with its data") {
		t.Errorf("up: %v", r)
	}
	d.told("up --detach --wait", "--profile * down --timeout 6", "up --detach --wait")
	d.must(d.course("down"), 0)
}

// lock takes the lock of a command that changes the stand.
func (d *docker) lock() (unlock func()) {
	d.t.Helper()
	l := flock.New(filepath.Join(d.home, "command.lock"))
	if err := l.Lock(); err != nil {
		d.t.Fatal(err)
	}
	return func() {
		if err := l.Unlock(); err != nil {
			d.t.Error(err)
		}
	}
}

// A stand of which nothing runs is not up: it can be started, in parts or as a whole.
func TestDockerStandThatIsStopped(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.up()
	d.told("up --detach --wait")
	d.ps("exited 0", "exited 0", "exited")
	if r := d.course("status"); r.code != 1 ||
		!strings.Contains(r.stdout, "no broker of the last stand runs") {
		t.Errorf("status: %v", r)
	}
	d.finds(d.course("doctor"), "warn", "state", "no broker of the last stand runs")
	d.must(d.course("broker", "start", "1"), 0)
	d.ps("exited 0", "running", "exited")
	d.finds(d.must(d.course("doctor"), 1), "fail", "stand", "1 of 3", "start another")
	d.ps("exited 0", "exited 0", "exited")
	d.must(d.course("up"), 0)
	d.told("start broker-1", "--profile * down --timeout 6", "up --detach --wait")

	d.ps("exited 0", "paused", "exited")
	d.refused(d.course("status"), 1, "no broker of the stand runs", "make down")
	r := d.must(d.course("up"), 1)
	if !strings.Contains(r.stderr, "\nerror: no broker of the stand runs") {
		t.Errorf("up: %v", r)
	}
	r = d.must(d.course("doctor"), 1)
	d.finds(r, "warn", "broker", "broker 1 is paused", "course broker resume 1")
	d.finds(r, "fail", "stand", "no broker of the stand runs")
	if strings.Contains(r.stdout, "bootstrap") {
		t.Errorf("a second advice: %v", r)
	}
	d.must(d.course("down"), 0)
}

// While two of three brokers run, somebody may read although his group cannot be seen.
func TestWipeOfWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.up()
	d.cluster.Close()
	d.ps("running", "paused", "running")
	d.refused(d.course("wipe", "-y"), 1, "nobody knows who reads", "make down")
	d.ps("running", "paused", "exited")
	d.must(d.course("wipe", "-y"), 0)
}

// A `down` that was killed has told the brokers to end: the stand is not up.
func TestDownThatWasKilled(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.up()
	d.set("fail", " down ") // what a kill leaves: the record, and brokers that may run
	d.must(d.course("down"), 1)
	d.set("fail", "nothing")
	if r := d.course("status"); r.code != 1 || !strings.Contains(r.stdout, "interrupted") {
		t.Errorf("status: %v", r)
	}
	if r := d.must(d.course("up"), 0); !strings.Contains(r.stderr, "what is left of it is ended") {
		t.Errorf("up: %v", r)
	}
}

// Without its record a stand is still controlled: stand.json says the most.
func TestStandWithoutItsRecord(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.up()
	d.write("brokers.json", []byte("{"))
	d.must(d.course("status"), 0)
	d.told("up --detach --wait")
	d.must(d.course("broker", "stop", "1"), 0)
	d.write("brokers.json", []byte{})
	d.must(d.course("down"), 0)
	d.told("stop --timeout 15 broker-1", "--profile * down --timeout 6")
}

func TestDockerThatDoesNotWork(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.set("fail", " (up|down) ")
	r := d.must(d.course("up"), 1)
	if !strings.Contains(r.stderr, "may be left") || !strings.Contains(r.stderr, "make down") {
		t.Errorf("up: %v", r)
	}
	if r := d.course("status"); r.code != 1 || !strings.Contains(r.stdout, "interrupted") {
		t.Errorf("what may be left is forgotten: %v", r)
	}
	d.set("fail", "nothing")
	d.up()
	d.set("fail", "compose")
	for _, verb := range []string{"status", "up", "down"} {
		d.refused(d.course(verb), 1, "Docker cannot be asked", "no daemon", "COURSE_HOME")
	}
	d.set("fail", "nothing")
	d.must(d.course("down"), 0)
}

func TestDockerThatWasTakenAway(t *testing.T) {
	t.Parallel()
	d := newDocker(t)
	d.up()
	path := d.vars[len(d.vars)-1]
	d.vars = append(d.vars, "PATH="+t.TempDir())
	r := d.course("status")
	if r.code != 1 || !strings.Contains(r.stdout, "no broker of the last stand runs") {
		t.Errorf("status: %v", r)
	}
	r = d.must(d.course("up"), 1)
	if !strings.Contains(r.stderr, "\nerror: there is no `docker` on PATH") {
		t.Errorf("up: %v", r)
	}
	d.must(d.course("wipe", "-y"), 0)
	d.vars = append(d.vars, path)
	d.told("up --detach --wait")
}

func TestDockerUpThatWasKilled(t *testing.T) {
	t.Parallel()
	for _, next := range []string{"down", "up"} {
		d := newDocker(t)
		d.up()
		// What `course up` notes before it calls docker.
		d.write("brokers.json", map[string]any{
			"kind": "docker", "ports": d.state().Ports, "bootstrap": d.state().Bootstrap,
			"root": d.dir, "unfinished": true,
		})
		if err := os.Remove(filepath.Join(d.home, stand.File)); err != nil {
			t.Fatal(err)
		}
		d.told("up --detach --wait")
		if r := d.course("status"); r.code != 1 || !strings.Contains(r.stdout, "interrupted") {
			t.Errorf("status: %v", r)
		}
		d.finds(d.course("doctor"), "warn", "state", "interrupted", "make down")
		unlock := d.lock()
		if r := d.course("status"); r.code != 1 || !strings.Contains(r.stdout, "is under way") {
			t.Errorf("status while a command is at work: %v", r)
		}
		// The cluster of the test has the ports, as what is left of a stand would.
		r := d.course("doctor")
		d.finds(r, "warn", "state", "is under way")
		if strings.Contains(r.stdout, " ports ") {
			t.Errorf("doctor finds fault with the stand's own ports: %v", r)
		}
		unlock()
		r = d.must(d.course(next), 0)
		if !strings.Contains(r.stderr, "stop of the docker stand was interrupted") {
			t.Errorf("%s: %v", next, r)
		}
		want := []string{"--profile * down --timeout 6"}
		if next == "up" {
			want = append(want, "up --detach --wait")
		}
		d.told(want...)
	}
}

// manyGroups is so many that each broker coordinates some.
const manyGroups = 30

// ordersAndGroups writes ten records to a new topic, and commits for so many groups.
func ordersAndGroups(p *place, groups int) {
	p.t.Helper()
	// A topic that has just been made is not known to all brokers yet.
	cl := p.client(kgo.DefaultProduceTopic("orders"), kgo.UnknownTopicRetries(100))
	adm := kadm.NewClient(cl)
	if _, err := adm.CreateTopic(kafkatest.Context(p.t), 3, 3, nil, "orders"); err != nil {
		p.t.Fatal(err)
	}
	for i := range 10 {
		r := kgo.KeyStringRecord("same", strconv.Itoa(i))
		if err := cl.ProduceSync(kafkatest.Context(p.t), r).FirstErr(); err != nil {
			p.t.Fatal(err)
		}
	}
	for i := range groups {
		offsets := kadm.Offsets{}
		offsets.AddOffset("orders", keptIn, 7, -1)
		if err := adm.CommitAllOffsets(kafkatest.Context(p.t), fmt.Sprintf("group-%d", i), offsets); err != nil {
			p.t.Fatal(err)
		}
	}
}

// keptIn is the partition of the key "same" out of three.
const keptIn = 2

// resetOffsets resets offsets of a group without members, and sees them read back.
func resetOffsets(p *place) {
	p.t.Helper()
	plan := []string{"group", "reset-offsets", "group-1", "--topic", "orders:2", "--to-offset", "2"}
	for _, offset := range []string{"7", "2"} {
		r := p.must(p.course(plan...), 0)
		row := regexp.MustCompile(`(?m)^orders +2 +7 +2 +-5`)
		if !row.MatchString(r.stdout) {
			p.t.Errorf("the plan: %v", r)
		}
		r = p.must(p.course("group", "describe", "group-1"), 0)
		row = regexp.MustCompile(`(?m)^orders +2 +` + offset + ` +10 `)
		if !row.MatchString(r.stdout) {
			p.t.Errorf("committed is not %s: %v", offset, r)
		}
		plan = append(plan, "--execute", "-y")
	}
}

// nodes returns the processes of Kafka that run in this home.
func (p *place) nodes() []int {
	p.t.Helper()
	all, err := process.Processes()
	if err != nil {
		p.t.Fatal(err)
	}
	var pids []int
	for _, proc := range all {
		args, err := proc.CmdlineSlice()
		if err == nil && slices.Contains(args, "kafka.Kafka") &&
			strings.HasPrefix(args[len(args)-1], p.home) && exists(int(proc.Pid)) {
			pids = append(pids, int(proc.Pid))
		}
	}
	return pids
}

// newJava returns a place whose stands are real Kafkas.
func newJava(t *testing.T) *place {
	t.Helper()
	if os.Getenv("COURSE_TEST_KAFKA") != "1" {
		t.Skip("left out: it starts a real Kafka; `make test-kafka` sets COURSE_TEST_KAFKA=1")
	}
	p := newPlace(t)
	p.dir = root(t)
	p.vars = []string{"COURSE_STAND=java"}
	t.Cleanup(func() { // runs before the place's own, which ends the stand
		p.must(p.course("down"), 0)
		if left := p.nodes(); len(left) > 0 {
			t.Errorf("nodes are left behind: %v", left)
			for _, pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	return p
}

func TestJavaStand(t *testing.T) {
	p := newJava(t)
	began := time.Now()
	s := p.up()
	t.Logf("up in %s", time.Since(began).Round(time.Millisecond))
	if s.Kind != stand.Java || len(s.Processes) != 3 {
		t.Errorf("stand.json says %+v", s)
	}
	if r := p.must(p.course("up"), 0); !strings.Contains(r.stdout, "up already") {
		t.Errorf("a second up: %v", r)
	}
	embedded := p.command("up")
	embedded.Env = p.environ("COURSE_STAND=embedded")
	p.refused(p.finish(embedded), 1, "java stand runs", "COURSE_STAND=embedded")

	ordersAndGroups(p, manyGroups)
	resetOffsets(p)
	r := p.must(p.course("broker", "kill", "1"), 0)
	if r.stdout != "Broker 1 is killed.\n" {
		t.Errorf("kill: %v", r)
	}
	groupsWithoutABroker(p)
	p.refused(p.course("broker", "stop", "1"), 1, "broker 1 is dead")
	status := p.must(p.course("status"), 0)
	if !strings.Contains(status.stdout, " dead     -") {
		t.Errorf("status: %v", status)
	}
	r = p.must(p.course("broker", "start", "1"), 0)
	if r.stdout != "Broker 1 is started.\n" {
		t.Errorf("start: %v", r)
	}
	p.must(p.course("down"), 0)
	if left := p.nodes(); len(left) > 0 {
		t.Errorf("nodes are left: %v", left)
	}
	p.up()
	if st := p.status(); st.Records == nil || *st.Records != 10 {
		t.Errorf("after down and up: %+v", st)
	}
	// Nodes of which no file knows any more are found by what they run on.
	p.write("brokers.json", []byte{})
	p.write(stand.File, []byte("{"))
	p.must(p.course("down"), 0)
	if left := p.nodes(); len(left) > 0 {
		t.Errorf("nodes are left that no file knows: %v", left)
	}
	p.must(p.course("wipe", "-y"), 0)
	for _, name := range []string{"data", "logs", stand.File, "brokers.json"} {
		if _, err := os.Stat(filepath.Join(p.home, name)); err == nil {
			t.Errorf("a wipe leaves %s", name)
		}
	}
	if _, err := os.Stat(filepath.Join(p.home, "kafka")); err != nil {
		t.Errorf("a wipe deletes the jars: %v", err)
	}
}

// groupsWithoutABroker lists the groups right after broker 1 was killed, when the
// cluster has not noticed yet, until others have taken its groups over.
func groupsWithoutABroker(p *place) {
	p.t.Helper()
	groups := func(r result) int { return strings.Count(r.stdout, "group-") }
	r := p.course("group", "ls")
	p.refused(r, 1, "broker 1 does not answer (", "the list lacks the groups")
	if n := groups(r); n == 0 || n == manyGroups {
		p.t.Errorf("%d groups are listed without broker 1", n)
	}
	kafkatest.Eventually(p.t, "all groups are listed without an error", func() bool {
		r := p.course("group", "ls")
		return r.code == 0 && groups(r) == manyGroups
	})
}

// A Ctrl+C, and a kill -9, in the middle of the start leave nothing that the next command
// does not clean up.
func TestJavaUpInterrupted(t *testing.T) {
	p := newJava(t)
	begin := func() *exec.Cmd {
		cmd := p.command("up")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kafkatest.Eventually(t, "a node runs", func() bool { return len(p.nodes()) > 0 })
		return cmd
	}
	cmd := begin()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("after Ctrl+C it ends with %v", cmd.ProcessState)
	}
	if left := p.nodes(); len(left) > 0 {
		t.Errorf("after Ctrl+C these are left: %v", left)
	}
	if _, err := stand.Read(p.home); err == nil {
		t.Error("after Ctrl+C stand.json is there")
	}

	cmd = begin()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	r := p.must(p.course("down"), 0)
	if left := p.nodes(); len(left) > 0 || !strings.Contains(r.stderr, "interrupted") {
		t.Errorf("down leaves %v: %v", left, r)
	}

	cmd = begin()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if r := p.must(p.course("up"), 0); !strings.Contains(r.stderr, "interrupted") {
		t.Errorf("up: %v", r)
	}
}
