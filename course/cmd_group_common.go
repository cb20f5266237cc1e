package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"brew.example/course/admin"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// completionTimeout is how long a shell's Tab key may wait for the cluster.
const completionTimeout = 2 * time.Second

// adminFlags are the flags that all commands for groups and topics share.
type adminFlags struct {
	output    string
	noHeaders bool
	explain   bool
}

func (f *adminFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", admin.Text, msg.Text("format: text, wide or json"))
	flags.BoolVar(&f.explain, "explain", false,
		msg.Text("print the official Kafka tool's command line for this, and do nothing"))
	formats := cobra.FixedCompletions([]string{admin.Text, admin.Wide, admin.JSON},
		cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("output", formats); err != nil {
		panic(err) // the flag is defined right above
	}
}

func (f *adminFlags) addTable(cmd *cobra.Command, usage string) {
	f.add(cmd)
	cmd.Flags().BoolVar(&f.noHeaders, "no-headers", false, usage)
}

// adminRun is one command: check finds wrong usage before anything is asked of a
// cluster, official is what --explain prints, run does the work.
type adminRun struct {
	check    func() error
	official func() []admin.Official
	run      func(ctx context.Context, c *admin.Client, p *admin.Printer) error
}

// admin runs one command and prints its errors.
func (a *app) admin(ctx context.Context, f *adminFlags, r adminRun) error {
	if err := admin.CheckFormat(f.output); err != nil {
		return err
	}
	p := &admin.Printer{Out: a.stdout, Err: a.stderr, Format: f.output, NoHeaders: f.noHeaders}
	if status := p.Report(a.adminErr(ctx, f, r, p)); status != 0 {
		return exitError(status)
	}
	return nil
}

func (a *app) adminErr(ctx context.Context, f *adminFlags, r adminRun, p *admin.Printer) error {
	if r.check != nil {
		if err := r.check(); err != nil {
			return err
		}
	}
	if f.explain {
		return admin.Explain(a.stdout, r.official())
	}
	c, err := admin.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return r.run(ctx, c, p)
}

// verbs makes cmd a command that only holds others: alone it prints its help.
func verbs(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(children...)
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = noSuchCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// exampleLines are the command lines that a help text shows.
type exampleLines []string

func examples(lines ...string) exampleLines { return lines }

// seeAlso returns the examples with what to read next.
func (e exampleLines) seeAlso(commands ...string) string {
	return "  " + strings.Join(e, "\n  ") + "\n\n" + msg.Text("See also:") + "\n  " +
		strings.Join(commands, "\n  ")
}

func groupArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("name a group: %s", cmd.UseLine())
	}
	for _, name := range args {
		if err := kafka.CheckGroup(name); err != nil {
			return err
		}
	}
	return nil
}

func oneGroup(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return noArgs(cmd, args[1:])
	}
	return groupArgs(cmd, args)
}

// topicArgs refuses what no topic can be called: it cannot exist either.
func topicArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("name a topic: %s", cmd.UseLine())
	}
	for _, name := range args {
		if err := kafka.CheckTopics(name, false); err != nil {
			return err
		}
	}
	return nil
}

func oneTopic(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return noArgs(cmd, args[1:])
	}
	return topicArgs(cmd, args)
}

// unique drops names that were given before.
func unique(names []string) []string {
	var seen []string
	for _, name := range names {
		if !slices.Contains(seen, name) {
			seen = append(seen, name)
		}
	}
	return seen
}

// shown renders names for a sentence.
func shown(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = show.Text(name)
	}
	return strings.Join(words, ", ")
}

// completable are names that each shell takes without quotes.
var completable = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// completeNames offers names from the cluster that are not on the command line yet. A
// failure offers nothing and says nothing: the line is still being written.
func completeNames(list func(context.Context, *admin.Client) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, start string,
	) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTimeout)
		defer cancel()
		c, err := admin.Connect(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer c.Close()
		var names []string
		for _, name := range list(ctx, c) {
			if strings.HasPrefix(name, start) && completable.MatchString(name) &&
				!slices.Contains(args, name) {
				names = append(names, name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFirst is completeNames for a command that takes one name.
func completeFirst(list func(context.Context, *admin.Client) []string) cobra.CompletionFunc {
	names := completeNames(list)
	return func(cmd *cobra.Command, args []string, start string,
	) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd, args, start)
	}
}

// mayAsk says whether there is a person to ask.
func (a *app) mayAsk() bool {
	f, ok := a.stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// needsYes is the check of a command that asks before it deletes.
func (a *app) needsYes(f *adminFlags, yes bool) error {
	if yes || f.explain || a.mayAsk() {
		return nil
	}
	return cli.Usagef("deleting asks first, and there is no terminal to ask on: " +
		"add -y to delete without a question")
}

// errDeclined is what a command returns when it was told not to.
func errDeclined() error {
	return &admin.Error{Code: "NOT_CONFIRMED", Message: msg.Sprintf("nothing was changed")}
}

// confirm prints the question and returns nil if the answer is yes.
func (a *app) confirm(ctx context.Context, question string) error {
	fmt.Fprint(a.stderr, show.Message(question), " [y/N] ")
	answer := make(chan string, 1)
	go func() { // a read from a terminal cannot be cancelled; it ends with the program
		line, err := bufio.NewReader(a.stdin).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			line = ""
		}
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
		return errDeclined()
	case line := <-answer:
		if slices.Contains([]string{"y", "yes", "д", "да"}, line) {
			return nil
		}
		return errDeclined()
	}
}
