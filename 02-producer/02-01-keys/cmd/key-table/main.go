// Command key-table shows which partition a key is written to, for topics of several sizes
// and for the hash of another family of clients. It asks no broker: the client alone decides.
//
// Guarantee: the same bytes and the same number of partitions give the same partition, in
// franz-go as in Kafka's own Java client. Other clients may hash otherwise.
package main

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

// usual are keys that look alike to people.
var usual = []string{
	"user-1", "User-1", "user-1 ", "user-01", "caf\u00e9-1", "cafe\u0301-1", "1",
	"\x00\x00\x00\x00\x00\x00\x00\x01", "",
}

func main() {
	keys := pflag.StringArray("key", usual, msg.Text("a key, as often as you like"))
	pflag.Lookup("key").DefValue = "[]" // none: it would show as a list in one line
	cli.Parse()
	os.Exit(cli.Status(run(*keys, os.Stdout)))
}

func run(keys []string, stdout io.Writer) error {
	// region hashes
	// A nil hasher is Kafka's: murmur2 of the bytes, the sign dropped, the remainder by n.
	kafka := kgo.StickyKeyPartitioner(nil).ForTopic("")
	// The clients that are built on librdkafka take another hash by default.
	librdkafka := kgo.StickyKeyPartitioner(kgo.SaramaHasher(crc32.ChecksumIEEE)).ForTopic("")
	// endregion hashes
	var rows [][]string
	for _, key := range keys {
		r := &kgo.Record{Key: []byte(key)}
		row := []string{show.Bytes(r.Key)}
		for _, partitions := range []int{3, 4, 6} {
			row = append(row, fmt.Sprint(kafka.Partition(r, partitions)))
		}
		other := "-" // librdkafka takes a key of no bytes for none
		if key != "" {
			other = fmt.Sprint(librdkafka.Partition(r, 3))
		}
		rows = append(rows, append(row, other))
	}
	return table.Write(stdout, []string{"KEY", "OF-3", "OF-4", "OF-6", "LIBRDKAFKA-OF-3"}, rows)
}
