//go:build unix

package brokers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brew.example/course/ports"
)

func TestDataThatIsNotOurs(t *testing.T) {
	meta := func(cluster, node string) string {
		return "#\nversion=1\ndirectory.id=x\ncluster.id=" + cluster + "\nnode.id=" + node + "\n"
	}
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"ours", "1/meta.properties", meta(testCluster, "1"), nil},
		{"an older version's", "version", "4.3.1\n", nil},
		{"a newer version's", "version", "4.10.0\n", []string{"4.10.0", Version, "make wipe"}},
		{"another cluster's", "1/meta.properties", meta("Another\x1b[2J", "1"),
			[]string{"broker 1", `Another\x1b[2J`, testCluster, "make wipe"}},
		{"another broker's", "2/meta.properties", meta(testCluster, "0"),
			[]string{"belongs to broker 0", "not to 2", "make wipe"}},
		{"empty", "0/meta.properties", "", []string{"broker 0 is damaged", "make wipe"}},
		{"cut off", "0/meta.properties", "version=1\nclust", []string{"damaged", "make wipe"}},
		{"without its file", "0/some-log", "", []string{"damaged", "make wipe"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFakeStand(t)
			path := f.dataDir(c.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			say(t, filepath.Dir(path), filepath.Base(path), c.text)
			if c.want == nil {
				f.start(t)
				return
			}
			_, err := f.Start(t.Context(), f.opts)
			wantError(t, err, c.want...)
			if got := told(f.dir, "node.pid", ""); got != "" {
				t.Errorf("nodes were started: %s", got)
			}
			if err := ports.Probe(loopback, AllPorts(f.opts.First)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDataOfOneBrokerIsGone(t *testing.T) {
	f := newFakeStand(t)
	if err := f.Stop(t.Context(), f.start(t)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(f.nodeDir(1)); err != nil {
		t.Fatal(err)
	}
	_, err := f.Start(t.Context(), f.opts)
	wantError(t, err, "the data of broker 1 is gone", "make wipe")
	for _, node := range []int{0, 2} {
		if err := os.RemoveAll(f.nodeDir(node)); err != nil {
			t.Fatal(err)
		}
	}
	f.start(t) // without any data it is a new cluster
}

// What says how the nodes were started is written anew by each start.
func TestLaunchFileThatSaysNothing(t *testing.T) {
	f := newFakeStand(t)
	s := f.start(t)
	path := f.dataDir(launchFile)
	for text, want := range map[string]string{
		"": "unexpected end", "{}": "names no Java", "gone": "no such file",
	} {
		say(t, filepath.Dir(path), launchFile, text)
		if text == "gone" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Tool(t.Context(), f, s, "kafka-topics", nil)
		wantError(t, err, path+" does not say how", want, "`make down` and `make up`")
	}
	var err error
	if s, err = Do(t.Context(), f, s, Stop, 1); err != nil {
		t.Fatal(err)
	}
	_, err = Do(t.Context(), f, s, Start, 1)
	wantError(t, err, path+" does not say how")
	if err := f.Stop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	s = f.start(t)
	for _, verb := range []Verb{Stop, Start} {
		if s, err = Do(t.Context(), f, s, verb, 1); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReason(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"", "it said nothing"},
		{"\n  \n", "it said nothing"},
		{"just a word\n", "just a word"},
		{"INFO a\n2026 ERROR b\nINFO c\n", "2026 ERROR b"},
		{"Error: Could not find or load main class kafka.Kafka\n" +
			"Caused by: java.lang.ClassNotFoundException: kafka.Kafka\n",
			"Error: Could not find or load main class kafka.Kafka"},
		{"Error occurred during initialization of VM\nToo small maximum heap\n",
			"Error occurred during initialization of VM"},
		{"2026 ERROR Exiting Kafka (kafka.Kafka$)\n" +
			"org.apache.kafka.common.KafkaException: Socket server failed to bind\n" +
			"\tat a.B.c(B.java:1)\nCaused by: java.net.BindException: Address in use\n" +
			"\t... 12 more\n2026 INFO shutting down\n",
			"Socket server failed to bind: Address in use"},
		{"java.lang.OutOfMemoryError\n\tat a.B.c(B.java:1)\n", "java.lang.OutOfMemoryError"},
		{"java.io.IOException: \x1b[2J\n", `"\x1b[2J"`},
	} {
		if got := reason(c.output); got != c.want {
			t.Errorf("reason(%q) = %q, want %q", c.output, got, c.want)
		}
	}
}

func TestLoggedReadsTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	text := "java.io.IOException: long ago\n" + strings.Repeat("INFO all is well\n", 10_000) +
		"java.io.IOException: just now\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := logged(path); got != "just now" {
		t.Errorf("it reads %q", got)
	}
	if got := logged(path + ".none"); !strings.Contains(got, "no such file") {
		t.Errorf("of no file it says %q", got)
	}
}

func TestRotateKeepsTheLogBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "java-0.log")
	for _, text := range []string{"first", "second", "third"} {
		f, err := rotate(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	for name, want := range map[string]string{path: "third", path + ".1": "second"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s holds %q: %v", name, got, err)
		}
	}
}
