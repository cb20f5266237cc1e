package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"brew.example/course/runner"
	"brew.example/course/standctl"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
)

func newRunCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "run FOLDER [-- ARGUMENTS]",
		Short: msg.Text("build a lecture's program and run it, on a stand that is started if " +
			"none is up"),
		Example: "  course run ./cmd/consumer -- --group=brew.kitchen-service\n" +
			"  course run ./01-foundations/01-05-first-producer/cmd/producer -- --help",
		Args: func(cmd *cobra.Command, args []string) error {
			switch dash := cmd.ArgsLenAtDash(); {
			case len(args) == 0 || dash == 0:
				return cli.Usagef("name a program: %s", cmd.UseLine())
			case len(args) > 1 && dash != 1:
				return cli.Usagef("put -- before the program's own arguments: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runProgram(cmd.Context(), args[0], args[1:])
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return cli.Usagef("%w; the program's own flags go behind --: %s", cli.FlagError(err),
			cmd.UseLine())
	})
	return cmd
}

// runProgram builds the program, makes sure that it finds brokers, and becomes it.
func (a *app) runProgram(ctx context.Context, pkg string, args []string) error {
	program, err := runner.Find(pkg)
	if err != nil {
		return err
	}
	ctl, err := a.ownStand()
	if err != nil {
		return err
	}
	if err := a.build(ctx, program); err != nil {
		return err
	}
	started := false
	if ctl != nil && !asksForHelp(args) {
		if started, err = a.startIfDown(ctx, ctl); err != nil {
			return err
		}
	}
	a.note(program)
	return a.become(ctx, program, args, func() error {
		if !started {
			return nil
		}
		_, err := ctl.Down(context.WithoutCancel(ctx))
		return err
	})
}

// asksForHelp says whether a program will only print its flags: that needs no stand.
func asksForHelp(args []string) bool {
	return slices.Contains(args, "--help") || slices.Contains(args, "-h")
}

// become turns this process into the program. From here on a signal has its default
// meaning; after one that came before, undo is called and nothing is run.
func (a *app) become(
	ctx context.Context, program runner.Program, args []string, undo func() error,
) error {
	a.release()
	if status, ok := interrupted(ctx); ok {
		return cmp.Or(undo(), error(exitError(status)))
	}
	status, err := program.Become(args)
	if err != nil {
		return msg.Errorf("cannot run %s: %w", program.Name, err)
	}
	return exitError(status)
}

// note lets `course kill` find the program. A program runs without it as well.
func (a *app) note(program runner.Program) {
	if ctl, err := a.control(); err == nil {
		_ = ctl.NoteProgram(noteName(program))
	}
}

// ownStand returns the stand that a program will use; nil if KAFKA_BOOTSTRAP names a
// cluster: then nothing is started.
func (a *app) ownStand() (*standctl.Control, error) {
	if os.Getenv("KAFKA_BOOTSTRAP") != "" {
		return nil, nil
	}
	return a.control()
}

// startIfDown starts the stand unless it is up, and says so and how to stop it.
func (a *app) startIfDown(ctx context.Context, ctl *standctl.Control) (started bool, err error) {
	running, up, err := ctl.Running()
	if err != nil {
		return false, err
	}
	if up {
		return false, standctl.Wanted(running)
	}
	s, started, err := ctl.Up(ctx, standctl.UpOptions{})
	if err != nil {
		return false, err
	}
	if started {
		msg.Fprintf(a.stderr, "no stand was up: started one, %s; `make down` stops it\n",
			s.Bootstrap[0])
	}
	return started, nil
}

// build compiles the program; what the compiler has against it goes to stderr.
func (a *app) build(ctx context.Context, program runner.Program) error {
	var slow func()
	if onTerminal(a.stderr) {
		slow = func() { msg.Fprintf(a.stderr, "building %s ...\n", program.Name) }
	}
	err := program.Build(ctx, slow)
	var failed runner.BuildError
	if errors.As(err, &failed) {
		io.WriteString(a.stderr, failed.Output)
	}
	return err
}

// onTerminal says whether a person watches w.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
