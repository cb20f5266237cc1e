// Package deliverytest checks that a program which is stopped at any moment tells the truth
// about the records that it has written.
package deliverytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafka"
	"brew.example/internal/kafkatest"
	"brew.example/internal/runctx"
)

// A Program writes records to a topic that nobody else writes to, and prints the line of a
// delivery.Tally at its end, if it came so far. It returns what main gives to cli.Status.
type Program func(ctx context.Context, topic string, stdout io.Writer) error

// Stop runs the program as often as times says and ends its context at a random moment, as
// Ctrl+C does: half of the moments are spread over the time that a whole run takes, half
// over the records that it writes. Whatever the moment, the topic grows by as many records
// as the program calls acknowledged, and by no more than acknowledged and unknown together;
// and the program ends with status 1 exactly when some have failed or are unknown.
//
// It runs on a cluster of its own, or on the Kafka that DELIVERY_BOOTSTRAP names. The
// moments come from DELIVERY_SEED, if that is set.
func Stop(t *testing.T, times int, run Program) {
	t.Helper()
	if bootstrap := os.Getenv("DELIVERY_BOOTSTRAP"); bootstrap != "" {
		t.Setenv("KAFKA_BOOTSTRAP", bootstrap)
	} else {
		kafkatest.Start(t)
	}
	cl, err := kafka.NewClient(kgo.MetadataMinAge(10 * time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	s := stops{t: t, adm: kadm.NewClient(cl), run: run}
	seed := uint64(time.Now().UnixNano())
	if given := os.Getenv("DELIVERY_SEED"); given != "" {
		if _, err := fmt.Sscan(given, &seed); err != nil {
			t.Fatalf("DELIVERY_SEED=%q: %v", given, err)
		}
	}
	t.Logf("DELIVERY_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	s.newTopic()
	var whole result
	for range 2 { // the first also makes the topic, and takes longer
		whole = s.once(func(ended context.Context) { <-ended.Done() })
		if whole.records == 0 || whole.status != 0 {
			t.Fatalf("without a stop: %+v", whole)
		}
	}
	cut := 0
	for i := range times {
		moment := func(ended context.Context) {
			if i > 0 { // the first one at once
				runctx.Sleep(ended, time.Duration(random.Int64N(int64(whole.took))))
			}
		}
		if i%2 == 1 {
			enough := s.stored() + 1 + random.Int64N(whole.records)
			moment = func(ended context.Context) {
				for ended.Err() == nil && s.stored() < enough {
					runctx.Sleep(ended, 100*time.Microsecond)
				}
			}
		}
		r := s.once(moment)
		if r.records < whole.records {
			cut++
		}
		if r.unknown {
			s.newTopic() // the rest of it may come yet
		}
	}
	t.Logf("%d of %d runs ended with fewer records than a whole one", cut, times)
	if cut == 0 {
		t.Error("no run was stopped before its end")
	}
}

type stops struct {
	t     *testing.T
	adm   *kadm.Client
	run   Program
	topic string
}

// result is what is seen of one run.
type result struct {
	records int64
	took    time.Duration
	status  int
	unknown bool
}

var line = regexp.MustCompile(`(?m)^acknowledged=(\d+) failed=(\d+) unknown=(\d+)$`)

// newTopic picks a topic for the next runs, which the program makes and Stop deletes.
func (s *stops) newTopic() {
	topic := fmt.Sprintf("brew.stopped.%d", time.Now().UnixNano())
	s.topic = topic
	s.t.Cleanup(func() {
		_, err := s.adm.DeleteTopic(kafkatest.Context(s.t), topic)
		if err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			s.t.Error(err)
		}
	})
}

// once runs the program and stops it when moment returns; the context of that ends with the
// run.
func (s *stops) once(moment func(ended context.Context)) (r result) {
	s.t.Helper()
	before := s.stored()
	ctx, stop := context.WithCancel(kafkatest.Context(s.t))
	ended, end := context.WithCancel(kafkatest.Context(s.t))
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		moment(ended)
		stop()
	}()
	var stdout kafkatest.Buffer
	start := time.Now()
	err := s.run(ctx, s.topic, &stdout)
	r.took = time.Since(start)
	end()
	<-watched
	if err != nil && !errors.Is(err, context.Canceled) {
		r.status = 1 // as cli.Status does
	}
	// What the client has learnt of a topic that was not there lasts for 10 ms.
	time.Sleep(20 * time.Millisecond)
	r.records = s.stored() - before
	wrong := ""
	if r.unknown, wrong = verdict(stdout.String(), r); wrong != "" {
		s.t.Errorf("%s: %s; error %v, printed\n%s", s.topic, wrong, err, &stdout)
	}
	return r
}

// verdict compares what a run has printed with what the topic holds; wrong is "" when
// they agree.
func verdict(printed string, r result) (left bool, wrong string) {
	var acknowledged, failed, unknown int64
	if m := line.FindStringSubmatch(printed); m != nil {
		acknowledged, _ = strconv.ParseInt(m[1], 10, 64)
		failed, _ = strconv.ParseInt(m[2], 10, 64)
		unknown, _ = strconv.ParseInt(m[3], 10, 64)
	}
	switch {
	case r.records < acknowledged:
		wrong = fmt.Sprintf("%d acknowledged, %d stored", acknowledged, r.records)
	case r.records > acknowledged+unknown:
		wrong = fmt.Sprintf("%d acknowledged, %d unknown, %d stored", acknowledged, unknown,
			r.records)
	case (r.status == 1) != (failed+unknown > 0):
		wrong = fmt.Sprintf("failed=%d unknown=%d, status %d", failed, unknown, r.status)
	}
	return unknown > 0, wrong
}

// stored returns the sum of the topic's end offsets, 0 for a topic that does not exist.
func (s *stops) stored() (sum int64) {
	ends, err := s.adm.ListEndOffsets(kafkatest.Context(s.t), s.topic)
	if err != nil {
		s.t.Errorf("the end of %s: %v", s.topic, err)
	}
	ends.Each(func(o kadm.ListedOffset) { sum += max(o.Offset, 0) })
	return sum
}
