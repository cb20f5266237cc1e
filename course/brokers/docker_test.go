//go:build unix

package brokers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"brew.example/course/ports/portstest"
	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// fakeContainers is a docker stand whose docker is the test binary.
type fakeContainers struct {
	Docker
	dir      string
	said     *lines
	progress *bytes.Buffer
	opts     Options
}

func newFakeContainers(t *testing.T) *fakeContainers {
	t.Helper()
	f := &fakeContainers{dir: fake(t, "docker"), said: &lines{}, progress: &bytes.Buffer{}}
	f.opts = Options{First: portstest.Reserve(t), Bind: loopback, Advertise: "localhost"}
	f.Docker = Docker{Root: t.TempDir(), Progress: f.progress, Say: f.said.add}
	t.Cleanup(func() {
		pid, _ := strconv.Atoi(strings.TrimSpace(told(f.dir, "containers.pid", "")))
		if pid > 1 {
			kafkatest.Eventually(t, "the containers are gone", func() bool {
				return syscall.Kill(pid, 0) != nil
			})
		}
	})
	return f
}

// ps sets how the containers are, in the form of newer versions.
func (f *fakeContainers) ps(t *testing.T, states ...string) {
	t.Helper()
	var b strings.Builder
	for node, state := range states {
		name, code, _ := strings.Cut(state, " ")
		if code == "" {
			code = "0"
		}
		fmt.Fprintf(&b, "{\"Service\":\"broker-%d\",\"State\":%q,\"ExitCode\":%s}\n",
			node, name, code)
	}
	b.WriteString(`{"Service":"kafka-ui","State":"paused","ExitCode":0}` + "\n")
	say(t, f.dir, "ps", b.String())
}

// calls returns docker's command lines since the last time, without what all share.
func (f *fakeContainers) calls(t *testing.T) []string {
	t.Helper()
	text := told(f.dir, "docker.log", "")
	if err := os.WriteFile(filepath.Join(f.dir, "docker.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		prefix := "compose --file " + filepath.Join(f.Root, "docker-compose.yml") + " "
		short, ok := strings.CutPrefix(line, prefix)
		if !ok && !strings.Contains(line, "version ") && !strings.HasPrefix(line, "containers ") {
			t.Errorf("a call without the file: %s", line)
		}
		if ok && !strings.HasPrefix(short, "ps ") {
			list = append(list, short)
		}
	}
	return list
}

func wantCalls(t *testing.T, f *fakeContainers, want ...string) {
	t.Helper()
	if got := f.calls(t); !slices.Equal(got, want) {
		t.Errorf("docker was told %q, want %q", got, want)
	}
}

const downCall = "--profile * down --timeout 6"

func (f *fakeContainers) start(t *testing.T) stand.State {
	t.Helper()
	s, err := f.Start(t.Context(), f.opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Stop(context.Background(), s); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestDockerUpDownWipe(t *testing.T) {
	f := newFakeContainers(t)
	t.Setenv("COURSE_PORT", "1")
	t.Setenv("COMPOSE_FILE", "other.yml")
	s := f.start(t)
	wantCalls(t, f, "up --detach --wait")
	if s.Kind != stand.Docker || len(s.Processes) > 0 ||
		s.Bootstrap[2] != "localhost:"+strconv.Itoa(f.opts.First+2) {
		t.Errorf("the state is %+v", s)
	}
	env := told(f.dir, "docker.env", "")
	for node, port := range stand.Ports(f.opts.First) {
		want := portVariable(node) + "=" + strconv.Itoa(port) + "\n"
		if !strings.Contains(env, want) {
			t.Errorf("docker does not know %s", want)
		}
	}
	f.ps(t, "running", "paused", "exited 137")
	if err := f.Stop(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	wantCalls(t, f, "unpause broker-1", downCall)
	if err := f.Wipe(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantCalls(t, f, "unpause broker-1", downCall+" --volumes")
}

func TestDockerVerbs(t *testing.T) {
	f := newFakeContainers(t)
	f.ps(t)
	s := f.start(t)
	f.calls(t)
	for _, c := range []struct {
		state string
		verb  Verb
		want  []string
	}{
		{"running", Stop, []string{"stop --timeout 15 broker-1"}},
		{"running", Kill, []string{"kill --signal KILL broker-1"}},
		{"paused", Kill, []string{"unpause broker-1", "kill --signal KILL broker-1"}},
		{"running", Pause, []string{"pause broker-1"}},
		{"paused", Resume, []string{"unpause broker-1"}},
		{"exited 0", Start, []string{"start broker-1"}},
		{"exited 137", Start, []string{"start broker-1"}},
	} {
		f.ps(t, "running", c.state, "running")
		if _, err := Do(t.Context(), f, s, c.verb, 1); err != nil {
			t.Errorf("%s of what is %s: %v", c.verb, c.state, err)
		}
		wantCalls(t, f, c.want...)
	}
	if got := f.said.String(); strings.Contains(got, "killed") {
		t.Errorf("it says %s", got)
	}
	f.ps(t, "running", "running", "exited 143")
	_, err := Do(t.Context(), f, s, Stop, 2)
	wantError(t, err, "broker 2 is stopped", "course broker start 2")
	wantCalls(t, f)
}

func TestDockerTool(t *testing.T) {
	f := newFakeContainers(t)
	s := stand.State{Ports: stand.Ports(f.opts.First), Bootstrap: []string{"a", "b", "c"}}
	f.ps(t, "paused", "running", "running")
	cmd, err := Tool(t.Context(), f, s, "kafka-topics", []string{"--list"})
	if err != nil {
		t.Fatal(err)
	}
	f.calls(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	wantCalls(t, f, "exec -T broker-1 /opt/kafka/bin/kafka-topics.sh "+
		"--bootstrap-server broker-1:9092,broker-2:9092 --list")
}

func TestDockerStates(t *testing.T) {
	f := newFakeContainers(t)
	s := stand.State{Ports: stand.Ports(1), Bootstrap: []string{"a", "b", "c"}}
	for _, c := range []struct {
		ps   []string
		want []Status
	}{
		{[]string{"running", "paused", "exited 143"}, []Status{Running, Paused, Stopped}},
		{[]string{"exited 0", "exited 137", "exited 1"}, []Status{Stopped, Dead, Dead}},
		{[]string{"restarting", "created"}, []Status{Dead, Dead, Dead}},
	} {
		f.ps(t, c.ps...)
		wantStatuses(t, f, s, c.want...)
	}
	// What older versions print.
	say(t, f.dir, "ps", `[{"Service":"broker-2","State":"running"},{"Service":"postgres"}]`)
	wantStatuses(t, f, s, Dead, Dead, Running)
	say(t, f.dir, "ps", "NAME IMAGE\n")
	_, err := f.Brokers(t.Context(), s)
	wantError(t, err, "cannot read what `docker compose ps` says")
}

func TestDockerStopThatHadToKill(t *testing.T) {
	f := newFakeContainers(t)
	s := stand.State{Ports: stand.Ports(1), Bootstrap: []string{"a", "b", "c"}}
	f.ps(t, "running 137", "running", "running")
	if _, err := Do(t.Context(), f, s, Stop, 0); err != nil {
		t.Fatal(err)
	}
	if got := f.said.String(); !strings.Contains(got, "broker 0 has not stopped within 15s") {
		t.Errorf("it says %q", got)
	}
}

func TestDockerThatCannot(t *testing.T) {
	o := Options{First: 10000, Bind: loopback, Advertise: "localhost"}
	t.Run("bind", func(t *testing.T) {
		f := newFakeContainers(t)
		f.opts.Bind = "0.0.0.0"
		_, err := f.Start(t.Context(), f.opts)
		var usage cli.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%v is no wrong usage", err)
		}
		wantError(t, err, "this machine only", "--bind")
	})
	t.Run("none", func(t *testing.T) {
		fake(t)
		_, err := Docker{}.Start(t.Context(), o)
		wantError(t, err, "no `docker` on PATH", "COURSE_STAND=java")
	})
	t.Run("no compose", func(t *testing.T) {
		f := newFakeContainers(t)
		say(t, f.dir, "docker.fail", "")
		_, err := f.Start(t.Context(), o)
		wantError(t, err, "`docker compose version` does not work", minCompose)
	})
	t.Run("old compose", func(t *testing.T) {
		f := newFakeContainers(t)
		say(t, f.dir, "docker.version", "v2.4.1")
		_, err := f.Start(t.Context(), o)
		wantError(t, err, "Docker Compose 2.4.1 is too old", minCompose)
	})
	t.Run("no daemon", func(t *testing.T) {
		f := newFakeContainers(t)
		say(t, f.dir, "docker.fail", " ps ")
		say(t, f.dir, "docker.error", "Cannot connect to the Docker daemon at \x1b[2J")
		_, err := f.Start(t.Context(), o)
		wantError(t, err, "`docker compose ps --all", "fails", `Docker daemon at \x1b[2J`)
		say(t, f.dir, "docker.fail", "version --format")
		_, err = f.Start(t.Context(), f.opts)
		wantError(t, err, "Docker does not work", `Docker daemon at \x1b[2J`, "COURSE_STAND=java")
	})
	t.Run("what is left", func(t *testing.T) {
		f := newFakeContainers(t)
		say(t, f.dir, "docker.fail", " (up|down) ")
		_, err := f.Start(t.Context(), f.opts)
		wantError(t, err, "up --detach --wait` fails")
		left, _ := errors.AsType[LeftError](err)
		if !strings.Contains(left.Left, "may be left") || !strings.Contains(left.Left, "make down") {
			t.Errorf("it says %q", left.Left)
		}
	})
	t.Run("port", func(t *testing.T) {
		f := newFakeContainers(t)
		port := f.opts.First + 1
		ln, err := net.Listen("tcp", local(port))
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		_, err = f.Start(t.Context(), f.opts)
		wantError(t, err, "port "+strconv.Itoa(port)+" is taken", "COURSE_PORT")
		wantCalls(t, f)
	})
	t.Run("up", func(t *testing.T) {
		f := newFakeContainers(t)
		say(t, f.dir, "docker.fail", " up ")
		_, err := f.Start(t.Context(), f.opts)
		wantError(t, err, "`docker compose up --detach --wait` fails")
		wantCalls(t, f, "up --detach --wait", downCall)
		if !strings.Contains(f.progress.String(), "no such thing") {
			t.Errorf("the reason is not shown: %s", f.progress)
		}
	})
}

func TestDockerUpAfterOneThatWasKilled(t *testing.T) {
	f := newFakeContainers(t)
	f.start(t) // nobody has written down that it runs; its containers have the ports
	f.ps(t, "running", "running", "running")
	f.calls(t)
	say(t, f.dir, "up.again", "yes")
	if _, err := f.Start(t.Context(), f.opts); err != nil {
		t.Error(err)
	}
	wantCalls(t, f, "up --detach --wait")
}

func TestDockerUpInterrupted(t *testing.T) {
	f := newFakeContainers(t)
	say(t, f.dir, "docker.hang", "yes")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := f.Start(ctx, f.opts)
		ended <- err
	}()
	kafkatest.Eventually(t, "docker is at it", func() bool { return told(f.dir, "docker.pid", "") != "" })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	wantCalls(t, f, "up --detach --wait", downCall)
}
