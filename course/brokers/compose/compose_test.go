package compose

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"brew.example/course/brokers"
	"brew.example/internal/stand"
)

const file = "../../../" + File

// project reads the file with all its profiles.
func project(t *testing.T, env ...string) *types.Project {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{file}, cli.WithProfiles([]string{"*"}),
		cli.WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// env returns a variable of a service.
func env(t *testing.T, s types.ServiceConfig, name string) string {
	t.Helper()
	value, ok := s.Environment[name]
	if !ok || value == nil {
		t.Fatalf("%s has no %s", s.Name, name)
	}
	return *value
}

// listeners splits NAME://HOST:PORT,… by the names.
func listeners(t *testing.T, text string) map[string]string {
	t.Helper()
	m := map[string]string{}
	for item := range strings.SplitSeq(text, ",") {
		name, addr, ok := strings.Cut(item, "://")
		if _, dup := m[name]; !ok || dup {
			t.Fatalf("not a list of listeners: %s", text)
		}
		m[name] = addr
	}
	return m
}

func TestEveryImageIsPinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[a-z0-9./-]+:v?\d+\.\d+(\.\d+)?$`)
	for name, s := range project(t).Services {
		if !pinned.MatchString(s.Image) {
			t.Errorf("%s: the image %s names no version", name, s.Image)
		}
	}
}

func TestEveryPortIsOfThisMachineOnly(t *testing.T) {
	seen := map[string]string{}
	for name, s := range project(t).Services {
		if len(s.Ports) != 1 || s.NetworkMode == "host" {
			t.Errorf("%s publishes %d ports", name, len(s.Ports))
		}
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is bound to %q", name, p.Published, p.HostIP)
			}
			if other, dup := seen[p.Published]; dup {
				t.Errorf("%s and %s have the port %s", name, other, p.Published)
			}
			seen[p.Published] = name
		}
	}
}

func TestProfiles(t *testing.T) {
	want := map[string]string{"postgres": "db", "prometheus": "metrics", "kafka-ui": "ui"}
	for node := range stand.Brokers {
		want[brokers.Service(node)] = ""
	}
	got := map[string]string{}
	for name, s := range project(t).Services {
		got[name] = strings.Join(s.Profiles, ",")
	}
	if !maps.Equal(got, want) {
		t.Errorf("the services and their profiles are %v", got)
	}
}

func TestEveryVolumeIsNamedAndUsedOnce(t *testing.T) {
	p := project(t)
	used := map[string]string{}
	for name, s := range p.Services {
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeVolume || used[v.Source] != "" {
				t.Errorf("%s: the volume %s is not its own", name, v.Source)
			}
			used[v.Source] = name
		}
	}
	if len(used) != len(p.Volumes) {
		t.Errorf("of %d volumes %d are used", len(p.Volumes), len(used))
	}
}

func TestBrokers(t *testing.T) {
	p := project(t)
	voters := map[string]bool{}
	var ids []string
	for node := range stand.Brokers {
		s := p.Services[brokers.Service(node)]
		if s.Image != "apache/kafka:"+brokers.Version {
			t.Errorf("%s is %s; the java stand has %s", s.Name, s.Image, brokers.Version)
		}
		if s.Restart != types.RestartPolicyNo {
			t.Errorf("%s comes back after a kill: %q", s.Name, s.Restart)
		}
		if s.HealthCheck == nil || len(s.HealthCheck.Test) == 0 {
			t.Errorf("%s has no health check", s.Name)
		}
		// The folder that the image declares as a volume and that its user may write to.
		dir := env(t, s, "KAFKA_LOG_DIRS")
		if len(s.Volumes) != 1 || s.Volumes[0].Target != dir || dir != "/var/lib/kafka/data" {
			t.Errorf("%s writes to %s and its volumes are %v", s.Name, dir, s.Volumes)
		}
		ids = append(ids, env(t, s, "KAFKA_NODE_ID"))
		voters[env(t, s, "KAFKA_CONTROLLER_QUORUM_VOTERS")] = true
		for _, name := range []string{clusterID, "KAFKA_HEAP_OPTS", "KAFKA_JVM_PERFORMANCE_OPTS"} {
			if first := env(t, p.Services[brokers.Service(0)], name); env(t, s, name) != first {
				t.Errorf("%s has another %s than broker 0", s.Name, name)
			}
		}
	}
	if !slices.Equal(ids, []string{"0", "1", "2"}) {
		t.Errorf("the node ids are %v", ids)
	}
	want := "0@broker-0:9093,1@broker-1:9093,2@broker-2:9093"
	if len(voters) != 1 || !voters[want] {
		t.Errorf("the voters are %v", voters)
	}
	id := env(t, p.Services[brokers.Service(0)], clusterID)
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{21}[AQgw]$`).MatchString(id) {
		t.Errorf("%s is no cluster id: 16 bytes in base64", id)
	}
}

// A client that has reached one broker goes to the others where they say that they are:
// from this machine and from a container, each must find all three.
func TestEveryClientReachesEveryBroker(t *testing.T) {
	p := project(t, "COURSE_PORT=20001", "COURSE_PORT_1=20002", "COURSE_PORT_2=20003")
	for node := range stand.Brokers {
		s := p.Services[brokers.Service(node)]
		listen := listeners(t, env(t, s, "KAFKA_LISTENERS"))
		tell := listeners(t, env(t, s, "KAFKA_ADVERTISED_LISTENERS"))
		if len(listen) != 3 || len(tell) != 2 || tell["CONTROLLER"] != "" {
			t.Fatalf("%s listens as %v and says %v", s.Name, listen, tell)
		}
		_, inside, _ := net.SplitHostPort(listen["HOST"])
		if len(s.Ports) != 1 || fmt.Sprint(s.Ports[0].Target) != inside {
			t.Errorf("%s publishes %v, and the host's listener is %s", s.Name, s.Ports, inside)
		}
		want := fmt.Sprintf("localhost:%d", 20001+node)
		if tell["HOST"] != want || "localhost:"+s.Ports[0].Published != want {
			t.Errorf("%s: from the host it is %s, published %s, and says %s", s.Name, want,
				s.Ports[0].Published, tell["HOST"])
		}
		host, port, _ := net.SplitHostPort(tell["INTERNAL"])
		if _, bound, _ := net.SplitHostPort(listen["INTERNAL"]); host != s.Name || port != bound {
			t.Errorf("%s: for containers it says %s and listens on %s", s.Name,
				tell["INTERNAL"], listen["INTERNAL"])
		}
		if env(t, s, "KAFKA_INTER_BROKER_LISTENER_NAME") != "INTERNAL" ||
			env(t, s, "KAFKA_CONTROLLER_LISTENER_NAMES") != "CONTROLLER" {
			t.Errorf("%s talks to the others by another listener", s.Name)
		}
		if !strings.HasSuffix(listen["CONTROLLER"], ":9093") {
			t.Errorf("%s: the voters' port is not %s", s.Name, listen["CONTROLLER"])
		}
		if hosts := strings.Join(slices.Sorted(maps.Keys(listen)), " "); !slices.Equal(
			slices.Sorted(maps.Keys(listeners(t, strings.ReplaceAll(
				env(t, s, "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"), ":", "://")))),
			strings.Fields(hosts)) {
			t.Errorf("%s: not every listener has a protocol: %s", s.Name, hosts)
		}
	}
	ui := env(t, p.Services["kafka-ui"], "KAFKA_CLUSTERS_0_BOOTSTRAPSERVERS")
	if ui != "broker-0:9092,broker-1:9092,broker-2:9092" {
		t.Errorf("the UI goes to %s", ui)
	}
}

func TestPortsWithoutVariables(t *testing.T) {
	p := project(t)
	for node := range stand.Brokers {
		got := p.Services[brokers.Service(node)].Ports[0].Published
		if want := fmt.Sprint(stand.DefaultPort + node); got != want {
			t.Errorf("broker %d has the port %s, want %s", node, got, want)
		}
	}
}

func TestSettingsOfTheStand(t *testing.T) {
	s, err := Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"auto.create.topics.enable":                        "false",
		"controller.listener.names":                        "CONTROLLER",
		"default.replication.factor":                       "3",
		"group.initial.rebalance.delay.ms":                 "0",
		"inter.broker.listener.name":                       "INTERNAL",
		"log.initial.task.delay.ms":                        "1000",
		"log.retention.check.interval.ms":                  "5000",
		"min.insync.replicas":                              "2",
		"offsets.topic.replication.factor":                 "3",
		"process.roles":                                    "broker,controller",
		"share.coordinator.state.topic.min.isr":            "2",
		"share.coordinator.state.topic.replication.factor": "3",
		"transaction.state.log.min.isr":                    "2",
		"transaction.state.log.replication.factor":         "3",
		"listener.security.protocol.map": "HOST:PLAINTEXT,INTERNAL:PLAINTEXT," +
			"CONTROLLER:PLAINTEXT",
	}
	// What the java stand sets itself, whatever the file says.
	own := []string{"listeners", "advertised.listeners", "controller.quorum.voters", "log.dirs"}
	for node := range stand.Brokers {
		got := s.Properties(node, brokers.Options{First: 1, Bind: "b", Advertise: "a"}, "dir")
		if got["node.id"] != fmt.Sprint(node) {
			t.Errorf("node %d has the id %s", node, got["node.id"])
		}
		for _, name := range own {
			if got[name] == "" {
				t.Errorf("node %d has no %s", node, name)
			}
		}
		maps.DeleteFunc(got, func(name, _ string) bool {
			return name == "node.id" || slices.Contains(own, name)
		})
		if !maps.Equal(got, want) {
			t.Errorf("node %d has the settings %v", node, got)
		}
	}
	if got := strings.Join(s.JVM, " "); got != "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1" {
		t.Errorf("the JVM gets %s", got)
	}
}

// What says where something is, in a container, does not hold for processes of this machine.
func TestExceptions(t *testing.T) {
	want := []string{"KAFKA_LISTENERS", "KAFKA_ADVERTISED_LISTENERS",
		"KAFKA_CONTROLLER_QUORUM_*", "KAFKA_LOG_DIRS"}
	if !slices.Equal(brokers.Local, want) {
		t.Errorf("the exceptions are %v", brokers.Local)
	}
}

func TestNothingFromOutside(t *testing.T) {
	want, err := Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		File: string(text), ".env": "COURSE_PORT=1\nKAFKA_NODE_ID=9\n",
		"docker-compose.override.yml": "services: {broker-0: {image: x:1}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("COURSE_PORT", "2")
	t.Setenv("KAFKA_MIN_INSYNC_REPLICAS", "1")
	t.Setenv("KAFKA_NODE_ID", "7")
	t.Setenv("COMPOSE_PROJECT_NAME", "other")
	got, err := Read(t.Context(), filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("something from outside counts: %v", got)
	}
}

func TestFilesThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"broken": "services: [", "without brokers": "name: x\nservices: {a: {image: b:1}}\n",
		"no compose file": "name: x\nservices: {broker-0: {image: [1]}}\n",
	} {
		path := filepath.Join(dir, name+".yml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(dir, "none.yml")
	if _, err := Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
}
