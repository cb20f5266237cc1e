package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"brew.example/course/brokers"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/table"
)

func newBrokerCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "broker",
		Short: msg.Text("stop, kill, pause and start single brokers of a real Kafka"),
		Example: "  COURSE_STAND=java course up\n  course broker ls\n" +
			"  course broker kill 1\n  course broker start 1",
	}
	verbs(root,
		&cobra.Command{
			Use:     "ls",
			Aliases: []string{"list"},
			Short:   msg.Text("tell how each broker is: running, stopped, paused or dead"),
			Args:    noArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return a.listBrokers(cmd.Context())
			},
		},
		a.brokerCommand(brokers.Stop, msg.Text("stop a broker: it hands over its partitions "+
			"first")),
		a.brokerCommand(brokers.Kill, msg.Text("end a broker as a crash would: kill -9")),
		a.brokerCommand(brokers.Pause, msg.Text("freeze a broker: connections stay, nothing is "+
			"answered")),
		a.brokerCommand(brokers.Resume, msg.Text("let a paused broker go on")),
		a.brokerCommand(brokers.Start, msg.Text("start a broker that was stopped or has died")),
	)
	return root
}

func (a *app) brokerCommand(verb brokers.Verb, short string) *cobra.Command {
	return &cobra.Command{
		Use:     string(verb) + " N",
		Short:   short,
		Example: fmt.Sprintf("  course broker %s 1", verb),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("name one broker by its number: %s", cmd.UseLine())
			}
			return nil
		},
		ValidArgs: []string{"0", "1", "2"},
		RunE: func(cmd *cobra.Command, args []string) error {
			node, err := strconv.Atoi(args[0])
			if err != nil {
				return cli.Usagef("%s is not the number of a broker: 0, 1 or 2",
					cli.Value(args[0]))
			}
			ctl, err := a.control()
			if err != nil {
				return err
			}
			if err := ctl.Broker(cmd.Context(), verb, node); err != nil {
				return err
			}
			done(a.stdout, verb, node)
			return nil
		},
	}
}

// done says what a verb has done.
func done(w io.Writer, verb brokers.Verb, node int) {
	switch verb {
	case brokers.Stop:
		msg.Fprintf(w, "Broker %d is stopped.\n", node)
	case brokers.Kill:
		msg.Fprintf(w, "Broker %d is killed.\n", node)
	case brokers.Pause:
		msg.Fprintf(w, "Broker %d is paused.\n", node)
	case brokers.Resume:
		msg.Fprintf(w, "Broker %d goes on.\n", node)
	case brokers.Start:
		msg.Fprintf(w, "Broker %d is started.\n", node)
	}
}

func (a *app) listBrokers(ctx context.Context) error {
	ctl, err := a.control()
	if err != nil {
		return err
	}
	all, err := ctl.Brokers(ctx)
	if err != nil {
		return err
	}
	return writeBrokers(a.stdout, all)
}

// writeBrokers prints a table of brokers; what one has not is a hyphen.
func writeBrokers(w io.Writer, all []brokers.Broker) error {
	rows := make([][]string, len(all))
	for i, b := range all {
		pid, memory := "-", "-"
		if b.PID != 0 {
			pid, memory = strconv.Itoa(b.PID), bytesText(b.Memory)
		}
		rows[i] = []string{strconv.Itoa(b.Node), b.Address, string(b.Status), pid, memory}
	}
	return table.Write(w, []string{"BROKER", "ADDRESS", "STATE", "PID", "MEMORY"}, rows)
}
