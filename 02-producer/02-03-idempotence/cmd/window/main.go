// Command window shows how much a broker remembers of a producer: a network brings old
// requests a second time, the newest first, and the table tells what the broker answers.
//
// Guarantee: a batch among the producer's last five in a partition is recognised, and
// acknowledged with the offset that it has. An older one is refused, and so is one that
// comes too early.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/02-03-idempotence/charges"
	"brew.example/02-producer/02-03-idempotence/lossy"
	"brew.example/02-producer/delivery"
	_ "brew.example/02-producer/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

const batch = 10 // records

type config struct {
	topic   string
	batches uint16
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.window.v1",
		msg.Text("topic to write to, made if missing"))
	f.Uint16Var(&cfg.batches, "batches", 8, msg.Text("how many batches to write (1 to 1000)"))
	cli.Parse(cfg.check)

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func (c *config) check() error {
	if c.batches < 1 || c.batches > 1000 {
		return cli.Usagef("flag --batches cannot be %d: 1 to 1000", c.batches)
	}
	return kafka.CheckTopics(c.topic, false)
}

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	if err := charges.EnsureTopic(ctx, cfg.topic); err != nil {
		return err
	}
	var answers []lossy.Answer
	network := lossy.New(0, func(a lossy.Answer) { answers = append(answers, a) })
	var tally delivery.Tally
	cl, err := kafka.NewClient(
		kgo.ClientID("payment-service"),
		kgo.Dialer(network.Dial),
		kgo.WithHooks(&tally),
		// Long enough for ten records to become one batch. ProduceSync sends it at once when
		// they are handed over; only the first batch of a topic waits.
		kgo.ProducerLinger(200*time.Millisecond),
	)
	if err != nil {
		return err
	}
	defer cl.Close()
	grace, cancel := delivery.Grace(ctx, 5*time.Second) // after Ctrl+C, for what is on its way
	defer cancel()
	defer context.AfterFunc(grace, cl.Close)() // ends a send that nobody answers
	for n := uint(0); n < batch*uint(cfg.batches) && ctx.Err() == nil; n += batch {
		var records []*kgo.Record
		var answered []func(*kgo.Record, error)
		for i := range uint(batch) {
			records = append(records, charges.New(cfg.topic, n+i))
			answered = append(answered, tally.Promise(nil))
		}
		for i, result := range cl.ProduceSync(grace, records...) {
			answered[i](result.Record, result.Err)
		}
	}
	cl.Close() // nobody appends to answers any more
	tally.Wait()
	if _, err := fmt.Fprintln(stdout, &tally); err != nil {
		return err
	}
	if err := tally.Err(); err != nil || ctx.Err() != nil {
		return err
	}
	return repeat(ctx, network, answers, stdout)
}

// repeat brings the requests once more, from the last to the first.
func repeat(
	ctx context.Context, network *lossy.Network, answers []lossy.Answer, w io.Writer,
) error {
	rows := table.NewStream(w, "BATCH  SEQUENCE  OFFSET  ANSWER-TO-A-REPEAT            ITS-OFFSET")
	row := func(name string, a lossy.Answer, offset string) error {
		again, err := network.Repeat(ctx, a)
		if err != nil {
			return msg.Errorf("send a request again, without a login: %w", err)
		}
		answer, its := "OK", fmt.Sprint(again.Offset)
		if again.Err != nil {
			answer, its = again.Err.Error(), "-"
		}
		if refused, ok := errors.AsType[*kerr.Error](again.Err); ok {
			answer = refused.Message
		}
		return rows.Row(name, a.Sequence, offset, answer, its)
	}
	// region repeat
	for i := len(answers) - 1; i >= 0; i-- {
		if err := row(fmt.Sprint(i+1), answers[i], fmt.Sprint(answers[i].Offset)); err != nil {
			return err
		}
	}
	// As if the next batch were lost, and the one behind it came.
	last := answers[len(answers)-1]
	return row("gap", last.WithSequence(last.Sequence+2*last.Records), "-")
	// endregion repeat
}
