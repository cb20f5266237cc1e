package main

import (
	"errors"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
)

// This file proves what the lecture says of clients whose topic is deleted and made anew.

// anew deletes the topic and makes it again, with one record from a client of its own.
func anew(t *testing.T, c *kfake.Cluster) {
	t.Helper()
	if err := errors.Join(c.DeleteTopic(topic), c.CreateTopic(topic, 1, nil)); err != nil {
		t.Fatal(err)
	}
	produce(t, kafkatest.Client(t, c))
}

func produce(t *testing.T, cl *kgo.Client) {
	t.Helper()
	if err := send(t, cl); err != nil {
		t.Fatal(err)
	}
}

func send(t *testing.T, cl *kgo.Client) error {
	r := &kgo.Record{Topic: topic, Key: []byte("order-0")}
	return cl.ProduceSync(kafkatest.Context(t), r).FirstErr()
}

// poll returns how many records come, or the error that comes instead.
func poll(t *testing.T, cl *kgo.Client) (int, error) {
	t.Helper()
	fetches := cl.PollFetches(kafkatest.Context(t))
	return fetches.NumRecords(), fetches.Err()
}

func TestConsumerNeverReadsTheNamesake(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	produce(t, kafkatest.Client(t, c))
	// It asks every 100 ms and not every 5 s whether there is something new.
	opts := []kgo.Opt{kgo.ConsumeTopics(topic), kgo.FetchMaxWait(100 * time.Millisecond)}
	cl := kafkatest.Client(t, c, opts...)
	if n, err := poll(t, cl); n != 1 || err != nil {
		t.Fatalf("%d records, %v", n, err)
	}
	anew(t, c)
	for range 10 {
		if n, err := poll(t, cl); n != 0 || !errors.Is(err, kerr.UnknownTopicID) {
			t.Fatalf("%d records, %v", n, err)
		}
	}
	if n, err := poll(t, kafkatest.Client(t, c, opts...)); n != 1 || err != nil {
		t.Errorf("a new client: %d records, %v", n, err)
	}
	// Who cannot start anew forgets the topic and names it again.
	cl.PurgeTopicsFromClient(topic)
	cl.AddConsumeTopics(topic)
	kafkatest.Eventually(t, "the new topic's record", func() bool {
		n, _ := poll(t, cl)
		return n == 1
	})
}

func TestProducerNeverWritesToTheNamesake(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	cl := kafkatest.Client(t, c)
	produce(t, cl)
	anew(t, c)
	// Until the client asks for metadata the stand takes the record; a Kafka refuses it at once.
	kafkatest.Eventually(t, "an error", func() bool {
		cl.ForceMetadataRefresh()
		return errors.Is(send(t, cl), kerr.UnknownTopicID)
	})
	if err := send(t, cl); !errors.Is(err, kerr.UnknownTopicID) {
		t.Errorf("error %v", err)
	}
	cl.PurgeTopicsFromClient(topic)
	produce(t, cl)
}

// With the topic go what groups have committed for it: a group starts the new one anew.
func TestDeletionDropsCommits(t *testing.T) {
	c := kafkatest.Start(t, kfake.SeedTopics(1, topic))
	cl := kafkatest.Client(t, c)
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: topic, At: 7, LeaderEpoch: -1})
	err := kadm.NewClient(cl).CommitAllOffsets(kafkatest.Context(t), "kitchen", offsets)
	if got := kafkatest.Committed(t, cl, "kitchen", topic); err != nil || got[0] != 7 {
		t.Fatalf("committed %v, %v", got, err)
	}
	anew(t, c)
	if got := kafkatest.Committed(t, cl, "kitchen", topic); len(got) != 0 {
		t.Errorf("committed %v for a topic that is new", got)
	}
}
