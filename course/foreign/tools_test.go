//go:build unix

package foreign

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// The classes behind kafka-topics, kafka-consumer-groups and so on.
const (
	topicsTool   = "TopicCommand"
	groupsTool   = "consumer.group.ConsumerGroupCommand"
	producerTool = "ConsoleProducer"
	consumerTool = "consumer.ConsoleConsumer"
	offsetsTool  = "GetOffsetShell"
)

func TestTopicsTool(t *testing.T) {
	needKafka(t)
	t.Parallel()
	p := newPlace(t)
	p.java(0, "", topicsTool, "--create", "--topic", "orders", "--partitions", "3",
		"--replication-factor", "3", "--config", "retention.ms=60000").
		has(t, "Created topic orders.")
	p.java(1, "", topicsTool, "--create", "--topic", "orders").
		has(t, "Topic with this name already exists.")
	p.java(0, "", topicsTool, "--create", "--topic", "plain").has(t, "Created topic plain.")
	all := p.java(0, "", topicsTool, "--list")
	if all.stdout != "orders\nplain\n" {
		t.Errorf("the list: %v", all)
	}
	described := p.java(0, "", topicsTool, "--describe", "--topic", "orders")
	described.has(t, "PartitionCount: 3\tReplicationFactor: 3", "min.insync.replicas=2",
		"retention.ms=60000")
	if n := strings.Count(described.stdout, "\tTopic: orders\tPartition: "); n != 3 {
		t.Errorf("%d partitions are described: %v", n, described)
	}
	// What is not said is the stand's to say.
	p.java(0, "", topicsTool, "--describe", "--topic", "plain").
		has(t, "PartitionCount: 1\tReplicationFactor: 3")
	p.java(1, "", topicsTool, "--describe", "--topic", "nothing").
		has(t, "Topic 'nothing' does not exist as expected")
	p.java(0, "", topicsTool, "--delete", "--topic", "orders")
	if all := p.java(0, "", topicsTool, "--list"); all.stdout != "plain\n" {
		t.Errorf("the list after a delete: %v", all)
	}
	p.java(1, "", topicsTool, "--delete", "--topic", "orders").
		has(t, "Topic 'orders' does not exist as expected")
}

// The console tools have new names for --property; the old one still works, with a warning.
func TestConsoleTools(t *testing.T) {
	needKafka(t)
	t.Parallel()
	p := newPlace(t)
	p.course(0, "topic", "create", "orders", "--partitions", "3")
	written := p.java(0, "a:latte\nb:mocha\nc:чай\n", producerTool, "--topic", "orders",
		"--reader-property", "parse.key=true", "--reader-property", "key.separator=:")
	if written.stdout+written.stderr != "" {
		t.Errorf("the producer says something: %v", written)
	}
	p.java(0, "d:tea\n", producerTool, "--topic", "orders",
		"--property", "parse.key=true", "--property", "key.separator=:").
		has(t, "Warning: --property is deprecated and will be removed in a future version. "+
			"Use --reader-property instead.")
	args := []string{"--topic", "orders", "--from-beginning", "--max-messages", "4"}
	read := p.java(0, "", consumerTool, append(args, "--group", "new",
		"--formatter-property", "print.key=true", "--formatter-property", "print.offset=true")...)
	read.has(t, "Processed a total of 4 messages")
	if strings.Contains(read.stderr, "deprecated") {
		t.Errorf("it warns of something: %v", read)
	}
	var want []string
	for at, records := range p.log("orders") {
		want = append(want, at)
		if len(records) != 1 {
			t.Errorf("%q is in the log at %v", at, records)
		}
	}
	var got []string
	for line := range strings.Lines(read.stdout) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 || !strings.HasPrefix(fields[0], "Offset:") {
			t.Errorf("offset, key and value wanted: %q", line)
		}
		got = append(got, fields[len(fields)-1])
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("read %q, in the log is %q", got, want)
	}
	old := p.java(0, "", consumerTool, append(args, "--group", "old",
		"--property", "print.key=true")...)
	sameLines(t, old, []string{"Option --property is deprecated and will be removed in a " +
		"future version. Use --formatter-property instead.", // among the records, on stdout
		"a\tlatte", "b\tmocha", "c\tчай", "d\ttea"})

	ends := p.java(0, "", offsetsTool, "--topic", "orders")
	starts := p.java(0, "", offsetsTool, "--topic", "orders", "--time", "earliest")
	sameLines(t, starts, []string{"orders:0:0", "orders:1:0", "orders:2:0"})
	sum := 0
	for line := range strings.Lines(ends.stdout) {
		fields := strings.Split(strings.TrimSpace(line), ":")
		sum += int(fields[len(fields)-1][0] - '0')
	}
	if sum != 4 || strings.Count(ends.stdout, "\n") != 3 {
		t.Errorf("four records are in three partitions: %v", ends)
	}
}

// kafka-consumer-groups ends with 0 on an error, too: only what it prints counts.
func TestGroupsTool(t *testing.T) {
	needKafka(t)
	t.Parallel()
	p := newPlace(t)
	p.course(0, "topic", "create", "orders", "--partitions", "4")
	// One partition stays empty, and its commit with it.
	p.fill("orders", 3)
	p.java(0, "", groupsTool, "--describe", "--group", "classic").
		has(t, "GroupIdNotFoundException")
	for _, protocol := range []string{"classic", "consumer"} {
		c := p.startVerifiable("VerifiableConsumer", "--topic", "orders", "--group-id", protocol,
			"--group-protocol", protocol, "--verbose")
		c.await("commits of all that is there", func() bool {
			return len(c.commit) >= 3 && c.commit[0]+c.commit[1]+c.commit[2] == 30
		})
		p.sameState(protocol, 1)
		if protocol == "classic" {
			p.sameOffsets(protocol, 4)
		} else {
			// The stand describes members of this protocol by the topics' ids alone; Kafka
			// names the topics, too, and the official tool needs that.
			p.java(0, "", groupsTool, "--describe", "--group", protocol).
				has(t, "The given topic name '' cannot be represented")
		}
		c.end()
		p.sameState(protocol, 0)
		p.sameOffsets(protocol, 3)
	}
	sameLines(t, p.java(0, "", groupsTool, "--list"), []string{"classic", "consumer"})
	list := p.java(0, "", groupsTool, "--list", "--state", "--type")
	ours := p.course(0, "group", "ls")
	if got, want := rows(ours.stdout, "GROUP"), rows(list.stdout, "GROUP"); !maps.EqualFunc(
		got, want, func(a, b map[string]string) bool { return maps.Equal(a, b) }) {
		t.Errorf("%v\n%v", ours, list)
	}

	reset := []string{"--reset-offsets", "--group", "classic", "--topic", "orders",
		"--to-offset", "4"}
	for _, do := range []string{"--dry-run", "--execute"} {
		before := p.committed("classic", "orders")
		said := rows(p.java(0, "", groupsTool, append(reset, do)...).stdout, "TOPIC", "PARTITION")
		if len(said) != 4 || said["orders 1"]["NEW-OFFSET"] != "4" {
			t.Errorf("%s says %v", do, said)
		}
		if after := p.committed("classic", "orders"); do == "--dry-run" {
			if !maps.Equal(before, after) {
				t.Errorf("a dry run changes %v to %v", before, after)
			}
		} else if want := (map[int32]int64{0: 4, 1: 4, 2: 4, 3: 0}); !maps.Equal(after, want) {
			t.Errorf("the reset commits %v, want %v", after, want)
		}
	}
	p.sameOffsets("classic", 4)
	p.java(0, "", groupsTool, "--delete", "--group", "classic").
		has(t, "Deletion of requested consumer groups ('classic') was successful.")
	p.java(0, "", groupsTool, "--delete", "--group", "classic").
		has(t, "Group 'classic' could not be deleted", "GroupIdNotFoundException")
	p.course(0, "group", "ls").has(t, "consumer")
}

// rows reads a table: its rows by the columns that tell them apart, each one by the heads.
func rows(text string, keys ...string) map[string]map[string]string {
	// The one head of two words, and the value below it.
	text = strings.ReplaceAll(text, "COORDINATOR (ID)", "COORDINATOR(ID)")
	found := map[string]map[string]string{}
	var head []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case slices.Contains(fields, keys[len(keys)-1]):
			head = fields
		case len(fields) == 0:
			head = nil
		case head != nil:
			if i := slices.Index(head, "COORDINATOR(ID)"); i >= 0 && len(fields) > len(head) {
				fields = slices.Replace(fields, i, i+2, fields[i]+fields[i+1])
			}
			row := map[string]string{}
			for i, name := range head[:min(len(head), len(fields))] {
				row[name] = fields[i]
			}
			var key []string
			for _, name := range keys {
				key = append(key, row[name])
			}
			found[strings.Join(key, " ")] = row
		}
	}
	return found
}

// sameState compares the line of `course group describe` about the group as a whole with the
// official tool's, column by column.
func (p *place) sameState(group string, members int) {
	p.t.Helper()
	state := p.java(0, "", groupsTool, "--describe", "--group", group, "--state")
	official := rows(state.stdout, "GROUP")
	for _, format := range []string{"text", "wide"} {
		ours := p.course(0, "group", "describe", group, "-o", format)
		summary, _, _ := strings.Cut(ours.stdout, "\n\n")
		row := rows(summary, "GROUP")
		p.sameCells(row, official, 5)
		if row[group]["#MEMBERS"] != strconv.Itoa(members) {
			p.t.Errorf("%d members wanted", members)
		}
		if p.t.Failed() {
			p.t.Fatalf("they differ:\n%v\n%v", ours, state)
		}
	}
}

// sameOffsets compares the rows of the partitions. Ours has all four; the official tool those
// of a member or with a commit, which are n.
func (p *place) sameOffsets(group string, n int) {
	p.t.Helper()
	verbose := p.java(0, "", groupsTool, "--describe", "--group", group, "--verbose")
	official := rows(verbose.stdout, "TOPIC", "PARTITION")
	// Ours has the group in a table of its own, and the epoch in the wide form.
	for format, columns := range map[string]int{"text": 8, "wide": 9} {
		ours := p.course(0, "group", "describe", group, "-o", format)
		all := rows(ours.stdout, "TOPIC", "PARTITION")
		if len(all) != 4 || len(official) != n {
			p.t.Errorf("%d and %d rows, want 4 and %d", len(all), len(official), n)
		}
		p.sameCells(all, official, columns)
		if p.t.Failed() {
			p.t.Fatalf("they differ:\n%v\n%v", ours, verbose)
		}
	}
}

// sameCells compares the rows of the official table with ours, which have so many columns
// in common.
func (p *place) sameCells(ours, theirs map[string]map[string]string, columns int) {
	p.t.Helper()
	if len(theirs) == 0 {
		p.t.Error("the official tool shows no row")
	}
	for key := range theirs {
		row := ours[key]
		common := 0
		for name, cell := range row {
			want, ok := theirs[key][name]
			if !ok {
				continue
			}
			common++
			if name == "HOST" {
				want, _, _ = strings.Cut(want, ":") // the stand adds the client's port
			}
			if name == "LAG" && row["CURRENT-OFFSET"] == "-" {
				// Without a commit all of the log is to be read; the official tool says "-".
				want = row["LOG-END-OFFSET"]
			}
			if cell != want {
				p.t.Errorf("%s, %s: ours is %q, the official %q", key, name, cell, want)
			}
		}
		if common != columns {
			p.t.Errorf("%s: %d common columns, want %d: %v, %v", key, common, columns, row,
				theirs[key])
		}
	}
}

// fill writes ten records into each of the first partitions of a topic.
func (p *place) fill(topic string, partitions int) {
	p.t.Helper()
	cl := p.client(kgo.RecordPartitioner(kgo.ManualPartitioner()))
	for i := range 10 * partitions {
		r := &kgo.Record{Topic: topic, Partition: int32(i % partitions), Value: []byte("x")}
		if err := cl.ProduceSync(kafkatest.Context(p.t), r).FirstErr(); err != nil {
			p.t.Fatal(err)
		}
	}
}
