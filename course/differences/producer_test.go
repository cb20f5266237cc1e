package differences

import (
	"path/filepath"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// What 02-03 says of the memory that a broker has of producers: it lasts for a day, and lies
// beside the segments of the log in files of its own, written when a segment is closed.
func factProducerMemory(t *testing.T, s *site) {
	const expiration = "producer.id.expiration.ms"
	if _, got := s.setting(t, kmsg.ConfigResourceTypeBroker, "0", expiration); got != "86400000" {
		t.Errorf("%s is %q by default, want a day", expiration, got)
	}
	topic := s.topic(t, 1, "segment.bytes", "1048576")
	cl := s.client(t, kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.UnknownTopicRetries(50))
	for range 3 { // two fill a segment
		r := &kgo.Record{Topic: topic, Value: make([]byte, 600<<10)}
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"log", "snapshot"} {
		kafkatest.Eventually(t, "a second file of the sort "+kind, func() bool {
			// home/…/a broker's data/the partition
			var found []string
			for _, below := range []string{"*", "*/*", "*/*/*"} {
				pattern := filepath.Join(s.home, below, topic+"-0", "0*[1-9]."+kind)
				files, err := filepath.Glob(pattern)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, files...)
			}
			return len(found) > 0
		})
	}
}
