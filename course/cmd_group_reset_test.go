package main

import (
	"encoding/json"
	"fmt"
	"maps"
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

// resetKitchen runs reset-offsets for the kitchen's group.
func resetKitchen(t testing.TB, args ...string) ran {
	t.Helper()
	return course(t, append([]string{"group", "reset-offsets", kitchen}, args...)...)
}

// wantCommits checks what the group has committed for the partitions 0, 1, 2...; -1 for
// nothing.
func wantCommits(t testing.TB, c *kfake.Cluster, group, topic string, want ...int64) {
	t.Helper()
	got := kafkatest.Committed(t, kafkatest.Client(t, c), group, topic)
	offsets := map[int32]int64{}
	for p, at := range want {
		if at >= 0 {
			offsets[int32(p)] = at
		}
	}
	if !maps.Equal(got, offsets) {
		t.Errorf("group %s has committed %v, want %v", group, got, offsets)
	}
}

const dryRun = "dry run: nothing was changed; --execute commits these offsets"

// Each target, on a log from 3 to 10 with a commit, an ordinary one without, and an
// empty one. A plan changes nothing.
func TestResetTargets(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 10, 4, 0)
	if err := c.DeleteRecords(orders, 0, 3); err != nil {
		t.Fatal(err)
	}
	commit(t, c, kitchen, orders, 5, -1, 0)
	const past = "%d is past the end of the log, set to %d"
	const below = "%d is below the start of the log, set to %d"
	note := func(p int, format string, args ...any) string {
		return fmt.Sprintf("note: topic brew.orders.v1, partition %d: ", p) +
			fmt.Sprintf(format, args...) + "\n"
	}
	all, shiftable := []string{"--topic", orders}, []string{"--topic", orders + ":0,2"}
	for _, row := range []struct {
		scope, target  []string
		zero, one, two string // OLD NEW DELTA
		notes          string
	}{
		{all, []string{"--to-earliest"}, "5 3 -2", "- 0 -", "0 0 0", ""},
		{all, []string{"--to", "earliest"}, "5 3 -2", "- 0 -", "0 0 0", ""},
		{all, []string{"--to-latest"}, "5 10 +5", "- 4 -", "0 0 0", ""},
		{all, []string{"--to-latest=true"}, "5 10 +5", "- 4 -", "0 0 0", ""},
		{all, []string{"--to-current"}, "5 5 0", "- 4 -", "0 0 0",
			note(1, "no commit to keep, set to the end of the log, 4")},
		{all, []string{"--to-offset", "4"}, "5 4 -1", "- 4 -", "0 0 0", note(2, past, 4, 0)},
		{all, []string{"--to", "2"}, "5 3 -2", "- 2 -", "0 0 0",
			note(0, below, 2, 3) + note(2, past, 2, 0)},
		{shiftable, []string{"--shift-by", "2"}, "5 7 +2", "", "0 0 0", note(2, past, 2, 0)},
		{shiftable, []string{"--shift-by", "-1"}, "5 4 -1", "", "0 0 0", note(2, below, -1, 0)},
		{shiftable, []string{"--to", "-9"}, "5 3 -2", "", "0 0 0",
			note(0, below, -4, 3) + note(2, below, -9, 0)},
		{[]string{"--topic", orders + ":0"}, []string{"--to", "+1"}, "5 6 +1", "", "", ""},
		{[]string{"--all-topics"}, []string{"--to-earliest"}, "5 3 -2", "", "0 0 0", ""},
		{[]string{"--topic", orders + ":1", "--topic", orders + ":2"}, []string{"--to-earliest"},
			"", "- 0 -", "0 0 0", ""},
	} {
		t.Run(strings.Join(append(row.scope, row.target...), " "), func(t *testing.T) {
			want := "TOPIC PARTITION OLD NEW DELTA\n"
			for p, numbers := range []string{row.zero, row.one, row.two} {
				if numbers != "" {
					want += fmt.Sprintf("%s %d %s\n", orders, p, numbers)
				}
			}
			resetKitchen(t, append(row.scope, row.target...)...).want(t, 0, want, row.notes+dryRun)
		})
	}
	wide := []string{"--all-topics", "--to-latest", "--dry-run", "--no-headers", "-o", "wide"}
	resetKitchen(t, wide...).want(t, 0,
		"brew.orders.v1 0 5 10 +5 3 10\nbrew.orders.v1 2 0 0 0 0 0", dryRun)
	resetKitchen(t, "--topic", orders, "--shift-by", "1").want(t, 1, "",
		"error: topic brew.orders.v1, partition 1: group brew.kitchen-service has "+
			"no commit there that could be shifted; "+
			"name the other partitions, as in --topic brew.orders.v1:0,1, or take --to-offset")
	wantCommits(t, c, kitchen, orders, 5, -1, 0)
}

// With --execute the offsets are there, for several topics at once, and the next
// consumer begins at them.
func TestResetExecute(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 6)
	fill(t, c, "brew.clicks", 2, 2)
	commit(t, c, kitchen, orders, 6)
	resetKitchen(t, "--topic", orders, "--topic", "brew.clicks:1", "--to-offset", "2",
		"--execute", "-y").want(t, 0, `
TOPIC PARTITION OLD NEW DELTA
brew.clicks 1 - 2 -
brew.orders.v1 0 6 2 -4`, "these offsets of group brew.kitchen-service are committed")
	wantCommits(t, c, kitchen, orders, 2)
	wantCommits(t, c, kitchen, "brew.clicks", -1, 2)
	if epoch := c.GroupInfo(kitchen).Commits[orders][0].LeaderEpoch; epoch != -1 {
		t.Errorf("committed with leader epoch %d", epoch)
	}

	member := kafkatest.Client(t, c, kgo.ConsumerGroup(kitchen), kgo.ConsumeTopics(orders),
		kgo.DisableAutoCommit())
	first := member.PollFetches(kafkatest.Context(t)).Records()
	if len(first) == 0 || first[0].Offset != 2 {
		t.Errorf("the consumer began with %v", first)
	}
}

// at10 is when the first of the records of TestResetToTime was written.
var at10 = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func TestResetToTime(t *testing.T) {
	c := kafkatest.Start(t)
	if err := c.CreateTopic(orders, 2, nil); err != nil {
		t.Fatal(err)
	}
	cl := kafkatest.Client(t, c, kgo.RecordPartitioner(kgo.ManualPartitioner()))
	for _, at := range []time.Time{
		at10, at10.Add(time.Minute), time.Now().Add(-2 * time.Hour), time.Now().Add(-time.Minute),
	} {
		r := &kgo.Record{Topic: orders, Value: []byte("OrderPlaced"), Timestamp: at}
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		target []string
		want   int
	}{
		{[]string{"--to-datetime", "2026-03-01T09:00:00.000"}, 0},
		{[]string{"--to-datetime", "1969-12-31T23:59:59.999Z"}, 0},
		{[]string{"--to-datetime", "2026-03-01T10:00:00.000"}, 0},
		{[]string{"--to-datetime", "2026-03-01T10:00:00.001"}, 1},
		{[]string{"--to-datetime", "2026-03-01T15:45:00.001+05:45"}, 1},
		{[]string{"--to-datetime", "2026-03-01T10:01:00Z"}, 1},
		{[]string{"--to", "@2026-03-01T10:01:01Z"}, 2},
		{[]string{"--by-duration", "PT1H"}, 3},
		{[]string{"--to", "@-3h"}, 2},
		{[]string{"--by-duration", "P99999D"}, 0},
		{[]string{"--by-duration", "1s"}, 4}, // no record since: the end
	} {
		r := resetKitchen(t, append(row.target, "--topic", orders, "--no-headers")...)
		want := fmt.Sprintf("brew.orders.v1 0 - %d -\nbrew.orders.v1 1 - 0 -", row.want)
		if r.status != 0 || squeeze(r.stdout) != want {
			t.Errorf("%q: status %d, %s%s, want %s", row.target, r.status, r.stdout, r.stderr, want)
		}
		late := strings.Contains(r.stderr, "partition 0: no record since that time")
		if late != (row.want == 4) || !strings.Contains(r.stderr,
			"partition 1: no record since that time, set to the end of the log, 0\n") {
			t.Errorf("%q: %s", row.target, r.stderr)
		}
	}
	r := resetKitchen(t, "--topic", orders, "--to-datetime", "2026-03-01T13:00:00+03:00")
	if !strings.Contains(r.stderr, "note: the time is 2026-03-01T10:00:00.000Z\n") {
		t.Errorf("the time is not told: %s", r.stderr)
	}
}

// A group with members is left alone, of either kind, dry run or not.
func TestResetWithMembers(t *testing.T) {
	for name, opts := range map[string][]kgo.Opt{
		"classic": nil, "consumer": {kgo.ServerSideBalancer()},
	} {
		t.Run(name, func(t *testing.T) {
			c := kafkatest.Start(t)
			fill(t, c, orders, 3, 3)
			commit(t, c, kitchen, orders, 1, 2)
			join(t, c, kitchen, "kitchen-service-1", opts...)
			stable(t, c, kitchen, 1, 2)
			commits := c.Fault(kfake.Fault{
				Keys: []kmsg.Key{kmsg.OffsetCommit}, Count: -1, Observe: true,
			})
			for _, more := range [][]string{nil, {"--execute", "-y"}} {
				resetKitchen(t, append(more, "--topic", orders, "--to-earliest")...).want(t, 1, "",
					"error: group brew.kitchen-service is Stable with 1 member: client id "+
						"kitchen-service-1; stop it (Ctrl+C; if it was killed, wait for its session timeout) and try again")
			}
			r := resetKitchen(t, "--topic", orders, "--to-earliest", "-o", "json")
			code := at(t, object(t, r.stderr), "error", "code")
			if r.stdout != "" || code != "NON_EMPTY_GROUP" {
				t.Errorf("stdout %s, code %v", r.stdout, code)
			}
			if commits.Hits() > 0 {
				t.Errorf("%d commits were tried", commits.Hits())
			}
			wantCommits(t, c, kitchen, orders, 1, 2)
		})
	}
}

// Members that come between the plan and the commit: the broker refuses, and the error
// tells who they are.
func TestResetWhileMembersCome(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	commit(t, c, kitchen, orders, 1)
	ctx := kafkatest.Context(t)
	client, err := admin.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	target, err := admin.ParseTarget(admin.ToLatest, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := client.PlanReset(ctx, kitchen, nil, target)
	if err != nil {
		t.Fatal(err)
	}
	join(t, c, kitchen, "kitchen-service-1")
	stable(t, c, kitchen, 1, 1)
	err = client.CommitReset(ctx, plan)
	const want = "group brew.kitchen-service is Stable with 1 member: client id " +
		"kitchen-service-1; stop it (Ctrl+C; if it was killed, wait for its session timeout) and try again"
	if err == nil || err.Error() != want || plan.Executed {
		t.Errorf("executed %t: %v, want %s", plan.Executed, err, want)
	}
	wantCommits(t, c, kitchen, orders, 1)
}

// A group of the new kind stays one.
func TestResetServerSideGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	member := join(t, c, kitchen, "kitchen-service-1", kgo.ServerSideBalancer())
	stable(t, c, kitchen, 1, 2)
	member.Close()
	now := []string{"--execute", "-y", "--no-headers"}
	resetKitchen(t, append(now, "--topic", orders, "--to-offset", "2")...).want(t, 0,
		"brew.orders.v1 0 - 2 -\nbrew.orders.v1 1 - 2 -",
		"these offsets of group brew.kitchen-service are committed")
	resetKitchen(t, append(now, "--all-topics", "--shift-by", "-1")...).want(t, 0,
		"brew.orders.v1 0 2 1 -1\nbrew.orders.v1 1 2 1 -1",
		"these offsets of group brew.kitchen-service are committed")
	course(t, "group", "ls", "--no-headers").want(t, 0, "brew.kitchen-service Consumer Empty", "")
}

// A group that does not exist is made, and a slip of the finger is pointed out.
func TestResetNewGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	commit(t, c, kitchen, orders, 1)
	const note = "note: group brew.kitchn-service does not exist yet, these are its first " +
		"offsets (did you mean brew.kitchen-service? `course group ls` shows all)\n"
	args := strings.Fields("group reset-offsets brew.kitchn-service --to 2 --topic " + orders)
	const plan = "TOPIC PARTITION OLD NEW DELTA\nbrew.orders.v1 0 - 2 -"
	course(t, args...).want(t, 0, plan, note+dryRun)
	if c.GroupInfo("brew.kitchn-service") != nil {
		t.Error("a dry run made a group")
	}
	course(t, append(args, "--execute", "-y")...).want(t, 0, plan,
		note+"these offsets of group brew.kitchn-service are committed")
	wantCommits(t, c, "brew.kitchn-service", orders, 2)
	course(t, "group", "describe", "brew.kitchn-service", "--no-headers").want(t, 0,
		"brew.orders.v1 0 2 3 1 - - -",
		"Consumer group 'brew.kitchn-service' has no active members.")
}

// Without a group there is nothing to shift, and no topics to take from its commits. Naming
// the topics would make a second group of a misspelled name.
func TestResetOfNoGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	commit(t, c, kitchen, orders, 1)
	for _, args := range [][]string{
		{"--all-topics", "--to-latest"},
		{"--topic", orders, "--shift-by", "-1"},
		{"--topic", orders, "--to", "-1"},
	} {
		args = append([]string{"group", "reset-offsets", "brew.kitchn-service"}, args...)
		course(t, append(args, "--execute", "-y")...).want(t, 1, "",
			"error: no such group: brew.kitchn-service; did you mean brew.kitchen-service? "+
				"`course group ls` shows all")
	}
}

// What has no leader is not reset, and the way out is named.
func TestResetWithoutLeader(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	commit(t, c, kitchen, orders, 1, 1)
	c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.Metadata}, Topic: orders, Partitions: []int32{1},
		Err: kerr.LeaderNotAvailable, Count: -1,
	})
	r := resetKitchen(t, "--all-topics", "--to-latest")
	for _, want := range []string{
		"partition 1: LEADER_NOT_AVAILABLE", "--topic brew.orders.v1:P,P resets only the partitions",
	} {
		if r.status != 1 || !strings.Contains(r.stderr, want) {
			t.Errorf("status %d, %s\nwant %s", r.status, r.stderr, want)
		}
	}
	if r := resetKitchen(t, "--topic", orders+":0", "--to-latest"); r.status != 0 {
		t.Errorf("the other partition: %s", r.stderr)
	}
}

// On a fresh cluster, or after a broker has stopped, a group has no coordinator for a
// moment. That is waited for.
func TestResetWaitsForCoordinator(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	commit(t, c, kitchen, orders, 1)
	for _, f := range []kfake.Fault{
		{Keys: []kmsg.Key{kmsg.FindCoordinator}, Err: kerr.CoordinatorNotAvailable},
		{Keys: []kmsg.Key{kmsg.ConsumerGroupDescribe}, Err: kerr.CoordinatorLoadInProgress},
		{Keys: []kmsg.Key{kmsg.DescribeGroups}, Err: kerr.NotCoordinator},
	} {
		f.Group, f.Count = kitchen, 2
		fault := c.Fault(f)
		resetKitchen(t, "--topic", orders, "--to", "+0").want(t, 0,
			"TOPIC PARTITION OLD NEW DELTA\nbrew.orders.v1 0 1 1 0", dryRun)
		if fault.Hits() != 2 {
			t.Errorf("%s: %d of 2 faults were met", f.Err.Message, fault.Hits())
		}
		fault.Remove()
	}
}

// What does not exist is named, all of it, and nothing is changed.
func TestResetOfNothing(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	fill(t, c, "brew.clicks", 1)
	commit(t, c, kitchen, orders, 1, 1)
	resetKitchen(t, "--topic", "brew.click", "--topic", orders+":0,2,7", "--to-latest", "--execute",
		"-y").want(t, 1, "",
		"error: no such topic: brew.click; did you mean brew.clicks? `course topic ls` shows all\n"+
			"error: topic brew.orders.v1 has no partition 2; the number of its partitions is 2, "+
			"and they count from 0\n"+
			"error: topic brew.orders.v1 has no partition 7; the number of its partitions is 2, "+
			"and they count from 0")
	wantCommits(t, c, kitchen, orders, 1, 1)
	if c.TopicInfo("brew.click") != nil {
		t.Error("a topic appeared by being asked for")
	}
}

// A topic that is gone keeps no other from being reset by --all-topics.
func TestResetWithMissingTopic(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3)
	fill(t, c, "brew.gone", 1)
	commit(t, c, kitchen, orders, 1)
	commit(t, c, kitchen, "brew.gone", 1)
	c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.Metadata}, Topic: "brew.gone", Count: -1,
		Err: kerr.UnknownTopicOrPartition,
	})
	resetKitchen(t, "--all-topics", "--to-latest").want(t, 0,
		"TOPIC PARTITION OLD NEW DELTA\nbrew.orders.v1 0 1 3 +2",
		"note: topic brew.gone, which group brew.kitchen-service reads or has commits of, "+
			"does not exist\n"+dryRun)
}

func TestResetShareGroup(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	cl := kafkatest.Client(t, c, kgo.ShareGroup("brew.share"), kgo.ConsumeTopics(orders))
	go func() {
		for !cl.PollFetches(t.Context()).IsClientClosed() && t.Context().Err() == nil {
		}
	}()
	stable(t, c, "brew.share", 1, 1)
	cl.Close()
	_, err := c.WaitGroupInfo(kafkatest.Context(t), "brew.share", func(g *kfake.GroupInfo) bool {
		return g != nil && len(g.Members) == 0
	})
	if err != nil {
		t.Fatal(err)
	}
	r := course(t, "group", "reset-offsets", "brew.share", "--topic", orders, "--to-latest")
	r.want(t, 1, "", "error: group brew.share is of type share, which has no committed offsets; "+
		"see it with the official kafka-share-groups.sh")
}

// An error for one partition while planning means that nothing is changed at all.
func TestResetPlanErrors(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	commit(t, c, kitchen, orders, 1, 1)
	for name, f := range map[string]struct {
		fault kfake.Fault
		want  string
	}{
		"log": {kfake.Fault{
			Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: orders, Partitions: []int32{1},
			Err: kerr.TopicAuthorizationFailed,
		}, "topic brew.orders.v1, partition 1: TOPIC_AUTHORIZATION_FAILED"},
		"time": {kfake.Fault{
			Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: orders, Partitions: []int32{0},
			Err: kerr.TopicAuthorizationFailed,
			When: func(req kmsg.Request) bool {
				return req.(*kmsg.ListOffsetsRequest).Topics[0].Partitions[0].Timestamp >= 0
			},
		}, "topic brew.orders.v1, partition 0: TOPIC_AUTHORIZATION_FAILED"},
		"no leader": {kfake.Fault{
			Keys: []kmsg.Key{kmsg.Metadata}, Topic: orders, Partitions: []int32{0},
			Err: kerr.LeaderNotAvailable,
		}, "topic brew.orders.v1, partition 0: LEADER_NOT_AVAILABLE"},
		"commits": {kfake.Fault{
			Keys: []kmsg.Key{kmsg.OffsetFetch}, Group: kitchen,
			Err: kerr.GroupAuthorizationFailed,
		}, "offsets of group brew.kitchen-service: GROUP_AUTHORIZATION_FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			f.fault.Count = -1
			fault := c.Fault(f.fault)
			r := resetKitchen(t, "--topic", orders, "--by-duration", "1h", "--execute", "-y")
			fault.Remove()
			if r.status != 1 || r.stdout != "" || !strings.HasPrefix(r.stderr, "error: "+f.want) ||
				strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("status %d, stdout %s, stderr %s", r.status, r.stdout, r.stderr)
			}
			wantCommits(t, c, kitchen, orders, 1, 1)
		})
	}
}

// The broker's refusal stands inside the partition's result while the request succeeds;
// the other partition is committed, and JSON tells them apart.
func TestResetCommitErrors(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	commit(t, c, kitchen, orders, 1, 1)
	args := []string{"--topic", orders, "--to-latest", "--execute", "-y"}
	f := kfake.Fault{
		Keys: []kmsg.Key{kmsg.OffsetCommit}, Topic: orders, Partitions: []int32{1},
		Err: kerr.OffsetMetadataTooLarge, Count: -1,
	}
	fault := c.Fault(f)
	want := "error: topic brew.orders.v1, partition 1: " + kerr.OffsetMetadataTooLarge.Error()
	resetKitchen(t, args...).want(t, 1,
		"TOPIC PARTITION OLD NEW DELTA\nbrew.orders.v1 0 1 3 +2\nbrew.orders.v1 1 1 3 +2", want)
	wantCommits(t, c, kitchen, orders, 3, 1)
	doc := object(t, resetKitchen(t, append(args, "-o", "json")...).stdout)
	for _, c := range []struct {
		want any
		path []any
	}{
		{false, []any{"executed"}},
		{true, []any{"partitions", 0, "committed"}},
		{nil, []any{"partitions", 0, "error"}},
		{false, []any{"partitions", 1, "committed"}},
		{"OFFSET_METADATA_TOO_LARGE", []any{"partitions", 1, "error"}},
	} {
		if got := at(t, doc, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	fault.Remove()

	f.Partitions, f.Err = nil, kerr.GroupAuthorizationFailed
	fault = c.Fault(f)
	r := resetKitchen(t, args...)
	if r.status != 1 || strings.Count(r.stderr, "GROUP_AUTHORIZATION_FAILED") != 2 {
		t.Errorf("all refused: status %d, %s", r.status, r.stderr)
	}
	fault.Remove()

	// Not even an answer: whether it was committed is not known.
	c.ControlKey(int16(kmsg.OffsetCommit), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return nil, fmt.Errorf("the connection is cut"), true
	})
	r = resetKitchen(t, args...)
	if r.status != 1 || !strings.HasPrefix(r.stderr, "error: offsets of group "+kitchen+": ") ||
		!strings.Contains(r.stderr, "`course group describe` shows what is committed") {
		t.Errorf("status %d, stderr %s", r.status, r.stderr)
	}
}

// A commit that is acknowledged and not there is an error: somebody else commits too.
func TestResetIsReadBack(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	commit(t, c, kitchen, orders, 1, -1)
	c.ControlKey(int16(kmsg.OffsetCommit), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		req := r.(*kmsg.OffsetCommitRequest)
		resp := req.ResponseKind().(*kmsg.OffsetCommitResponse)
		for _, t := range req.Topics {
			rt := kmsg.NewOffsetCommitResponseTopic()
			rt.Topic, rt.TopicID = t.Topic, t.TopicID
			for _, p := range t.Partitions {
				rp := kmsg.NewOffsetCommitResponseTopicPartition()
				rp.Partition = p.Partition
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	})
	r := resetKitchen(t, "--topic", orders, "--to-latest", "--execute", "-y", "-o", "json")
	if got := at(t, object(t, r.stdout), "executed"); r.status != 1 || got != false {
		t.Errorf("status %d, executed %v", r.status, got)
	}
	resetKitchen(t, "--topic", orders, "--to-latest", "--execute", "-y", "--no-headers").want(t, 1,
		"brew.orders.v1 0 1 3 +2\nbrew.orders.v1 1 - 3 -",
		"error: topic brew.orders.v1, partition 0: 3 was committed for group "+kitchen+
			", and 1 is read back; see whether somebody else commits for this group\n"+
			"error: topic brew.orders.v1, partition 1: 3 was committed for group "+kitchen+
			", and - is read back; see whether somebody else commits for this group")
}

func TestResetJSON(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 3, 3)
	commit(t, c, kitchen, orders, 1)
	const head = `{
  "version": 1,
  "kind": "group.reset-offsets",
  "group": "brew.kitchen-service",
  "new_group": false,
  "executed": %[1]t,
  "time": null,
  "partitions": [
    {
      "topic": "brew.orders.v1",
      "partition": 0,
      "old": 1,
      "new": 3,
      "delta": 2,
      "log_start_offset": 0,
      "log_end_offset": 3,
      "note": "ABOVE_LOG_END",
      "committed": %[1]t,
      "error": null
    },
    {
      "topic": "brew.orders.v1",
      "partition": 1,
      "old": null,
      "new": 3,
      "delta": null,
      "log_start_offset": 0,
      "log_end_offset": 3,
      "note": "ABOVE_LOG_END",
      "committed": %[1]t,
      "error": null
    }
  ],
  "missing_topics": []
}`
	args := []string{"--topic", orders, "--to-offset", "9", "-o", "json"}
	resetKitchen(t, args...).want(t, 0, fmt.Sprintf(head, false), "")
	wantCommits(t, c, kitchen, orders, 1, -1)
	resetKitchen(t, append(args, "--execute", "-y")...).want(t, 0, fmt.Sprintf(head, true), "")
	wantCommits(t, c, kitchen, orders, 3, 3)

	doc := object(t, course(t, "group", "reset-offsets", "brew.new", "--topic", orders,
		"--to-datetime", "2026-03-01T10:00:00.000", "-o", "json").stdout)
	for _, c := range []struct {
		want any
		path []any
	}{
		{true, []any{"new_group"}},
		{"2026-03-01T10:00:00.000Z", []any{"time"}},
		{json.Number("0"), []any{"partitions", 1, "new"}},
		{nil, []any{"partitions", 1, "note"}},
	} {
		if got := at(t, doc, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	for want, args := range map[string][]string{
		"UNKNOWN_TOPIC_OR_PARTITION": {"--topic", "brew.nothing", "--to-latest"},
		"UNKNOWN_PARTITION":          {"--topic", orders + ":9", "--to-latest"},
		"GROUP_ID_NOT_FOUND":         {"--topic", orders + ":0", "--shift-by", "1"},
		"USAGE":                      {"--topic", orders, "--shift-by", "x"},
	} {
		args = append(args, "-o", "json")
		r := course(t, append([]string{"group", "reset-offsets", "brew.new"}, args...)...)
		code := at(t, object(t, r.stderr), "error", "code")
		if code != want || r.stdout != "" || r.status == 0 {
			t.Errorf("%v: status %d, code %v, stdout %s", args, r.status, code, r.stdout)
		}
	}
}

// Names that play tricks, in each place where a name is printed.
func TestResetHostileNames(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	for _, name := range hostile {
		if name == "" {
			continue // refused as no name at all
		}
		for _, format := range []string{"text", "json"} {
			r := course(t, "group", "reset-offsets", name, "--topic", orders, "--to-latest",
				"--execute", "-y", "-o", format)
			if r.status != 0 {
				t.Errorf("%q: status %d, stderr %s", name, r.status, r.stderr)
			}
			for _, args := range [][]string{
				{"--topic", name, "--to-latest"}, {"--topic", orders + ":" + name, "--to-latest"},
				{"--topic", orders, "--to", name}, {"--topic", orders, "--to-datetime", name},
			} {
				r = resetKitchen(t, append(args, "-o", format)...)
				if r.status != 2 || r.stdout != "" {
					t.Errorf("%q: status %d, stdout %s", args, r.status, r.stdout)
				}
			}
		}
	}
}

func TestResetWrongUsage(t *testing.T) {
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1") // nobody listens there, and nobody is asked
	for _, row := range []struct{ args, want string }{
		{"", "name a group"},
		{"GROUP", "say where to, by one of: --to-earliest, --to-latest, "},
		{"GROUP x --to-latest", "unexpected argument x"},
		{"GROUP --to-latest --to-earliest TOPIC", "say where to"},
		{"GROUP --to-latest=false TOPIC", "say where to"},
		{"GROUP --to-latest", "say which partitions"},
		{"GROUP --to-latest --all-topics TOPIC", "say which partitions"},
		{"GROUP --to-latest --execute TOPIC", "add -y to commit"},
		{"GROUP --to-latest --execute --dry-run TOPIC", "opposites"},
		{"GROUP --to-offset -1 TOPIC", "--to-offset cannot be -1"},
		{"GROUP --shift-by x TOPIC", "--shift-by cannot be x"},
		{"GROUP --to-datetime noon TOPIC", "--to-datetime cannot be noon"},
		{"GROUP --by-duration P1W TOPIC", "--by-duration cannot be P1W"},
		{"GROUP --to= TOPIC", "--to cannot be <empty>"},
		{"GROUP --to-latest --topic ../x", "a name has 1 to 249"},
		{"GROUP --to-latest --topic x:a", "--topic cannot be x:a"},
		{"GROUP --to-latest -o yaml TOPIC", "text, wide or json"},
	} {
		line := strings.NewReplacer("GROUP", kitchen, "TOPIC", "--topic "+orders).Replace(row.args)
		r := course(t, append([]string{"group", "reset-offsets"}, strings.Fields(line)...)...)
		if r.status != 2 || r.stdout != "" || !strings.HasPrefix(r.stderr, "error: ") ||
			!strings.Contains(r.stderr, row.want) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", line, r.status, r.stdout, r.stderr)
		}
	}
	r := course(t, "group", "reset-offsets", "", "--to-latest", "--all-topics")
	if r.status != 2 || !strings.Contains(r.stderr, "a group needs a name") {
		t.Errorf("status %d, stderr %q", r.status, r.stderr)
	}
}

func TestResetExplain(t *testing.T) {
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1")
	for args, want := range map[string]string{
		"--topic b --topic a:0,2 --to-earliest": "--topic a:0,2 --topic b --to-earliest --dry-run",
		"--all-topics --to-latest --execute":    "--all-topics --to-latest --execute",
		"--all-topics --to +5":                  "--all-topics --shift-by 5 --dry-run",
		"--all-topics --to -5":                  "--all-topics --shift-by -5 --dry-run",
		"--all-topics --to 42":                  "--all-topics --to-offset 42 --dry-run",
		"--all-topics --to @-90m":               "--all-topics --by-duration PT1H30M --dry-run",
		"--all-topics --to @2026-03-01T13:00:00+03:00": "--all-topics " +
			"--to-datetime 2026-03-01T10:00:00.000Z --dry-run",
	} {
		resetKitchen(t, append(strings.Fields(args), "--explain")...).want(t, 0,
			"kafka-consumer-groups.sh --bootstrap-server 127.0.0.1:1 --reset-offsets "+
				"--group brew.kitchen-service "+want, "")
	}
}

func TestResetCompletion(t *testing.T) {
	c := kafkatest.Start(t)
	fill(t, c, orders, 1)
	commit(t, c, kitchen, orders, 1)
	for _, row := range []struct{ args, want []string }{
		{[]string{""}, []string{kitchen}},
		{[]string{kitchen, ""}, nil},
		{[]string{kitchen, "--topic", "brew."}, []string{orders}},
		{[]string{kitchen, "--to", ""}, []string{"earliest", "latest", "current"}},
	} {
		r := course(t, append([]string{"__complete", "group", "reset-offsets"}, row.args...)...)
		lines := strings.Fields(r.stdout)
		if len(lines) == 0 || !slices.Equal(lines[:len(lines)-1], row.want) {
			t.Errorf("%q offers %q, want %q", row.args, lines, row.want)
		}
	}
}
