// Command forced-retry is Brew's payment service on a bad network: it writes charges in
// batches of ten, every third acknowledgement is lost, and the client sends that batch
// again. It shows what the broker has answered and how often each charge is in the log.
//
// Guarantee: with --idempotent a batch that this client sends again is stored once. What
// another client sends, or this program after a restart, is stored again.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
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
	"brew.example/internal/table"
)

const batch = 10 // records, fewer in the last one

type config struct {
	topic              string
	idempotent, giveUp bool
	loseEvery          uint16
	first              uint
	limits             *cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.charges.v1",
		msg.Text("topic to write to, made if missing"))
	f.BoolVar(&cfg.idempotent, "idempotent", true,
		msg.Text("let the broker recognise a batch that is sent again"))
	f.BoolVar(&cfg.giveUp, "give-up", false,
		msg.Text("send nothing again: stop when an acknowledgement is lost"))
	f.Uint16Var(&cfg.loseEvery, "lose-every", 3,
		msg.Text("which acknowledgements are lost: 3 every third, 1 all, 0 none"))
	f.UintVar(&cfg.first, "first", 0, msg.Text("number of the first charge"))
	cfg.limits = cli.LimitFlags(100)
	cli.Parse(func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	if err := charges.EnsureTopic(ctx, cfg.topic); err != nil {
		return err
	}
	network := lossy.New(int(cfg.loseEvery), charges.Answers(stdout))
	var tally delivery.Tally
	buffered := make(charges.Buffered, batch)
	// region client
	opts := []kgo.Opt{
		kgo.ClientID("payment-service"),
		kgo.Dialer(network.Dial), // every connection goes through the bad network
		kgo.WithHooks(&tally, buffered),
		// Records wait for Flush, so the ten that belong together are one batch, one request.
		kgo.ManualFlushing(),
		// The network is well again at once. By default the client waits 250 ms and more.
		kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond }),
	}
	if !cfg.idempotent {
		// The price: what the client sends again may be stored again.
		opts = append(opts, kgo.DisableIdempotentWrite())
	}
	if cfg.giveUp {
		opts = append(opts,
			kgo.RecordRetries(0),
			// Without this a batch that may be stored is sent again for ever, retries or not.
			// The price: nobody knows its fate, and whoever writes it again may store it twice.
			kgo.AllowIdempotentProduceCancellation(),
		)
	}
	cl, err := kafka.NewClient(opts...)
	// endregion client
	if err != nil {
		return err
	}
	defer cl.Close()
	intended := send(ctx, cl, cfg, &tally, buffered)
	cl.Close() // answers what is left: its fate is unknown
	tally.Wait()
	if _, err = fmt.Fprintln(stdout, &tally); err == nil && ctx.Err() == nil {
		err = report(ctx, cfg.topic, intended, network, stdout)
	}
	if failed := tally.Err(); failed != nil {
		return failed
	}
	return err
}

// send writes batch after batch, until all are written, one fails, or somebody stops it.
func send(
	ctx context.Context, cl *kgo.Client, cfg config, tally *delivery.Tally,
	buffered charges.Buffered,
) (intended uint) {
	sending, stop := cfg.limits.Context(ctx)
	defer stop()
	grace, cancel := delivery.Grace(sending, 5*time.Second) // for what is on its way then
	defer cancel()
	answered := func(_ *kgo.Record, err error) {
		if err != nil {
			stop()
		}
	}
	// region batch
	for sending.Err() == nil && !cfg.limits.Reached(intended) {
		size := uint(0)
		for ; size < batch && !cfg.limits.Reached(intended); size++ {
			cl.Produce(grace, charges.New(cfg.topic, cfg.first+intended), tally.Promise(answered))
			intended++
		}
		buffered.Wait(sending, size)
		_ = cl.Flush(grace) // what it leaves unanswered counts as unknown
	}
	// endregion batch
	return intended
}

func report(
	ctx context.Context, topic string, intended uint, network *lossy.Network, w io.Writer,
) error {
	log, err := charges.ReadLog(ctx, topic)
	if err != nil {
		return err
	}
	lost, unanswered := network.Lost()
	head := []string{"INTENDED", "LOST-ANSWERS", "UNANSWERED", "IN-LOG", "DUPLICATES"}
	return table.Write(w, head, [][]string{{fmt.Sprint(intended), fmt.Sprint(lost),
		fmt.Sprint(unanswered), fmt.Sprint(log.Records()), fmt.Sprint(log.Duplicates())}})
}
