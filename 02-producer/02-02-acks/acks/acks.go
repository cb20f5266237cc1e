// Package acks opens clients that differ in one thing: how many replicas must have a record
// before it is acknowledged.
package acks

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/delivery"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
)

// All are the legal values, in the order in which they promise more.
var All = []string{"0", "1", "all"}

// Check returns a usage error for a list that Open cannot use.
func Check(list []string) error {
	for i, acks := range list {
		if !slices.Contains(All, acks) {
			return cli.Usagef("flag --acks cannot be %s: 0, 1 or all, or several, such as 1,all",
				cli.Value(acks))
		} else if slices.Contains(list[:i], acks) {
			return cli.Usagef("flag --acks names %s twice", acks)
		}
	}
	if len(list) == 0 {
		return cli.Usagef("flag --acks cannot be empty: 0, 1 or all, or several, such as 1,all")
	}
	return nil
}

// Writer is a client with its acks, and what became of its records.
type Writer struct {
	Acks   string
	Client *kgo.Client
	Tally  delivery.Tally
}

// Open returns a writer for each value, idempotent where it says so. Close them.
func Open(
	list []string, idempotent func(acks string) bool, opts ...kgo.Opt,
) ([]*Writer, error) {
	var writers []*Writer
	for _, acks := range list {
		w := &Writer{Acks: acks}
		own := append(options(acks, idempotent(acks)), kgo.WithHooks(&w.Tally))
		var err error
		if w.Client, err = kafka.NewClient(append(own, opts...)...); err != nil {
			Close(writers)
			if idempotent(acks) && !Possible(acks) {
				err = msg.Errorf("acks=%s: %w; leave --idempotent out, or say --acks=all", acks,
					err)
			}
			return nil, err
		}
		writers = append(writers, w)
	}
	return writers, nil
}

// Possible says whether a writer can be idempotent.
func Possible(acks string) bool { return acks == "all" }

// region options
func options(acks string, idempotent bool) []kgo.Opt {
	required := map[string]kgo.Acks{
		"0":   kgo.NoAck(),      // nobody answers, and no error comes back either
		"1":   kgo.LeaderAck(),  // the leader has it
		"all": kgo.AllISRAcks(), // the default: all have it that are in sync at that moment
	}
	opts := []kgo.Opt{kgo.RequiredAcks(required[acks])}
	if !idempotent {
		// Idempotence demands acks=all. The price of doing without: a record that the client
		// sends again may be stored twice, and one request at a time is on its way to a broker.
		opts = append(opts, kgo.DisableIdempotentWrite())
	}
	return opts
}

// endregion options

// Close closes the clients, which gives up what is not answered yet, and returns when each
// record has been counted.
func Close(writers []*Writer) {
	for _, w := range writers {
		w.Client.Close()
		w.Tally.Wait()
	}
}

// Report prints what became of the records. Those with acks=0 stand apart: that they were
// sent is all that can be known. The error is that of the first writer that has one.
func Report(stdout io.Writer, writers []*Writer) error {
	var acknowledged, failed, unknown int64
	var first error
	for _, w := range writers {
		a, f, u := w.Tally.Counts()
		if w.Acks == "0" {
			fmt.Fprintf(stdout, "acks=0 sent=%d\n", a)
			a = 0
		}
		acknowledged, failed, unknown = acknowledged+a, failed+f, unknown+u
		if err := w.Tally.Err(); err != nil {
			first = cmp.Or(first, fmt.Errorf("acks=%s: %w", w.Acks, err))
		}
	}
	fmt.Fprintf(stdout, "acknowledged=%d failed=%d unknown=%d\n", acknowledged, failed, unknown)
	return first
}
