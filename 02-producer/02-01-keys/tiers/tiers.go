// Package tiers is Brew's rule for orders: partition 0 is for premium orders alone, all other
// orders go to the other partitions in turn.
package tiers

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"
)

// MakePremium marks an order. A partitioner sees the whole record, not only its key.
func MakePremium(r *kgo.Record) {
	r.Headers = append(r.Headers, kgo.RecordHeader{Key: "tier", Value: []byte("premium")})
}

// IsPremium says whether an order is marked.
func IsPremium(r *kgo.Record) bool {
	return slices.ContainsFunc(r.Headers, func(h kgo.RecordHeader) bool {
		return h.Key == "tier" && string(h.Value) == "premium"
	})
}

// region partitioner

// Partitioner is the rule as a kgo.Partitioner. Its value says for which orders the choice is
// consistent: "all", "premium" ones or "none".
type Partitioner string

// ForTopic is called once for each topic that the client writes to.
func (p Partitioner) ForTopic(string) kgo.TopicPartitioner { return &turns{consistent: p} }

type turns struct {
	consistent Partitioner
	next       int // needs no lock: the client asks about one record of a topic at a time
}

// RequiresConsistency: true chooses among all partitions, and the record waits if the one
// has no leader. False chooses among those that have one.
func (t *turns) RequiresConsistency(r *kgo.Record) bool {
	return t.consistent == "all" || t.consistent == "premium" && IsPremium(r)
}

// Partition returns an index below n. It is the number of a partition only if n counts all.
func (t *turns) Partition(r *kgo.Record, n int) int {
	switch {
	case IsPremium(r):
		return 0
	case n < 2:
		return -1 // there is no other partition: the client fails the record
	}
	t.next++
	return 1 + (t.next-1)%(n-1)
}

// endregion partitioner
