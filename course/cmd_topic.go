package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/course/admin"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

func newTopicCommand(a *app) *cobra.Command {
	return verbs(&cobra.Command{
		Use:   "topic",
		Short: msg.Text("topics: list, create, describe, alter, delete"),
		Long:  msg.Text("Topics of the cluster that KAFKA_BOOTSTRAP names, else of the running stand."),
	}, newTopicLs(a), newTopicCreate(a), newTopicDescribe(a), newTopicAlter(a), newTopicDelete(a))
}

func newTopicLs(a *app) *cobra.Command {
	f := &adminFlags{}
	var internal bool
	cmd := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   msg.Text("list the topics"),
		Long:    msg.Text("Lists the topics with their number of partitions and replicas."),
		Example: examples(
			"course topic ls",
			"course topic ls --internal -o wide",
		).seeAlso(
			"course topic describe", "course group ls", "kafka-topics.sh --list",
		),
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.admin(cmd.Context(), f, adminRun{
				official: func() []admin.Official {
					c := admin.Official{Tool: admin.ToolTopics, Args: []string{"--list"}}
					if !internal {
						c.Args = append(c.Args, "--exclude-internal")
					}
					return []admin.Official{c}
				},
				run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
					ctx, cancel := context.WithTimeout(ctx, admin.Timeout)
					defer cancel()
					list, err := c.Topics(ctx, internal)
					if list == nil {
						return err
					}
					return errors.Join(p.Topics(list), err)
				},
			})
		},
	}
	f.addTable(cmd, msg.Text("leave the line of column heads out"))
	cmd.Flags().BoolVar(&internal, "internal", false,
		msg.Text("list Kafka's own topics too, such as __consumer_offsets"))
	return cmd
}

func newTopicDescribe(a *app) *cobra.Command {
	f := &adminFlags{}
	cmd := &cobra.Command{
		Use:   "describe TOPIC...",
		Short: msg.Text("show settings, leaders, replicas and offsets"),
		Long: msg.Text("Shows a topic: its id and the settings made for it, then a row for each\n" +
			"partition. EARLIEST is the offset of the first record, LATEST the one that the\n" +
			"next record gets; TOTAL is the sum of the differences: the number of records,\n" +
			"unless some were compacted away or are marks of transactions. With -o wide the\n" +
			"settings include those that all topics of the brokers share."),
		Example: examples(
			"course topic describe brew.orders.v1",
			"course topic describe brew.orders.v1 -o json",
			"course topic describe brew.orders.v1 --explain",
		).seeAlso(
			"course topic ls", "course group describe", "kafka-topics.sh --describe", "kafka-get-offsets.sh",
		),
		Args:              topicArgs,
		ValidArgsFunction: completeNames(topicNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			topics := unique(args)
			return a.admin(cmd.Context(), f, adminRun{
				official: func() []admin.Official {
					var commands []admin.Official
					add := func(tool string, args ...string) {
						commands = append(commands, admin.Official{Tool: tool, Args: args})
					}
					for _, name := range topics {
						add(admin.ToolTopics, "--describe", "--topic", name)
						add(admin.ToolOffsets, "--topic", name, "--time", "earliest")
						add(admin.ToolOffsets, "--topic", name, "--time", "latest")
					}
					return commands
				},
				run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
					return describeTopics(ctx, c, p, topics)
				},
			})
		},
	}
	f.addTable(cmd, msg.Text("print the rows alone, without heads, settings and total"))
	return cmd
}

func topicNames(ctx context.Context, c *admin.Client) []string { return c.TopicNames(ctx) }

func describeTopics(
	ctx context.Context, c *admin.Client, p *admin.Printer, topics []string,
) error {
	var list []*admin.Topic
	var errs []error
	for _, name := range topics {
		ctx, cancel := context.WithTimeout(ctx, admin.Timeout)
		t, err := c.DescribeTopic(ctx, name)
		cancel()
		if t != nil {
			list = append(list, t)
		}
		errs = append(errs, err)
	}
	if len(list) > 0 {
		errs = append(errs, p.DescribedTopics(list))
	}
	return errors.Join(errs...)
}

func newTopicCreate(a *app) *cobra.Command {
	f := &adminFlags{}
	var t admin.NewTopic
	var configs []string
	var ifNotExists bool
	cmd := &cobra.Command{
		Use:   "create TOPIC",
		Short: msg.Text("create a topic"),
		Long:  msg.Text("Creates a topic and returns when each partition has a leader."),
		Example: examples(
			"course topic create brew.orders.v1 --partitions 3 --replication 3",
			"course topic create brew.clicks --partitions 6 --config retention.ms=60000",
			"course topic create brew.orders.v1 --partitions 3 --if-not-exists",
		).seeAlso(
			"course topic describe", "course topic delete", "kafka-topics.sh --create",
		),
		Args:              oneTopic,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		t.Name = args[0]
		return a.admin(cmd.Context(), f, adminRun{
			check:    func() error { return checkNewTopic(&t, configs) },
			official: func() []admin.Official { return createOfficially(t, ifNotExists) },
			run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
				created, err := c.CreateTopic(ctx, t, ifNotExists)
				if err != nil {
					return err
				}
				done := []admin.Done{{Name: t.Name, Changed: created}}
				return p.Results("topic.create", done, topicCreated)
			},
		})
	}
	f.add(cmd)
	cmd.Flags().Int32Var(&t.Partitions, "partitions", -1,
		msg.Text("number of partitions; -1: the cluster's default"))
	cmd.Flags().Int16Var(&t.Replication, "replication", -1,
		msg.Text("number of replicas of each partition; -1: the cluster's default"))
	cmd.Flags().StringArrayVar(&configs, "config", nil,
		msg.Text("a setting, `name=value`, such as retention.ms=60000; may be given several times"))
	cmd.Flags().Lookup("config").DefValue = "" // none: a list would show as []
	cmd.Flags().BoolVar(&ifNotExists, "if-not-exists", false,
		msg.Text("a topic that exists with these settings is no error"))
	return cmd
}

// checkNewTopic checks the flags' values and puts the settings into t.
func checkNewTopic(t *admin.NewTopic, configs []string) error {
	if err := kafka.CheckCounts(t.Partitions, t.Replication); err != nil {
		return err
	}
	t.Configs = map[string]string{}
	for _, config := range configs {
		name, value, ok := strings.Cut(config, "=")
		if !ok || name == "" {
			return cli.Usagef("flag --config cannot be %s: name=value is expected",
				show.Bytes([]byte(config)))
		}
		if _, twice := t.Configs[name]; twice {
			return cli.Usagef("flag --config sets %s twice", show.Text(name))
		}
		t.Configs[name] = value
	}
	return nil
}

func createOfficially(t admin.NewTopic, ifNotExists bool) []admin.Official {
	c := admin.Official{Tool: admin.ToolTopics, Args: []string{"--create", "--topic", t.Name}}
	if t.Partitions > 0 {
		c.Args = append(c.Args, "--partitions", strconv.Itoa(int(t.Partitions)))
	}
	if t.Replication > 0 {
		c.Args = append(c.Args, "--replication-factor", strconv.Itoa(int(t.Replication)))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Configs)) {
		c.Args = append(c.Args, "--config", name+"="+t.Configs[name])
	}
	if ifNotExists {
		c.Args = append(c.Args, "--if-not-exists")
	}
	return []admin.Official{c}
}

func topicCreated(d admin.Done) string {
	if d.Changed {
		return msg.Sprintf("topic %s created", show.Text(d.Name))
	}
	return msg.Sprintf("topic %s exists already, nothing to create", show.Text(d.Name))
}

func newTopicAlter(a *app) *cobra.Command {
	f := &adminFlags{}
	var partitions int32
	cmd := &cobra.Command{
		Use:   "alter TOPIC --partitions N",
		Short: msg.Text("give a topic more partitions"),
		Long: msg.Text("Gives a topic more partitions and returns when each has a leader. There is no\n" +
			"way back: a topic never gets fewer. Records stay where they are, and from then on\n" +
			"many keys go to another partition than before."),
		Example: examples(
			"course topic alter brew.orders.v1 --partitions 6",
			"course topic alter brew.orders.v1 --partitions 6 --explain",
		).seeAlso(
			"course topic create", "course topic describe", "kafka-topics.sh --alter",
		),
		Args:              oneTopic,
		ValidArgsFunction: completeNames(topicNames),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name := args[0]
		return a.admin(cmd.Context(), f, adminRun{
			check: func() error {
				if partitions < 1 {
					return cli.Usagef("flag --partitions: say how many the topic shall have, 1 or more")
				}
				return nil
			},
			official: func() []admin.Official {
				return []admin.Official{{Tool: admin.ToolTopics, Args: []string{
					"--alter", "--topic", name, "--partitions", strconv.Itoa(int(partitions)),
				}}}
			},
			run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
				grown, err := c.GrowTopic(ctx, name, partitions)
				if err != nil {
					return err
				}
				done := []admin.Done{{Name: name, Changed: grown}}
				return p.Results("topic.alter", done, func(d admin.Done) string {
					return topicGrown(d, partitions)
				})
			},
		})
	}
	f.add(cmd)
	cmd.Flags().Int32Var(&partitions, "partitions", 0,
		msg.Text("number of partitions that the topic shall have"))
	return cmd
}

func topicGrown(d admin.Done, partitions int32) string {
	if d.Changed {
		return msg.Sprintf("topic %s has %d partitions now", show.Text(d.Name), partitions)
	}
	return msg.Sprintf("topic %s has %d partitions already, nothing to change",
		show.Text(d.Name), partitions)
}

func newTopicDelete(a *app) *cobra.Command {
	f := &adminFlags{}
	var yes, ifExists bool
	cmd := &cobra.Command{
		Use:   "delete TOPIC...",
		Short: msg.Text("delete topics with their records"),
		Long: msg.Text("Deletes topics with all their records. Groups that read such a topic are\n" +
			"named first; they do not keep it from being deleted."),
		Example: examples(
			"course topic delete brew.orders.v1",
			"course topic delete brew.orders.v1 brew.clicks -y",
			"course topic delete brew.orders.v1 --if-exists -y",
		).seeAlso(
			"course topic ls", "course group delete", "kafka-topics.sh --delete",
		),
		Args:              topicArgs,
		ValidArgsFunction: completeNames(topicNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			topics := unique(args)
			return a.admin(cmd.Context(), f, adminRun{
				check:    func() error { return a.needsYes(f, yes) },
				official: func() []admin.Official { return deleteOfficially(topics, ifExists) },
				run: func(ctx context.Context, c *admin.Client, p *admin.Printer) error {
					d := deletion{
						kind: "topic.delete", ifExists: ifExists,
						missing: kerr.UnknownTopicOrPartition.Message,
						find:    c.TopicExists, remove: c.DeleteTopic, sentence: topicDeleted,
						warn: func(names []string) { warnReaders(ctx, c, p, names) },
					}
					if !yes {
						d.ask = func(names []string) error {
							return a.confirm(ctx,
								msg.Sprintf("delete topic %s with all records?", shown(names)))
						}
					}
					return d.run(ctx, p, topics)
				},
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, msg.Text("do not ask"))
	cmd.Flags().BoolVar(&ifExists, "if-exists", false,
		msg.Text("a topic that does not exist is no error"))
	return cmd
}

// warnReaders names the groups that the deletion will hit.
func warnReaders(ctx context.Context, c *admin.Client, p *admin.Printer, topics []string) {
	ctx, cancel := context.WithTimeout(ctx, admin.Timeout)
	defer cancel()
	readers := c.Readers(ctx, topics)
	for _, topic := range topics {
		if groups := readers[topic]; len(groups) > 0 {
			p.Remark(msg.Sprintf("warning: topic %s is being read by members of: %s",
				show.Text(topic), shown(groups)))
		}
	}
}

func deleteOfficially(topics []string, ifExists bool) []admin.Official {
	var commands []admin.Official
	for _, name := range topics {
		c := admin.Official{Tool: admin.ToolTopics, Args: []string{"--delete", "--topic", name}}
		if ifExists {
			c.Args = append(c.Args, "--if-exists")
		}
		commands = append(commands, c)
	}
	return commands
}

func topicDeleted(d admin.Done) string {
	if d.Changed {
		return msg.Sprintf("topic %s deleted", show.Text(d.Name))
	}
	return msg.Sprintf("topic %s does not exist, nothing to delete", show.Text(d.Name))
}
