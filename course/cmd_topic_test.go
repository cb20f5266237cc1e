package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/course/admin"
	"brew.example/internal/kafkatest"
)

func TestTopicLife(t *testing.T) {
	c := kafkatest.Start(t)
	course(t, "topic", "ls").want(t, 0, "TOPIC PARTITIONS REPLICATION", "")
	course(t, "topic", "create", orders, "--partitions", "3", "--replication", "3",
		"--config", "retention.ms=60000", "--config", "cleanup.policy=compact,delete").
		want(t, 0, "topic brew.orders.v1 created", "")
	course(t, "topic", "create", "brew.clicks").want(t, 0, "topic brew.clicks created", "")

	course(t, "topic", "create", orders).want(t, 1, "", "error: topic brew.orders.v1 exists already; "+
		"see it with `course topic describe brew.orders.v1`, or add --if-not-exists to take it as it is")
	course(t, "topic", "create", orders, "--if-not-exists", "--partitions", "3").
		want(t, 0, "topic brew.orders.v1 exists already, nothing to create", "")
	r := course(t, "topic", "create", orders, "--if-not-exists", "--partitions", "4")
	if r.status != 1 || !strings.Contains(r.stderr, "partitions: 3, wanted 4") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
	r = course(t, "topic", "create", "brew.many", "--replication", "4")
	if r.status != 1 || !strings.Contains(r.stderr, "topic brew.many: INVALID_REPLICATION_FACTOR") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}

	cl := kafkatest.Client(t, c, kgo.RecordPartitioner(kgo.ManualPartitioner()))
	for _, p := range []int32{0, 0, 0, 2} {
		r := &kgo.Record{Topic: orders, Partition: p, Value: []byte("OrderPlaced")}
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.DeleteRecords(orders, 0, 1); err != nil {
		t.Fatal(err)
	}
	for p, leader := range []int32{0, 1, 2} {
		if err := c.MoveTopicPartition(orders, int32(p), leader); err != nil {
			t.Fatal(err)
		}
	}
	course(t, "topic", "ls").want(t, 0, `
TOPIC PARTITIONS REPLICATION
brew.clicks 1 3
brew.orders.v1 3 3`, "")
	course(t, "topic", "describe", orders).shaped().want(t, 0, `
Topic: brew.orders.v1 TopicId: ID PartitionCount: 3 ReplicationFactor: 3 `+
		`Configs: cleanup.policy=compact,delete,retention.ms=60000
PARTITION LEADER REPLICAS ISR EARLIEST LATEST
0 0 0,1,2 0,1,2 1 3
1 1 1,2,0 1,2,0 0 0
2 2 2,0,1 2,0,1 0 1
TOTAL 3`, "")
	course(t, "topic", "describe", orders, "--no-headers").want(t, 0, `
0 0 0,1,2 0,1,2 1 3
1 1 1,2,0 1,2,0 0 0
2 2 2,0,1 2,0,1 0 1`, "")
	if r := course(t, "topic", "describe", orders, "-o", "wide"); !strings.Contains(r.stdout,
		"min.insync.replicas=2") || !strings.Contains(r.stdout, "LEADER-EPOCH") {
		t.Errorf("wide: %s", r.stdout)
	}

	course(t, "topic", "delete", orders, "brew.nothing", "-y").want(t, 1,
		"topic brew.orders.v1 deleted",
		"error: no such topic: brew.nothing; `course topic ls` shows all")
	course(t, "topic", "delete", orders, "-y", "--if-exists").want(t, 0,
		"topic brew.orders.v1 does not exist, nothing to delete", "")
	course(t, "topic", "describe", "brew.click").want(t, 1, "",
		"error: no such topic: brew.click; did you mean brew.clicks? `course topic ls` shows all")
	if c.TopicInfo("brew.click") != nil || c.TopicInfo("brew.nothing") != nil {
		t.Error("a topic appeared by being asked for")
	}
}

func TestTopicAlter(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	course(t, "topic", "alter", orders, "--partitions", "3").
		want(t, 0, "topic brew.orders.v1 has 3 partitions now", "")
	course(t, "topic", "alter", orders, "--partitions", "3").
		want(t, 0, "topic brew.orders.v1 has 3 partitions already, nothing to change", "")
	course(t, "topic", "alter", orders, "--partitions", "2").want(t, 1, "", "error: topic "+
		"brew.orders.v1 has 3 partitions and cannot get down to 2: make another topic and copy "+
		"the records")
	course(t, "topic", "alter", "brew.order.v1", "--partitions", "4").want(t, 1, "",
		"error: no such topic: brew.order.v1; did you mean brew.orders.v1? `course topic ls` "+
			"shows all")
	if n := len(c.PartitionInfos(orders)); n != 3 || c.PartitionInfo(orders, 0).HighWatermark != 3 {
		t.Errorf("%d partitions, %+v", n, c.PartitionInfo(orders, 0))
	}
	doc := object(t, course(t, "topic", "alter", orders, "--partitions", "4", "-o", "json").stdout)
	for _, c := range []struct {
		want any
		path []any
	}{
		{"topic.alter", []any{"kind"}},
		{orders, []any{"results", 0, "name"}},
		{true, []any{"results", 0, "changed"}},
	} {
		if got := at(t, doc, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	r := course(t, "topic", "alter", orders, "--partitions", "1", "-o", "json")
	if got := at(t, object(t, r.stderr), "error", "code"); got != "ERROR" || r.status != 1 {
		t.Errorf("status %d, code %v", r.status, got)
	}
}

func TestTopicJSON(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 2, 0)
	doc := object(t, course(t, "topic", "describe", orders, "-o", "json").stdout)
	for _, c := range []struct {
		want any
		path []any
	}{
		{json.Number("1"), []any{"version"}},
		{"topic.describe", []any{"kind"}},
		{orders, []any{"topics", 0, "topic"}},
		{false, []any{"topics", 0, "internal"}},
		{json.Number("2"), []any{"topics", 0, "partitions"}},
		{json.Number("3"), []any{"topics", 0, "replication_factor"}},
		{json.Number("2"), []any{"topics", 0, "total"}},
		{json.Number("0"), []any{"topics", 0, "partition_details", 1, "latest"}},
		{nil, []any{"topics", 0, "partition_details", 1, "error"}},
	} {
		if got := at(t, doc, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	doc = object(t, course(t, "topic", "ls", "-o", "json").stdout)
	if got := at(t, doc, "topics", 0, "topic"); got != orders {
		t.Errorf("listed %v", got)
	}
	doc = object(t, course(t, "topic", "create", "brew.new", "-o", "json").stdout)
	if got := at(t, doc, "results", 0, "changed"); got != true {
		t.Errorf("changed is %v", got)
	}
	for want, args := range map[string][]string{
		"UNKNOWN_TOPIC_OR_PARTITION": {"topic", "describe", "brew.nothing", "-o", "json"},
		"TOPIC_ALREADY_EXISTS":       {"topic", "create", orders, "-o", "json"},
		"USAGE":                      {"topic", "delete", orders, "-o", "json"},
	} {
		if got := at(t, object(t, course(t, args...).stderr), "error", "code"); got != want {
			t.Errorf("%v: code %v, want %s", args, got, want)
		}
	}
}

func TestTopicLsInternal(t *testing.T) {
	c := kafkatest.Start(t)
	err := c.CreateTopic("__consumer_offsets", 1, map[string]string{"kfake.is_internal": "true"})
	if err != nil {
		t.Fatal(err)
	}
	course(t, "topic", "ls", "--no-headers").want(t, 0, "", "")
	course(t, "topic", "ls", "--no-headers", "--internal").want(t, 0, "__consumer_offsets 1 3", "")
}

// Whoever deletes a topic is told who reads it.
func TestTopicDeleteWarns(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	fill(t, c, "brew.clicks", 1)
	commit(t, c, "brew.analytics", orders, 1) // no members: no warning
	join(t, c, kitchen, "kitchen-service-1")
	stable(t, c, kitchen, 1, 1)
	course(t, "topic", "delete", "brew.clicks", orders, "-y").want(t, 0,
		"topic brew.clicks deleted\ntopic brew.orders.v1 deleted",
		"warning: topic brew.orders.v1 is being read by members of: brew.kitchen-service")
}

func TestTopicErrorsInResults(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1, 1)
	for _, f := range []struct {
		name  string
		fault kfake.Fault
		args  []string
		want  string
	}{
		{"a partition's offsets", kfake.Fault{
			Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: orders, Partitions: []int32{1},
			Err: kerr.TopicAuthorizationFailed,
		}, []string{"describe", orders}, "partition 1: TOPIC_AUTHORIZATION_FAILED"},
		{"a partition without a leader", kfake.Fault{
			Keys: []kmsg.Key{kmsg.Metadata}, Topic: orders, Partitions: []int32{0},
			Err: kerr.LeaderNotAvailable,
		}, []string{"describe", orders}, "partition 0: LEADER_NOT_AVAILABLE"},
		{"settings", kfake.Fault{
			Keys: []kmsg.Key{kmsg.DescribeConfigs}, Resource: orders, Err: kerr.TopicAuthorizationFailed,
		}, []string{"describe", orders}, "settings of topic brew.orders.v1: TOPIC_AUTHORIZATION_FAILED"},
		{"delete", kfake.Fault{
			Keys: []kmsg.Key{kmsg.DeleteTopics}, Topic: orders, Err: kerr.TopicDeletionDisabled,
		}, []string{"delete", orders, "-y"}, "topic brew.orders.v1: TOPIC_DELETION_DISABLED"},
		{"create", kfake.Fault{
			Keys: []kmsg.Key{kmsg.CreateTopics}, Topic: "brew.new", Err: kerr.PolicyViolation,
		}, []string{"create", "brew.new"}, "topic brew.new: POLICY_VIOLATION"},
	} {
		t.Run(f.name, func(t *testing.T) {
			f.fault.Count = -1
			fault := c.Fault(f.fault)
			defer fault.Remove()
			r := course(t, append([]string{"topic"}, f.args...)...)
			if r.status != 1 || !strings.HasPrefix(r.stderr, "error: ") ||
				!strings.Contains(r.stderr, f.want) {
				t.Errorf("status %d, stderr %s", r.status, r.stderr)
			}
			if f.args[0] == "describe" && !strings.Contains(r.stdout, "PARTITION") {
				t.Errorf("the rest is not shown: %s", r.stdout)
			}
		})
	}
}

// hostile are names that would play tricks on a terminal.
var hostile = []string{
	"\x1b[2Jgone", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\x1b]0;title\x07", "\u202etxt.exe",
	"a\rb", "a\nb", "a\tb", "\x9bred", "\xff\xfe", "\u009bcsi", "\x7f", "\u200bzero", `"quoted"`, "",
}

// Every field that another client or a broker fills comes to the terminal escaped;
// course checks each output for it.
func TestHostileNames(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	var groups []string
	for i, name := range hostile {
		if name == "" {
			name = kitchen
		}
		groups = append(groups, name)
		commit(t, c, name, orders, 1)
		join(t, c, name, hostile[i], kgo.InstanceID("i"+hostile[i]))
		stable(t, c, name, 1, 1)
		if i < 8 && utf8Safe(name) {
			if err := c.CreateTopic(name, 1, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, format := range []string{"text", "wide", "json"} {
		course(t, "group", "ls", "-o", format)
		course(t, "topic", "ls", "-o", format)
		r := course(t, append([]string{"group", "describe", "-o", format}, groups...)...)
		if r.status != 0 {
			t.Errorf("status %d, stderr %s", r.status, r.stderr)
		}
		r = course(t, append([]string{"group", "delete", "-y", "-o", format}, groups...)...)
		if r.status != 1 || strings.Count(r.stderr, "\n") != len(groups) {
			t.Errorf("status %d, not one line a group: %s", r.status, r.stderr)
		}
		for _, name := range hostile {
			course(t, "group", "describe", name+"?", "-o", format)
			course(t, "topic", "describe", name+"?", "-o", format)
			course(t, "topic", "create", "brew.x", "--config", name, "-o", format)
			course(t, "group", "ls", name)
			course(t, "group", name)
		}
	}
	// What a broker says along with an error.
	c.ControlKey(int16(kmsg.DeleteTopics), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		resp := req.ResponseKind().(*kmsg.DeleteTopicsResponse)
		topic := kmsg.NewDeleteTopicsResponseTopic()
		topic.Topic, topic.ErrorCode = kmsg.StringPtr(orders), kerr.PolicyViolation.Code
		topic.ErrorMessage = kmsg.StringPtr("no\x1b[2J\u202e")
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	r := course(t, "topic", "delete", orders, "-y")
	if r.status != 1 || !strings.Contains(r.stderr, `POLICY_VIOLATION: "no\x1b[2J\u202e"`) {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
}

func utf8Safe(name string) bool { return strings.ToValidUTF8(name, "") == name }

func TestWrongUsage(t *testing.T) {
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1") // nobody listens there, and nobody is asked
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"group", "describe"}, "name a group"},
		{[]string{"group", "describe", ""}, "a group needs a name"},
		{[]string{"group", "delete"}, "name a group"},
		{[]string{"group", "delete", kitchen}, "add -y"},
		{[]string{"group", "ls", "x"}, "unexpected argument x"},
		{[]string{"group", "ls", "-o", "yaml"}, "text, wide or json"},
		{[]string{"group", "descibe", kitchen}, "did you mean"},
		{[]string{"topic", "describe"}, "name a topic"},
		{[]string{"topic", "describe", "../x"}, "a name has 1 to 249"},
		{[]string{"topic", "describe", ";touch p"}, "a name has 1 to 249"},
		{[]string{"topic", "delete", "$(touch p)", "-y"}, "a name has 1 to 249"},
		{[]string{"topic", "delete", strings.Repeat("x", 250), "-y"}, "a name has 1 to 249"},
		{[]string{"topic", "delete", orders}, "add -y"},
		{[]string{"topic", "create"}, "name a topic"},
		{[]string{"topic", "create", "a", "b"}, "unexpected argument b"},
		{[]string{"topic", "create", "a", "--partitions", "0"}, "partitions"},
		{[]string{"topic", "alter", "--partitions", "4"}, "name a topic"},
		{[]string{"topic", "alter", "a", "b", "--partitions", "4"}, "unexpected argument b"},
		{[]string{"topic", "alter", "a b", "--partitions", "4"}, "a name has 1 to 249"},
		{[]string{"topic", "alter", "a"}, "--partitions: say how many"},
		{[]string{"topic", "alter", "a", "--partitions", "-4"}, "--partitions: say how many"},
		{[]string{"topic", "create", "a", "--replication", "-2"}, "replication factor -2"},
		{[]string{"topic", "create", "a", "--config", "retention.ms"}, "name=value"},
		{[]string{"topic", "create", "a", "--config", "x=1", "--config", "x=2"}, "twice"},
	} {
		r := course(t, c.args...)
		if r.status != 2 || r.stdout != "" || !strings.HasPrefix(r.stderr, "error: ") ||
			!strings.Contains(r.stderr, c.want) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q", c.args, r.status, r.stdout, r.stderr)
		}
	}
}

func TestNoBroker(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	t.Setenv("KAFKA_BOOTSTRAP", addr)
	r := course(t, "group", "ls")
	if r.status != 1 || !strings.Contains(r.stderr, addr+": connection refused") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
	r = course(t, "topic", "ls", "-o", "json")
	if got := at(t, object(t, r.stderr), "error", "code"); got != "UNREACHABLE" || r.stdout != "" {
		t.Errorf("code %v, stdout %s", got, r.stdout)
	}
}

// A broker that fails costs its own groups and no others.
func TestGroupLsWithFailingBroker(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	commit(t, c, kitchen, orders, 1)
	dead := (c.CoordinatorFor(kitchen) + 1) % 3
	c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.ListGroups}, Nodes: []int32{dead}, TopLevel: true, Count: -1,
		Err: kerr.InvalidRequest, // one that the client does not retry
	})
	r := course(t, "group", "ls")
	if r.status != 1 || !strings.Contains(r.stdout, kitchen) ||
		!strings.Contains(r.stderr, "list of the groups of broker") {
		t.Errorf("status %d, stdout %s, stderr %s", r.status, r.stdout, r.stderr)
	}
}

// Until a cluster notices that a broker is gone, it names it to its clients.
func TestGroupLsWithDeadBroker(t *testing.T) {
	var listeners []net.Listener
	c := kafkatest.Start(t, kfake.ListenFn(func(network, addr string) (net.Listener, error) {
		l, err := net.Listen(network, addr)
		listeners = append(listeners, l)
		return l, err
	}))
	fill(t, c, orders, 1)
	commit(t, c, kitchen, orders, 1)
	dead := (c.CoordinatorFor(kitchen) + 1) % 3
	listeners[dead].Close()
	r := course(t, "group", "ls")
	r.want(t, 1, "GROUP TYPE STATE\n"+kitchen+" Classic Empty\n", fmt.Sprintf(
		"error: broker %d does not answer (connection refused): the list lacks the groups that "+
			"it coordinates; another broker takes them over when it is seen to be gone, if most of "+
			"them run: try again soon\n", dead))
	r = course(t, "group", "ls", "-o", "json")
	if got := at(t, object(t, r.stderr), "error", "code"); got != "UNREACHABLE" ||
		!strings.Contains(r.stdout, kitchen) {
		t.Errorf("code %v, stdout %s", got, r.stdout)
	}
}

func TestExplain(t *testing.T) {
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1,127.0.0.1:2")
	const at = " --bootstrap-server 127.0.0.1:1,127.0.0.1:2 "
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"group", "ls"}, "kafka-consumer-groups.sh" + at + "--list --state --type"},
		{[]string{"group", "describe", "a", "b c", "-o", "wide"},
			"kafka-consumer-groups.sh" + at + "--describe --group a --group 'b c' --verbose"},
		{[]string{"group", "delete", "$(touch p)", ";touch p", "it's"},
			"kafka-consumer-groups.sh" + at + `--delete --group '$(touch p)' --group ';touch p' ` +
				`--group 'it'\''s'`},
		{[]string{"topic", "ls"}, "kafka-topics.sh" + at + "--list --exclude-internal"},
		{[]string{"topic", "describe", "a"}, "kafka-topics.sh" + at + "--describe --topic a\n" +
			"kafka-get-offsets.sh" + at + "--topic a --time earliest\n" +
			"kafka-get-offsets.sh" + at + "--topic a --time latest"},
		{[]string{"topic", "create", "a", "--partitions", "3", "--replication", "2",
			"--config", "x=$(id)", "--if-not-exists"}, "kafka-topics.sh" + at + "--create --topic a " +
			"--partitions 3 --replication-factor 2 --config 'x=$(id)' --if-not-exists"},
		{[]string{"topic", "alter", "a", "--partitions", "4"},
			"kafka-topics.sh" + at + "--alter --topic a --partitions 4"},
		{[]string{"topic", "delete", "a", "b", "--if-exists"}, "kafka-topics.sh" + at +
			"--delete --topic a --if-exists\nkafka-topics.sh" + at + "--delete --topic b --if-exists"},
	} {
		course(t, append(c.args, "--explain")...).want(t, 0, c.want, "")
	}

	t.Setenv("KAFKA_TLS", "1")
	r := course(t, "group", "ls", "--explain")
	if !strings.Contains(r.stdout, " --command-config client.properties ") {
		t.Errorf("with TLS: %s", r.stdout)
	}
	t.Setenv("KAFKA_TLS", "maybe")
	r = course(t, "group", "ls", "--explain")
	if r.status != 2 || !strings.Contains(r.stderr, "KAFKA_TLS") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
	t.Setenv("KAFKA_TLS", "")
	t.Setenv("KAFKA_BOOTSTRAP", "")
	t.Setenv("COURSE_HOME", t.TempDir())
	t.Setenv("COURSE_PORT", "21500")
	course(t, "topic", "ls", "--explain").want(t, 0, // no stand: where one would be
		"kafka-topics.sh --bootstrap-server localhost:21500 --list --exclude-internal", "")
}

// A shell reads the explained line as the very words that were meant.
func TestExplainForAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on PATH, so nothing can read the quoted words")
	}
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1")
	dir := t.TempDir()
	names := append([]string{
		"$(touch p)", ";touch p", "`touch p`", "a'b", `a\b`, "a\n", "*", "~", "%s\\n",
	}, hostile...)
	for _, name := range names {
		var out bytes.Buffer
		printf := admin.Official{Tool: "printf", Args: []string{name}}
		if err := admin.Explain(&out, []admin.Official{printf}); err != nil {
			t.Fatal(err)
		}
		line := strings.TrimSuffix(out.String(), "\n")
		line = strings.Replace(line, "--bootstrap-server 127.0.0.1:1", "%s", 1)
		cmd := exec.Command(sh, "-c", line)
		cmd.Dir = dir
		got, err := cmd.Output()
		if err != nil || string(got) != name {
			t.Errorf("%q became %q (%v) by %q", name, got, err, line)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("something was run: %v %v", left, err)
	}
}

func TestCompletion(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	fill(t, c, "brew.clicks", 1)
	commit(t, c, kitchen, orders, 1)
	commit(t, c, "brew.$(id)", orders, 1)
	for _, c := range []struct{ args, want []string }{
		{[]string{"topic", "describe", "brew."}, []string{"brew.clicks", orders}},
		{[]string{"topic", "delete", orders, "brew."}, []string{"brew.clicks"}},
		{[]string{"topic", "create", "brew."}, nil},
		{[]string{"group", "describe", ""}, []string{kitchen}},
		{[]string{"group", "delete", "k"}, nil},
		{[]string{"group", "ls", "-o", ""}, []string{"text", "wide", "json"}},
	} {
		r := course(t, append([]string{"__complete"}, c.args...)...)
		lines := strings.Fields(r.stdout)
		if len(lines) == 0 || !slices.Equal(lines[:len(lines)-1], c.want) {
			t.Errorf("%q offers %q, want %q", c.args, lines, c.want)
		}
	}
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1")
	r := course(t, "__completeNoDesc", "topic", "describe", "")
	if r.status != 0 || r.stdout != ":4\n" {
		t.Errorf("without a cluster: status %d, %q", r.status, r.stdout)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{
		{"group"}, {"group", "ls"}, {"group", "describe"}, {"group", "reset-offsets"},
		{"group", "delete"},
		{"topic"}, {"topic", "ls"}, {"topic", "create"}, {"topic", "describe"}, {"topic", "alter"},
		{"topic", "delete"},
	} {
		r := course(t, append(args, "--help")...)
		if r.status != 0 || !strings.Contains(r.stdout, "Usage:") {
			t.Errorf("%q: status %d, %s", args, r.status, r.stdout)
		}
		for _, part := range []string{"See also:", "--explain", "  course " + args[0]} {
			if len(args) > 1 && !strings.Contains(r.stdout, part) {
				t.Errorf("%q: no %q in\n%s", args, part, r.stdout)
			}
		}
	}
}

func TestConfirm(t *testing.T) {
	for answer, want := range map[string]bool{
		"y\n": true, "YES\n": true, "да\n": true, "n\n": false, "\n": false, "": false, "yep\n": false,
	} {
		var out bytes.Buffer
		a := &app{stdin: strings.NewReader(answer), stderr: &out}
		err := a.confirm(kafkatest.Context(t), "delete group x?")
		if (err == nil) != want {
			t.Errorf("%q: %v", answer, err)
		}
		if out.String() != "delete group x? [y/N] " {
			t.Errorf("asked %q", out.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	silent, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	a := &app{stdin: silent, stderr: &bytes.Buffer{}}
	if err := a.confirm(ctx, "delete group x?"); err == nil {
		t.Error("Ctrl+C was taken for a yes")
	}
}

// A refusal keeps everything.
func TestDeclined(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	removed := false
	d := deletion{
		find:   func(context.Context, string) error { return nil },
		ask:    func([]string) error { return errDeclined() },
		remove: func(context.Context, string) error { removed = true; return nil },
	}
	err := d.run(kafkatest.Context(t), &admin.Printer{}, []string{orders})
	if err == nil || err.Error() != "nothing was changed" || removed {
		t.Errorf("error %v, removed %t", err, removed)
	}
}

// Nothing is coloured, on a terminal or off it, with NO_COLOR or without: course checks
// every output of these tests for escapes. Here, that NO_COLOR changes nothing else.
func TestNoColor(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	plain := course(t, "topic", "ls")
	t.Setenv("NO_COLOR", "1")
	if got := course(t, "topic", "ls"); got != plain {
		t.Errorf("%v with NO_COLOR, %v without", got, plain)
	}
}

// An address that never answers is not asked again once others have: any of a client's many
// requests might go there.
func TestFrozenSeed(t *testing.T) {
	c := kafkatest.Start(t, kfake.NumBrokers(2))
	frozen, err := net.Listen("tcp", "127.0.0.1:0") // the system takes connections, nobody answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { frozen.Close() })
	t.Setenv("KAFKA_BOOTSTRAP", strings.Join(append(c.ListenAddrs(), frozen.Addr().String()), ","))
	for range 12 { // a client begins with any address
		began := time.Now()
		r := course(t, "topic", "ls")
		if took := time.Since(began); r.status != 0 || took >= 2*time.Second {
			t.Fatalf("status %d after %s: %s", r.status, took, r.stderr)
		}
	}
}
