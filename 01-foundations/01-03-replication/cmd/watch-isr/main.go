// Command watch-isr shows a topic's leaders and in-sync replicas (ISR), and each change
// of them with the time since the line before. It also tells when a broker falls silent
// or answers again: moments to count from.
//
// Every time is that of a look: what it shows happened up to one --interval before; while a
// broker is frozen, up to 300 ms more.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/01-foundations/01-03-replication/ask"
	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

type config struct {
	topic    string
	interval time.Duration
	once     bool
	limits   cli.Limits
}

func main() {
	var cfg config
	f := pflag.CommandLine
	f.StringVar(&cfg.topic, "topic", "brew.payments.v1", msg.Text("topic to watch"))
	f.DurationVar(&cfg.interval, "interval", 250*time.Millisecond,
		msg.Text("pause between two looks"))
	f.BoolVar(&cfg.once, "once", false, msg.Text("look once and stop"))
	f.DurationVar(&cfg.limits.For, "for", 0,
		msg.Text("watch for this time, such as 2m (0: no limit)"))
	cli.Parse(func() error { return kafka.CheckInterval(cfg.interval) },
		func() error { return kafka.CheckTopics(cfg.topic, false) })

	ctx, cancel := runctx.New()
	err := run(ctx, cfg, os.Stdout, os.Stderr)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, cfg config, stdout, stderr io.Writer) error {
	cl, err := kafka.NewClient(kgo.ClientID("watch-isr"))
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	w := &watcher{topic: cfg.topic, brokers: ask.New(cl), stdout: stdout, last: time.Now()}
	none := ask.Embedded()
	if cfg.once || none != nil {
		return cmp.Or(w.look(ctx), none)
	}
	watching, stop := cfg.limits.Context(ctx)
	defer stop()
	return kafka.Watch(watching, cfg.interval, stderr, w.look)
}

// watcher prints what differs between two looks.
type watcher struct {
	topic   string
	brokers *ask.Brokers
	stdout  io.Writer
	shown   string    // the table that was printed last
	last    time.Time // of the line that was printed last
}

// region look
func (w *watcher) look(ctx context.Context) error {
	at := time.Now()
	topic, fell, back, err := w.brokers.Topic(ctx, w.topic)
	for _, broker := range back {
		w.event(at, msg.Sprintf("broker %s answers again", broker))
	}
	if err == nil {
		err = w.show(at, topic.Partitions)
	}
	for _, broker := range fell {
		w.event(at, msg.Sprintf("broker %s does not answer", broker))
	}
	return err
}

func (w *watcher) show(at time.Time, partitions []kmsg.MetadataResponseTopicPartition) error {
	var now strings.Builder
	err := table.Write(&now, head, rows(partitions))
	if err != nil || now.String() == w.shown {
		return err
	}
	if w.shown != "" {
		w.event(at, msg.Text("the partitions have changed"))
	}
	w.shown = now.String()
	_, err = io.WriteString(w.stdout, w.shown)
	return err
}

// event prints a line with the time of the look and the time since the line before.
func (w *watcher) event(at time.Time, what string) {
	since := at.Sub(w.last).Round(100 * time.Millisecond)
	fmt.Fprintf(w.stdout, "[%s] +%s %s\n", at.Format("15:04:05.000"), since, what)
	w.last = at
}

// endregion look

var head = []string{"PARTITION", "LEADER", "REPLICAS", "ISR", "UNDER-REPLICATED"}

// region rows
func rows(partitions []kmsg.MetadataResponseTopicPartition) [][]string {
	var rows [][]string
	for _, p := range partitions {
		leader, under := fmt.Sprint(p.Leader), "no"
		if p.Leader < 0 {
			leader = "none"
		}
		slices.Sort(p.ISR) // a set; the order of REPLICAS says who leads by preference
		missing := slices.DeleteFunc(slices.Clone(p.Replicas), func(broker int32) bool {
			return slices.Contains(p.ISR, broker)
		})
		if len(missing) > 0 {
			under = fmt.Sprintf("yes (missing %v)", missing)
		}
		rows = append(rows, []string{fmt.Sprint(p.Partition), leader, show.Brokers(p.Replicas...),
			show.Brokers(p.ISR...), under})
	}
	return rows
}

// endregion rows
