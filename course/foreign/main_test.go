//go:build unix

// Package foreign runs clients that others have written against the embedded stand:
// franz-go's own tests, the official Java tools, kcat. What works there works on Kafka, so
// what fails here is the stand's fault.
package foreign

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
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

	"github.com/shirou/gopsutil/v4/process"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/course/brokers"
	"brew.example/course/ports/portstest"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// shared is the folder of what all tests of the package use: our tool, the jars.
var shared string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "brew-foreign-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func needKafka(t *testing.T) {
	t.Helper()
	if os.Getenv("COURSE_TEST_KAFKA") != "1" {
		t.Skip("left out: it runs foreign clients; make test-kafka sets COURSE_TEST_KAFKA=1")
	}
}

// tool builds the course's tool.
var tool = sync.OnceValues(func() (string, error) {
	path := filepath.Join(shared, "course")
	return path, build("build", "-o", path, "brew.example/course")
})

func build(args ...string) error {
	cmd := exec.Command("go", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", cmd, err, out)
	}
	return nil
}

// jars returns the folder of Kafka's jars, the ones that the java stand runs on. Maven has
// them in its local repository; only the first run on a machine needs the network.
var jars = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(shared, "libs")
	cmd := exec.Command("mvn", "--batch-mode", "--no-transfer-progress", "--strict-checksums",
		"--file", filepath.Join("..", "brokers", "pom.xml"), "-Dkafka.version="+brokers.Version,
		"org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies",
		"-DincludeScope=runtime", "-DoutputDirectory="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("maven: %w: %s", err, out)
	}
	return dir, checkJars(dir)
})

// checkJars holds the jars to the sums in the repository.
func checkJars(dir string) error {
	sums, err := os.ReadFile(filepath.Join("..", "brokers", "libs.sha256"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != want {
			return fmt.Errorf("%s has the sum %s instead of %s", name, got, want)
		}
	}
	return nil
}

// place is an embedded stand of a test's own.
type place struct {
	t    *testing.T
	home string
	port int
}

// newPlace starts a stand, which the test's end stops.
func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, home: filepath.Join(t.TempDir(), "home"), port: portstest.Reserve(t)}
	p.course(0, "up")
	t.Cleanup(func() {
		pid := p.pid()
		p.course(0, "down")
		kafkatest.Eventually(t, "the end of the stand", func() bool { return !exists(pid) })
	})
	return p
}

// setBrokers changes a setting of all brokers.
func (p *place) setBrokers(name, value string) {
	p.t.Helper()
	change := kadm.AlterConfig{Op: kadm.SetConfig, Name: name, Value: &value}
	changed, err := kadm.NewClient(p.client()).AlterBrokerConfigs(kafkatest.Context(p.t),
		[]kadm.AlterConfig{change})
	for _, c := range changed {
		err = errors.Join(err, c.Err)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// environ returns the variables of a command: none of the caller's that would change it.
func environ(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "KAFKA_") || strings.HasPrefix(name, "COURSE_") ||
			strings.HasPrefix(name, "KGO_") || strings.HasPrefix(name, "LC_") ||
			slices.Contains([]string{"CLASSPATH", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS",
				"_JAVA_OPTIONS", "KCAT_CONFIG"}, name)
	})
	return append(env, more...)
}

// result is what came of a command line.
type result struct {
	cmd            *exec.Cmd
	code           int
	stdout, stderr string
}

func (r result) String() string {
	return fmt.Sprintf("%s: exit %d\nstdout: %s\nstderr: %s",
		strings.Join(r.cmd.Args, " "), r.code, r.stdout, r.stderr)
}

// has checks that the output has each text.
func (r result) has(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.stdout+r.stderr, text) {
			t.Errorf("%q is missing: %v", text, r)
		}
	}
}

// run runs a command to its end, and checks its exit status.
func run(t *testing.T, code int, stdin string, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	late := time.AfterFunc(kafkatest.Deadline, func() { _ = cmd.Process.Kill() })
	if err := cmd.Start(); err != nil {
		late.Stop()
		t.Fatal(err)
	}
	err := cmd.Wait()
	if !late.Stop() {
		t.Fatalf("%v: still running after %s\nstdout: %s\nstderr: %s", cmd, kafkatest.Deadline,
			&stdout, &stderr)
	}
	if _, exit := errors.AsType[*exec.ExitError](err); err != nil && !exit {
		t.Fatal(err)
	}
	r := result{cmd, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	if r.code != code {
		t.Fatalf("exit %d wanted: %v", code, r)
	}
	return r
}

// course runs a command line of the course's tool.
func (p *place) course(code int, args ...string) result {
	p.t.Helper()
	path, err := tool()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = environ("COURSE_LANG=en", "COURSE_HOME="+p.home,
		"COURSE_PORT="+strconv.Itoa(p.port))
	cmd.Dir = filepath.Dir(p.home)
	return run(p.t, code, "", cmd)
}

// bootstrap returns the brokers' addresses as a client wants them.
func (p *place) bootstrap() string {
	var addrs []string
	for _, port := range stand.Ports(p.port) {
		addrs = append(addrs, fmt.Sprintf("localhost:%d", port))
	}
	return strings.Join(addrs, ",")
}

func (p *place) pid() int {
	p.t.Helper()
	s, err := stand.Read(p.home)
	if err != nil {
		p.t.Fatal(err)
	}
	return s.Processes[0].PID
}

// kill ends the stand with kill -9 and starts it again.
func (p *place) kill() {
	p.t.Helper()
	pid := p.pid()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	kafkatest.Eventually(p.t, "the end of the killed stand", func() bool { return !exists(pid) })
	p.course(0, "up")
}

// restart stops the stand and starts it again.
func (p *place) restart() {
	p.t.Helper()
	p.course(0, "down")
	p.course(0, "up")
}

// client returns a client of ours, which is the judge of what the foreign ones did.
func (p *place) client(opts ...kgo.Opt) *kgo.Client {
	p.t.Helper()
	seeds := strings.Split(p.bootstrap(), ",")
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(seeds...)}, opts...)...)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(cl.Close)
	return cl
}

// java returns a command that runs a class of Kafka's.
func java(t *testing.T, class string, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := jars()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("java", append([]string{
		"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData",
		"-Djava.io.tmpdir=" + t.TempDir(), // what the jars unpack there outlives one that is killed
		"-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", filepath.Join(dir, "*"),
		"org.apache.kafka.tools." + class,
	}, args...)...)
	cmd.Env = environ("LC_ALL=C.UTF-8")
	return cmd
}

// java runs one of Kafka's tools against the stand.
func (p *place) java(code int, stdin, class string, args ...string) result {
	p.t.Helper()
	args = append([]string{"--bootstrap-server", p.bootstrap()}, args...)
	return run(p.t, code, stdin, java(p.t, class, args...))
}

// exists says whether a process is there and no zombie.
func exists(pid int) bool {
	proc, err := process.NewProcess(int32(pid))
	if err != nil {
		return false
	}
	states, err := proc.Status()
	return err == nil && !slices.Contains(states, process.Zombie)
}

// tail returns the last lines of a long output.
func tail(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "")
}
