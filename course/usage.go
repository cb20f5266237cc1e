package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// noSuchCommand refuses what follows a command of commands and is none of them, with
// those that are spelt alike.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name, alike := show.Text(args[0]), cmd.SuggestionsFor(args[0])
	if len(alike) == 0 {
		return cli.Usagef("unknown command %s; see `%s --help`", name, cmd.CommandPath())
	}
	for i := range alike {
		alike[i] = "`" + cmd.CommandPath() + " " + alike[i] + "`"
	}
	return cli.Usagef("unknown command %s; did you mean %s?", name, strings.Join(alike, ", "))
}

// noArgs refuses arguments of a command that takes none.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return cli.Usagef("unexpected argument %s; see `%s --help`",
		show.Text(args[0]), cmd.CommandPath())
}

// speak makes the commands below root tell wrong usage and help as the rest of the
// course does: one line, status 2, in the language in use.
func speak(root *cobra.Command) {
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return cli.UsageError{Err: cli.FlagError(err)}
	})
	cobra.AddTemplateFunc("flags", flagUsages)
	root.SetUsageTemplate(usageTemplate())
	root.SetHelpCommand(&cobra.Command{
		Use:    "help [COMMAND]",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(root, args)
			}
			return found.Help()
		},
	})
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Short = msg.Text("write a completion script for bash, zsh, fish or powershell")
			verbs(cmd)
			for _, shell := range cmd.Commands() {
				shell.Args = noArgs
			}
		}
		describeHelp(cmd)
	}
	describeHelp(root)
}

// describeHelp adds --help with a text in the language in use, as cobra would in its own.
func describeHelp(cmd *cobra.Command) {
	cmd.Flags().BoolP("help", "h", false, msg.Text("show this help"))
	for _, sub := range cmd.Commands() {
		if cmd.HasParent() {
			describeHelp(sub)
		}
	}
}

// flagUsages lists a command's flags as pflag does, but for a switch's [=true|false].
func flagUsages(f *pflag.FlagSet) string {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		short := "    "
		if flag.Shorthand != "" {
			short = "-" + flag.Shorthand + ", "
		}
		value, usage := pflag.UnquoteUsage(flag)
		if flag.Value.Type() == "bool" {
			value = ""
		} else if flag.DefValue != "" {
			usage += msg.Sprintf(" (default %s)", flag.DefValue)
		}
		fmt.Fprintf(tw, "  %s--%s\t%s\n", short, strings.TrimSpace(flag.Name+" "+value), usage)
	})
	tw.Flush()
	return strings.TrimRight(b.String(), "\n")
}

// usageTemplate is cobra's own, shorter, with its words in the language in use.
func usageTemplate() string {
	return msg.Text("Usage:") + `
  {{if .HasAvailableSubCommands}}{{.CommandPath}} <command>{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

` + msg.Text("Examples:") + `
{{.Example}}
{{- end}}
{{- if .HasAvailableSubCommands}}

` + msg.Text("Commands:") + `
{{- range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}
{{- end}}{{end}}
{{- end}}
{{- if .HasAvailableLocalFlags}}

` + msg.Text("Flags:") + `
{{flags .LocalFlags}}
{{- end}}
`
}
