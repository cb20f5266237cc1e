package differences

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// Questions that only a stopped or killed stand answers. They are asked one after the
// other, when all others are done.

// before is what was there when the stand was killed.
type before struct {
	topic  string
	batch  batch
	member rawMember
}

func prepare(t *testing.T, s *site) *before {
	t.Helper()
	b := &before{topic: s.topic(t, 1)}
	b.batch = newBatch(t, s, b.topic)
	if err := b.batch.deliver(t, s); err != nil {
		t.Fatal(err)
	}
	b.member = rawMember{group: unique(t), session: 45_000}
	if err := b.member.join(t, s); err != nil {
		t.Fatal(err)
	}
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: b.topic, At: 1, LeaderEpoch: -1})
	if err := s.admin(t).CommitAllOffsets(kafkatest.Context(t), b.topic, offsets); err != nil {
		t.Fatal(err)
	}
	return b
}

// stopped are the questions for a stand with a broker less.
func (b *before) stopped() []row {
	return []row{{
		"replicas in sync after `course broker stop 1`",
		"реплики в ISR после `course broker stop 1`",
		refused, "0 2", b.withoutOne,
	}}
}

// killed are the questions for a stand that was killed and started again.
func (b *before) killed() []row {
	return []row{{
		"after `kill -9` of all brokers: the acknowledged record is there",
		"после `kill -9` всех брокеров: подтверждённая запись на месте",
		yes, yes, b.records,
	}, {
		"after `kill -9` of all brokers: the committed offset is there",
		"после `kill -9` всех брокеров: закоммиченный оффсет на месте",
		yes, yes, b.commits,
	}, {
		"after `kill -9` of all brokers: a heartbeat of a member",
		"после `kill -9` всех брокеров: heartbeat участника группы",
		kerr.UnknownMemberID.Message, accepted, b.heartbeat,
	}, {
		"after `kill -9` of all brokers: how many records, if an idempotent producer has sent " +
			"the only one again",
		"после `kill -9` всех брокеров: сколько записей, если идемпотентный продюсер повторил " +
			"единственную",
		"2", "1", b.again,
	}}
}

// withoutOne are the replicas in sync after `course broker stop 1`.
func (b *before) withoutOne(t *testing.T, s *site) string {
	if out, err := s.run("broker", "stop", "1"); err != nil {
		t.Log("it said: " + strings.TrimSpace(out))
		return refused
	}
	var isr []int32
	kafkatest.Eventually(t, "two in sync", func() bool {
		isr = s.partition(t, b.topic).ISR
		return len(isr) == 2
	})
	slices.Sort(isr)
	return strings.Trim(fmt.Sprint(isr), "[]")
}

// kill ends the processes of the stand without a word and starts it again.
func (s *site) kill(t *testing.T) {
	t.Helper()
	for _, about := range s.state(t).Processes {
		p, err := os.FindProcess(about.PID)
		if err == nil {
			err = p.Kill()
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	kafkatest.Eventually(t, "nobody listens", func() bool {
		for i := range 3 {
			addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port+i))
			if conn, err := net.DialTimeout("tcp", addr, time.Second); err == nil {
				conn.Close()
				return false
			}
		}
		return true
	})
	s.must(t, "down") // a stand with a stopped broker is up until then
	s.must(t, "up")
}

func (b *before) heartbeat(t *testing.T, s *site) string { return code(b.member.heartbeat(t, s)) }

// again sends the batch once more, as a client does that has not seen the answer.
func (b *before) again(t *testing.T, s *site) string {
	if err := b.batch.deliver(t, s); err != nil {
		return code(err)
	}
	return fmt.Sprint(s.end(t, b.topic))
}

func (b *before) records(t *testing.T, s *site) string {
	cl := s.client(t, kgo.ConsumeTopics(b.topic))
	fetches := cl.PollFetches(kafkatest.Context(t))
	if err := fetches.Err(); err != nil {
		return code(err)
	}
	if fetches.Records()[0].Offset != 0 {
		return no
	}
	return yes
}

func (b *before) commits(t *testing.T, s *site) string {
	if kafkatest.Committed(t, s.client(t), b.topic, b.topic)[0] != 1 {
		return no
	}
	return yes
}
