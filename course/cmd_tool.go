package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brew.example/course/brokers"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

func newToolCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tool NAME [ARGUMENTS]",
		Short: msg.Text("run one of Apache Kafka's own command-line tools on a real Kafka"),
		Example: "  course tool kafka-metadata-quorum describe --status\n" +
			"  course tool kafka-topics --describe --topic brew.orders.v1\n\n  " +
			msg.Text("the tools:") + "\n    " + strings.Join(brokers.Tools(), "\n    "),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("name a tool: %s", cmd.UseLine())
			}
			return nil
		},
		ValidArgs: brokers.Tools(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runTool(cmd.Context(), args[0], args[1:])
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows the name is the tool's
	return cmd
}

// namesServers says whether an argument is --bootstrap-server, in any of the shorter forms
// that Kafka's tools take for it.
func namesServers(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return strings.HasPrefix(name, "--boot") && strings.HasPrefix("--bootstrap-server", name)
}

// runTool runs a tool of Kafka's and ends with its status.
func (a *app) runTool(ctx context.Context, name string, args []string) error {
	name, err := brokers.ToolName(name)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(args, namesServers) {
		return cli.Usagef("`course tool` adds --bootstrap-server with the stand's brokers: " +
			"leave it out")
	}
	if own := os.Getenv("KAFKA_BOOTSTRAP"); own != "" {
		return msg.Errorf("KAFKA_BOOTSTRAP names a cluster of your own, and the course has no "+
			"tools for it: in an installation of Apache Kafka run bin/%s.sh "+
			"--bootstrap-server %s", name, show.Text(own))
	}
	ctl, err := a.control()
	if err != nil {
		return err
	}
	tool, err := ctl.Tool(ctx, name, args)
	if err != nil {
		return err
	}
	tool.Stdin, tool.Stdout, tool.Stderr = a.stdin, a.stdout, a.stderr
	err = tool.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exitError(exit.ExitCode())
	case err != nil:
		return msg.Errorf("cannot run %s: %w", name, err)
	}
	return nil
}
