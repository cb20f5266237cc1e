package brokers

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"brew.example/internal/cli"
	"brew.example/internal/stand"
)

func TestProperty(t *testing.T) {
	for variable, want := range map[string]string{
		"KAFKA_NODE_ID":               "node.id",
		"KAFKA_MIN_INSYNC_REPLICAS":   "min.insync.replicas",
		"KAFKA_A__B":                  "a_b",
		"KAFKA_A___B":                 "a-b",
		"KAFKA_LISTENER_NAME_HOST_X":  "listener.name.host.x",
		"KAFKA_LOG4J__X_KAFKA_REPEAT": "log4j_x.kafka.repeat",
	} {
		if got := property(variable); got != want {
			t.Errorf("%s is the setting %s, want %s", variable, got, want)
		}
	}
}

func TestPropertiesOfANode(t *testing.T) {
	node := map[string]string{
		"KAFKA_NODE_ID": "1", "KAFKA_MIN_INSYNC_REPLICAS": "2", "KAFKA_HEAP_OPTS": "-Xmx1m",
		"KAFKA_LISTENERS": "A://:1", "KAFKA_ADVERTISED_LISTENERS": "A://a:1",
		"KAFKA_LOG_DIRS": "/x", "KAFKA_CONTROLLER_QUORUM_VOTERS": "0@a:1",
		"KAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS": "a:1",
		"KAFKA_CONTROLLER_LISTENER_NAMES":           "CONTROLLER",
	}
	s := Settings{Nodes: []map[string]string{{}, node, {}}}
	got := s.Properties(1, Options{First: 20000, Bind: "::1", Advertise: "brew.lan"}, "/data/1")
	want := map[string]string{
		"node.id": "1", "min.insync.replicas": "2",
		"controller.listener.names": "CONTROLLER",
		"listeners": "HOST://[::1]:20001,INTERNAL://127.0.0.1:20021," +
			"CONTROLLER://127.0.0.1:20011",
		"advertised.listeners": "HOST://brew.lan:20001,INTERNAL://127.0.0.1:20021",
		"controller.quorum.voters": "0@127.0.0.1:20010,1@127.0.0.1:20011," +
			"2@127.0.0.1:20012",
		"log.dirs": "/data/1",
	}
	if !maps.Equal(got, want) {
		t.Errorf("the settings are %v", got)
	}
}

func TestAllPorts(t *testing.T) {
	want := []int{100, 101, 102, 110, 111, 112, 120, 121, 122}
	if got := AllPorts(100); !slices.Equal(got, want) {
		t.Errorf("the ports are %v", got)
	}
}

func TestEncode(t *testing.T) {
	got := string(encode(map[string]string{"b": `C:\x`, "a": " y\n#", "c": "", "d": "é=ж😀"}))
	want := "a=\\ y\\n#\nb=C:\\\\x\nc=\nd=\\u00E9=\\u0436\\uD83D\\uDE00\n"
	if got != want {
		t.Errorf("encoded: %q, want %q", got, want)
	}
}

func TestHomesThatJavaCannotTake(t *testing.T) {
	for _, path := range []string{
		"/brew", "/с пробелами", "/*", "/a$b {c}", "/%41%p", "/\uFFFD", "/x#!=;&\"'~[1]",
	} {
		if err := (Java{Home: path}).CheckHome(); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
	for path, part := range map[string]string{
		"/a,b": "a comma", "/a:b": "a colon", `/a\tb`: "a backslash", "/${user.home}": "${,",
		"/a\xffb": `"\xff"`, "/😀": "😀",
	} {
		_, err := Java{Home: path}.Start(t.Context(), Options{})
		var usage cli.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), "there is "+part) ||
			!strings.Contains(err.Error(), "COURSE_HOME") {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestState(t *testing.T) {
	for _, c := range []struct{ bind, advertise, want string }{
		{"127.0.0.1", "localhost", "localhost:19093"},
		{"0.0.0.0", "brew.lan", "127.0.0.1:19093"},
		{"192.0.2.7", "brew.lan", "192.0.2.7:19093"},
		{"::1", "::1", "[::1]:19093"},
	} {
		o := Options{First: 19092, Bind: c.bind, Advertise: c.advertise}
		s := state(stand.Java, o, "x")
		if s.Bootstrap[1] != c.want {
			t.Errorf("bound to %s it is reached at %s, want %s", c.bind, s.Bootstrap[1], c.want)
		}
	}
}

func TestPinned(t *testing.T) {
	sums := pinned()
	for _, name := range []string{
		"kafka_2.13-" + Version + ".jar", "kafka-tools-" + Version + ".jar",
		"kafka-clients-" + Version + ".jar",
	} {
		if len(sums[name]) != 64 {
			t.Errorf("no sum of %s", name)
		}
	}
	if n := strings.Count(string(pom), "<version>${kafka.version}</version>"); n != 2 {
		t.Errorf("%d of two artifacts have the version that the program says", n)
	}
}
