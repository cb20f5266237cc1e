// Command course is the course's own tool: it starts and stops the stand, runs the
// lectures' programs on it, and shows and changes groups and topics of any cluster.
package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"brew.example/internal/runctx"
)

// app is what every command needs: where to print, and the flags that all share.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

func main() {
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	ctx, cancel := runctx.New()
	status := a.main(ctx, os.Args[1:])
	cancel()
	os.Exit(status)
}

// main runs one command line and returns the exit status: 0, 1 for an error, 2 for
// wrong usage.
func (a *app) main(ctx context.Context, args []string) int {
	root := &cobra.Command{Use: "course"}
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		return 1
	}
	return 0
}
