package brokers

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// tools are Kafka's own command-line tools that a learner meets, by their names without
// ".sh", and the classes behind them.
var tools = map[string]string{
	"kafka-broker-api-versions": "org.apache.kafka.tools.BrokerApiVersionsCommand",
	"kafka-configs":             "org.apache.kafka.tools.ConfigCommand",
	"kafka-console-consumer":    "org.apache.kafka.tools.consumer.ConsoleConsumer",
	"kafka-console-producer":    "org.apache.kafka.tools.ConsoleProducer",
	"kafka-consumer-groups":     "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
	"kafka-delete-records":      "org.apache.kafka.tools.DeleteRecordsCommand",
	"kafka-features":            "org.apache.kafka.tools.FeatureCommand",
	"kafka-get-offsets":         "org.apache.kafka.tools.GetOffsetShell",
	"kafka-leader-election":     "org.apache.kafka.tools.LeaderElectionCommand",
	"kafka-log-dirs":            "org.apache.kafka.tools.LogDirsCommand",
	"kafka-metadata-quorum":     "org.apache.kafka.tools.MetadataQuorumCommand",
	"kafka-reassign-partitions": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
	"kafka-topics":              "org.apache.kafka.tools.TopicCommand",
	"kafka-transactions":        "org.apache.kafka.tools.TransactionsCommand",
}

// Tools returns the names of the tools that can be run.
func Tools() []string { return slices.Sorted(maps.Keys(tools)) }

// ToolName returns the name of one of the tools, as Tools has it, or a usage error.
func ToolName(name string) (string, error) {
	short := strings.TrimSuffix(name, ".sh")
	if tools[short] == "" {
		return "", cli.Usagef("unknown tool %s; `course tool --help` lists them",
			show.Text(name))
	}
	return short, nil
}

// Tool returns the command that runs a tool against the brokers that run. Its input and
// output are the caller's to set.
func Tool(
	ctx context.Context, c Cluster, s stand.State, name string, args []string,
) (*exec.Cmd, error) {
	all, err := c.Brokers(ctx, s)
	if err != nil {
		return nil, err
	}
	// A tool warns of each address that does not answer.
	var running []Broker
	for _, b := range all {
		if b.Status == Running {
			running = append(running, b)
		}
	}
	if len(running) == 0 {
		return nil, msg.Errorf("no broker runs that %s could ask: see `course broker ls`", name)
	}
	cmd, err := c.tool(ctx, s, running, name, args)
	if err != nil {
		return nil, err
	}
	// On a terminal Ctrl+C reaches the tool by itself; a signal to us alone does not.
	cmd.SysProcAttr = nil
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = toolWait
	return cmd, nil
}

// toolWait is how long a tool may take to end after Ctrl+C.
const toolWait = 5 * time.Second

// tool runs a class of the jars that the brokers run on. Of what the tool logs only errors
// are shown: a client of Kafka begins with a page of settings.
func (j Java) tool(
	ctx context.Context, _ stand.State, running []Broker, name string, args []string,
) (*exec.Cmd, error) {
	l, err := j.readLaunch()
	if err != nil {
		return nil, err
	}
	if err := j.checkLibs(); err != nil {
		return nil, err
	}
	var addrs []string
	for _, b := range running {
		addrs = append(addrs, b.Address)
	}
	java := append(j.java(l), "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", tools[name])
	cmd := exec.CommandContext(ctx, l.Java, append(java, withBrokers(addrs, args)...)...)
	cmd.Env = environment(os.Environ())
	return cmd, nil
}

// tool runs the image's own script in the container of a broker that runs.
func (d Docker) tool(
	ctx context.Context, s stand.State, running []Broker, name string, args []string,
) (*exec.Cmd, error) {
	var addrs []string
	for _, b := range running {
		addrs = append(addrs, Service(b.Node)+":9092")
	}
	// -T: what comes through a pipe goes in, and no terminal is made up.
	arg := []string{"exec", "-T", Service(running[0].Node), "/opt/kafka/bin/" + name + ".sh"}
	return d.command(ctx, s.Ports[0], append(arg, withBrokers(addrs, args)...)...), nil
}

// withBrokers puts the addresses before a tool's own arguments: some have subcommands, and
// take the option only there.
func withBrokers(addrs, args []string) []string {
	return append([]string{"--bootstrap-server", strings.Join(addrs, ",")}, args...)
}
