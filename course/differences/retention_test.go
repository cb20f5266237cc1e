package differences

import (
	"crypto/rand"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// Questions about what retention takes.

// kept writes a record for each age, each in a batch of its own, and tells where the log
// begins after retention has looked at it with an hour to keep. settings are those of the
// topic. The hour comes last: a look in the middle of the writing must not take anything.
func kept(ages []time.Duration, settings ...string) question {
	return func(t *testing.T, s *site) string {
		topic, now := s.topic(t, 1, settings...), time.Now()
		for _, age := range ages {
			r := &kgo.Record{Topic: topic, Key: []byte("k"), Timestamp: now.Add(-age)}
			if _, err := s.send(t, r); err != nil {
				t.Fatal(err)
			}
		}
		hour := "3600000"
		alter := []kadm.AlterConfig{{Name: "retention.ms", Value: &hour}}
		altered := ask[kadm.AlterConfigsResponses](t)(
			s.admin(t).AlterTopicConfigs(kafkatest.Context(t), alter, topic))
		if err := altered[0].Err; err != nil {
			t.Fatal(err)
		}
		s.retentionLooks(t)
		return strconv.FormatInt(s.start(t, topic), 10)
	}
}

// retentionLooks returns when each broker has looked for expired records in all topics that
// were there before. A look that was on its way may have missed them: two are waited for.
func (s *site) retentionLooks(t *testing.T) {
	t.Helper()
	for range 2 {
		// Three partitions have their leaders on three brokers.
		topic := s.topic(t, 3, "retention.ms", "1000")
		cl := s.client(t, kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.UnknownTopicRetries(50))
		for p := range int32(3) {
			r := &kgo.Record{Topic: topic, Partition: p, Timestamp: time.Now().Add(-time.Hour)}
			if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
		adm := s.admin(t)
		kafkatest.Eventually(t, "retention has looked", func() bool {
			starts, err := adm.ListStartOffsets(kafkatest.Context(t), topic)
			if err != nil {
				t.Fatal(err)
			}
			gone := 0
			for _, o := range starts[topic] {
				gone += int(o.Offset)
			}
			return gone == 3
		})
	}
}

// retentionBytes has 4.5 MB in a topic of 1 MiB, in segments of 1 MiB.
func retentionBytes(t *testing.T, s *site) string {
	topic := s.topic(t, 1, "retention.bytes", "1048576", "segment.bytes", "1048576")
	for range 5 {
		value := make([]byte, 900*1000) // random, so that it cannot be compressed
		rand.Read(value)
		if _, err := s.send(t, &kgo.Record{Topic: topic, Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	s.retentionLooks(t)
	if s.start(t, topic) > 0 {
		return yes
	}
	return no
}

func minutes(ages ...time.Duration) []time.Duration {
	for i := range ages {
		ages[i] *= time.Minute
	}
	return ages
}

// A committed offset that lies before the log: Java's consumer goes to the log's end and reads
// nothing of the five records that are left. franz-go goes to the start, see 01-06's tests.
func factJavaGoesToTheEnd(t *testing.T, s *site) {
	ctx, adm, topic, group := kafkatest.Context(t), s.admin(t), s.topic(t, 1), unique(t)
	s.write(t, topic, 10)
	var committed, deleted kadm.Offsets
	committed.Add(kadm.Offset{Topic: topic, At: 2, LeaderEpoch: -1})
	deleted.Add(kadm.Offset{Topic: topic, At: 5})
	if err := adm.CommitAllOffsets(ctx, group, committed); err != nil {
		t.Fatal(err)
	}
	if _, err := adm.DeleteRecords(ctx, deleted); err != nil {
		t.Fatal(err)
	}
	read := func(more ...string) string {
		return s.java(t, "", "consumer.ConsoleConsumer",
			append([]string{"--topic", topic, "--group", group}, more...)...)
	}
	// It commits where it stands when it ends, so the end comes last.
	earliest := read("--max-messages", "1", "--timeout-ms", "20000", "--command-property",
		"auto.offset.reset=earliest", "--command-property", "enable.auto.commit=false",
		"--formatter-property", "print.offset=true")
	if !strings.Contains(earliest, "Offset:5\tx") {
		t.Errorf("with auto.offset.reset=earliest: %s", earliest)
	}
	if out := read("--timeout-ms", "10000"); !strings.Contains(out, "total of 0 messages") {
		t.Errorf("by default: %s", out)
	}
	// Not ctx, whose time the two tools may have used up.
	offsets := ask[kadm.OffsetResponses](t)(adm.FetchOffsets(kafkatest.Context(t), group))
	if o, _ := offsets.Lookup(topic, 0); o.At != 10 {
		t.Errorf("committed %d, not the end", o.At)
	}
}

// Segments of a few kilobytes, as older courses have them, are refused since Kafka 4.0.
func factSmallestSegments(t *testing.T, s *site) {
	for size, want := range map[string]string{"1048575": "INVALID_CONFIG", "1048576": accepted} {
		cfg := map[string]*string{"segment.bytes": &size}
		_, err := s.admin(t).CreateTopic(kafkatest.Context(t), 1, 3, cfg, unique(t))
		if code(err) != want {
			t.Errorf("segment.bytes=%s: %v", size, err)
		}
	}
}
