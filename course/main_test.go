//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/process"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/course/ports/portstest"
	"brew.example/course/standctl"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// asTool makes the test binary be the course's tool: the tests run it as a learner
// does, and it starts itself as the stand.
const asTool = "COURSE_TEST_AS_TOOL"

// language is what COURSE_LANG was before the tests of this package chose theirs.
var language = os.Getenv("COURSE_LANG")

func TestMain(m *testing.M) {
	if os.Getenv(asTool) == "1" {
		os.Setenv("COURSE_LANG", language)
		main()
	}
	os.Exit(m.Run())
}

// place is a home, three ports and a shell's variables: a learner's machine.
type place struct {
	t    testing.TB
	home string
	port int
	dir  string   // where commands run
	vars []string // NAME=value, the last one of a name wins
}

// newPlace returns a place without a stand. Whatever the test starts there is ended
// with it, and a process that stays is an error.
func newPlace(t testing.TB) *place {
	t.Helper()
	p := &place{t: t, home: filepath.Join(t.TempDir(), "home"), dir: t.TempDir()}
	p.port = portstest.Reserve(t)
	t.Cleanup(func() {
		if r := p.course("down"); r.code != 0 {
			t.Errorf("down at the end: %v", r)
		}
		kafkatest.Eventually(t, "no process of the stand", func() bool { return len(p.processes()) == 0 })
	})
	return p
}

// environ returns the variables of a command.
func (p *place) environ(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "KAFKA_") || strings.HasPrefix(kv, "COURSE_") ||
			strings.HasPrefix(kv, "LC_") || strings.HasPrefix(kv, "MEMBER_ID=")
	})
	// A binary under the race detector lingers for a second at its end, else.
	env = append(env, asTool+"=1", "COURSE_LANG=en", "GORACE=atexit_sleep_ms=0",
		"COURSE_HOME="+p.home, "COURSE_PORT="+strconv.Itoa(p.port))
	return append(append(env, p.vars...), more...)
}

// command returns a command line of the course's tool, ready to start.
func (p *place) command(args ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = p.environ()
	cmd.Dir = p.dir
	return cmd
}

// result is what came of a command line.
type result struct {
	args           []string
	code           int
	stdout, stderr string
}

func (r result) String() string {
	return fmt.Sprintf("course %s: exit %d\nstdout: %s\nstderr: "+
		"%s", strings.Join(r.args, " "), r.code, r.stdout, r.stderr)
}

// course runs a command line of the course's tool.
func (p *place) course(args ...string) result {
	p.t.Helper()
	return p.finish(p.command(args...))
}

func (p *place) finish(cmd *exec.Cmd) result {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return result{cmd.Args[1:], cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// up starts the stand and returns what stand.json says.
func (p *place) up(args ...string) stand.State {
	p.t.Helper()
	p.must(p.course(append([]string{"up"}, args...)...), 0)
	return p.state()
}

// must checks the exit status, and that stderr is a line of ours if it tells an error.
func (p *place) must(r result, code int) result {
	p.t.Helper()
	if r.code != code {
		p.t.Fatalf("exit %d wanted: %v", code, r)
	}
	if strings.Contains(r.stderr, "goroutine ") || strings.Contains(r.stderr, "panic") {
		p.t.Fatalf("a stack trace: %v", r)
	}
	return r
}

// refused checks that a command line ends with code and one error of two lines at most
// that has all the words.
func (p *place) refused(r result, code int, words ...string) {
	p.t.Helper()
	p.must(r, code)
	if !strings.HasPrefix(r.stderr, "error: ") || strings.Count(r.stderr, "\n") > 2 {
		p.t.Errorf("one error wanted: %v", r)
	}
	for _, w := range words {
		if !strings.Contains(r.stderr, w) {
			p.t.Errorf("%q is missing: %v", w, r)
		}
	}
}

func (p *place) state() stand.State {
	p.t.Helper()
	s, err := stand.Read(p.home)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// pid returns the process of the stand that is up.
func (p *place) pid() int {
	p.t.Helper()
	return p.state().Processes[0].PID
}

// status returns what `course status -o json` says.
func (p *place) status() statusReport {
	p.t.Helper()
	r := p.course("status", "-o", "json")
	var s statusReport
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		p.t.Fatalf("%v: %v", err, r)
	}
	return s
}

// processes returns the pids of the stands that run in this home.
func (p *place) processes() []int32 {
	p.t.Helper()
	all, err := process.Processes()
	if err != nil {
		p.t.Fatal(err)
	}
	var pids []int32
	for _, proc := range all {
		args, err := proc.CmdlineSlice()
		if err != nil {
			continue // it has ended while we looked
		}
		if slices.Contains(args, standctl.DaemonVerb) && slices.Contains(args, p.home) {
			pids = append(pids, proc.Pid)
		}
	}
	return pids
}

// kill ends the stand with kill -9.
func (p *place) kill() {
	p.t.Helper()
	pid := p.pid()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	kafkatest.Eventually(p.t, "the end of the killed stand", func() bool { return !exists(pid) })
}

// client returns a client of the stand.
func (p *place) client(opts ...kgo.Opt) *kgo.Client {
	p.t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(p.state().Bootstrap...),
		kgo.MetadataMinAge(20 * time.Millisecond),
		kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond }),
	}, opts...)...)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(cl.Close)
	return cl
}

// logText returns the stand's log.
func (p *place) logText() string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.home, "logs", "embedded.log"))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
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
