// Command text is the part of the course's tool that checks and updates the lectures'
// texts: `course text` builds it and becomes it. It is a program of its own so that
// whoever only runs lectures need not compile a Markdown parser.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	_ "brew.example/course/ru"
	"brew.example/course/text"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

func main() {
	ctx, cancel := runctx.New()
	root := newCommand(os.Stdout)
	err := root.ExecuteContext(ctx)
	if lang := msg.Err(); err == nil && lang != nil {
		err = cli.UsageError{Err: lang}
	}
	interrupted := ctx.Err() != nil
	cancel()
	status := cli.Status(err)
	if interrupted && status != 0 {
		status = 130 // not checked to the end
	}
	os.Exit(status)
}

// tool is what the verbs share.
type tool struct {
	stdout io.Writer
	langs  []string
	opts   text.Options
}

func newCommand(stdout io.Writer) *cobra.Command {
	t := &tool{stdout: stdout}
	root := &cobra.Command{
		Use:           "text",
		Short:         msg.Text("check the lectures' texts against their code and real runs"),
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "course text"},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	root.SetOut(stdout)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return cli.UsageError{Err: cli.FlagError(err)}
	})
	flags := root.PersistentFlags()
	flags.StringVar(&t.opts.Stand, "stand", stand.Embedded, msg.Text(
		"the kind of stand to replay on: embedded or java"))
	flags.StringVar(&t.opts.Course, "course", "", msg.Text("the course's tool to start "+
		"stands with (built if not given)"))
	flags.IntVar(&t.opts.Jobs, "jobs", defaultJobs, msg.Text("how many texts to replay side "+
		"by side"))
	flags.BoolVar(&t.opts.Static, "static", false, msg.Text("only read: replay nothing"))

	check := &cobra.Command{
		Use:   "check [LECTURE...]",
		Short: msg.Text("say what in the texts is not true, with file and line"),
		Example: "  course text check\n  course text check 01-06 --lang=ru\n" +
			"  course text check --static",
		RunE: func(cmd *cobra.Command, args []string) error { return t.check(cmd.Context(), args) },
	}
	check.Flags().StringSliceVar(&t.langs, "lang", text.Languages, msg.Text(
		"the languages to check: en, ru"))
	update := &cobra.Command{
		Use: "update [LECTURE...]",
		Short: msg.Text("rewrite code blocks from the code, and outputs that are no " +
			"longer true from runs"),
		Example: "  course text update\n  course text update 01-06",
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.update(cmd.Context(), args)
		},
	}
	root.AddCommand(check, update)
	return root
}

const defaultJobs = 6

func noSuchVerb(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return cli.Usagef("unknown command %s; see `%s --help`", show.Text(args[0]), "course text")
}

// prepare finds the lectures and checks what the command line says.
func (t *tool) prepare(args []string) (*text.Checker, []text.Lecture, error) {
	if err := msg.Err(); err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	if t.opts.Jobs < 1 {
		return nil, nil, cli.Usagef("flag --jobs cannot be %d: at least 1", t.opts.Jobs)
	}
	for _, lang := range t.langs {
		if lang != msg.English && lang != msg.Russian {
			return nil, nil, cli.Usagef("flag --lang cannot be %s: en, ru", show.Text(lang))
		}
	}
	root, err := stand.Root(".")
	if err != nil {
		return nil, nil, msg.Errorf("no course folder here or above: go to a clone of the course")
	}
	lectures, err := text.Find(root, args...)
	if err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	c, err := text.NewChecker(root, t.opts)
	if err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	return c, lectures, nil
}

// result is what one job has to say, and how long it took.
type result struct {
	problems []text.Problem
	written  []string
	took     time.Duration
}

// job is one line of the report.
type job struct {
	name string
	done chan result
}

func start(name string, do func() ([]string, []text.Problem)) job {
	j := job{name: name, done: make(chan result, 1)}
	go func() {
		begin := time.Now()
		written, problems := do()
		j.done <- result{problems, written, time.Since(begin)}
	}()
	return j
}

func (t *tool) check(ctx context.Context, args []string) error {
	c, lectures, err := t.prepare(args)
	if err != nil {
		return err
	}
	var jobs []job
	for _, l := range lectures {
		for _, lang := range t.langs {
			jobs = append(jobs, start(l.Name+" "+lang, func() ([]string, []text.Problem) {
				return nil, c.Check(ctx, l, lang)
			}))
		}
	}
	return cmp.Or(t.report(jobs), c.Close(context.WithoutCancel(ctx)))
}

func (t *tool) update(ctx context.Context, args []string) error {
	c, lectures, err := t.prepare(args)
	if err != nil {
		return err
	}
	var jobs []job
	for _, l := range lectures {
		jobs = append(jobs, start(l.Name, func() ([]string, []text.Problem) {
			return c.Update(ctx, l)
		}))
	}
	return cmp.Or(t.report(jobs), c.Close(context.WithoutCancel(ctx)))
}

// report prints the results in the order of the jobs.
func (t *tool) report(jobs []job) error {
	wrong := 0
	for _, j := range jobs {
		r := <-j.done
		verdict := "ok"
		if len(r.problems) > 0 {
			verdict = "FAIL"
			wrong++
		}
		fmt.Fprintf(t.stdout, "%-4s  %-32s  %6.1fs\n", verdict, j.name, r.took.Seconds())
		for _, p := range r.problems {
			fmt.Fprintln(t.stdout, strings.TrimRight(p.Error(), "\n"))
		}
		for _, file := range r.written {
			msg.Fprintf(t.stdout, "wrote %s\n", file)
		}
	}
	if wrong > 0 {
		return msg.Errorf("not right: %d of %d", wrong, len(jobs))
	}
	return nil
}
