package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/course/runner"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// The demo has a topic and a group of its own: what a learner does in the lectures
// is not touched by it.
const (
	demoTopic = "brew.demo.v1"
	demoGroup = "brew.demo"
)

// The demo's programs are those of two lectures.
var (
	demoProducer = filepath.Join("01-foundations", "01-05-first-producer", "cmd", "producer")
	demoConsumer = filepath.Join("01-foundations", "01-06-first-consumer", "cmd", "consumer")
)

func newDemoCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: msg.Text("show ten orders going into Kafka and coming out of a consumer group"),
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context()) },
	}
}

func (a *app) demo(ctx context.Context) error {
	root, err := stand.Root(".")
	if err != nil {
		return msg.Errorf("no course folder here or above: go to a clone of the course")
	}
	producer, err := runner.Find(filepath.Join(root, demoProducer))
	if err != nil {
		return err
	}
	consumer, err := runner.Find(filepath.Join(root, demoConsumer))
	if err != nil {
		return err
	}
	ctl, err := a.ownStand()
	if err != nil {
		return err
	}
	if ctl != nil {
		if _, err := a.startIfDown(ctx, ctl); err != nil {
			return err
		}
	}
	if !producer.Built() || !consumer.Built() {
		msg.Fprintf(a.stderr, "building the programs for the first time, "+
			"which takes up to a minute ...\n")
	}
	for _, p := range []runner.Program{producer, consumer} {
		if err := a.build(ctx, p); err != nil {
			return err
		}
	}
	if err := cleanDemo(ctx, true); err != nil {
		return err
	}
	msg.Fprintf(a.stdout, "\nA producer writes ten orders:\n\n")
	if err := a.child(ctx, producer, "--topic="+demoTopic); err != nil {
		return err
	}
	msg.Fprintf(a.stdout, "\nA consumer group reads them:\n\n")
	err = a.child(ctx, consumer, "--topic="+demoTopic, "--group="+demoGroup, "--records=10")
	if err != nil {
		return err
	}
	if err := cleanDemo(ctx, false); err != nil {
		return err
	}
	msg.Fprintf(a.stdout, "\nNow you. Read on in %s, or go straight to two terminals:\n\n"+
		"  cd %s\n  make orders     # ten orders of your own\n"+
		"  make run        # terminal 1: reads them and waits for more\n"+
		"  make run-2nd    # terminal 2: a second member, and they share the partitions\n",
		lectureReadme(), filepath.ToSlash(filepath.Dir(filepath.Dir(demoConsumer))))
	if ctl != nil {
		msg.Fprintf(a.stdout, "\nThe stand stays up; `make down` stops it.\n")
	}
	return nil
}

// lectureReadme is where the text of the first lecture stands.
func lectureReadme() string {
	name := "README.md"
	if msg.Lang() == msg.Russian {
		name = "README.ru.md"
	}
	return filepath.ToSlash(filepath.Join(filepath.Dir(filepath.Dir(demoProducer)), name))
}

// child runs a program to its end, on our terminal.
func (a *app) child(ctx context.Context, p runner.Program, args ...string) error {
	cmd := exec.CommandContext(ctx, p.Bin, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.stdin, a.stdout, a.stderr
	if out, ok := a.stdout.(*output); ok {
		cmd.Stdout = out.file // the program shall see a terminal where there is one
	}
	cmd.Cancel = func() error {
		if runtime.GOOS == "windows" {
			return cmd.Process.Kill()
		}
		return cmd.Process.Signal(os.Interrupt) // it leaves its group and ends
	}
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit) && exit.ExitCode() < 0: // by a signal
		return msg.Errorf("%s was ended: %s", p.Name, exit.String())
	case errors.As(err, &exit):
		return exitError(exit.ExitCode()) // it has said why
	}
	return err
}

// cleanDemo deletes the demo's group, and with topic its topic too: then the producer
// makes it anew, and the ten orders get the same partitions and offsets each time.
func cleanDemo(ctx context.Context, topic bool) error {
	cl, err := kafka.NewClient()
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	adm := kadm.NewClient(cl)
	if err := deleteDemoGroup(ctx, adm); err != nil || !topic {
		return err
	}
	return deleteDemoTopic(ctx, adm)
}

func deleteDemoGroup(ctx context.Context, adm *kadm.Client) error {
	_, err := adm.DeleteGroup(ctx, demoGroup)
	switch {
	case err == nil, errors.Is(err, kerr.GroupIDNotFound):
		return nil
	case errors.Is(err, kerr.NonEmptyGroup):
		return msg.Errorf("group %s has members: another demo runs; "+
			"wait until it has ended", demoGroup)
	}
	return msg.Errorf("cannot delete group %s: %w", demoGroup, err)
}

// deleteDemoTopic deletes the topic and waits until it is gone: a real Kafka deletes
// in the background.
func deleteDemoTopic(ctx context.Context, adm *kadm.Client) error {
	_, err := adm.DeleteTopic(ctx, demoTopic)
	if errors.Is(err, kerr.UnknownTopicOrPartition) {
		return nil
	}
	for err == nil {
		var topics kadm.TopicDetails
		if topics, err = adm.ListTopics(ctx, demoTopic); err == nil && !topics.Has(demoTopic) {
			return nil
		}
		select {
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return msg.Errorf("cannot delete topic %s: %w", demoTopic, err)
}
