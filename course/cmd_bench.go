package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/course/ports"
	"brew.example/course/runner"
	"brew.example/course/standctl"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
	"brew.example/internal/table"
)

// What the bench writes to the stand before it looks at its memory.
const (
	benchRecords = 100_000
	benchBytes   = 100
	benchTopic   = "brew.bench.v1"
)

func newBenchCommand(a *app) *cobra.Command {
	var runs int
	cmd := &cobra.Command{
		Use:    "bench",
		Hidden: true, // `make bench` calls it
		Short:  msg.Text("measure the stand's start, its memory, and a group's first record"),
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runs < 1 {
				return cli.Usagef("flag --runs cannot be %d: 1 or more", runs)
			}
			return a.bench(cmd.Context(), runs)
		},
	}
	cmd.Flags().IntVar(&runs, "runs", 5, msg.Text("how often to measure"))
	return cmd
}

// measures are the bench's figures of one run, in the order of its table.
type measures struct {
	start, first time.Duration
	memory       uint64
}

func (a *app) bench(ctx context.Context, runs int) error {
	root, err := stand.Root(".")
	if err != nil {
		return msg.Errorf("no course folder here or above: go to a clone of the course")
	}
	consumer, err := runner.Find(filepath.Join(root, demoConsumer))
	if err != nil {
		return err
	}
	if err := a.build(ctx, consumer); err != nil {
		return err
	}
	// A stand of its own, whatever the terminal's variables say.
	os.Unsetenv("KAFKA_BOOTSTRAP")
	os.Unsetenv("COURSE_STAND")
	var all []measures
	for range runs {
		m, err := benchRun(ctx, consumer)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%.0fms", 1000*d.Seconds()) }
	start := func(m measures) time.Duration { return m.start }
	memory := func(m measures) uint64 { return m.memory }
	first := func(m measures) time.Duration { return m.first }
	return table.Write(a.stdout, []string{"MEASURE", "MEDIAN", "MIN", "MAX", "BOUND"}, [][]string{
		benchRow("start-to-ready", all, start, ms, "100ms"),
		benchRow("memory-100k-records", all, memory, bytesText, "40.0MiB"),
		benchRow("first-record-of-a-fresh-group", all, first, ms, "500ms"),
	})
}

func benchRow[T time.Duration | uint64](
	name string, all []measures, pick func(measures) T, text func(T) string, bound string,
) []string {
	values := make([]T, len(all))
	for i, m := range all {
		values[i] = pick(m)
	}
	slices.Sort(values)
	last := len(values) - 1
	return []string{name, text(values[len(values)/2]), text(values[0]), text(values[last]), bound}
}

// benchRun measures once, on an empty stand in a folder of its own.
func benchRun(ctx context.Context, consumer runner.Program) (m measures, err error) {
	home, err := os.MkdirTemp("", "brew-bench-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(home)
	port, release, err := ports.Reserve()
	if err != nil {
		return m, err
	}
	defer release()
	os.Setenv("COURSE_HOME", home)
	os.Setenv("COURSE_PORT", strconv.Itoa(port))
	ctl, err := standctl.New(func(string) {})
	if err != nil {
		return m, err
	}
	began := time.Now()
	if _, _, err := ctl.Up(ctx, standctl.UpOptions{}); err != nil {
		return m, err
	}
	m.start = time.Since(began)
	defer func() {
		if _, stopErr := ctl.Down(context.WithoutCancel(ctx)); err == nil {
			err = stopErr
		}
	}()
	if err := benchFill(ctx); err != nil {
		return m, err
	}
	s, _, _, err := ctl.Status(ctx)
	if err != nil {
		return m, err
	}
	m.memory = s.Memory
	m.first, err = firstRecord(ctx, consumer)
	return m, err
}

func benchFill(ctx context.Context) error {
	cl, err := kafka.NewClient(kgo.DefaultProduceTopic(benchTopic))
	if err != nil {
		return err
	}
	defer cl.Close()
	if _, err := kafka.EnsureTopic(ctx, cl, benchTopic, 3, -1, nil); err != nil {
		return err
	}
	value := []byte(strings.Repeat("x", benchBytes))
	failed := make(chan error, benchRecords)
	for range benchRecords {
		cl.Produce(ctx, &kgo.Record{Value: value}, func(_ *kgo.Record, err error) {
			if err != nil {
				failed <- err
			}
		})
	}
	if err := cl.Flush(ctx); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// firstRecord measures from the start of the lecture's consumer to its first row.
func firstRecord(ctx context.Context, consumer runner.Program) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, consumer.Bin,
		"--topic="+benchTopic, "--group=brew.bench", "--records=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	first, head := time.Duration(0), false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch {
		case strings.HasPrefix(lines.Text(), "MEMBER "):
			head = true
		case head && first == 0:
			first = time.Since(began)
		}
	}
	if err := cmd.Wait(); err != nil {
		return 0, err
	}
	if first == 0 {
		return 0, msg.Errorf("%s has shown no record", consumer.Name)
	}
	return first, nil
}
