package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/02-producer/02-03-idempotence/charges"
	"brew.example/02-producer/delivery/deliverytest"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
)

const topic = "brew.charges.v1"

func defaults() config {
	return config{
		topic: topic, idempotent: true, loseEvery: 3, linger: 200 * time.Millisecond,
		limits: &cli.Limits{Records: 100},
	}
}

// printed runs the program and returns what it printed, with one space between two cells and
// P in place of the producer's id.
func printed(t *testing.T, cfg config) (string, error) {
	t.Helper()
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), cfg, &out)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	id := regexp.MustCompile(`(?m)^(\d+) \d+ (\d+ 10 \d+ (?:yes|LOST))$`)
	return id.ReplaceAllString(strings.Join(lines, "\n"), "$1 P $2"), err
}

const head = "ANSWER PRODUCER-ID SEQUENCE RECORDS OFFSET ARRIVED\n"

func sum(intended, lost, unanswered, log, duplicates int) string {
	return fmt.Sprintf("\nINTENDED LOST-ANSWERS UNANSWERED IN-LOG DUPLICATES\n%d %d %d %d %d",
		intended, lost, unanswered, log, duplicates)
}

// A batch that is sent again has its number and gets its old offset.
func TestWithIdempotence(t *testing.T) {
	c := kafkatest.Start(t)
	ids := c.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.InitProducerID}, Observe: true, Count: -1,
	})
	cfg := defaults()
	cfg.limits.Records = 50
	got, err := printed(t, cfg)
	want := head + `1 P 0 10 0 yes
2 P 10 10 10 yes
3 P 20 10 20 LOST
4 P 20 10 20 yes
5 P 30 10 30 yes
6 P 40 10 40 LOST
7 P 40 10 40 yes
acknowledged=50 failed=0 unknown=0` + sum(50, 2, 20, 50, 0)
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if n := ids.Hits(); n != 1 {
		t.Errorf("%d requests for a producer id, want 1", n)
	}
}

// Without idempotence it has no number, and is appended again.
func TestWithoutIdempotence(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.idempotent = false
	cfg.limits.Records = 50
	got, err := printed(t, cfg)
	want := head + `1 - - 10 0 yes
2 - - 10 10 yes
3 - - 10 20 LOST
4 - - 10 30 yes
5 - - 10 40 yes
6 - - 10 50 LOST
7 - - 10 60 yes
acknowledged=50 failed=0 unknown=0` + sum(50, 2, 20, 70, 20)
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// Whatever is lost: with idempotence nothing is there twice, without it exactly the records
// of the batches that were appended and not acknowledged.
func TestDuplicatesAreTheUnanswered(t *testing.T) {
	for _, every := range []uint16{0, 2, 4, 7} {
		for _, idempotent := range []bool{true, false} {
			kafkatest.Start(t)
			cfg := defaults()
			cfg.loseEvery, cfg.idempotent, cfg.linger = every, idempotent, 5*time.Millisecond
			cfg.limits.Records = 73 // the last batch has three
			got, err := printed(t, cfg)
			if err != nil {
				t.Fatal(err)
			}
			var intended, lost, unanswered, log, duplicates int
			table := got[strings.LastIndex(got, "\n"):]
			_, err = fmt.Sscan(table, &intended, &lost, &unanswered, &log, &duplicates)
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			want := 0
			if !idempotent {
				want = unanswered
			}
			if intended != 73 || log != 73+want || duplicates != want || (lost > 0) != (every > 0) {
				t.Errorf("every %d, idempotent %t:\n%s", every, idempotent, got)
			}
		}
	}
}

// The first question at the end of the lecture.
func TestEverySecondIsLost(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.idempotent, cfg.loseEvery = false, 2
	got, err := printed(t, cfg)
	if err != nil || !strings.HasSuffix(got, sum(100, 9, 90, 190, 90)) {
		t.Errorf("%v\n%s", err, got)
	}
}

// A batch of a restarted program comes from another producer. The broker cannot know it.
func TestRestartIsNotCovered(t *testing.T) {
	kafkatest.Start(t)
	cfg := defaults()
	cfg.giveUp = true
	got, err := printed(t, cfg)
	want := head + "1 P 0 10 0 yes\n2 P 10 10 10 yes\n3 P 20 10 20 LOST\n" +
		"acknowledged=20 failed=0 unknown=10" + sum(30, 1, 10, 30, 0)
	if got != want || !errors.Is(err, kgo.ErrRecordRetries) {
		t.Fatalf("%v\n%s\nwant\n%s", err, got, want)
	}
	cfg = defaults()
	cfg.first, cfg.limits.Records = 20, 80
	if got, err = printed(t, cfg); err != nil || !strings.HasSuffix(got, sum(80, 3, 30, 110, 10)) {
		t.Errorf("%v\n%s", err, got)
	}
	log, err := charges.ReadLog(kafkatest.Context(t), topic)
	if at := fmt.Sprint(log["charge-20"], log["charge-30"]); err != nil || at != "[20 30] [40]" {
		t.Errorf("%v, charges 20 and 30 are at %s", err, at)
	}
}

// Two programs that both write the same charges store each of them twice.
func TestTwoProgramsAreNotCovered(t *testing.T) {
	kafkatest.Start(t)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := run(kafkatest.Context(t), defaults(), io.Discard); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	log, err := charges.ReadLog(kafkatest.Context(t), topic)
	if err != nil || log.Records() != 200 || log.Duplicates() != 100 {
		t.Errorf("%v, %d records, %d duplicates", err, log.Records(), log.Duplicates())
	}
}

// Whatever moment Ctrl+C comes at, the program tells the truth about its thousand records.
func TestStoppedAtAnyMoment(t *testing.T) {
	deliverytest.Stop(t, 25, func(ctx context.Context, topic string, stdout io.Writer) error {
		cfg := defaults()
		cfg.topic, cfg.loseEvery, cfg.linger = topic, 20, 5*time.Millisecond
		cfg.limits.Records = 1000
		return run(ctx, cfg, stdout)
	})
}

// Nobody answers, and Ctrl+C comes, or the time is over: the program ends, and says what it
// does not know.
func TestStopWithoutAnAnswer(t *testing.T) {
	kafkatest.Start(t)
	var stopped sync.WaitGroup
	for name, limits := range map[string]*cli.Limits{"signal": {}, "for": {For: time.Second}} {
		stopped.Go(func() {
			cfg := defaults()
			cfg.topic, cfg.loseEvery, cfg.limits = "brew."+name, 1, limits
			ctx, cancel := context.WithCancel(kafkatest.Context(t))
			defer cancel()
			var out kafkatest.Buffer
			done := make(chan error, 1)
			go func() { done <- run(ctx, cfg, &out) }()
			if name == "signal" {
				out.Await(t, "LOST\n2 ")
				cancel()
			}
			err := <-done
			if err == nil || errors.Is(err, context.Canceled) || // status 0, that would be
				!strings.Contains(out.String(), "\nacknowledged=0 failed=0 unknown=10\n") {
				t.Errorf("%s: error %v\n%s", name, err, &out)
			}
		})
	}
	stopped.Wait()
}

// A record that a broker refuses is no lost answer, and surely not in the log.
func TestRefused(t *testing.T) {
	c := kafkatest.Start(t)
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.InvalidRecord, Count: -1})
	got, err := printed(t, defaults())
	want := "acknowledged=0 failed=10 unknown=0" + sum(10, 0, 0, 0, 0)
	if got != want || !errors.Is(err, kerr.InvalidRecord) {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestNoBroker(t *testing.T) {
	c := kafkatest.Start(t)
	addr := c.ListenAddrs()[0]
	c.Close()
	_, err := printed(t, defaults())
	if err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("error %v, want one that names %s", err, addr)
	}
}

// Sequence numbers are counted in a partition; the program shows one.
func TestOtherPartitionCountIsRefused(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(3, topic))
	_, err := printed(t, defaults())
	if err == nil || !strings.Contains(err.Error(), "partitions: 3, wanted 1") {
		t.Errorf("error %v", err)
	}
}

// What the lecture says of franz-go's options.
func TestOptions(t *testing.T) {
	kafkatest.Start(t)
	cl, err := kafka.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if off := cl.OptValue(kgo.DisableIdempotentWrite); off != false {
		t.Error("idempotence is not the default")
	}
	if n := cl.OptValue(kgo.MaxProduceRequestsInflightPerBroker); n != 1 {
		t.Errorf("without idempotence %v requests are on their way", n)
	}
	for name, opts := range map[string][]kgo.Opt{
		"acks=1":      {kgo.RequiredAcks(kgo.LeaderAck())},
		"6 in flight": {kgo.MaxProduceRequestsInflightPerBroker(6)},
	} {
		if cl, err := kafka.NewClient(opts...); err == nil {
			cl.Close()
			t.Errorf("%s with idempotence: no error", name)
		}
		if cl, err := kafka.NewClient(append(opts, kgo.DisableIdempotentWrite())...); err != nil {
			t.Errorf("%s without: %v", name, err)
		} else {
			cl.Close()
		}
	}
}
