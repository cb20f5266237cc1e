package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"brew.example/course/runner"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

func newTextCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "text check|update [LECTURE...]",
		Short: msg.Text("check the lectures' texts against their code and real runs"),
		Example: "  course text check\n  course text check 01-06 --lang=ru\n" +
			"  course text update 01-06",
		// The flags are those of the program that this becomes.
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.text(cmd.Context(), args)
		},
	}
}

// text builds the program that reads the texts and becomes it. It is apart from this
// one so that whoever only runs lectures need not compile a Markdown parser.
func (a *app) text(ctx context.Context, args []string) error {
	root, err := stand.Root(".")
	if err != nil {
		return msg.Errorf("no course folder here or above: go to a clone of the course")
	}
	program, err := runner.Find(filepath.Join(root, "course", "cmd", "text"))
	if err != nil {
		return err
	}
	if err := a.build(ctx, program); err != nil {
		return err
	}
	return a.become(ctx, program, args, func() error { return nil })
}
