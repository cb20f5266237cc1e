package text

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fakeTool writes a `course` that notes what it is asked for.
func fakeTool(t *testing.T, script string) (tool, log string) {
	t.Helper()
	dir := t.TempDir()
	tool, log = filepath.Join(dir, "course"), filepath.Join(dir, "log")
	script = "#!/bin/sh\necho \"$1 $COURSE_PORT\" >>'" + log + "'\n" + script
	if err := os.WriteFile(tool, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return tool, log
}

const upAndDown = `case $1 in
up) mkdir "$COURSE_HOME" && touch "$COURSE_HOME/stand.json" ;;
down) rm "$COURSE_HOME/stand.json" ;;
esac`

func TestCourseStand(t *testing.T) {
	t.Parallel()
	tool, log := fakeTool(t, upAndDown)
	s := testStand(t, tool, "embedded")
	ctx := t.Context()
	if s.Up() {
		t.Error("it is up before it was started")
	}
	for _, do := range []func() error{
		func() error { return s.Start(ctx) },
		func() error { return s.Reset(ctx) },
		func() error { return s.Stop(ctx) },
		func() error { return s.Stop(ctx) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	if s.Up() || exists(s.home) {
		t.Error("something is left of it")
	}
	port := strconv.Itoa(s.port)
	want := strings.ReplaceAll("up P\ndown P\nup P\ndown P\n", "P", port)
	if got, err := os.ReadFile(log); err != nil || string(got) != want {
		t.Errorf("it asked for %q (%v), want %q", got, err, want)
	}
	line := "localhost:" + port + " and " + strconv.Itoa(s.port+12) + ", not 1" + port
	if got, want := s.Clean(line), "localhost:19092 and 19104, not 1"+port; got != want {
		t.Errorf("Clean(%q) = %q, want %q", line, got, want)
	}
}

// testStand is a stand whose ports are given back after the test.
func testStand(t *testing.T, tool, kind string) *courseStand {
	t.Helper()
	s := newCourseStand(tool, kind, t.TempDir(), os.Environ())
	t.Cleanup(func() { s.release() })
	return s
}

func TestCourseStandTakesOtherPorts(t *testing.T) {
	t.Parallel()
	tool, log := fakeTool(t, `case $(wc -l <`+"\"${0%/*}/log\""+`) in
1) echo "error: port taken" >&2; exit 1 ;;
esac
`+upAndDown)
	s := testStand(t, tool, "embedded")
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(got))
	if len(lines) != 4 || lines[1] == lines[3] || lines[3] != strconv.Itoa(s.port) {
		t.Errorf("it tried %q, and holds port %d", lines, s.port)
	}
}

func TestCourseStandSaysWhy(t *testing.T) {
	t.Parallel()
	tool, _ := fakeTool(t, `echo "error: no room" >&2; exit 1`)
	s := testStand(t, tool, "embedded")
	err := s.Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "`course up`: exit status 1: error: no room") {
		t.Errorf("got %v", err)
	}
}

// TestBrokersThatAreLeftDown: whoever has followed a text has a whole stand again.
func TestBrokersThatAreLeftDown(t *testing.T) {
	t.Parallel()
	tool, _ := fakeTool(t, upAndDown+`
case "$1 $2" in
"broker ls") cat "$COURSE_HOME/brokers" ;;
esac`)
	s := testStand(t, tool, "java")
	if err := s.Whole(t.Context()); err != nil {
		t.Errorf("it is not up: %v", err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	const head = "BROKER  ADDRESS          STATE    PID  MEMORY\n0       localhost:19092  running  7    1 MB\n"
	for brokers, want := range map[string]string{
		head + "1       localhost:19093  running  8    1 MB\n": "",
		head + "1       localhost:19093  paused   8    1 MB\n2       localhost:19094  dead     -    -\n": "" +
			"the text ends while not all brokers run: 1 (paused), 2 (dead); start them in its last block",
	} {
		err := os.WriteFile(filepath.Join(s.home, "brokers"), []byte(brokers), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := s.Whole(t.Context()); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("with\n%sit says %q, want %q", brokers, got, want)
		}
	}
}

// TestStopsBrokers: the texts that need a Kafka of their own are found by their commands.
func TestStopsBrokers(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		"make broker-stop N=1": true, "make broker-pause N=0": true, "course broker kill 2": true,
		"make broker-ls": false, "make broker-start N=1": false, "make run": false,
	} {
		for on, runs := range map[string]bool{standKafka: true, "": true, standEmbedded: false} {
			d := &document{blocks: []*block{{
				marker: marker{kind: markRun, run: attributes{stand: on}},
				steps:  []*step{{kind: stepCommand, command: command}},
			}}}
			if got := d.stopsBrokers(); got != (want && runs) {
				t.Errorf("%q on %q: %t", command, on, got)
			}
		}
	}
}
