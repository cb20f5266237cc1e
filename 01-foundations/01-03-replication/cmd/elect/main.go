// Command elect gives the partitions of a topic back to their preferred leaders: each to
// the first broker in its list of replicas. Kafka does so by itself, every five minutes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/01-foundations/01-03-replication/ask"
	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

func main() {
	topic := pflag.String("topic", "brew.payments.v1", msg.Text("topic whose leaders to elect"))
	cli.Parse(func() error { return kafka.CheckTopics(*topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, *topic, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, topic string, stdout io.Writer) error {
	cl, err := kafka.NewClient(kgo.ClientID("elect"))
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	if none := ask.Embedded(); none != nil {
		return none
	}
	return kafka.Within(ctx, topic, func(ctx context.Context) error {
		return elect(ctx, cl, topic, stdout)
	})
}

func elect(ctx context.Context, cl *kgo.Client, topic string, stdout io.Writer) error {
	about, _, _, err := ask.New(cl).Topic(ctx, topic)
	if err != nil {
		return err
	}
	set := kadm.TopicsSet{}
	for _, p := range about.Partitions {
		set.Add(topic, p.Partition)
	}
	// region elect
	results, err := kadm.NewClient(cl).ElectLeaders(ctx, kadm.ElectPreferredReplica, set)
	if err != nil {
		return msg.Errorf("nobody elects leaders for %s: %w", topic, err)
	}
	// endregion elect
	if len(results[topic]) == 0 { // kadm passes over an error that is not of a partition
		return msg.Errorf("nobody elects leaders for %s now; it takes a controller, and so a "+
			"majority of the brokers (see `make broker-ls`)", topic)
	}
	var rows [][]string
	for _, p := range about.Partitions {
		result := "OK"
		var refused *kerr.Error
		if errors.As(results[topic][p.Partition].Err, &refused) {
			result = refused.Message
		}
		rows = append(rows, []string{fmt.Sprint(p.Partition), fmt.Sprint(p.Leader),
			fmt.Sprint(p.Replicas[0]), result})
	}
	return table.Write(stdout, []string{"PARTITION", "LEADER", "PREFERRED", "ELECTION"}, rows)
}
