// Command inspect makes sure that a topic exists and shows what the cluster knows of it:
// its id, and for each partition the leader, the replicas and those in sync.
//
// Guarantee: it may be run again, and by several people at once. A topic that is there is
// never changed; one that is other than asked for is an error. Only --recreate deletes.
package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

type config struct {
	topic      string
	partitions int32
	rf         int16
	recreate   bool
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.orders.v1", msg.Text("topic to show, made if missing"))
	f.Int32Var(&cfg.partitions, "partitions", 3,
		msg.Text("partitions that the topic has or gets (-1: any)"))
	f.Int16Var(&cfg.rf, "rf", 3, msg.Text("replication factor that it has or gets (-1: any)"))
	f.BoolVar(&cfg.recreate, "recreate", false,
		msg.Text("delete the topic with its records first"))
	cli.Parse(
		func() error { return kafka.CheckTopics(cfg.topic, false) },
		func() error { return kafka.CheckCounts(cfg.partitions, cfg.rf) },
	)

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, cfg config, stdout io.Writer) error {
	if cfg.recreate {
		err := kafka.Within(ctx, cfg.topic, func(ctx context.Context) error {
			return remove(ctx, cfg, stdout)
		})
		if err != nil {
			return err
		}
	}
	cl, err := kafka.NewClient(kgo.ClientID("inspect"))
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	// region ensure
	created, err := kafka.EnsureTopic(ctx, cl, cfg.topic, cfg.partitions, cfg.rf, nil)
	if err != nil {
		return err
	}
	if created {
		msg.Fprintf(stdout, "topic %s created\n", cfg.topic)
	} else {
		msg.Fprintf(stdout, "topic %s exists already\n", cfg.topic)
	}
	// endregion ensure
	return describe(ctx, cl, cfg.topic, stdout)
}

// region remove
// remove deletes the topic with a client of its own. A client that has used a topic does not
// take another one of the same name; what it remembers must not outlive the old topic.
func remove(ctx context.Context, cfg config, stdout io.Writer) error {
	cl, err := kafka.NewClient(kgo.ClientID("inspect"))
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	adm := kadm.NewClient(cl)
	// Would the new one be made? Asked under another name: this one is taken.
	trial, err := adm.ValidateCreateTopics(ctx, cfg.partitions, cfg.rf, nil, "inspect.trial")
	if err = cmp.Or(err, trial.Error()); err != nil {
		return msg.Errorf("topic %s stays, a new one would be refused: %w", cfg.topic, err)
	}
	_, err = adm.DeleteTopic(ctx, cfg.topic)
	switch {
	case errors.Is(err, kerr.UnknownTopicOrPartition): // as wanted
		return nil
	case err != nil:
		return msg.Errorf("delete topic %s: %w", cfg.topic, err)
	}
	msg.Fprintf(stdout, "topic %s deleted with its records\n", cfg.topic)
	return nil
}

// endregion remove

func describe(ctx context.Context, cl *kgo.Client, topic string, stdout io.Writer) error {
	// region describe
	topics, err := kadm.NewClient(cl).ListTopics(ctx, topic)
	if err != nil {
		return msg.Errorf("topic %s: %w", topic, err)
	}
	t := topics[topic]
	if t.Err != nil { // somebody deleted it meanwhile
		return msg.Errorf("topic %s: %w", topic, t.Err)
	}
	var rows [][]string
	for _, p := range t.Partitions.Sorted() {
		rows = append(rows, []string{
			fmt.Sprint(p.Partition), show.Brokers(p.Leader), show.Brokers(p.Replicas...),
			show.Brokers(p.ISR...), show.Brokers(p.OfflineReplicas...),
		})
	}
	// endregion describe
	// Kafka's tools write the 16 bytes so; t.ID.String() has + and / for - and _, and == behind.
	id := base64.RawURLEncoding.EncodeToString(t.ID[:])
	fmt.Fprintf(stdout, "Topic: %s\nTopicID: %s\nPartitions: %d\n", topic, id, len(rows))
	return table.Write(stdout, strings.Fields("PARTITION LEADER REPLICAS ISR OFFLINE"), rows)
}
