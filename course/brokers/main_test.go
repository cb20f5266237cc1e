//go:build unix

package brokers

import (
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"brew.example/internal/embedded"
	"brew.example/internal/stand"
)

// The test binary stands in for the programs that the package runs: a link to it called
// java, mvn or docker is first on PATH. What it does is said by files in the folder that
// this variable names.
const fakes = "BREW_TEST_FAKES"

func TestMain(m *testing.M) {
	dir := os.Getenv(fakes)
	switch name := filepath.Base(os.Args[0]); {
	case dir == "":
		os.Exit(m.Run())
	case name == "java":
		os.Exit(fakeJava(dir, os.Args[1:]))
	case name == "mvn":
		os.Exit(fakeMaven(dir, os.Args[1:]))
	case name == "docker":
		os.Exit(fakeDocker(dir, os.Args[1:]))
	}
	fmt.Fprintln(os.Stderr, "the tests cannot run inside of themselves")
	os.Exit(1)
}

// fake makes the programs of that name available, and nothing else, and returns the
// folder that says what they do.
func fake(t *testing.T, names ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("JAVA_HOME", "")
	t.Setenv(fakes, dir)
	// Under the race detector each of them would linger for a second at its end.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	return dir
}

// say lets a fake program find text under a name.
func say(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// told returns the text under a name, or what is meant without one.
func told(dir, name, without string) string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return without
	}
	return string(text)
}

func note(dir, name, line string) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}

// fakeJava is a Java that knows three programs, and prints the command line of a tool.
func fakeJava(dir string, args []string) int {
	last := args[len(args)-1]
	switch {
	case last == "-version":
		fmt.Fprintln(os.Stderr, told(dir, "java.version", `openjdk version "21.0.4" 2024-07-16`))
		return 0
	case args[len(args)-2] == mainClass:
		temp := args[slices.IndexFunc(args, isTemp)]
		note(strings.TrimPrefix(temp, tempOption), fmt.Sprint(os.Getpid()), "unpacked")
		return fakeNode(dir, last)
	case slices.ContainsFunc(args, isTool):
		fmt.Println(strings.Join(args[slices.IndexFunc(args, isTool):], " "))
		fmt.Println("KAFKA_OPTS=" + os.Getenv("KAFKA_OPTS"))
		return 3
	}
	note(dir, "format.log", strings.Join(args, " "))
	if text := told(dir, "format.fail", ""); text != "" {
		fmt.Fprintln(os.Stderr, text)
		return 1
	}
	if told(dir, "format.hang", "") != "" {
		hang(dir, "format.pid")
	}
	p := read(last)
	meta := fmt.Sprintf("cluster.id=%s\nnode.id=%s\nversion=1\n", args[len(args)-3], p["node.id"])
	if err := os.Mkdir(p["log.dirs"], 0o700); err != nil {
		panic(err)
	}
	note(p["log.dirs"], metaFile, meta)
	return 0
}

const tempOption = "-Djava.io.tmpdir="

func isTemp(arg string) bool { return strings.HasPrefix(arg, tempOption) }

func isTool(arg string) bool {
	return slices.Contains(slices.Collect(maps.Values(tools)), arg)
}

// read reads a properties file.
func read(path string) map[string]string {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	p := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		p[name] = value
	}
	return p
}

// forever is not select{}: with nothing else to do, Go takes that for a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// hang waits to be killed.
func hang(dir, pid string) {
	note(dir, pid, strconv.Itoa(os.Getpid()))
	forever()
}

// fakeNode is a node of Kafka. Node 0 serves for all three: clients reach each one at its
// own port, and while its process runs.
func fakeNode(dir, settings string) int {
	p := read(settings)
	node, _ := strconv.Atoi(p["node.id"])
	if text := told(dir, "node.fail."+p["node.id"], ""); text != "" {
		fmt.Println(text)
		return 1
	}
	signals := make(chan os.Signal, 1)
	if told(dir, "node.stubborn", "") != "" {
		signal.Ignore(syscall.SIGTERM)
	} else {
		signal.Notify(signals, syscall.SIGTERM)
	}
	_ = os.Remove(filepath.Join(p["log.dirs"], closedFile))
	note(dir, "node.pid", fmt.Sprint(os.Getpid()))
	if told(dir, "node.deaf", "") == "" {
		controller, _ := strconv.Atoi(p["listeners"][strings.LastIndex(p["listeners"], ":")+1:])
		port := controller - controllerOffset
		var err error
		if node == 0 {
			_, err = serve(port, behind)
		}
		if err == nil {
			err = forward(port, port+behindOffset)
		}
		if err != nil {
			fmt.Println("java.lang.IllegalStateException: " + err.Error())
			return 1
		}
	}
	<-signals
	if told(dir, "node.waits", "") != "" {
		note(p["log.dirs"], closedFile, "")
		forever()
	}
	return 143
}

// serve runs a cluster that looks like a real one that is ready.
func serve(first int, listen func(network, addr string) (net.Listener, error)) (
	*kfake.Cluster, error,
) {
	return embedded.New(kfake.Ports(stand.Ports(first)...), kfake.SeedTopics(3, offsets),
		kfake.ListenFn(listen))
}

// hidden is a listener that says it has another port.
type hidden struct {
	net.Listener
	port int
}

func (h hidden) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: h.port} }

// behindOffset leads to ports that are none of a node's: node 0 holds those of all three.
const behindOffset = stand.Brokers

// behind listens on the hidden port that goes with a broker's.
func behind(network, addr string) (net.Listener, error) {
	_, text, _ := net.SplitHostPort(addr)
	port, _ := strconv.Atoi(text)
	ln, err := net.Listen(network, local(port+behindOffset))
	return hidden{ln, port}, err
}

func local(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// forward makes one port lead to another one.
func forward(from, to int) error {
	ln, err := net.Listen("tcp", local(from))
	if err != nil {
		return err
	}
	go func() {
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", local(to))
			if err != nil {
				in.Close()
				continue
			}
			go func() { _, _ = io.Copy(out, in); out.Close() }()
			go func() { _, _ = io.Copy(in, out); in.Close() }()
		}
	}()
	return nil
}

// fakeMaven is a Maven whose repository is the folder repo.
func fakeMaven(dir string, args []string) int {
	if args[0] == "--version" {
		fmt.Println(told(dir, "mvn.version", "Apache Maven 3.9.9 (8e8579a9e76f7d015ee5)"))
		return 0
	}
	note(dir, "mvn.log", strings.Join(args, " "))
	if text := told(dir, "mvn.fail", ""); text != "" {
		fmt.Println(text)
		return 1
	}
	if told(dir, "mvn.hang", "") != "" {
		hang(dir, "mvn.pid")
	}
	to, _ := strings.CutPrefix(args[len(args)-1], "-DoutputDirectory=")
	if err := os.CopyFS(to, os.DirFS(filepath.Join(dir, "repo"))); err != nil {
		panic(err)
	}
	return 0
}

// fakeDocker notes its command line, and has the containers that the file ps names. Its
// containers serve from up to down.
func fakeDocker(dir string, args []string) int {
	line := strings.Join(args, " ")
	note(dir, "docker.log", line)
	for _, name := range []string{"COURSE_PORT", "COURSE_PORT_1", "COURSE_PORT_2"} {
		note(dir, "docker.env", name+"="+os.Getenv(name))
	}
	switch {
	case regexp.MustCompile(told(dir, "docker.fail", "-nothing-")).MatchString(line + " "):
		fmt.Fprintln(os.Stderr, "some warning\n"+told(dir, "docker.error", "no such thing"))
		return 1
	case strings.HasSuffix(line, "version --short"):
		fmt.Println(told(dir, "docker.version", "2.40.3"))
	case strings.Contains(line, " ps "):
		fmt.Print(told(dir, "ps", ""))
	case strings.Contains(line, " up "):
		if told(dir, "docker.hang", "") != "" {
			hang(dir, "docker.pid")
		}
		if told(dir, "up.again", "") != "" {
			return 0
		}
		cmd := exec.Command(os.Args[0], "containers", os.Getenv("COURSE_PORT"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		note(dir, "containers.pid", fmt.Sprint(cmd.Process.Pid))
	case args[0] == "containers":
		first, _ := strconv.Atoi(args[1])
		if _, err := serve(first, net.Listen); err != nil {
			panic(err)
		}
		forever()
	case strings.Contains(line, " down "):
		pid, _ := strconv.Atoi(strings.TrimSpace(told(dir, "containers.pid", "")))
		if pid > 1 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return 0
}
