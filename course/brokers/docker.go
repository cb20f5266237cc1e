package brokers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"brew.example/course/ports"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// minCompose is the oldest Docker Compose that knows what the file and we say: --wait and
// the configs' content.
const minCompose = "2.23.1"

// dockerWait is how long Docker may take to tell something.
const dockerWait = 10 * time.Second

// Docker runs the brokers in the containers of docker-compose.yml.
type Docker struct {
	// Root is the course's folder, which the file lies in.
	Root string
	// Progress shows what docker says while it fetches images and starts containers.
	Progress io.Writer
	// Say is told what a person should know about on the way.
	Say func(line string)
}

// Service returns the name of a broker in docker-compose.yml.
func Service(node int) string { return fmt.Sprintf("broker-%d", node) }

// command returns the call of `docker compose` with arg.
func (d Docker) command(ctx context.Context, first int, arg ...string) *exec.Cmd {
	all := append([]string{"compose", "--file", filepath.Join(d.Root, "docker-compose.yml")}, arg...)
	cmd := exec.CommandContext(ctx, "docker", all...)
	cmd.Dir = d.Root
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		// The file and its project's name are the course's; what else docker reads is the
		// user's business.
		if name != "COMPOSE_FILE" && name != "COMPOSE_PROJECT_NAME" &&
			!strings.HasPrefix(name, "COURSE_PORT") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	for node, port := range stand.Ports(first) {
		cmd.Env = append(cmd.Env, portVariable(node)+"="+strconv.Itoa(port))
	}
	// Ctrl+C reaches docker through us, once: at a second one it would leave things lying.
	group(cmd)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopWait
	return cmd
}

// portVariable returns the variable of docker-compose.yml that holds a broker's port.
func portVariable(node int) string {
	if node == 0 {
		return "COURSE_PORT"
	}
	return "COURSE_PORT_" + strconv.Itoa(node)
}

// compose runs `docker compose` and returns what it prints.
func (d Docker) compose(ctx context.Context, first int, arg ...string) ([]byte, error) {
	cmd := d.command(ctx, first, arg...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return nil, d.failed(ctx, arg, complaints.String(), err)
	}
	return out.Bytes(), nil
}

func (d Docker) failed(ctx context.Context, arg []string, complaints string, err error) error {
	if ctx.Err() != nil {
		return ended(ctx, "compose "+strings.Join(arg, " "))
	}
	if errors.Is(err, exec.ErrNotFound) {
		return noDocker()
	}
	return msg.Errorf("`docker compose %s` fails: %s", strings.Join(arg, " "),
		said(lastLine(complaints), err))
}

// ended says why a call of docker was ended: it took too long, or somebody pressed Ctrl+C.
func ended(ctx context.Context, call string) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return msg.Errorf("`docker %s` does not end within %s: restart Docker, or set "+
		"COURSE_STAND=java or embedded", call, dockerWait)
}

// missing is the error of a program that is not there.
type missing struct{ error }

func (missing) Unwrap() error { return exec.ErrNotFound }

// LeftError is why a start has failed, when its containers could not be removed.
type LeftError struct {
	error
	// Left says so, and the way out: who has pressed Ctrl+C is told of no error.
	Left string
}

func (e LeftError) Unwrap() error { return e.error }

func noDocker() error {
	return missing{msg.Errorf("there is no `docker` on PATH: install Docker, see " +
		"https://docs.docker.com/get-docker/, or set COURSE_STAND=java or embedded")}
}

// CheckDocker says what is missing on this machine for the docker stand.
func CheckDocker(ctx context.Context) error {
	if _, err := exec.LookPath("docker"); err != nil {
		return noDocker()
	}
	ctx, cancel := context.WithTimeout(ctx, dockerWait)
	defer cancel()
	out, err := ask(ctx, "docker", "compose", "version", "--short")
	version := versionIn(out, `^v?(\d+(?:\.\d+)*)`)
	switch {
	case ctx.Err() != nil:
		return ended(ctx, "compose version")
	case err != nil || version == "":
		return msg.Errorf("`docker compose version` does not work: %s; install Docker Compose "+
			"%s or newer, see https://docs.docker.com/compose/install/",
			said(out, err), minCompose)
	case older(version, minCompose):
		return msg.Errorf("Docker Compose %s is too old for the course: install %s or newer, "+
			"see https://docs.docker.com/compose/install/", version, minCompose)
	}
	out, err = ask(ctx, "docker", "version", "--format", "{{.Server.Version}}")
	switch {
	case ctx.Err() != nil:
		return ended(ctx, "version")
	case err != nil:
		return msg.Errorf("Docker does not work: %s; start it, or set COURSE_STAND=java or "+
			"embedded", said(lastLine(out), err))
	}
	return nil
}

// lastLine is where docker says what is wrong, behind its warnings.
func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

// Start brings the containers up and waits until the brokers serve.
func (d Docker) Start(ctx context.Context, o Options) (s stand.State, err error) {
	if o.Bind != loopback || o.Advertise != "localhost" {
		return s, cli.Usagef("the docker stand is for this machine only: " +
			"--bind and --advertise are for the embedded and the java one")
	}
	if err := CheckDocker(ctx); err != nil {
		return s, err
	}
	list, err := d.containers(ctx, o.First)
	if err != nil {
		return s, err
	}
	if len(list) == 0 {
		// Containers that are there already, from a start that was killed, have the ports.
		if err := ports.Probe(o.Bind, stand.Ports(o.First)); err != nil {
			return s, err
		}
	}
	s = state(stand.Docker, o, software("docker"))
	d.Say(msg.Sprintf("starting Apache Kafka %s in containers; the first time Docker fetches "+
		"its image ...", Version))
	if err := d.up(ctx, o.First, s.Bootstrap); err != nil {
		// The caller may have been interrupted: that must not keep the containers alive.
		_, failed := d.compose(context.WithoutCancel(ctx), o.First, d.down()...)
		if failed != nil {
			err = LeftError{err, msg.Sprintf("containers of the stand may be left (%v): "+
				"`make down` removes them", failed)}
		}
		return s, err
	}
	s.Started = time.Now().UTC().Truncate(time.Millisecond)
	return s, nil
}

func (d Docker) up(ctx context.Context, first int, addrs []string) error {
	arg := []string{"up", "--detach", "--wait"}
	cmd := d.command(ctx, first, arg...)
	cmd.Stdout, cmd.Stderr = d.Progress, d.Progress
	if err := cmd.Run(); err != nil {
		return d.failed(ctx, arg, "", err)
	}
	return awaitAll(ctx, addrs)
}

// down returns the arguments that remove all containers of the file, those of its
// profiles as well.
func (d Docker) down(more ...string) []string {
	wait := strconv.Itoa(int(downWait.Seconds()))
	return append([]string{"--profile", "*", "down", "--timeout", wait}, more...)
}

// Stop removes the containers, all at once, and keeps their volumes.
func (d Docker) Stop(ctx context.Context, s stand.State) error {
	return d.remove(ctx, s.Ports[0])
}

// Wipe removes the containers and their volumes.
func (d Docker) Wipe(ctx context.Context) error {
	return d.remove(ctx, stand.DefaultPort, "--volumes")
}

func (d Docker) remove(ctx context.Context, first int, more ...string) error {
	list, err := d.containers(ctx, first)
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.status() == Paused { // it would not take the signal
			if _, err := d.compose(ctx, first, "unpause", c.Service); err != nil {
				return err
			}
		}
	}
	_, err = d.compose(ctx, first, d.down(more...)...)
	return err
}

// container is a line of `docker compose ps`.
type container struct {
	Service  string
	State    string
	ExitCode int
}

// Exit codes of a process that a signal has ended.
const (
	exitedByTerm = 128 + 15
	exitedByKill = 128 + 9
)

func (c container) status() Status {
	switch {
	case c.State == "running":
		return Running
	case c.State == "paused":
		return Paused
	case c.State == "exited" && (c.ExitCode == 0 || c.ExitCode == exitedByTerm):
		return Stopped
	}
	return Dead
}

// containers returns the brokers' containers that exist.
func (d Docker) containers(ctx context.Context, first int) ([]container, error) {
	ctx, cancel := context.WithTimeout(ctx, dockerWait)
	defer cancel()
	out, err := d.compose(ctx, first, "ps", "--all", "--format", "json")
	if err != nil {
		return nil, err
	}
	var list []container
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var line json.RawMessage
		if err := dec.Decode(&line); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, msg.Errorf("cannot read what `docker compose ps` says: %w", err)
		}
		// Older versions print one list, newer ones an object a line.
		var some []container
		if json.Unmarshal(line, &some) != nil {
			some = make([]container, 1)
			if err := json.Unmarshal(line, &some[0]); err != nil {
				return nil, msg.Errorf("cannot read what `docker compose ps` says: %w", err)
			}
		}
		for _, c := range some {
			if strings.HasPrefix(c.Service, "broker-") {
				list = append(list, c)
			}
		}
	}
}

// Brokers asks docker. A broker without a container has been removed by hand.
func (d Docker) Brokers(ctx context.Context, s stand.State) ([]Broker, error) {
	list, err := d.containers(ctx, s.Ports[0])
	if err != nil {
		return nil, err
	}
	all := make([]Broker, stand.Brokers)
	for node := range all {
		all[node] = Broker{Node: node, Address: s.Bootstrap[node], Status: Dead}
		for _, c := range list {
			if c.Service == Service(node) {
				all[node].Status = c.status()
			}
		}
	}
	return all, nil
}

// act does what the verb says to one container. The state file does not change: docker
// knows how its containers are.
func (d Docker) act(
	ctx context.Context, s stand.State, verb Verb, node int,
) (stand.State, error) {
	first, name := s.Ports[0], Service(node)
	all, err := d.Brokers(ctx, s)
	if err != nil {
		return s, err
	}
	arg := map[Verb][]string{
		Stop:   {"stop", "--timeout", strconv.Itoa(int(stopWait.Seconds())), name},
		Kill:   {"kill", "--signal", "KILL", name},
		Pause:  {"pause", name},
		Resume: {"unpause", name},
		Start:  {"start", name},
	}[verb]
	if verb == Kill && all[node].Status == Paused {
		if _, err := d.compose(ctx, first, "unpause", name); err != nil {
			return s, err
		}
	}
	if _, err := d.compose(ctx, first, arg...); err != nil {
		return s, err
	}
	switch {
	case verb == Start && left(all, node) == 0:
		d.Say(msg.Sprintf("broker %d is the only one that runs: the cluster answers when a "+
			"second one is started", node))
	case verb == Start:
		return s, awaitOne(ctx, s.Bootstrap, node)
	case verb == Stop:
		list, err := d.containers(ctx, first)
		for _, c := range list {
			if c.Service == name && c.ExitCode == exitedByKill {
				d.Say(msg.Sprintf("broker %d has not stopped within %s: it is killed, and "+
					"keeps what was acknowledged",
					node, stopWait))
			}
		}
		return s, err
	}
	return s, nil
}
