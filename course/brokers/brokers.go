// Package brokers runs a real Apache Kafka of three brokers on this machine, as Java
// processes or in Docker's containers, and stops, kills and pauses single ones.
//
// It knows nothing of the other parts of a stand: who calls it holds the command lock,
// and writes and removes the state file.
package brokers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// Version is the Apache Kafka of both kinds of stand; docker-compose.yml names the same.
const Version = "4.4.0"

// Cluster is one way of running three real brokers.
type Cluster interface {
	// Start brings the brokers up and returns when they serve. After an error, nothing
	// that it has started is left.
	Start(ctx context.Context, o Options) (stand.State, error)
	// Stop ends all brokers, in whatever state each of them is.
	Stop(ctx context.Context, s stand.State) error
	// Brokers tells how each broker is.
	Brokers(ctx context.Context, s stand.State) ([]Broker, error)
	// act does what the verb says to one broker that is in the right state for it, and
	// returns what the state file shall say now.
	act(ctx context.Context, s stand.State, verb Verb, node int) (stand.State, error)
	// tool returns the command that runs one of Kafka's own tools against the brokers that
	// run, of which there is at least one.
	tool(
		ctx context.Context, s stand.State, running []Broker, name string, args []string,
	) (*exec.Cmd, error)
}

// Options say where the brokers shall be.
type Options struct {
	// First is the port of broker 0.
	First int
	// Bind is the address to listen on, and Advertise the host that clients are told.
	Bind      string
	Advertise string
}

// Status is how a broker is.
type Status string

// What a broker can be.
const (
	Running Status = "running"
	// Stopped brokers have ended as they were told to.
	Stopped Status = "stopped"
	// Paused ones are frozen: their connections stay open and nothing is answered.
	Paused Status = "paused"
	// Dead ones have been killed, or have crashed.
	Dead Status = "dead"
)

// Broker is one broker of the stand.
type Broker struct {
	Node    int
	Address string
	Status  Status
	// PID is its process, 0 if it has none on this machine, and Memory what that
	// process holds, in bytes.
	PID    int
	Memory uint64
}

// Verb is what can be done to a broker.
type Verb string

// The verbs of `course broker`.
const (
	Stop   Verb = "stop"
	Kill   Verb = "kill"
	Pause  Verb = "pause"
	Resume Verb = "resume"
	Start  Verb = "start"
)

// from names the states in which a verb makes sense.
var from = map[Verb][]Status{
	Stop:   {Running},
	Kill:   {Running, Paused},
	Pause:  {Running},
	Resume: {Paused},
	Start:  {Stopped, Dead},
}

// Do does what the verb says to one broker of the cluster, and returns what the state
// file shall say now; after an error, too. It refuses what makes no sense in the state
// that the broker is in.
func Do(
	ctx context.Context, c Cluster, s stand.State, verb Verb, node int,
) (stand.State, error) {
	if node < 0 || node >= stand.Brokers {
		return s, cli.Usagef("there is no broker %d: the stand has 0, 1 and 2", node)
	}
	all, err := c.Brokers(ctx, s)
	if err != nil {
		return s, err
	}
	if status := all[node].Status; !slices.Contains(from[verb], status) {
		return s, unfit(verb, node, status)
	}
	return c.act(ctx, s, verb, node)
}

// unfit says why a verb cannot be and which one can.
func unfit(verb Verb, node int, status Status) error {
	switch {
	case status == Paused && verb == Stop:
		return msg.Errorf("broker %d is paused and cannot stop by itself: let it go on with "+
			"`course broker resume %d` first, or kill it", node, node)
	case status == Running:
		return msg.Errorf("broker %d is running already", node)
	}
	return errors.New(Broker{Node: node, Status: status}.Trouble())
}

// Trouble says why the broker does not serve, and the way out; nothing if it runs.
func (b Broker) Trouble() string {
	switch b.Status {
	case Running:
		return ""
	case Paused:
		return msg.Sprintf("broker %d is paused: `course broker resume %d` lets it go on",
			b.Node, b.Node)
	case Stopped:
		return msg.Sprintf("broker %d is stopped: `course broker start %d` starts it",
			b.Node, b.Node)
	}
	return msg.Sprintf("broker %d is dead: `course broker start %d` starts it again",
		b.Node, b.Node)
}

// bootstrap returns the addresses of the brokers for programs on this machine.
func bootstrap(host string, ports []int) []string {
	addrs := make([]string, len(ports))
	for i, port := range ports {
		addrs[i] = net.JoinHostPort(host, strconv.Itoa(port))
	}
	return addrs
}

// state returns what stand.json says about a stand that has just become ready.
func state(kind string, o Options, software string) stand.State {
	host := o.Bind
	switch ip := net.ParseIP(o.Bind); {
	case o.Advertise == "localhost":
		host = o.Advertise
	case ip.IsUnspecified():
		host = loopback
	}
	ports := stand.Ports(o.First)
	return stand.State{
		Version:   stand.FormatVersion,
		Kind:      kind,
		Bootstrap: bootstrap(host, ports),
		Ports:     ports,
		Software:  software,
		Started:   time.Now().UTC().Truncate(time.Millisecond),
	}
}

const loopback = "127.0.0.1"

// software names the brokers for people.
func software(how string) string { return fmt.Sprintf("Apache Kafka %s (%s)", Version, how) }

// left returns how many brokers run beside one.
func left(all []Broker, but int) int {
	n := 0
	for _, b := range all {
		if b.Node != but && b.Status == Running {
			n++
		}
	}
	return n
}
