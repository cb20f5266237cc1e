//go:build unix

package brokers

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"brew.example/course/ports/portstest"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

const testCluster = "BrewKafkaCourseStand0w"

// lines collects what is said.
type lines struct {
	mu   sync.Mutex
	list []string
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.list, "\n")
}

// fakeStand is a Java stand whose Java is the test binary.
type fakeStand struct {
	Java
	dir  string
	said *lines
	opts Options
}

func newFakeStand(t *testing.T) *fakeStand {
	t.Helper()
	said := &lines{}
	f := &fakeStand{dir: fake(t, "java", "mvn"), said: said}
	f.opts = Options{First: portstest.Reserve(t), Bind: loopback, Advertise: "localhost"}
	f.Java = Java{
		Home: t.TempDir(), Say: said.add,
		Settings: Settings{
			Version: Version, ClusterID: testCluster, JVM: []string{"-Xmx512m"},
			Nodes: []map[string]string{
				{"KAFKA_NODE_ID": "0"}, {"KAFKA_NODE_ID": "1"}, {"KAFKA_NODE_ID": "2"},
			},
		},
		jars: map[string]string{ // the sum of no bytes
			"a.jar": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		},
	}
	if err := os.MkdirAll(f.libDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	say(t, f.libDir(), "a.jar", "")
	t.Cleanup(func() {
		left, err := f.all()
		if err == nil && len(left) > 0 {
			t.Errorf("%d nodes are left behind", len(left))
			err = kill(context.Background(), left)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return f
}

// start starts the stand, and ends it after the test.
func (f *fakeStand) start(t *testing.T) stand.State {
	t.Helper()
	s, err := f.Start(t.Context(), f.opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Stop(context.Background(), s); err != nil {
			t.Error(err)
		}
	})
	return s
}

func statuses(t *testing.T, c Cluster, s stand.State) []Status {
	t.Helper()
	all, err := c.Brokers(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var list []Status
	for _, b := range all {
		list = append(list, b.Status)
	}
	return list
}

func wantStatuses(t *testing.T, c Cluster, s stand.State, want ...Status) {
	t.Helper()
	if got := statuses(t, c, s); !slices.Equal(got, want) {
		t.Fatalf("the brokers are %v, want %v", got, want)
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q: %v", part, err)
		}
	}
	if strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("the error has more than one line: %v", err)
	}
}

func TestStartAndStop(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	if s.Kind != stand.Java || len(s.Processes) != stand.Brokers ||
		!strings.Contains(s.Software, Version) || s.Ports[2] != f.opts.First+2 ||
		s.Bootstrap[1] != "localhost:"+strconv.Itoa(f.opts.First+1) {
		t.Errorf("the state is %+v", s)
	}
	all, err := f.Brokers(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if b.Status != Running || b.PID == 0 || b.Memory == 0 || b.Address != s.Bootstrap[b.Node] {
			t.Errorf("broker %+v", b)
		}
		info, err := os.Stat(f.logFile(b.Node))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("its log: %v, %v", info.Mode(), err)
		}
		if sid, err := syscall.Getpgid(b.PID); err != nil || sid != b.PID {
			t.Errorf("broker %d is in the group %d of its starter: %v", b.Node, sid, err)
		}
	}
	for _, dir := range []string{f.dataDir(), f.nodeDir(0), filepath.Dir(f.logFile(0))} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}
	if err := f.Stop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	wantStatuses(t, f, s, Dead, Dead, Dead)
	if err := f.Stop(t.Context(), s); err != nil {
		t.Errorf("a stop of what does not run: %v", err)
	}
}

func TestFormatsOnce(t *testing.T) {
	f := newFakeStand(t)
	if err := f.Stop(t.Context(), f.start(t)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(told(f.dir, "format.log", ""), "StorageTool"); n != stand.Brokers {
		t.Errorf("%d folders were formatted", n)
	}
	// A start that was interrupted in the middle has left this.
	for _, path := range []string{f.nodeDir(1), f.dataDir(madeBy)} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(f.nodeDir(1)+".new", 0o700); err != nil {
		t.Fatal(err)
	}
	f.start(t)
	if n := strings.Count(told(f.dir, "format.log", ""), "StorageTool"); n != stand.Brokers+1 {
		t.Errorf("%d folders were formatted", n)
	}
	if _, err := os.Stat(f.nodeDir(1) + ".new"); err == nil {
		t.Error("the unfinished folder is still there")
	}
}

func TestVerbs(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	do := func(verb Verb, node int, want ...Status) {
		t.Helper()
		next, err := Do(t.Context(), f, s, verb, node)
		if err != nil {
			t.Fatal(err)
		}
		s = next
		wantStatuses(t, f, s, want...)
	}
	do(Pause, 1, Running, Paused, Running)
	do(Resume, 1, Running, Running, Running)
	do(Stop, 1, Running, Stopped, Running)
	do(Kill, 2, Running, Stopped, Dead)
	do(Start, 2, Running, Stopped, Running)
	do(Start, 1, Running, Running, Running)
	do(Pause, 2, Running, Running, Paused)
	do(Kill, 2, Running, Running, Dead)
	if got := f.said.String(); strings.Contains(got, "killed") {
		t.Errorf("it says %s", got)
	}
}

func TestUnfitVerbs(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	for _, c := range []struct {
		set  Verb
		verb Verb
		want []string
	}{
		{"", Start, []string{"broker 1 is running already"}},
		{"", Resume, []string{"broker 1 is running already"}},
		{Pause, Stop, []string{"broker 1 is paused", "course broker resume 1"}},
		{"", Pause, []string{"broker 1 is paused", "course broker resume 1"}},
		{"", Start, []string{"broker 1 is paused", "course broker resume 1"}},
		{Kill, Stop, []string{"broker 1 is dead", "course broker start 1"}},
		{"", Kill, []string{"broker 1 is dead", "course broker start 1"}},
		{Start, Resume, []string{"broker 1 is running already"}},
		{Stop, Stop, []string{"broker 1 is stopped", "course broker start 1"}},
		{"", Pause, []string{"broker 1 is stopped", "course broker start 1"}},
	} {
		if c.set != "" {
			var err error
			if s, err = Do(t.Context(), f, s, c.set, 1); err != nil {
				t.Fatal(err)
			}
		}
		before := statuses(t, f, s)
		_, err := Do(t.Context(), f, s, c.verb, 1)
		wantError(t, err, c.want...)
		wantStatuses(t, f, s, before...)
	}
	for _, node := range []int{-1, 3, 7} {
		_, err := Do(t.Context(), f, s, Stop, node)
		var usage cli.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("broker %d: %v is no wrong usage", node, err)
		}
		wantError(t, err, "there is no broker "+strconv.Itoa(node))
	}
}

func TestOnlyOneLeft(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	var err error
	for node := range stand.Brokers {
		if s, err = Do(t.Context(), f, s, Kill, node); err != nil {
			t.Fatal(err)
		}
	}
	wantStatuses(t, f, s, Dead, Dead, Dead)
	// It cannot serve alone, so nobody must wait for that.
	if s, err = Do(t.Context(), f, s, Start, 1); err != nil {
		t.Fatal(err)
	}
	wantStatuses(t, f, s, Dead, Running, Dead)
	if got := f.said.String(); !strings.Contains(got, "broker 1 is the only one that runs") {
		t.Errorf("it says %s", got)
	}
	if _, err = Do(t.Context(), f, s, Stop, 1); err != nil {
		t.Fatal(err)
	}
	if got := f.said.String(); !strings.Contains(got, "broker 1 is the last one that runs") {
		t.Errorf("it says %s", got)
	}
}

func TestStopOfPausedAndStubborn(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	if _, err := Do(t.Context(), f, s, Pause, 1); err != nil {
		t.Fatal(err)
	}
	if err := f.Stop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if got := f.said.String(); strings.Contains(got, "killed") {
		t.Errorf("a paused node had to be killed: %s", got)
	}

	say(t, f.dir, "node.stubborn", "yes")
	patience(t, 200*time.Millisecond)
	s = f.start(t)
	begin := time.Now()
	s, err := Do(t.Context(), f, s, Stop, 1)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < stopWait {
		t.Errorf("broker 1 was killed after %s already", took)
	}
	wantStatuses(t, f, s, Running, Stopped, Running)
	begin = time.Now()
	if err := f.Stop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < downWait {
		t.Errorf("the others were killed after %s already", took)
	}
	wantStatuses(t, f, s, Dead, Stopped, Dead)
	if got := f.said.String(); strings.Count(got, "it is killed") != stand.Brokers {
		t.Errorf("it says %s", got)
	}
	wantUnpacked(t, f, 0)
}

// wantUnpacked looks at what the nodes have unpacked, one file each: those that are killed
// leave it.
func wantUnpacked(t *testing.T, f *fakeStand, want int) {
	t.Helper()
	left, err := os.ReadDir(f.tempDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if len(left) != want {
		t.Errorf("%d files are unpacked, want %d", len(left), want)
	}
}

// patience shortens the times after which brokers are killed.
func patience(t *testing.T, d time.Duration) {
	t.Helper()
	stop, down := stopWait, downWait
	stopWait, downWait = d, d
	t.Cleanup(func() { stopWait, downWait = stop, down })
}

func TestStopOfOnesThatWaitInVain(t *testing.T) {
	f := newFakeStand(t)
	say(t, f.dir, "node.waits", "yes")
	s := f.start(t)
	begin := time.Now()
	if err := f.Stop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > downWait {
		t.Errorf("it takes %s, although all files were closed", took)
	}
	if got := f.said.String(); strings.Contains(got, "killed") {
		t.Errorf("it says %s", got)
	}
}

func TestTakenPorts(t *testing.T) {
	f := newFakeStand(t)
	for _, port := range AllPorts(f.opts.First) {
		ln, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(port)))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		_, err = f.Start(t.Context(), f.opts)
		// On an idle machine within 3 s; three times that, so that a busy one fails no test.
		if took := time.Since(begin); took > 9*time.Second {
			t.Errorf("port %d: said after %s", port, took)
		}
		wantError(t, err, "port "+strconv.Itoa(port), "COURSE_PORT", strconv.Itoa(os.Getpid()))
		ln.Close()
	}
	if got := told(f.dir, "node.pid", "") + told(f.dir, "format.log", ""); got != "" {
		t.Errorf("something was started: %s", got)
	}
}

// A broker is started by who has not read docker-compose.yml, so without any settings.
func TestStartWithoutData(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	f.Settings = Settings{}
	next, err := Do(t.Context(), f, s, Stop, 1)
	if err != nil {
		t.Fatal(err)
	}
	moved := f.nodeDir(1) + ".moved"
	if err := os.Rename(f.nodeDir(1), moved); err != nil {
		t.Fatal(err)
	}
	_, err = Do(t.Context(), f, next, Start, 1)
	wantError(t, err, "the data of broker 1 is gone", "make wipe")
	if err := os.Rename(moved, f.nodeDir(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := Do(t.Context(), f, next, Start, 1); err != nil {
		t.Error(err)
	}
}

func TestTakenPortOfOneBroker(t *testing.T) {
	f := newFakeStand(t)
	s, err := Do(t.Context(), f, f.start(t), Kill, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, port := range nodePorts(f.opts.First + 1) {
		ln, err := net.Listen("tcp", local(port))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Do(t.Context(), f, s, Start, 1)
		wantError(t, err, "port "+strconv.Itoa(port)+" is taken", strconv.Itoa(os.Getpid()))
		ln.Close()
	}
	if s, err = Do(t.Context(), f, s, Start, 1); err != nil {
		t.Fatal(err)
	}
	wantStatuses(t, f, s, Running, Running, Running)
}

func TestNodeThatDiesAtItsStart(t *testing.T) {
	f := newFakeStand(t)
	say(t, f.dir, "node.fail.2", "ERROR it goes wrong\n"+
		"java.lang.RuntimeException: outer\n\tat x.Y.z(Y.java:1)\n"+
		"Caused by: java.io.IOException: No space left on \x1b[2Jdevice\n\t... 3 more\n")
	_, err := f.Start(t.Context(), f.opts)
	wantError(t, err, "broker 2 died at its start", `outer: No space left on \x1b[2Jdevice`,
		f.logFile(2))
	if left, _ := f.all(); len(left) > 0 {
		t.Errorf("%d nodes are left", len(left))
	}
	// What was wrong has gone: the next start works.
	if err := os.Remove(filepath.Join(f.dir, "node.fail.2")); err != nil {
		t.Fatal(err)
	}
	s := f.start(t)

	if s, err = Do(t.Context(), f, s, Stop, 1); err != nil {
		t.Fatal(err)
	}
	say(t, f.dir, "node.fail.1", "Error: it has changed its mind")
	next, err := Do(t.Context(), f, s, Start, 1)
	wantError(t, err, "broker 1 died at its start", "changed its mind")
	wantStatuses(t, f, next, Running, Stopped, Running)
}

func TestFormatThatFails(t *testing.T) {
	f := newFakeStand(t)
	say(t, f.dir, "format.fail", "Exception in thread \"main\" "+
		"java.lang.IllegalArgumentException: Error while reading the cluster id\n\tat a.B.c()\n")
	_, err := f.Start(t.Context(), f.opts)
	if err == nil || !strings.Contains(err.Error(),
		"cannot make the data folder of broker 0: Error while reading the cluster id") {
		t.Errorf("it says %v", err)
	}
	if _, err := os.Stat(f.nodeDir(0)); err == nil {
		t.Error("the folder is there")
	}
}

func TestInterruptedStart(t *testing.T) {
	for _, c := range []struct {
		phase string
		file  string
		text  string
		begun func(f *fakeStand) bool
	}{
		{"format", "format.hang", "yes", func(f *fakeStand) bool {
			return strings.Count(told(f.dir, "format.pid", ""), "\n") == stand.Brokers
		}},
		{"nodes", "node.deaf", "yes", func(f *fakeStand) bool {
			return strings.Count(told(f.dir, "node.pid", ""), "\n") == stand.Brokers
		}},
	} {
		t.Run(c.phase, func(t *testing.T) {
			f := newFakeStand(t)
			say(t, f.dir, c.file, c.text)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				_, err := f.Start(ctx, f.opts)
				ended <- err
			}()
			kafkatest.Eventually(t, "in the middle of "+c.phase, func() bool { return c.begun(f) })
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("it ends with %v", err)
			}
			pids := strings.Fields(told(f.dir, "format.pid", "") + told(f.dir, "node.pid", ""))
			for _, pid := range pids {
				n, _ := strconv.Atoi(pid)
				kafkatest.Eventually(t, pid+" is gone", func() bool { return syscall.Kill(n, 0) != nil })
			}
			if err := os.Remove(filepath.Join(f.dir, c.file)); err != nil {
				t.Fatal(err)
			}
			f.start(t)
		})
	}
}

func TestStartThatWasKilled(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t) // nobody has written down that it runs
	next := f.start(t)
	wantStatuses(t, f, s, Dead, Dead, Dead)
	wantStatuses(t, f, next, Running, Running, Running)
	wantUnpacked(t, f, stand.Brokers)
	if got := f.said.String(); !strings.Contains(got, "has left 3 processes") {
		t.Errorf("it says %s", got)
	}
}

// A command that is killed while it formats leaves those that do it: they would go on in the
// folders of the next start.
func TestStartThatWasKilledWhileFormatting(t *testing.T) {
	f := newFakeStand(t)
	say(t, f.dir, "format.hang", "yes")
	var wait sync.WaitGroup
	for node := range stand.Brokers {
		cmd := exec.Command("java", storageTool, "format", "--cluster-id", testCluster,
			"--config", f.newPropertiesFile(node))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() { _ = cmd.Wait() })
	}
	kafkatest.Eventually(t, "all format", func() bool {
		return strings.Count(told(f.dir, "format.pid", ""), "\n") == stand.Brokers
	})
	if err := os.Remove(filepath.Join(f.dir, "format.hang")); err != nil {
		t.Fatal(err)
	}
	f.start(t)
	wait.Wait()
	if got := f.said.String(); !strings.Contains(got, "has left 3 processes") {
		t.Errorf("it says %s", got)
	}
}

// The state file does not know of what an interrupted command has started or has told to stop.
func TestStartOfOneThatStillRuns(t *testing.T) {
	f := newFakeStand(t)
	before, err := Do(t.Context(), f, f.start(t), Kill, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Do(t.Context(), f, before, Start, 1); err != nil {
		t.Fatal(err)
	}
	say(t, f.dir, "node.stubborn", "yes")
	wantStatuses(t, f, before, Running, Dead, Running)
	s, err := Do(t.Context(), f, before, Start, 1)
	if err != nil {
		t.Fatal(err)
	}
	wantStatuses(t, f, s, Running, Running, Running)

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	s, err = Do(ctx, f, s, Stop, 1)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ends with %v", err)
	}
	wantStatuses(t, f, s, Running, Stopped, Running)
	if err := os.Remove(filepath.Join(f.dir, "node.stubborn")); err != nil {
		t.Fatal(err)
	}
	if s, err = Do(t.Context(), f, s, Start, 1); err != nil {
		t.Fatal(err)
	}
	wantStatuses(t, f, s, Running, Running, Running)
	if n := strings.Count(f.said.String(), "broker 1 still runs"); n != 2 {
		t.Errorf("%d times it says that broker 1 still runs: %s", n, f.said)
	}
	if all, err := f.all(); err != nil || len(all) != stand.Brokers {
		t.Errorf("%d nodes run: %v", len(all), err)
	}
}

func TestForeignProcessesAreLeftAlone(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	// Another stand's node with the pid that the file names, and a process that is none.
	other := newFakeStand(t)
	foreign := other.start(t)
	sleep := exec.Command("/bin/sleep", "600")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	defer sleep.Wait()
	defer sleep.Process.Kill()

	mixed := s
	mixed.Processes = slices.Clone(s.Processes)
	mixed.Processes[0].PID = foreign.Processes[0].PID
	mixed.Processes[1].PID = sleep.Process.Pid
	mixed.Processes[2].Created -= 60_000
	wantStatuses(t, f, mixed, Dead, Dead, Dead)
	for node := range stand.Brokers {
		if _, err := Do(t.Context(), f, mixed, Kill, node); err == nil {
			t.Errorf("broker %d of the wrong pid was killed", node)
		}
	}
	if err := f.Stop(t.Context(), mixed); err != nil {
		t.Fatal(err)
	}
	wantStatuses(t, other, foreign, Running, Running, Running)
	if err := sleep.Process.Signal(syscall.Signal(0)); err != nil {
		t.Error("the foreign process has been signalled")
	}
	wantStatuses(t, f, s, Dead, Dead, Dead)
}

// A tool asks the brokers that run, and no setting of the environment gets in.
func TestTool(t *testing.T) {
	f := newFakeStand(t)
	t.Setenv("KAFKA_OPTS", "-Dother=1")
	s := f.start(t)
	run := func() string {
		cmd, err := Tool(t.Context(), f, s, "kafka-topics", []string{"--describe", "--topic", "a b"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Errorf("it ends with %v", err)
		}
		return string(out)
	}
	call := func(addrs ...string) string {
		return "org.apache.kafka.tools.TopicCommand --bootstrap-server " +
			strings.Join(addrs, ",") + " --describe --topic a b\nKAFKA_OPTS=\n"
	}
	if got, want := run(), call(s.Bootstrap...); got != want {
		t.Errorf("run as %q, want %q", got, want)
	}
	var err error
	if s, err = Do(t.Context(), f, s, Kill, 1); err != nil {
		t.Fatal(err)
	}
	if got, want := run(), call(s.Bootstrap[0], s.Bootstrap[2]); got != want {
		t.Errorf("run as %q, want %q", got, want)
	}
	for _, node := range []int{0, 2} {
		if s, err = Do(t.Context(), f, s, Kill, node); err != nil {
			t.Fatal(err)
		}
	}
	_, err = Tool(t.Context(), f, s, "kafka-topics", nil)
	wantError(t, err, "no broker runs that kafka-topics could ask")
}

func TestToolName(t *testing.T) {
	for _, name := range []string{"kafka-topics", "kafka-topics.sh"} {
		if got, err := ToolName(name); got != "kafka-topics" || err != nil {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", ".sh", "topics", "kafka-topics.sh.sh", "\x1b[2J"} {
		_, err := ToolName(name)
		var usage cli.UsageError
		if !errors.As(err, &usage) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
