package differences

import (
	"bytes"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// TestCompression holds what lecture 02-04 says of compressed batches.
func TestCompression(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{stand.Embedded, stand.Java} {
		t.Run(kind, func(t *testing.T) {
			s := on(t, kind)
			s.weather.RLock()
			defer s.weather.RUnlock()
			t.Run("kept as it came", func(t *testing.T) { keptAsItCame(t, s) })
			t.Run("large, and small when compressed", func(t *testing.T) { limitOfTheTopic(t, s) })
			if kind == stand.Java {
				t.Run("looked into", func(t *testing.T) { lookedInto(t, s) })
			}
		})
	}
}

// batches notes the batches that a client writes or reads.
type batches struct {
	written chan kgo.ProduceBatchMetrics
	read    chan kgo.FetchBatchMetrics
}

func newBatches() *batches {
	return &batches{make(chan kgo.ProduceBatchMetrics, 10), make(chan kgo.FetchBatchMetrics, 10)}
}

// OnProduceBatchWritten notes a batch that a broker has stored.
func (b *batches) OnProduceBatchWritten(
	_ kgo.BrokerMetadata, _ string, _ int32, m kgo.ProduceBatchMetrics,
) {
	b.written <- m
}

// OnFetchBatchRead notes a batch that has come from a broker.
func (b *batches) OnFetchBatchRead(
	_ kgo.BrokerMetadata, _ string, _ int32, m kgo.FetchBatchMetrics,
) {
	b.read <- m
}

var repetitive = []byte(strings.Repeat("flat-white,", 1000))

// keptAsItCame: a reader gets the batch in the codec and the size in which it was written.
func keptAsItCame(t *testing.T, s *site) {
	for name, codec := range map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(),
		"snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(),
		"zstd": kgo.ZstdCompression(),
	} {
		topic, seen := s.topic(t, 1), newBatches()
		_, err := s.send(t, &kgo.Record{Topic: topic, Value: repetitive},
			kgo.ProducerBatchCompression(codec), kgo.WithHooks(seen))
		if err != nil {
			t.Fatal(err)
		}
		cl := s.client(t, kgo.ConsumeTopics(topic), kgo.WithHooks(seen))
		if err := cl.PollFetches(kafkatest.Context(t)).Err(); err != nil {
			t.Fatal(err)
		}
		w, r := <-seen.written, <-seen.read
		if w.CompressedBytes != r.CompressedBytes || w.CompressionType != r.CompressionType ||
			w.UncompressedBytes != r.UncompressedBytes {
			t.Errorf("%s: written %+v, read %+v", name, w, r)
		}
		if small := w.CompressedBytes*5 < w.UncompressedBytes; small != (name != "none") {
			t.Errorf("%s: written %+v", name, w)
		}
	}
}

// limitOfTheTopic: max.message.bytes counts the batch as it comes.
func limitOfTheTopic(t *testing.T, s *site) {
	topic := s.topic(t, 1, "max.message.bytes", "2000")
	record := func() *kgo.Record { return &kgo.Record{Topic: topic, Value: repetitive} }
	_, err := s.send(t, record(), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if got := code(err); got != "MESSAGE_TOO_LARGE" {
		t.Errorf("uncompressed: %s (%v)", got, err)
	}
	_, err = s.send(t, record(), kgo.ProducerBatchCompression(kgo.ZstdCompression()))
	if err != nil {
		t.Errorf("compressed: %v", err)
	}
}

// broken claims to be a codec and compresses nothing.
type broken struct{}

// Compress returns bytes that no codec can read.
func (broken) Compress(
	dst *bytes.Buffer, _ []byte, _ ...kgo.CompressFlag,
) ([]byte, kgo.CompressionCodecType) {
	dst.WriteString("this is not lz4")
	return dst.Bytes(), kgo.CodecLz4
}

// lookedInto: Kafka keeps a batch compressed, and still unpacks it to see what is in it. What
// cannot be unpacked is refused.
func lookedInto(t *testing.T, s *site) {
	topic := s.topic(t, 1)
	_, err := s.send(t, &kgo.Record{Topic: topic, Value: repetitive},
		kgo.WithCompressor(broken{}), kgo.RecordRetries(0))
	if err == nil || s.end(t, topic) != 0 {
		t.Errorf("a batch that nobody can unpack: error %v, %d records in the log", err,
			s.end(t, topic))
	}
	t.Logf("refused with %s", code(err))
}
