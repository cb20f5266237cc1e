package differences

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// TestCtrlC sends the producers of module 02 a real SIGINT at random moments. The topic grows
// by as many records as a program calls acknowledged, and by at most as many more as it calls
// unknown; and the program ends with status 1 exactly when some have failed or are unknown.
//
// The programs' own tests do so with a cancelled context, which sees more moments between
// two records; this sees those before and after them.
func TestCtrlC(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("left out: Windows cannot send Ctrl+C to one process alone")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, kind := range []string{stand.Embedded, stand.Java} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := on(t, kind)
			s.weather.RLock()
			defer s.weather.RUnlock()
			for _, c := range []struct {
				program string
				times   int
				args    string
			}{
				{"02-01-keys/cmd/keyed-producer", 50, "--records=1000"},
				{"02-03-idempotence/cmd/forced-retry", 10, "--records=1000"},
				{"02-04-batching/cmd/bench", 10, "--records=1000 --repeats=1"},
			} {
				random := rand.New(rand.NewPCG(seed, 0))
				p := s.program(t, c.program, strings.Fields(c.args)...)
				p.run(t, time.Hour) // makes the topic, which takes its time
				whole := p.run(t, time.Hour)
				if whole.stored < 1000 || whole.status != 0 {
					t.Fatalf("%s without a stop: %+v", c.program, whole)
				}
				cut := 0
				for range c.times {
					after := time.Duration(random.Int64N(int64(whole.took)))
					if r := p.run(t, after); r.stored < whole.stored {
						cut++
					}
				}
				if cut == 0 {
					t.Errorf("%s was never stopped before its end", c.program)
				}
				t.Logf("%s: %d of %d runs ended with fewer records than a whole one",
					c.program, cut, c.times)
			}
		})
	}
}

// A producer is a program that writes records and prints a tally of them.
type producer struct {
	*site
	bin   string
	args  []string
	topic string
}

// program builds a program of module 02.
func (s *site) program(t *testing.T, folder string, args ...string) *producer {
	t.Helper()
	bin := filepath.Join(t.TempDir(), filepath.Base(folder))
	build := exec.Command("go", "build", "-o", bin, "./"+folder)
	build.Dir = filepath.Join("..", "..", "02-producer")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return &producer{site: s, bin: bin, args: args, topic: unique(t)}
}

// stopped is what one run has left.
type stopped struct {
	stored int64
	took   time.Duration
	status int
}

var tally = regexp.MustCompile(`(?m)^acknowledged=(\d+) failed=(\d+) unknown=(\d+)$`)

// run runs the program, sends it SIGINT after the given time, and compares what it says
// with what the topic holds.
func (p *producer) run(t *testing.T, after time.Duration) (r stopped) {
	t.Helper()
	before := p.ends(t)
	cmd := exec.Command(p.bin, append([]string{"--topic=" + p.topic}, p.args...)...)
	cmd.Env = append(cmd.Environ(), "COURSE_LANG=en", "KAFKA_BOOTSTRAP="+strings.Join(
		p.state(t).Bootstrap, ","))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(after, func() { _ = cmd.Process.Signal(os.Interrupt) })
	defer stop.Stop()
	_ = cmd.Wait() // its status is looked at
	r.took, r.status = time.Since(start), cmd.ProcessState.ExitCode()
	r.stored = p.ends(t) - before

	var acknowledged, failed, unknown int64
	m := tally.FindStringSubmatch(stdout.String())
	if m != nil {
		_, _ = fmt.Sscan(strings.Join(m[1:], " "), &acknowledged, &failed, &unknown)
	}
	want := 0
	switch {
	case failed+unknown > 0:
		want = 1
	case r.status == -1 && (stdout.Len() == 0 || m != nil):
		want = -1 // the signal came before the program looked out for it, or after
	}
	if r.status != want || r.stored < acknowledged || r.stored > acknowledged+unknown {
		t.Errorf("%s %s, stopped after %s: %d stored, status %d\n%s%s", filepath.Base(p.bin),
			p.topic, after, r.stored, r.status, &stdout, &stderr)
	}
	if unknown > 0 {
		p.topic = unique(t) // the rest may come yet
	}
	return r
}

// ends returns the sum of the topic's end offsets; none for a topic that is not there yet.
func (p *producer) ends(t *testing.T) (sum int64) {
	t.Helper()
	listed := ask[kadm.ListedOffsets](t)(p.admin(t).ListEndOffsets(kafkatest.Context(t), p.topic))
	listed.Each(func(o kadm.ListedOffset) { sum += max(o.Offset, 0) })
	return sum
}
