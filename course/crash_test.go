//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// ledger is what a producer knows about its records, which bear numbers.
type ledger struct {
	mu    sync.Mutex
	acked map[string]int64 // number -> offset
	lost  []error          // refused records, which need not be there
	grown chan struct{}    // gets a value now and then as acked grows
}

func newLedger() *ledger {
	return &ledger{acked: map[string]int64{}, grown: make(chan struct{}, 1)}
}

func (l *ledger) note(r *kgo.Record, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.lost = append(l.lost, err)
		return
	}
	l.acked[string(r.Value)] = r.Offset
	select {
	case l.grown <- struct{}{}:
	default:
	}
}

func (l *ledger) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acked)
}

// await returns when n records have been acknowledged.
func (l *ledger) await(t *testing.T, n int) {
	t.Helper()
	late := time.After(kafkatest.Deadline)
	for l.len() < n {
		select {
		case <-l.grown:
		case <-late:
			t.Fatalf("no %d acknowledgements within %s: %d", n, kafkatest.Deadline, l.len())
		}
	}
}

// check reads the topic's one partition and looks for each acknowledged record at the
// offset that was acknowledged. It may be there a second time: kfake forgets after a kill
// -9 which sequence numbers of an idempotent producer it has seen.
func (l *ledger) check(t *testing.T, p *place, topic string) {
	t.Helper()
	ends, err := kadm.NewClient(p.client()).ListEndOffsets(kafkatest.Context(t), topic)
	if err != nil {
		t.Fatal(err)
	}
	end, _ := ends.Lookup(topic, 0)
	reader := p.client(kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{
		topic: {0: kgo.NewOffset().AtStart()},
	}))
	there, next := map[string][]int64{}, int64(0)
	for next < end.Offset {
		fetches := reader.PollFetches(kafkatest.Context(t))
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			there[string(r.Value)] = append(there[string(r.Value)], r.Offset)
			next = r.Offset + 1
		})
	}
	for number, offset := range l.acked {
		if at := there[number]; !slices.Contains(at, offset) {
			t.Errorf("record %s was acknowledged at %d and is at %d", number, offset, at)
		}
	}
	t.Logf("%d acknowledged, %d refused, %d in the log", len(l.acked), len(l.lost), end.Offset)
}

// Kill the stand twenty times while a producer and a committer are at work: what was
// acknowledged is there afterwards, the offset that was committed too.
func TestKillLosesNothing(t *testing.T) {
	t.Parallel()
	const topic, group = "orders", "readers"
	const kills, atOnce, acks = 20, 200, 50
	p := newPlace(t)
	p.up()
	produce(t, p, topic, 0)
	l := newLedger()
	writer := p.client(kgo.DefaultProduceTopic(topic), kgo.ProducerLinger(0),
		kgo.RequiredAcks(kgo.AllISRAcks()), kgo.UnknownTopicRetries(-1),
		// Batches of a few records, so that some are on their way at each kill.
		kgo.ProducerBatchMaxBytes(1024))
	sent := 0
	for range kills {
		enough := l.len() + acks
		for range atOnce {
			writer.Produce(context.Background(), kgo.StringRecord(fmt.Sprint(sent)), l.note)
			sent++
		}
		l.await(t, enough)
		at := int64(l.len())
		commitAt(t, p, group, topic, at)
		p.kill()
		p.must(p.course("up"), 0)
		if got := committedAt(t, p, group, topic); got != at {
			t.Errorf("committed %d, after the kill it is %d", at, got)
		}
	}
	if err := writer.Flush(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	if n := l.len() + len(l.lost); n != sent {
		t.Errorf("%d records of %d have an outcome", n, sent)
	}
	l.check(t, p, topic)
}

// On a full disk the stand refuses what it cannot keep, says so in its log, and has
// all that it acknowledged when there is room again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tmpfs("size=2m,mode=0700")
	p.up()
	ballast := filepath.Join(p.home, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	const topic = "orders"
	produce(t, p, topic, 0)
	writer := p.client(kgo.DefaultProduceTopic(topic),
		kgo.ProducerBatchCompression(kgo.NoCompression()))
	l := newLedger()
	pad := strings.Repeat("x", 2000)
	write := func(n int) error {
		r := kgo.StringRecord(fmt.Sprintf("%d %s", n, pad))
		err := writer.ProduceSync(kafkatest.Context(t), r).FirstErr()
		l.note(r, err)
		return err
	}
	var refused error
	for n := 0; refused == nil; n++ {
		if n > 2000 {
			t.Fatal("the disk does not get full")
		}
		refused = write(n)
	}
	if !errors.Is(refused, kerr.UnknownServerError) {
		t.Errorf("refused with %v", refused)
	}
	if log := p.logText(); !strings.Contains(log, "no space "+
		"left") || !strings.Contains(log, topic) {
		t.Errorf("the log does not tell: %q", log)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		if err := write(10_000 + n); err != nil {
			t.Fatalf("with room again: %v", err)
		}
	}
	p.kill()
	p.must(p.course("up"), 0)
	l.check(t, p, topic)
}

// kfake acknowledges a commit that the full disk did not take. The stand stops instead,
// and has every commit that it did acknowledge when it comes back, also those that
// follow the torn one.
func TestFullDiskKeepsCommits(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tmpfs("size=1m,mode=0700")
	p.up()
	const topic = "orders"
	produce(t, p, topic, 1)
	acked := int64(0)
	for at := int64(1); at <= 2000 && acked == at-1; at++ {
		if commitFull(t, p, topic, at) == nil {
			acked = at
		}
	}
	if log := p.logText(); acked == 2000 || !strings.Contains(log, "no space left") {
		t.Fatalf("%d commits and the disk is not full; the log: %q", acked, log)
	}
	if err := os.Remove(filepath.Join(p.home, "logs", "embedded.log")); err != nil {
		t.Fatal(err)
	}
	remount := exec.Command("mount", "-o", "remount,size=4m", p.home)
	if out, err := remount.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for range 2 {
		p.must(p.course("up"), 0)
		offsets, err := kadm.NewClient(p.client()).FetchOffsets(kafkatest.Context(t), "full")
		if err != nil {
			t.Fatal(err)
		}
		if o, ok := offsets.Lookup(topic, 0); !ok || o.At < acked {
			t.Errorf("the commit of %d came back as %d", acked, o.At)
		}
		acked = 5000
		if err := commitFull(t, p, topic, acked); err != nil {
			t.Fatalf("with room again: %v", err)
		}
		p.kill()
	}
}

// commitFull commits an offset of the group "full", with so much beside it that a full disk
// takes a part.
func commitFull(t *testing.T, p *place, topic string, at int64) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(kafkatest.Context(t), 3*time.Second)
	defer cancel()
	cl := p.client()
	defer cl.Close()
	var offsets kadm.Offsets
	offsets.Add(kadm.Offset{Topic: topic, At: at, LeaderEpoch: -1, Metadata: strings.Repeat("m", 3001)})
	done, err := kadm.NewClient(cl).CommitOffsets(ctx, "full", offsets)
	if err == nil {
		err = done.Error()
	}
	return err
}

// A daemon that dies at its start says why, and nothing stays.
func TestDaemonThatCannotStart(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	p.must(p.course("down"), 0)
	meta := filepath.Join(p.home, "data", "embedded", "topics.json")
	good, err := os.ReadFile(meta)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(meta, bytes.Repeat([]byte("{"), 10), 0o600); err != nil {
		t.Fatal(err)
	}
	p.refused(p.course("up"), 1, "topics")
	if s := p.status(); s.Up || len(p.processes()) > 0 {
		t.Errorf("something stays: %+v", s)
	}
	if err := os.WriteFile(meta, good, 0o600); err != nil {
		t.Fatal(err)
	}
	p.up()
}
