package main

import (
	"github.com/spf13/cobra"

	"brew.example/course/runner"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
)

func newKillCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "kill FOLDER",
		Short:   msg.Text("end a program that `course run` started as a crash would: kill -9"),
		Example: "  course kill ./cmd/consumer\n  MEMBER_ID=2 course kill ./cmd/consumer",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("name a program: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			program, err := runner.Find(args[0])
			if err != nil {
				return err
			}
			ctl, err := a.control()
			if err != nil {
				return err
			}
			name := noteName(program)
			if _, err := ctl.KillProgram(name, program.Bin); err != nil {
				return err
			}
			msg.Fprintf(a.stdout, "killed %s\n", name)
			return nil
		},
	}
}

// noteName tells the runs of a program apart that two terminals keep going at once.
func noteName(p runner.Program) string { return p.Name + "-" + cli.MemberID() }
