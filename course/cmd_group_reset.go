package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"brew.example/course/admin"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// reset is one run of reset-offsets.
type reset struct {
	group     string
	topics    []string
	allTopics bool
	dryRun    bool
	execute   bool
	yes       bool

	scope  admin.Scope // these two are made of the flags
	target admin.Target
}

func newGroupReset(a *app) *cobra.Command {
	f := &adminFlags{}
	r := &reset{}
	cmd := &cobra.Command{
		Use:   "reset-offsets GROUP",
		Short: msg.Text("set where a group goes on reading"),
		Long: msg.Text("Sets the committed offsets of a group without members, and so where its\n" +
			"next consumers begin. It prints what would change and changes nothing, unless\n" +
			"--execute is given. A group that does not exist is made.\n" +
			"\n" +
			"Offsets outside of a log are moved to its nearest end. A partition without a\n" +
			"record at or after a given time is set to its end. A TIME without a zone is UTC,\n" +
			"as for the official tool: 2026-03-01T10:00:00.000, 2026-03-01T10:00:00+03:00. A\n" +
			"DURATION is PT1H30M, P1D or 1h30m before now.\n" +
			"\n" +
			"--to is shorter for the others: earliest, latest, current, 42 (--to-offset), +5\n" +
			"and -5 (--shift-by), @TIME and @-DURATION."),
		Example: examples(
			"course group reset-offsets brew.kitchen-service --topic brew.orders.v1 --to-earliest",
			"course group reset-offsets brew.kitchen-service --topic brew.orders.v1:0,2 "+
				"--shift-by -10 --execute",
			"course group reset-offsets brew.kitchen-service --all-topics --by-duration PT1H "+
				"--execute -y",
			"course group reset-offsets brew.kitchen-service --all-topics --to @-1h -o json",
		).seeAlso(
			"course group describe", "course group delete",
			"kafka-consumer-groups.sh --reset-offsets",
		),
		Args:              oneGroup,
		ValidArgsFunction: completeFirst(groupNames),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r.group = args[0]
		return a.admin(cmd.Context(), f, adminRun{
			check:    func() error { return a.checkReset(cmd.Flags(), f, r) },
			official: r.official,
			run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
				return a.reset(ctx, c, p, r)
			},
		})
	}
	f.addTable(cmd, msg.Text("leave the line of column heads out"))
	r.addFlags(cmd)
	return cmd
}

func (r *reset) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&r.topics, "topic", nil, msg.Text("a topic, or some of its partitions, "+
		"`TOPIC[:0,1]`; may be given several times"))
	flags.Lookup("topic").DefValue = "" // none: a list would show as []
	flags.BoolVar(&r.allTopics, "all-topics", false,
		msg.Text("all partitions that the group has commits of"))
	flags.Bool(admin.ToEarliest, false, msg.Text("to the first record that is there"))
	flags.Bool(admin.ToLatest, false, msg.Text("to the end: only what comes is read"))
	flags.Bool(admin.ToCurrent, false,
		msg.Text("to where the commits are; to the end where there is none"))
	flags.String(admin.ToOffset, "", msg.Text("to `N`"))
	flags.String(admin.ShiftBy, "",
		msg.Text("by `N` from the commits, back with a number below zero"))
	flags.String(admin.ToDatetime, "", msg.Text("to the first record at or after `TIME`"))
	flags.String(admin.ByDuration, "",
		msg.Text("to the first record at or after `DURATION` before now"))
	flags.String(admin.To, "", msg.Text("in short, `WHERE`: earliest, latest, current, N, +N, -N, "+
		"@TIME, @-DURATION"))
	flags.BoolVar(&r.dryRun, "dry-run", false,
		msg.Text("change nothing; so it is without --execute"))
	flags.BoolVar(&r.execute, "execute", false, msg.Text("commit the new offsets"))
	flags.BoolVarP(&r.yes, "yes", "y", false, msg.Text("do not ask"))
	for name, complete := range map[string]cobra.CompletionFunc{
		"topic": completeNames(topicNames),
		admin.To: cobra.FixedCompletions([]string{"earliest", "latest", "current"},
			cobra.ShellCompDirectiveNoFileComp),
	} {
		if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err) // the flags are defined right above
		}
	}
}

// targets are the flags of which one is given, in the order in which a refusal lists them.
var targets = []string{
	admin.ToEarliest, admin.ToLatest, admin.ToCurrent, admin.ToOffset, admin.ShiftBy,
	admin.ToDatetime, admin.ByDuration, admin.To,
}

// checkReset makes scope and target of the flags.
func (a *app) checkReset(flags *pflag.FlagSet, f *adminFlags, r *reset) error {
	var given []string
	for _, name := range targets {
		flag := flags.Lookup(name)
		off := flag.Value.Type() == "bool" && flag.Value.String() == "false"
		if flag.Changed && !off {
			given = append(given, name)
		}
	}
	var err error
	switch {
	case len(given) != 1:
		return cli.Usagef("say where to, by one of: %s", "--"+strings.Join(targets, ", --"))
	case r.allTopics == (len(r.topics) > 0):
		return cli.Usagef("say which partitions, by --topic or by --all-topics")
	case r.dryRun && r.execute:
		return cli.Usagef("--dry-run and --execute are opposites: give one of them")
	}
	value := flags.Lookup(given[0]).Value.String()
	if r.target, err = admin.ParseTarget(given[0], value, time.Now()); err != nil {
		return err
	}
	if !r.allTopics {
		if r.scope, err = admin.ParseScope(r.topics); err != nil {
			return err
		}
	}
	if r.execute && !r.yes && !f.explain && !a.mayAsk() {
		return cli.Usagef("--execute asks first, and there is no terminal to ask on: " +
			"add -y to commit without a question")
	}
	return nil
}

func (r *reset) official() []admin.Official {
	args := []string{"--reset-offsets", "--group", r.group}
	if r.allTopics {
		args = append(args, "--all-topics")
	}
	for _, topic := range slices.Sorted(maps.Keys(r.scope)) {
		var partitions []string
		for _, p := range r.scope[topic] {
			partitions = append(partitions, strconv.Itoa(int(p)))
		}
		value := topic
		if partitions != nil {
			value += ":" + strings.Join(partitions, ",")
		}
		args = append(args, "--topic", value)
	}
	args = append(args, r.target.Official()...)
	if r.execute {
		args = append(args, "--execute")
	} else {
		args = append(args, "--dry-run")
	}
	return []admin.Official{{Tool: admin.ToolGroups, Args: args}}
}

// reset shows the plan, asks, commits, and says what has come of it.
func (a *app) reset(ctx context.Context, c *admin.Client, p *admin.Printer, r *reset) error {
	bounded, cancel := context.WithTimeout(ctx, admin.Timeout)
	plan, err := c.PlanReset(bounded, r.group, r.scope, r.target)
	cancel()
	if err != nil {
		return err
	}
	if err := p.Plan(plan); err != nil {
		return err
	}
	if r.execute {
		if !r.yes {
			if err := a.confirmReset(ctx, p, plan); err != nil {
				return err
			}
		}
		bounded, cancel := context.WithTimeout(ctx, admin.Timeout)
		err = c.CommitReset(bounded, plan)
		cancel()
	}
	return errors.Join(err, p.ResetDone(plan, r.execute))
}

// confirmReset asks; whoever is asked has seen the plan, also when JSON is what is wanted.
func (a *app) confirmReset(ctx context.Context, p *admin.Printer, plan *admin.Reset) error {
	if p.Format == admin.JSON {
		seen := admin.Printer{Out: a.stderr, Err: a.stderr, Format: admin.Text}
		if err := seen.Plan(plan); err != nil {
			return err
		}
	}
	return a.confirm(ctx, msg.Sprintf("commit these offsets for group %s?", show.Text(plan.Group)))
}
