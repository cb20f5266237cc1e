// Command give-up is Brew's payment service on a network that loses every acknowledgement.
// It writes one charge with limits on everything, in four ways, and shows which of them ends,
// with what error, and how often the charge is in the log.
//
// Guarantee: none of the errors says that the charge is not stored.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-03-idempotence/charges"
	"brew.example/02-producer/02-03-idempotence/lossy"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

const (
	limit = 2 * time.Second // on the charge, by context and by RecordDeliveryTimeout
	watch = 3 * time.Second // how long we wait for a client that ignores it
)

func main() {
	topic := pflag.CommandLine.String("topic", "brew.give-up.v1",
		msg.Text("topic to write to, made if missing"))
	cli.Parse(func() error { return kafka.CheckTopics(*topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, *topic, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

type way struct {
	name  string
	opts  []kgo.Opt
	close bool // the client, when the limit has passed
}

// region ways
var ways = []way{
	{name: "none"},
	{name: "close", close: true},
	{name: "cancellation", opts: []kgo.Opt{kgo.AllowIdempotentProduceCancellation()}},
	{name: "no-idempotence", opts: []kgo.Opt{kgo.DisableIdempotentWrite()}},
}

// endregion ways

func run(ctx context.Context, topic string, stdout io.Writer) error {
	if err := charges.EnsureTopic(ctx, topic); err != nil {
		return err
	}
	before, err := charges.ReadLog(ctx, topic)
	if err != nil {
		return err
	}
	outcomes := make([]outcome, len(ways))
	var trying sync.WaitGroup
	for i, w := range ways {
		trying.Go(func() { outcomes[i] = w.try(ctx, topic) })
	}
	trying.Wait()
	if ctx.Err() == nil {
		after, err := charges.ReadLog(ctx, topic)
		if err != nil {
			return err
		}
		var rows [][]string
		for i, o := range outcomes {
			name := ways[i].name
			stored := len(after[name]) - len(before[name])
			rows = append(rows, []string{name, o.after, o.text(), fmt.Sprint(o.attempts),
				fmt.Sprint(stored)})
		}
		head := []string{"WAY-OUT", "ENDED-AFTER", "ERROR", "ATTEMPTS", "IN-LOG"}
		if err := table.Write(stdout, head, rows); err != nil {
			return err
		}
	}
	count := map[delivery.Outcome]int{}
	for _, o := range outcomes {
		fate, _ := delivery.Judge(o.err)
		count[fate]++
	}
	// An acknowledgement never comes: this is how it has to end.
	return msg.Errorf("not acknowledged: failed=%d unknown=%d", count[delivery.Failed],
		count[delivery.Unknown])
}

// outcome is after what time a produce has ended, with what error, and after how many attempts.
type outcome struct {
	after    string
	err      error
	attempts int
}

var errSending = errors.New("the client is still sending")

func (o outcome) text() string {
	if o.err == nil || errors.Is(o.err, errSending) {
		return "-"
	}
	return show.Text(o.err.Error())
}

// try writes one charge, with every limit that there is.
func (w way) try(ctx context.Context, topic string) (o outcome) {
	network := lossy.New(1, func(lossy.Answer) {}) // loses every acknowledgement
	// region limits
	cl, err := kafka.NewClient(append(w.opts,
		kgo.Dialer(network.Dial),
		kgo.RecordRetries(1),
		kgo.RecordDeliveryTimeout(limit),
	)...)
	if err != nil {
		return outcome{err: err}
	}
	defer cl.Close()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ended, start := make(chan error, 1), time.Now()
	cl.Produce(limited, &kgo.Record{Topic: topic, Key: []byte(w.name)},
		func(_ *kgo.Record, err error) { ended <- err })
	// endregion limits
	if w.close {
		<-limited.Done()
		cl.Close()
	}
	select {
	case o.err = <-ended:
		o.after = time.Since(start).Round(time.Millisecond).String()
	case <-time.After(watch):
		o.after, o.err = ">"+watch.String(), errSending
	case <-ctx.Done():
		o.err = ctx.Err()
	}
	o.attempts, _ = network.Lost()
	return o
}
