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
	linger             time.Duration
	first              uint
	limits             *cli.Limits
}

func main() {
	cfg := config{linger: 200 * time.Millisecond}
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
	// region client
	opts := []kgo.Opt{
		kgo.ClientID("payment-service"),
		kgo.Dialer(network.Dial), // every connection goes through the bad network
		kgo.WithHooks(&tally),
		// Long enough for ten records to become one batch. ProduceSync sends it at once when
		// they are handed over; only the first batch of a topic waits.
		kgo.ProducerLinger(cfg.linger),
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
	intended := send(ctx, cl, cfg, &tally)
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
) (intended uint) {
	sending, stop := cfg.limits.Context(ctx)
	defer stop()
	grace, cancel := delivery.Grace(sending, 5*time.Second) // for what is on its way then
	defer cancel()
	// A send that nobody answers ignores its context. Close ends it.
	defer context.AfterFunc(grace, cl.Close)()
	// region batch
	for sending.Err() == nil && !cfg.limits.Reached(intended) {
		var records []*kgo.Record
		var answered []func(*kgo.Record, error)
		for ; len(records) < batch && !cfg.limits.Reached(intended); intended++ {
			records = append(records, charges.New(cfg.topic, cfg.first+intended))
			answered = append(answered, tally.Promise(nil))
		}
		for i, result := range cl.ProduceSync(grace, records...) {
			answered[i](result.Record, result.Err)
			if result.Err != nil {
				stop()
			}
		}
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
