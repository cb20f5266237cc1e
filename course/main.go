// Command course is the course's own tool: it starts and stops the stand, runs the
// lectures' programs on it, and shows and changes groups and topics of any cluster.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	_ "brew.example/course/ru"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
)

// app is what every command needs: where to read and print, and the signals.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	// release ends the context and gives signals their default meaning again.
	release context.CancelFunc
}

func main() {
	a := &app{stdin: os.Stdin, stdout: &output{file: os.Stdout}, stderr: os.Stderr}
	var ctx context.Context
	ctx, a.release = runctx.New()
	status := a.main(ctx, os.Args[1:])
	a.release()
	os.Exit(status)
}

// exitError ends the program with a status and says nothing: all has been said.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// main runs one command line and returns the exit status: 0, 1 for an error, 2 for
// wrong usage, 128 and its number after a signal. A second signal is always 130.
func (a *app) main(ctx context.Context, args []string) int {
	if err := msg.Err(); err != nil {
		return a.report(cli.UsageError{Err: err})
	}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if status, ok := interrupted(ctx); ok {
		return status
	}
	if out, ok := a.stdout.(*output); ok && err == nil {
		err = out.err
	}
	return a.report(err)
}

// output is standard output. It keeps the first error: whatever prints help or a sentence
// need not look, and a script whose disk is full still learns that a part is missing.
type output struct {
	file *os.File
	err  error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Close closes the file.
func (o *output) Close() error { return o.file.Close() }

// interrupted returns the status of a program that a signal has stopped: a script that runs
// the tool must see that it did not get to its end. A lecture's program ends with 0.
func interrupted(ctx context.Context) (int, bool) {
	by, ok := errors.AsType[runctx.Interrupt](context.Cause(ctx))
	if !ok {
		return 0, false
	}
	if number, ok := by.Signal.(syscall.Signal); ok {
		return 128 + int(number), true
	}
	return 130, true
}

// report prints an error once and returns the status that tells its sort.
func (a *app) report(err error) int {
	var done exitError
	var usage cli.UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &done):
		return int(done)
	}
	msg.Fprintf(a.stderr, "error: %s\n", show.Message(strings.TrimSpace(err.Error())))
	if errors.As(err, &usage) {
		return 2
	}
	return 1
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "course",
		Short: msg.Text("the Brew course's tool: the stand, the lectures' programs, " +
			"groups and topics"),
		Example: strings.Join([]string{
			"  course up",
			"  course run ./01-foundations/01-05-first-producer/cmd/producer",
			"  course status",
			"  course down",
		}, "\n"),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	verbs(root,
		newDemoCommand(a), newRunCommand(a), newKillCommand(a),
		newUpCommand(a), newDownCommand(a), newStatusCommand(a), newWipeCommand(a),
		newBrokerCommand(a), newToolCommand(a),
		newGroupCommand(a), newTopicCommand(a), newTextCommand(a),
		newDoctorCommand(a), newVersionCommand(a),
		newBenchCommand(a), newDaemonCommand(a),
	)
	speak(root)
	return root
}
