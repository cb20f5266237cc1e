//go:build unix

package foreign

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// spot is a place in a topic.
type spot struct {
	Partition int32 `json:"partition"`
	Offset    int64 `json:"offset"`
}

// event is a line of a verifiable tool.
type event struct {
	spot
	Name      string `json:"name"`
	Value     string `json:"value"`
	Exception string `json:"exception"`
	Success   bool   `json:"success"`
	Offsets   []spot `json:"offsets"`
	Sent      int    `json:"sent"`
	Acked     int    `json:"acked"`
}

// verifiable is a running verifiable tool.
type verifiable struct {
	t      *testing.T
	cmd    *exec.Cmd
	stderr kafkatest.Buffer
	read   chan struct{} // closed at the end of its output

	mu     sync.Mutex
	events map[string]int  // by name
	stray  []string        // lines that are no events
	acked  map[string]spot // by value
	refuse map[string]string
	seen   map[string]int  // how often a value was delivered
	commit map[int32]int64 // the highest acknowledged commit of a partition
	total  event           // the producer's own sums
}

// startVerifiable starts a verifiable tool and follows what it prints.
func (p *place) startVerifiable(class string, args ...string) *verifiable {
	p.t.Helper()
	v := &verifiable{
		t: p.t, read: make(chan struct{}), events: map[string]int{}, acked: map[string]spot{},
		refuse: map[string]string{}, seen: map[string]int{}, commit: map[int32]int64{},
	}
	args = append([]string{"--bootstrap-server", p.bootstrap()}, args...)
	v.cmd = java(p.t, class, args...)
	v.cmd.Stderr = &v.stderr
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := v.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go v.follow(out)
	p.t.Cleanup(func() {
		if v.cmd.ProcessState == nil { // the test has failed before it ended the tool
			_ = v.cmd.Process.Kill()
			<-v.read
			_ = v.cmd.Wait()
		}
		if p.t.Failed() {
			p.t.Logf("%s: %v, %v\n%s", class, v.events, v.reasons(), tail(v.stderr.String(), 30))
		}
	})
	return v
}

func (v *verifiable) follow(out io.Reader) {
	defer close(v.read)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var e event
		err := json.Unmarshal(lines.Bytes(), &e)
		v.mu.Lock()
		if err != nil {
			v.stray = append(v.stray, lines.Text())
		} else {
			v.note(e)
		}
		v.mu.Unlock()
	}
}

func (v *verifiable) note(e event) {
	v.events[e.Name]++
	switch e.Name {
	case "producer_send_success":
		v.acked[e.Value] = e.spot
	case "producer_send_error":
		v.refuse[e.Value] = e.Exception
	case "tool_data":
		v.total = e
	case "record_data":
		v.seen[e.Value]++
	case "offsets_committed":
		for _, o := range e.Offsets {
			if e.Success {
				v.commit[o.Partition] = max(v.commit[o.Partition], o.Offset)
			}
		}
	}
}

// reasons counts the refused records by what the producer was told.
func (v *verifiable) reasons() map[string]int {
	n := map[string]int{}
	for _, why := range v.refuse {
		n[why]++
	}
	return n
}

// await returns when done, which may look at what the tool has printed, says so. The tool
// must still run.
func (v *verifiable) await(what string, done func() bool) {
	v.t.Helper()
	kafkatest.Eventually(v.t, what, func() bool {
		select {
		case <-v.read:
			v.t.Fatalf("the tool has ended while the test awaits: %s", what)
		default:
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		return done()
	})
}

// end stops the tool as Ctrl+C does, and awaits its last words.
func (v *verifiable) end() {
	v.t.Helper()
	if err := v.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		v.t.Fatal(err)
	}
	select {
	case <-v.read:
	case <-time.After(kafkatest.Deadline):
		v.t.Fatal("the tool does not end")
	}
	_ = v.cmd.Wait() // a Java program that got a signal ends with 143
	if code := v.cmd.ProcessState.ExitCode(); code != 143 {
		v.t.Errorf("the tool ends with %d", code)
	}
	if v.events["shutdown_complete"] != 1 {
		v.t.Errorf("no clean shutdown: %v", v.events)
	}
	if len(v.stray) > 0 {
		v.t.Errorf("the tool printed more than events: %q", v.stray[:min(5, len(v.stray))])
	}
}

// trial is a producer and a consumer at work while the stand ends again and again.
type trial struct {
	protocol string
	times    int
	again    func(*place)
}

// kfake forgets on a kill -9 who was in a group. The classic protocol's member joins again;
// Java's member of the newer protocol is told that it is unknown as it asks for offsets,
// and gives up. So that one gets restarts that keep the membership.
var trials = []trial{
	{"classic", 20, (*place).kill},
	{"consumer", 6, (*place).restart},
}

// What the official producer was told is stored stays stored where it was, and the official
// consumer gets all of it, whatever happens to the stand.
func TestVerifiable(t *testing.T) {
	needKafka(t)
	t.Parallel()
	for _, tr := range trials {
		t.Run(tr.protocol, func(t *testing.T) {
			t.Parallel()
			tr.run(t)
		})
	}
}

func (tr trial) run(t *testing.T) {
	const topic, group = "orders", "readers"
	const rate, more = "2000", 300 // records a second; acknowledgements between two ends
	p := newPlace(t)
	p.course(0, "topic", "create", topic, "--partitions", "3")
	config := filepath.Join(t.TempDir(), "client.properties")
	// The producer's default here would be no retry, hence no idempotence. Both try again
	// at once: a stand is back within a tenth of a second. What kfake does not take any more
	// after a kill is given up in time, and is refused then.
	text := "retries=2147483647\nenable.idempotence=true\n" +
		"request.timeout.ms=5000\ndelivery.timeout.ms=20000\n" +
		"reconnect.backoff.ms=20\nreconnect.backoff.max.ms=100\nretry.backoff.ms=20\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := p.startVerifiable("VerifiableConsumer", "--topic", topic, "--group-id", group,
		"--group-protocol", tr.protocol, "--verbose", "--command-config", config)
	w := p.startVerifiable("VerifiableProducer", "--topic", topic, "--throughput", rate,
		"--acks", "-1", "--repeating-keys", "100", "--command-config", config)
	acked := 0
	for range tr.times {
		w.await("more acknowledgements", func() bool { return len(w.acked) >= acked+more })
		w.mu.Lock()
		acked = len(w.acked)
		w.mu.Unlock()
		tr.again(p)
	}
	w.await("acknowledgements at the end", func() bool { return len(w.acked) >= acked+more })
	w.end()
	c.await("all acknowledged records", func() bool {
		for value := range w.acked {
			if c.seen[value] == 0 {
				return false
			}
		}
		return true
	})
	c.end()
	w.judge(p.log(topic))
	repeats := 0
	for value, n := range c.seen {
		repeats += n - 1
		if at, err := strconv.Atoi(value); err != nil || at >= w.total.Sent {
			t.Errorf("a record was delivered that nobody sent: %q", value)
		}
	}
	for partition, at := range p.committed(group, topic) {
		if at < c.commit[partition] {
			t.Errorf("partition %d: the commit of %d was acknowledged, and it is %d", partition,
				c.commit[partition], at)
		}
	}
	t.Logf("%d times ended: %d delivered, %d of them again, %d commits", tr.times,
		len(c.seen), repeats, c.events["offsets_committed"])
}

// judge compares what the producer knows with the log. There are three kinds of record:
// acknowledged, refused, and unknown, which has no outcome; only the first must be there.
func (v *verifiable) judge(log map[string][]spot) {
	t := v.t
	t.Helper()
	for value, at := range v.acked {
		if !slices.Contains(log[value], at) {
			t.Errorf("record %s was acknowledged at %v and is at %v", value, at, log[value])
		}
	}
	for value, why := range v.refuse {
		if _, both := v.acked[value]; both {
			t.Errorf("record %s is both acknowledged and refused: %s", value, why)
		}
	}
	stored, double := 0, 0
	for value, at := range log {
		double += len(at) - 1
		if n, err := strconv.Atoi(value); err != nil || n >= v.total.Sent {
			t.Errorf("a record is in the log that nobody sent: %q", value)
		}
		if _, ok := v.acked[value]; !ok {
			stored++
		}
	}
	if v.total.Acked != len(v.acked) {
		t.Errorf("the tool counts %d acknowledged, its lines %d", v.total.Acked, len(v.acked))
	}
	unknown := v.total.Sent - len(v.acked) - len(v.refuse)
	if unknown != 0 {
		t.Errorf("%d records have no outcome although the producer has closed", unknown)
	}
	t.Logf("%d sent: %d acknowledged, %d refused %v, %d unknown; in the log %d that are not "+
		"acknowledged, %d twice", v.total.Sent, len(v.acked), len(v.refuse), v.reasons(),
		unknown, stored, double)
}

// log reads a topic to its end, and returns where each value is.
func (p *place) log(topic string) map[string][]spot {
	p.t.Helper()
	ends, err := kadm.NewClient(p.client()).ListEndOffsets(kafkatest.Context(p.t), topic)
	if err != nil {
		p.t.Fatal(err)
	}
	cl := p.client(kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	left := 0
	ends.Each(func(o kadm.ListedOffset) { left += int(o.Offset) })
	at := map[string][]spot{}
	for left > 0 {
		fetches := cl.PollFetches(kafkatest.Context(p.t))
		if err := fetches.Err(); err != nil {
			p.t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			at[string(r.Value)] = append(at[string(r.Value)], spot{r.Partition, r.Offset})
			left--
		})
	}
	return at
}

// committed returns the offsets that a group has committed.
func (p *place) committed(group, topic string) map[int32]int64 {
	p.t.Helper()
	offsets, err := kadm.NewClient(p.client()).FetchOffsets(kafkatest.Context(p.t), group)
	if err != nil {
		p.t.Fatal(err)
	}
	at := map[int32]int64{}
	for partition, o := range offsets[topic] {
		at[partition] = o.At
	}
	if len(at) == 0 {
		p.t.Fatal(fmt.Errorf("group %s has committed nothing", group))
	}
	return at
}
