// Package skew shows how unevenly records are spread over the partitions of a topic.
package skew

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/show"
	"brew.example/internal/table"
)

// Count counts acknowledged records by key.
type Count struct {
	keys  map[string]*key
	first []*kgo.Record
}

type key struct {
	name      string // as a terminal shows it
	partition int32
	records   int
}

// kept is how many records Count remembers one by one.
const kept = 1000

// Produced remembers a record's place in the order of writing.
func (c *Count) Produced(r *kgo.Record) {
	if len(c.first) < kept {
		c.first = append(c.first, r)
	}
}

// Answered counts a record if it is acknowledged. A client calls back for one record at a
// time, so it needs no lock.
func (c *Count) Answered(r *kgo.Record, err error) {
	if err != nil {
		r.Partition = -1 // for Strip
		return
	}
	if c.keys == nil {
		c.keys = map[string]*key{}
	}
	k := c.keys[string(r.Key)]
	if k == nil {
		k = &key{show.Bytes(r.Key), r.Partition, 0}
		c.keys[string(r.Key)] = k
	}
	k.records++
}

// Table prints how full the partitions are, and the three keys with the most records.
func (c *Count) Table(partitions int32, w io.Writer) error {
	keys, records, total := make([]int, partitions), make([]int, partitions), 0
	for _, k := range c.keys {
		keys[k.partition]++
		records[k.partition] += k.records
		total += k.records
	}
	var rows [][]string
	for p, n := range records {
		rows = append(rows, []string{strconv.Itoa(p), strconv.Itoa(keys[p]), strconv.Itoa(n),
			fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(total, 1)))})
	}
	head := []string{"PARTITION", "KEYS", "RECORDS", "SHARE"}
	if err := table.Write(w, head, rows); err != nil {
		return err
	}
	top := slices.SortedFunc(maps.Values(c.keys), func(a, b *key) int {
		return cmp.Or(b.records-a.records, strings.Compare(a.name, b.name))
	})
	rows = nil
	for _, k := range top[:min(len(top), 3)] {
		rows = append(rows, []string{k.name, fmt.Sprint(k.partition), strconv.Itoa(k.records)})
	}
	return table.Write(w, []string{"KEY", "PARTITION", "RECORDS"}, rows)
}

// Strip prints the partitions of the first 1,000 records in the order of writing, a digit
// for each, and a hyphen for one that is not acknowledged.
func (c *Count) Strip(w io.Writer) error {
	var rows [][]string
	for row := range slices.Chunk(c.first, 100) {
		var line strings.Builder
		for _, r := range row {
			line.WriteString(show.Brokers(r.Partition))
		}
		rows = append(rows, []string{strconv.Itoa(100 * len(rows)), line.String()})
	}
	return table.Write(w, []string{"RECORD", "PARTITIONS"}, rows)
}
