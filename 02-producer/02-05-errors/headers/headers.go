// Package headers handles the headers of records: an ordered list in which a key may come
// twice and a value may be nil.
package headers

import (
	"encoding/hex"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// region set

// Set returns the headers with this key once, where it stood first, or at the end. The others
// stay as they are, in their order. The list that it is given stays as it is, too: other
// goroutines may read it.
func Set(headers []kgo.RecordHeader, key, value string) []kgo.RecordHeader {
	set, found := []kgo.RecordHeader{}, false
	for _, h := range headers {
		switch {
		case h.Key != key:
			set = append(set, h)
		case !found:
			set, found = append(set, kgo.RecordHeader{Key: key, Value: []byte(value)}), true
		}
	}
	if !found {
		return Add(set, key, value)
	}
	return set
}

// endregion set

// Add returns the headers with one more of this key, at the end.
func Add(headers []kgo.RecordHeader, key, value string) []kgo.RecordHeader {
	return append(slices.Clone(headers), kgo.RecordHeader{Key: key, Value: []byte(value)})
}

// Get returns the value of the last header of this key; "" without one.
func Get(headers []kgo.RecordHeader, key string) (value string) {
	for _, h := range headers {
		if h.Key == key {
			value = string(h.Value)
		}
	}
	return value
}

// Size is how many bytes the keys and values take. They count into the record's size.
func Size(headers []kgo.RecordHeader) (size int) {
	for _, h := range headers {
		size += len(h.Key) + len(h.Value)
	}
	return size
}

// region format

// Format shows all headers in their order, nil and empty apart.
func Format(headers []kgo.RecordHeader) string {
	var shown []string
	for _, h := range headers {
		shown = append(shown, show.Text(h.Key)+"="+show.Bytes(h.Value))
	}
	return strings.Join(shown, " ")
}

// endregion format

// Cells returns a record as a row: its place, its key, and its headers with number and size.
func Cells(r *kgo.Record, asMap bool) []any {
	list := View(r.Headers, asMap)
	return []any{r.Partition, r.Offset, show.Bytes(r.Key), len(list), Size(list), Format(list)}
}

// View returns the headers, or what a map keeps of them: the last of each key.
func View(headers []kgo.RecordHeader, asMap bool) (left []kgo.RecordHeader) {
	if !asMap {
		return headers
	}
	last := map[string]kgo.RecordHeader{}
	for _, h := range headers {
		last[h.Key] = h
	}
	for _, key := range slices.Sorted(maps.Keys(last)) {
		left = append(left, last[key])
	}
	return left
}

// traceparent is version 00 of https://www.w3.org/TR/trace-context.
var traceparent = regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$`)

// NewTrace begins a trace: version, trace id, span id, and the flag "recorded".
func NewTrace(random io.Reader) string {
	return "00-" + id(random, 16) + "-" + id(random, 8) + "-01"
}

// region child

// Child is the next step of a trace: the same trace id and flags, a span id of its own.
func Child(parent string, random io.Reader) (string, error) {
	m := traceparent.FindStringSubmatch(parent)
	if m == nil || zero(m[1]) || zero(m[2]) {
		return "", msg.Errorf("traceparent %s: not 00-, 32 hex digits, 16 and 2, ids not all zero",
			show.Text(parent))
	}
	return "00-" + m[1] + "-" + id(random, 8) + "-" + m[3], nil
}

// endregion child

func zero(id string) bool { return strings.Trim(id, "0") == "" }

// id returns n random bytes in hex, not all zero.
func id(random io.Reader, n int) string {
	b := make([]byte, n)
	for zero(hex.EncodeToString(b)) {
		_, _ = io.ReadFull(random, b) // neither crypto/rand nor ChaCha8 fails
	}
	return hex.EncodeToString(b)
}
