package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// These tests read English sentences; the language is chosen before the first of them.
func init() { os.Setenv("COURSE_LANG", "en") }

const (
	orders  = "brew.orders.v1"
	kitchen = "brew.kitchen-service"
)

// ran is what came of one command line.
type ran struct {
	status         int
	stdout, stderr string
}

// course runs a command line of the group and topic commands.
func course(t testing.TB, args ...string) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr}
	root := &cobra.Command{Use: "course", SilenceErrors: true, SilenceUsage: true}
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	root.AddCommand(newGroupCommand(a), newTopicCommand(a))
	root.SetArgs(args)
	status := a.report(root.ExecuteContext(kafkatest.Context(t)))
	for name, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
		harmless(t, fmt.Sprintf("%s of %q", name, args), text)
	}
	return ran{status, stdout.String(), stderr.String()}
}

// harmless fails the test when text could do more to a terminal than show itself.
func harmless(t testing.TB, what, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8: %q", what, text)
	}
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%s holds %q:\n%q", what, r, text)
			return
		}
	}
}

// want checks the status and both outputs to the letter, but for runs of spaces.
func (r ran) want(t testing.TB, status int, stdout, stderr string) {
	t.Helper()
	if r.status != status {
		t.Errorf("exit status %d, want %d", r.status, status)
	}
	for _, c := range []struct{ name, got, want string }{
		{"stdout", r.stdout, stdout}, {"stderr", r.stderr, stderr},
	} {
		if got, want := squeeze(c.got), squeeze(c.want); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, want)
		}
	}
}

var spaces = regexp.MustCompile(` +`)

func squeeze(s string) string { return spaces.ReplaceAllString(strings.TrimSpace(s), " ") }

// What differs from run to run: member ids, the coordinator, topic ids.
var (
	uuid = regexp.MustCompile(`[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	port = regexp.MustCompile(`127\.0\.0\.1:\d+\(\d\)`)
	id64 = regexp.MustCompile(`TopicId: \S{22}`)
)

func (r ran) shaped() ran {
	s := uuid.ReplaceAllString(r.stdout, "UUID")
	s = port.ReplaceAllString(s, "BROKER")
	r.stdout = id64.ReplaceAllString(s, "TopicId: ID")
	return r
}

// object decodes the one JSON object that text must be.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var v map[string]any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil || dec.More() {
		t.Fatalf("not one JSON object (%v): %s", err, text)
	}
	return v
}

// at walks into decoded JSON: names for objects, numbers for lists.
func at(t testing.TB, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, ok := v.(map[string]any)
			field, has := m[s]
			if !ok || !has {
				t.Fatalf("no %q in %v", s, v)
			}
			v = field
		case int:
			list, ok := v.([]any)
			if !ok || s >= len(list) {
				t.Fatalf("no element %d in %v", s, v)
			}
			v = list[s]
		}
	}
	return v
}

// fill makes a topic with these numbers of records in its partitions.
func fill(t testing.TB, c *kfake.Cluster, topic string, records ...int) {
	t.Helper()
	if err := c.CreateTopic(topic, int32(len(records)), nil); err != nil {
		t.Fatal(err)
	}
	cl := kafkatest.Client(t, c, kgo.RecordPartitioner(kgo.ManualPartitioner()))
	for p, n := range records {
		for range n {
			r := &kgo.Record{Topic: topic, Partition: int32(p), Value: []byte("OrderPlaced")}
			if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// commit commits these offsets for the group's partitions 0, 1, 2...; -1 for none.
func commit(t testing.TB, c *kfake.Cluster, group, topic string, offsets ...int64) {
	t.Helper()
	all := kadm.Offsets{}
	for p, at := range offsets {
		if at >= 0 {
			all.AddOffset(topic, int32(p), at, 0)
		}
	}
	adm := kadm.NewClient(kafkatest.Client(t, c))
	if err := adm.CommitAllOffsets(kafkatest.Context(t), group, all); err != nil {
		t.Fatal(err)
	}
}

// join starts a member that never commits, and polls until the test ends.
func join(t testing.TB, c *kfake.Cluster, group, clientID string, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	cl := kafkatest.Client(t, c, append([]kgo.Opt{
		kgo.ClientID(clientID), kgo.ConsumerGroup(group), kgo.ConsumeTopics(orders),
		kgo.DisableAutoCommit(),
	}, opts...)...)
	go func() {
		for !cl.PollFetches(context.Background()).IsClientClosed() {
		}
	}()
	return cl
}

// stable waits until the group has these many members and all partitions are owned.
func stable(t testing.TB, c *kfake.Cluster, group string, members, partitions int) {
	t.Helper()
	_, err := c.WaitGroupInfo(kafkatest.Context(t), group, func(g *kfake.GroupInfo) bool {
		return g != nil && g.State == "Stable" && len(g.Members) == members &&
			g.NumAssigned() == partitions
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Case 28: no commit is "-" and null, and the lag is what the log holds.
func TestDescribeWithoutCommits(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 2, 4, 0)
	join(t, c, kitchen, "kitchen-service-1")
	stable(t, c, kitchen, 1, 3)

	course(t, "group", "describe", kitchen).shaped().want(t, 0, `
GROUP                 COORDINATOR(ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS  TOTAL-LAG
brew.kitchen-service  BROKER           cooperative-sticky   Stable  1         6

TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
brew.orders.v1 0 - 2 2 kitchen-service-1-UUID 127.0.0.1 kitchen-service-1
brew.orders.v1 1 - 4 4 kitchen-service-1-UUID 127.0.0.1 kitchen-service-1
brew.orders.v1 2 - 0 0 kitchen-service-1-UUID 127.0.0.1 kitchen-service-1
`, "")

	doc := object(t, course(t, "group", "describe", kitchen, "-o", "json").stdout)
	for _, c := range []struct {
		want any
		path []any
	}{
		{json.Number("1"), []any{"version"}},
		{"group.describe", []any{"kind"}},
		{kitchen, []any{"groups", 0, "group"}},
		{"classic", []any{"groups", 0, "type"}},
		{"Stable", []any{"groups", 0, "state"}},
		{"cooperative-sticky", []any{"groups", 0, "assignment_strategy"}},
		{nil, []any{"groups", 0, "group_epoch"}},
		{json.Number("6"), []any{"groups", 0, "total_lag"}},
		{"kitchen-service-1", []any{"groups", 0, "members", 0, "client_id"}},
		{nil, []any{"groups", 0, "members", 0, "instance_id"}},
		{json.Number("2"), []any{"groups", 0, "members", 0, "assignment", 0, "partitions", 2}},
		{nil, []any{"groups", 0, "partitions", 1, "current_offset"}},
		{nil, []any{"groups", 0, "partitions", 1, "leader_epoch"}},
		{json.Number("4"), []any{"groups", 0, "partitions", 1, "lag"}},
		{json.Number("0"), []any{"groups", 0, "partitions", 2, "lag"}},
		{json.Number("0"), []any{"groups", 0, "partitions", 2, "log_end_offset"}},
		{"127.0.0.1", []any{"groups", 0, "partitions", 2, "host"}},
		{nil, []any{"groups", 0, "partitions", 2, "error"}},
	} {
		if got := at(t, doc, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
}

// Partitions of a log that has lost its head: end minus start, not the end.
func TestDescribeAfterRetention(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 5, 5)
	if err := c.DeleteRecords(orders, 0, 3); err != nil {
		t.Fatal(err)
	}
	commit(t, c, kitchen, orders, -1, 9) // partition 1: ahead of the end
	course(t, "group", "describe", kitchen, "--no-headers", "-o", "wide").want(t, 0, `
brew.orders.v1  0  -  -  3  5  2  -  -  -  -
brew.orders.v1  1  0  9  0  5  0  -  -  -  -
`, "Consumer group 'brew.kitchen-service' has no active members.")
}

func TestDescribeIdleAndStaticMember(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	commit(t, c, kitchen, orders, 1)
	join(t, c, kitchen, "kitchen-service-1", kgo.InstanceID("oven"))
	stable(t, c, kitchen, 1, 1)
	join(t, c, kitchen, "kitchen-service-2")
	stable(t, c, kitchen, 2, 1)

	course(t, "group", "describe", kitchen, "-o", "wide").shaped().want(t, 0, `
GROUP COORDINATOR(ID) ASSIGNMENT-STRATEGY STATE TYPE GROUP-EPOCH TARGET-ASSIGNMENT-EPOCH `+
		`#MEMBERS TOTAL-LAG
brew.kitchen-service BROKER cooperative-sticky Stable Classic - - 2 2

TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-START-OFFSET LOG-END-OFFSET LAG `+
		`CONSUMER-ID HOST CLIENT-ID GROUP-INSTANCE-ID
brew.orders.v1 0 0 1 0 3 2 oven-UUID 127.0.0.1 kitchen-service-1 oven
- - - - - - - kitchen-service-2-UUID 127.0.0.1 kitchen-service-2 -
`, "")
}

// A group of the new kind: its description names topics by id only.
func TestDescribeServerSideGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 2, 1)
	join(t, c, kitchen, "kitchen-service-1", kgo.ServerSideBalancer())
	stable(t, c, kitchen, 1, 2)

	r := course(t, "group", "describe", kitchen, "-o", "json")
	doc := object(t, r.stdout)
	for _, c := range []struct {
		want any
		path []any
	}{
		{"consumer", []any{"groups", 0, "type"}},
		{"Stable", []any{"groups", 0, "state"}},
		{json.Number("3"), []any{"groups", 0, "total_lag"}},
		{orders, []any{"groups", 0, "partitions", 1, "topic"}},
		{"kitchen-service-1", []any{"groups", 0, "partitions", 1, "client_id"}},
		{orders, []any{"groups", 0, "members", 0, "assignment", 0, "topic"}},
	} {
		if got := at(t, doc, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	course(t, "group", "ls").want(t, 0, "GROUP TYPE STATE\nbrew.kitchen-service Consumer Stable", "")
	course(t, "group", "delete", kitchen, "-y").want(t, 1, "",
		"error: group brew.kitchen-service is Stable with 1 member: client id kitchen-service-1; "+
			"stop it (Ctrl+C; if it was killed, wait for its session timeout) and try again")
}

func TestShareGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	cl := kafkatest.Client(t, c, kgo.ClientID("share-1"), kgo.ShareGroup("brew.share"),
		kgo.ConsumeTopics(orders))
	go func() {
		for !cl.PollFetches(context.Background()).IsClientClosed() {
		}
	}()
	stable(t, c, "brew.share", 1, 1)
	r := course(t, "group", "ls")
	r.want(t, 0, "GROUP TYPE STATE\nbrew.share Share Stable", "")
	course(t, "group", "describe", "brew.share").want(t, 1, "",
		"error: group brew.share is of type share, which has no committed offsets; "+
			"see it with the official kafka-share-groups.sh")
	r = course(t, "group", "delete", "brew.share", "-y")
	if r.status != 1 || !strings.Contains(r.stderr, "client id share-1") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
}

// Case 19, and the unknown group: found by describing it, not by its offsets.
func TestDeleteGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	commit(t, c, "brew.analytics", orders, 1, 1)
	one := join(t, c, kitchen, "kitchen-service-1")
	two := join(t, c, kitchen, "kitchen-service-2")
	stable(t, c, kitchen, 2, 2)

	// One of three goes, and the others are named.
	course(t, "group", "delete", kitchen, "brew.analytics", "brew.kitchn-service", "-y").want(t, 1,
		"group brew.analytics deleted",
		"error: group brew.kitchen-service is Stable with 2 members: client ids kitchen-service-1, "+
			"kitchen-service-2; stop them (Ctrl+C; if killed, wait for the session timeout) and try again\n"+
			"error: no such group: brew.kitchn-service; did you mean brew.kitchen-service? "+
			"`course group ls` shows all")
	if c.GroupInfo(kitchen) == nil {
		t.Error("the group with members is gone")
	}

	one.Close()
	two.Close() // until here members may fetch offsets, when they get each other's partitions
	fetches := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Count: -1, Observe: true})
	course(t, "group", "delete", kitchen, "-y", "-o", "json").want(t, 0, `{
  "version": 1,
  "kind": "group.delete",
  "results": [
    {
      "name": "brew.kitchen-service",
      "changed": true
    }
  ]
}`, "")
	course(t, "group", "ls").want(t, 0, "GROUP TYPE STATE", "")
	course(t, "group", "delete", kitchen, "-y").want(t, 1, "",
		"error: no such group: brew.kitchen-service; `course group ls` shows all")
	course(t, "group", "delete", kitchen, "-y", "--if-exists").want(t, 0,
		"group brew.kitchen-service does not exist, nothing to delete", "")
	course(t, "group", "describe", kitchen).want(t, 1, "",
		"error: no such group: brew.kitchen-service; `course group ls` shows all")

	r := course(t, "group", "describe", kitchen, "-o", "json")
	if r.status != 1 || r.stdout != "" {
		t.Errorf("status %d, stdout %s", r.status, r.stdout)
	}
	failure := object(t, r.stderr)
	for field, want := range map[string]string{
		"code": "GROUP_ID_NOT_FOUND", "message": "no such group: brew.kitchen-service",
		"hint": "`course group ls` shows all",
	} {
		if got := at(t, failure, "error", field); got != want {
			t.Errorf("%s is %v, want %s", field, got, want)
		}
	}
	if fetches.Hits() > 0 {
		t.Errorf("%d fetches of offsets, although no group could be described", fetches.Hits())
	}
}

// Case 21: a static member does not leave when its program ends.
func TestDeleteGroupOfStaticMember(t *testing.T) {
	c := kafkatest.Start(t, kfake.GroupMinSessionTimeout(time.Second))
	fill(t, c, orders, 1)
	const session = 2 * time.Second // long enough for a busy machine to run the command
	member := join(t, c, kitchen, "kitchen-service-1", kgo.InstanceID("oven"),
		kgo.SessionTimeout(session), kgo.HeartbeatInterval(session/4))
	stable(t, c, kitchen, 1, 1)
	member.Close()
	course(t, "group", "delete", kitchen, "-y").want(t, 1, "",
		"error: group brew.kitchen-service is Stable with 1 member: client id kitchen-service-1; "+
			"stop it (Ctrl+C; if it was killed, wait for its session timeout) and try again (static member oven still holds the group "+
			"after its program has ended: wait until its session timeout has passed)")
	_, err := c.WaitGroupInfo(kafkatest.Context(t), kitchen, func(g *kfake.GroupInfo) bool {
		return len(g.Members) == 0
	})
	if err != nil {
		t.Fatal(err)
	}
	course(t, "group", "delete", kitchen, "-y").want(t, 0, "group brew.kitchen-service deleted", "")
}

// The answer to a deletion was lost and the request sent again: the broker does not know the
// group any more, and it is deleted all the same.
func TestDeleteGroupSentAgain(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	commit(t, c, kitchen, orders, 1)
	adm := kadm.NewClient(kafkatest.Client(t, c))
	var asked atomic.Int32
	c.ControlKey(int16(kmsg.DeleteGroups), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if asked.Add(1) == 1 {
			c.SleepControl(func() {
				if _, err := adm.DeleteGroup(kafkatest.Context(t), kitchen); err != nil {
					t.Error(err)
				}
			})
		}
		return nil, nil, false
	})
	course(t, "group", "delete", kitchen, "-y").want(t, 0, "group brew.kitchen-service deleted", "")
}

// The broker's refusal stands inside the group's result while the request succeeds.
func TestDeleteGroupRefusedByBroker(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	commit(t, c, kitchen, orders, 1)
	commit(t, c, "brew.analytics", orders, 1)
	for _, refusal := range []*kerr.Error{kerr.NonEmptyGroup, kerr.GroupAuthorizationFailed} {
		fault := c.Fault(kfake.Fault{
			Keys: []kmsg.Key{kmsg.DeleteGroups}, Group: kitchen, Err: refusal, Count: -1,
		})
		r := course(t, "group", "delete", kitchen, "-y")
		if want := "error: group brew.kitchen-service: " + refusal.Message; r.status != 1 ||
			!strings.HasPrefix(r.stderr, want) || r.stdout != "" {
			t.Errorf("status %d, stdout %s, stderr %s", r.status, r.stdout, r.stderr)
		}
		fault.Remove()
	}
	course(t, "group", "delete", kitchen, "brew.analytics", "-y").want(t, 0,
		"group brew.kitchen-service deleted\ngroup brew.analytics deleted", "")
}

// Errors of single partitions are errors, and the other partitions are shown.
func TestDescribePartitionErrors(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3, 3)
	commit(t, c, kitchen, orders, 1, 2, 3)
	fault := c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: orders, Partitions: []int32{1},
		Err: kerr.InvalidRequest, Count: -1,
	})
	const head = "Consumer group 'brew.kitchen-service' has no active members.\n"
	r := course(t, "group", "describe", kitchen)
	r.shaped().want(t, 1, `
GROUP COORDINATOR(ID) ASSIGNMENT-STRATEGY STATE #MEMBERS TOTAL-LAG
brew.kitchen-service BROKER - Empty 0 -

TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
brew.orders.v1 0 1 3 2 - - -
brew.orders.v1 1 2 - - - - -
brew.orders.v1 2 3 3 0 - - -
`, head+"error: topic brew.orders.v1, partition 1: "+kerr.InvalidRequest.Error())
	doc := object(t, course(t, "group", "describe", kitchen, "-o", "json").stdout)
	if got := at(t, doc, "groups", 0, "partitions", 1, "error"); got != "INVALID_REQUEST" {
		t.Errorf("error is %v", got)
	}
	if got := at(t, doc, "groups", 0, "total_lag"); got != nil {
		t.Errorf("total_lag is %v although a part of it is not known", got)
	}
	fault.Remove()

	c.ControlKey(int16(kmsg.OffsetFetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		resp := req.ResponseKind().(*kmsg.OffsetFetchResponse)
		group := kmsg.NewOffsetFetchResponseGroup()
		group.Group = kitchen
		topic := kmsg.NewOffsetFetchResponseGroupTopic()
		topic.Topic, topic.TopicID = orders, c.TopicInfo(orders).TopicID
		part := kmsg.NewOffsetFetchResponseGroupTopicPartition()
		part.Partition, part.Offset, part.ErrorCode = 2, -1, kerr.UnstableOffsetCommit.Code
		topic.Partitions = append(topic.Partitions, part)
		group.Topics = append(group.Topics, topic)
		resp.Groups = append(resp.Groups, group)
		return resp, nil, true
	})
	r = course(t, "group", "describe", kitchen, "--no-headers")
	if r.status != 1 || !strings.Contains(r.stderr, "partition 2: UNSTABLE_OFFSET_COMMIT") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
}

// A group that reads nothing and has committed nothing is not up to date: it has no lag.
func TestDescribeAbandonedGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	member := join(t, c, kitchen, "kitchen-service-1")
	stable(t, c, kitchen, 1, 1)
	member.Close()
	r := course(t, "group", "describe", kitchen).shaped()
	head := "GROUP COORDINATOR(ID) ASSIGNMENT-STRATEGY STATE #MEMBERS TOTAL-LAG\n"
	if got := squeeze(r.stdout); r.status != 0 ||
		!strings.HasPrefix(got, head+kitchen+" BROKER - Empty 0 -") {
		t.Errorf("status %d, stdout %s", r.status, got)
	}
	r = course(t, "group", "describe", kitchen, "-o", "json")
	if lag := at(t, object(t, r.stdout), "groups", 0, "total_lag"); lag != nil {
		t.Errorf("total_lag is %v", lag)
	}
}

// A name of 30,000 characters does not drive the error off the screen; JSON keeps it.
func TestErrorOfALongName(t *testing.T) {
	kafkatest.Start(t)
	long := strings.Repeat("g", 30_000)
	r := course(t, "group", "describe", long)
	if r.status != 1 || len(r.stderr) > 1200 ||
		!strings.HasPrefix(r.stderr, "error: no such group: ggg") ||
		!strings.HasSuffix(r.stderr, "ggg; `course group ls` shows all\n") {
		t.Errorf("status %d, %d characters: %s", r.status, len(r.stderr), r.stderr)
	}
	r = course(t, "group", "describe", long, "-o", "json")
	if got := at(t, object(t, r.stderr), "error", "message"); got != "no such group: "+long {
		t.Errorf("the JSON says %v", got)
	}
}

// A topic that is gone is remarked on; it is no failure of the command.
func TestDescribeMissingTopic(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	fill(t, c, "brew.clicks", 1)
	join(t, c, kitchen, "kitchen-service-1", kgo.ConsumeTopics(orders, "brew.clicks"))
	stable(t, c, kitchen, 1, 2)
	if err := c.DeleteTopic("brew.clicks"); err != nil {
		t.Fatal(err)
	}
	r := course(t, "group", "describe", kitchen)
	if r.status != 0 || r.stderr != "note: topic brew.clicks, which group brew.kitchen-service "+
		"reads or has commits of, does not exist\n" {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
}

// Case 30: whatever moves while it is being measured, no lag is below zero.
func TestLagNeverNegative(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1, 1, 1)
	ctx, stop := context.WithCancel(kafkatest.Context(t))
	producer := kafkatest.Client(t, c, kgo.DefaultProduceTopic(orders))
	produced := make(chan struct{})
	go func() {
		defer close(produced)
		for ctx.Err() == nil {
			producer.ProduceSync(ctx, kgo.StringRecord("order"), kgo.StringRecord("order"))
		}
	}()
	member := kafkatest.Client(t, c, kgo.ConsumerGroup(kitchen), kgo.ConsumeTopics(orders))
	consumed := make(chan struct{})
	go func() {
		defer close(consumed)
		for ctx.Err() == nil {
			member.PollFetches(ctx)
			member.CommitUncommittedOffsets(ctx)
		}
	}()
	stable(t, c, kitchen, 1, 3)
	for i := range 200 {
		committed := c.GroupInfo(kitchen).Commits[orders]
		doc := object(t, course(t, "group", "describe", kitchen, "-o", "json").stdout)
		for _, row := range at(t, doc, "groups", 0, "partitions").([]any) {
			lag, err := at(t, row, "lag").(json.Number).Int64()
			p, err2 := at(t, row, "partition").(json.Number).Int64()
			most := c.PartitionInfo(orders, int32(p)).HighWatermark - committed[int32(p)].Offset
			if err != nil || err2 != nil || lag < 0 || lag > most {
				t.Fatalf("describe %d: lag %d, want 0 to %d in %v", i, lag, most, row)
			}
		}
	}
	stop()
	<-produced
	<-consumed
}
