package differences

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"brew.example/internal/stand"
)

// TestAcks holds what lecture 02-02 says of a real Kafka beside what its blocks show.
func TestAcks(t *testing.T) {
	t.Parallel()
	s := on(t, stand.Java)
	s.weather.Lock() // others would slow down now this one and now that one
	defer s.weather.Unlock()
	t.Run("no setting waits for a disk", func(t *testing.T) { neverFlushed(t, s) })
	t.Run("who waits longer", func(t *testing.T) { whoWaitsLonger(t, s) })
}

func neverFlushed(t *testing.T, s *site) {
	got := map[string]string{}
	for _, c := range s.configs(t, s.topic(t, 1)) {
		got[c.Key] = c.MaybeValue()
	}
	for _, name := range []string{"flush.messages", "flush.ms"} {
		if got[name] != "9223372036854775807" {
			t.Errorf("%s is %q", name, got[name])
		}
	}
}

var benchRow = regexp.MustCompile(`(?m)^(0|1|all) +3 +(\d+) +\d+-\d+ +(\S+) `)

// whoWaitsLonger runs the lecture's own bench. Half of the records wait longer with acks=1
// than with 0, and with all than with 1; by how much is the machine's affair. Who does not
// wait alone gets more through.
func whoWaitsLonger(t *testing.T, s *site) {
	bin := filepath.Join(t.TempDir(), "bench-acks.exe") // the ending is needed on Windows only
	build := exec.Command("go", "build", "-o", bin, "./02-02-acks/cmd/bench-acks")
	build.Dir = filepath.Join("..", "..", "02-producer")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	topic := unique(t)
	p50, rate := map[string]time.Duration{}, map[string]int{}
	bench := func(suffix string, args ...string) {
		cmd := exec.Command(bin, append(args, "--topic="+topic, "--records=300", "--repeats=3")...)
		cmd.Env = append(cmd.Environ(), "COURSE_LANG=en",
			"KAFKA_BOOTSTRAP="+strings.Join(s.state(t).Bootstrap, ","))
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range benchRow.FindAllStringSubmatch(string(out), -1) {
			took, err := time.ParseDuration(m[3])
			perSecond, err2 := strconv.Atoi(m[2])
			if err != nil || err2 != nil {
				t.Fatal(m)
			}
			p50[m[1]+suffix], rate[m[1]+suffix] = took, perSecond
		}
	}
	bench("")
	bench(", fifty writers", "--acks=all", "--writers=50")
	if len(p50) != 4 || p50["0"] >= p50["1"] || p50["1"] >= p50["all"] {
		t.Errorf("P50 by acks: %v", p50)
	}
	if rate["all, fifty writers"] < 3*rate["all"] {
		t.Errorf("records a second by acks: %v", rate)
	}
}
