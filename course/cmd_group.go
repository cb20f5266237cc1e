package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/course/admin"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

func newGroupCommand(a *app) *cobra.Command {
	return verbs(&cobra.Command{
		Use:   "group",
		Short: msg.Text("consumer groups: list, describe, reset offsets, delete"),
		Long: msg.Text("Consumer groups of the cluster that KAFKA_BOOTSTRAP names, else of the\n" +
			"running stand: which there are, how far they have read, and how to change or\n" +
			"forget it."),
	}, newGroupLs(a), newGroupDescribe(a), newGroupReset(a), newGroupDelete(a))
}

func newGroupLs(a *app) *cobra.Command {
	f := &adminFlags{}
	cmd := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   msg.Text("list the groups"),
		Long: msg.Text("Lists the groups of all brokers with type and state. In a group of type\n" +
			"Classic the members share out the partitions; in one of type Consumer the\n" +
			"coordinator does (KIP-848)."),
		Example: examples(
			"course group ls",
			"course group ls -o json",
			"course group ls --explain",
		).seeAlso(
			"course group describe", "course topic ls", "kafka-consumer-groups.sh --list",
		),
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.admin(cmd.Context(), f, adminRun{
				official: func() []admin.Official {
					args := []string{"--list", "--state", "--type"}
					return []admin.Official{{Tool: admin.ToolGroups, Args: args}}
				},
				run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
					ctx, cancel := context.WithTimeout(ctx, admin.Timeout)
					defer cancel()
					list, err := c.Groups(ctx)
					if list == nil {
						return err
					}
					return errors.Join(p.Groups(list), err)
				},
			})
		},
	}
	f.addTable(cmd, msg.Text("leave the line of column heads out"))
	return cmd
}

func newGroupDescribe(a *app) *cobra.Command {
	f := &adminFlags{}
	cmd := &cobra.Command{
		Use:   "describe GROUP...",
		Short: msg.Text("show members, committed offsets and lag"),
		Long: msg.Text("Shows a group: one line about all of it, then a row for each partition of the\n" +
			"topics that it reads or has commits of, then a row for each member that owns no\n" +
			"partition.\n" +
			"\n" +
			"\"-\" means that there is none: no commit, no owner. The LAG of a partition without\n" +
			"a commit is all that its log holds, LOG-END-OFFSET minus the log's start; the\n" +
			"official tool prints \"-\" there."),
		Example: examples(
			"course group describe brew.kitchen-service",
			"course group describe brew.kitchen-service brew.analytics -o wide",
			"course group describe brew.kitchen-service -o json",
			"course group describe brew.kitchen-service --no-headers | awk '{ print $2, $5 }'",
		).seeAlso(
			"course group ls", "course group reset-offsets", "course group delete",
			"course topic describe", "kafka-consumer-groups.sh --describe",
		),
		Args:              groupArgs,
		ValidArgsFunction: completeNames(groupNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			groups := unique(args)
			return a.admin(cmd.Context(), f, adminRun{
				official: func() []admin.Official {
					return describeOfficially(groups, f.output == admin.Wide)
				},
				run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
					return describeGroups(ctx, c, p, groups)
				},
			})
		},
	}
	f.addTable(cmd, msg.Text("print the rows alone, without heads and the line about the group"))
	return cmd
}

func groupNames(ctx context.Context, c *admin.Client) []string { return c.GroupNames(ctx) }

func describeGroups(
	ctx context.Context, c *admin.Client, p *admin.Printer, groups []string,
) error {
	var list []*admin.Description
	var errs []error
	for _, name := range groups {
		ctx, cancel := context.WithTimeout(ctx, admin.Timeout)
		d, err := c.Describe(ctx, name)
		cancel()
		if d != nil {
			list = append(list, d)
		}
		errs = append(errs, err)
	}
	if len(list) > 0 {
		errs = append(errs, p.Descriptions(list))
	}
	return errors.Join(errs...)
}

func describeOfficially(groups []string, verbose bool) []admin.Official {
	args := []string{"--describe"}
	for _, name := range groups {
		args = append(args, "--group", name)
	}
	if verbose {
		args = append(args, "--verbose")
	}
	return []admin.Official{{Tool: admin.ToolGroups, Args: args}}
}

func newGroupDelete(a *app) *cobra.Command {
	f := &adminFlags{}
	var yes, ifExists bool
	cmd := &cobra.Command{
		Use:   "delete GROUP...",
		Short: msg.Text("delete groups with their committed offsets"),
		Long: msg.Text("Deletes groups with their committed offsets: the next consumer of such a name\n" +
			"starts as a new group. The records stay where they are. A group with members is\n" +
			"refused."),
		Example: examples(
			"course group delete brew.kitchen-service",
			"course group delete brew.kitchen-service -y",
			"course group delete brew.kitchen-service --explain",
		).seeAlso(
			"course group describe", "course group reset-offsets", "course topic delete",
			"kafka-consumer-groups.sh --delete",
		),
		Args:              groupArgs,
		ValidArgsFunction: completeNames(groupNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			groups := unique(args)
			return a.admin(cmd.Context(), f, adminRun{
				check: func() error { return a.needsYes(f, yes) },
				official: func() []admin.Official {
					args := []string{"--delete"}
					for _, name := range groups {
						args = append(args, "--group", name)
					}
					return []admin.Official{{Tool: admin.ToolGroups, Args: args}}
				},
				run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
					d := deletion{
						kind: "group.delete", missing: kerr.GroupIDNotFound.Message, ifExists: ifExists,
						find: c.Deletable, remove: c.DeleteGroup, sentence: groupDeleted,
					}
					if !yes {
						d.ask = func(names []string) error {
							return a.confirm(ctx,
								msg.Sprintf("delete group %s with the committed offsets?", shown(names)))
						}
					}
					return d.run(ctx, p, groups)
				},
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, msg.Text("do not ask"))
	cmd.Flags().BoolVar(&ifExists, "if-exists", false,
		msg.Text("a group that does not exist is no error"))
	return cmd
}

func groupDeleted(d admin.Done) string {
	if d.Changed {
		return msg.Sprintf("group %s deleted", show.Text(d.Name))
	}
	return msg.Sprintf("group %s does not exist, nothing to delete", show.Text(d.Name))
}

// deletion deletes several things of a kind. Each is tried; an error of one keeps the
// others from nothing.
type deletion struct {
	kind     string // of the JSON
	missing  string // the code of an error that ifExists forgives
	ifExists bool
	find     func(ctx context.Context, name string) error // an error: it cannot be deleted
	warn     func(names []string)                         // nil: nothing to warn of
	ask      func(names []string) error                   // nil: not asked
	remove   func(ctx context.Context, name string) error
	sentence func(admin.Done) string
}

func (d deletion) run(ctx context.Context, p *admin.Printer, names []string) error {
	var done []admin.Done
	var errs []error
	var found []string
	each := func(names []string, do func(context.Context, string) error, ok func(string)) {
		for _, name := range names {
			ctx, cancel := context.WithTimeout(ctx, admin.Timeout)
			err := do(ctx, name)
			cancel()
			var e *admin.Error
			switch {
			case err == nil:
				ok(name)
			case d.ifExists && errors.As(err, &e) && e.Code == d.missing:
				done = append(done, admin.Done{Name: name})
			default:
				errs = append(errs, err)
			}
		}
	}
	each(names, d.find, func(name string) { found = append(found, name) })
	if len(found) > 0 && d.warn != nil {
		d.warn(found)
	}
	if len(found) > 0 && d.ask != nil {
		if err := d.ask(found); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	each(found, d.remove, func(name string) {
		done = append(done, admin.Done{Name: name, Changed: true})
	})
	if len(done) > 0 {
		errs = append(errs, p.Results(d.kind, done, d.sentence))
	}
	return errors.Join(errs...)
}
