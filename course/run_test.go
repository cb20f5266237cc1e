//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"brew.example/internal/kafkatest"
)

// clone makes a small course in a folder of its own and makes it the place's folder:
// a lecture with a program that tells what it was given, one that waits for a signal,
// and one that does not compile.
func (p *place) clone() {
	p.t.Helper()
	root := p.t.TempDir()
	p.dir = filepath.Join(root, "01-module", "01-01-lecture")
	for name, text := range map[string]string{
		"lecture.mk":       "",
		"go.work":          "go 1.26.0\n\nuse ./01-module\n",
		"01-module/go.mod": "module brew.example/01-module\n\ngo 1.26.0\n",
		"01-module/01-01-lecture/cmd/tell/main.go": `package main

import (
	"fmt"
	"os"
)

func main() {
	dir, _ := os.Getwd()
	fmt.Println(os.Args, dir, os.Getenv("MEMBER_ID"))
	os.Exit(7)
}
`,
		"01-module/01-01-lecture/cmd/wait/main.go": `package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	os.WriteFile(os.Args[1], []byte(fmt.Sprint(os.Getpid())), 0o600)
	fmt.Println("stopped by", <-got)
}
`,
		"01-module/01-01-lecture/cmd/broken/main.go": "package main\n\nfunc main() { nonsense() " +
			"}\n",
		"01-module/01-01-lecture/cmd/library/lib.go": "package library\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

// root returns the clone's top folder.
func (p *place) root() string { return filepath.Dir(filepath.Dir(p.dir)) }

func TestRunBecomesTheProgram(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	p.vars = append(p.vars, "MEMBER_ID=2")
	want := func(r result, dir string) {
		t.Helper()
		p.must(r, 7)
		if line := fmt.Sprintf("[tell --a b -- c] %s 2\n", dir); r.stdout != line {
			t.Errorf("got %q, want %q", r.stdout, line)
		}
	}
	args := []string{"--", "--a", "b", "--", "c"}
	first := p.course(append([]string{"run", "./cmd/tell"}, args...)...)
	want(first, p.dir)
	if !strings.Contains(first.stderr, "make down") || strings.Count(first.stderr, "\n") != 1 {
		t.Errorf("the stand that was started is not told in one line: %v", first)
	}
	second := p.course(append([]string{"run", "cmd/tell/"}, args...)...)
	want(second, p.dir)
	if second.stderr != "" {
		t.Errorf("with a stand there is nothing to tell: %v", second)
	}
	bin := filepath.Join(p.root(), "bin", "01-01-lecture-tell")
	if _, err := os.Stat(bin); err != nil {
		t.Error(err)
	}

	p.dir = p.root()
	const tell = "01-module/01-01-lecture/cmd/tell"
	want(p.course(append([]string{"run", "./" + tell}, args...)...), p.dir)
	want(p.course(append([]string{"run", "brew.example/" + tell}, args...)...), p.dir)
	p.vars = append(p.vars, "GOWORK=off")
	want(p.course(append([]string{"run", "./" + tell}, args...)...), p.dir)
}

// A program that is in order is not blamed for the go command's trouble.
func TestRunShowsThatTheGoCommandFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	for _, env := range []string{"GOFLAGS=-nonsense", "GOCACHE=off"} {
		p.vars = []string{env}
		r := p.must(p.course("run", "./cmd/tell"), 1)
		if !strings.Contains(r.stderr, "\nerror: cannot build tell: the go command fails, see above") {
			t.Errorf("%s: %v", env, r)
		}
	}
	p.vars = []string{"GOOS=plan9", "GOARCH=mips"} // to run here it is built for this machine
	p.must(p.course("run", "./cmd/tell"), 7)
	p.vars = []string{"GOPROXY=off", "GOTOOLCHAIN=go1.99.9"}
	r := p.must(p.course("run", "./cmd/tell"), 1)
	if !strings.Contains(r.stderr, "\nerror: cannot build tell: the go command cannot download") {
		t.Errorf("without a toolchain: %v", r)
	}
}

func TestRunShowsWhatDoesNotCompile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	r := p.must(p.course("run", "./cmd/broken"), 1)
	if !strings.Contains(r.stderr, "undefined: "+
		"nonsense") || !strings.Contains(r.stderr, "broken does not compile") {
		t.Errorf("what is wrong is not told: %v", r)
	}
	if p.status().Up {
		t.Error("a stand was started for a program that does not compile")
	}
	p.refused(p.course("run", "./cmd/library"), 2, "cmd/library")
	p.refused(p.course("run", "./cmd"), 2, "cmd")
	p.vars = append(p.vars, "PATH=/nowhere")
	p.refused(p.course("run", "./cmd/tell"), 1, "go.dev/dl")
}

func TestRunStartsNothingForAClusterOfOnesOwn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	p.vars = append(p.vars, "KAFKA_BOOTSTRAP=localhost:1")
	r := p.must(p.course("run", "./cmd/tell"), 7)
	if r.stderr != "" || len(p.processes()) > 0 {
		t.Errorf("something was started: %v", r)
	}
}

// TestRunForHelpStartsNothing: a program's flags can be read without a stand.
func TestRunForHelpStartsNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	for _, flag := range []string{"--help", "-h"} {
		r := p.must(p.course("run", "./cmd/tell", "--", flag), 7)
		if !strings.Contains(r.stdout, flag) || r.stderr != "" || len(p.processes()) > 0 {
			t.Errorf("something was started: %v", r)
		}
	}
}

func TestRunInTwoTerminalsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	var wg sync.WaitGroup
	results := make([]result, 3)
	for i := range results {
		wg.Go(func() { results[i] = p.course("run", "./cmd/tell") })
	}
	wg.Wait()
	for _, r := range results {
		p.must(r, 7)
	}
	if n := len(p.processes()); n != 1 {
		t.Errorf("%d stands run", n)
	}
}

func TestRunRefusesAHomeBeforeItBuilds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	p.vars = append(p.vars, "COURSE_HOME=/")
	p.refused(p.course("run", "./cmd/tell"), 2, "root of the file system")
	if _, err := os.Stat(filepath.Join(p.root(), "bin")); err == nil {
		t.Error("it was built")
	}
	p.vars = nil
}

// signals are what may stop `course run`, with the exit status that tells it.
var stops = map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143}

func TestSignalDuringBuild(t *testing.T) {
	t.Parallel()
	for sig, code := range stops {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.clone()
			// A compiler that never ends, with a child.
			fake := t.TempDir()
			pids := filepath.Join(fake, "pids")
			script := "#!/bin/sh\nsleep 600 &\necho $$ $! " +
				">" + pids + ".new\nmv " + pids + ".new " + pids + "\nwait\n"
			if err := os.WriteFile(filepath.Join(fake, "go"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := p.command("run", "./cmd/tell")
			cmd.Env = p.environ("PATH=" + fake + ":" + os.Getenv("PATH"))
			p.interrupt(cmd, sig, code, func() bool { return len(numbers(pids)) == 2 })
			for _, pid := range numbers(pids) {
				kafkatest.Eventually(t, "the end of the compiler", func() bool { return !exists(pid) })
			}
			if len(p.processes()) > 0 {
				t.Error("a stand stays")
			}
		})
	}
}

func TestSignalDuringStart(t *testing.T) {
	t.Parallel()
	for sig, code := range stops {
		for _, verb := range []string{"up", "run"} {
			t.Run(verb+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				p.clone()
				p.up()
				p.must(p.course("down"), 0)
				// A file that nobody writes to: the brokers never get to the end of it.
				topics := filepath.Join(p.home, "data", "embedded", "topics.json")
				if err := os.Remove(topics); err != nil {
					t.Fatal(err)
				}
				if err := syscall.Mkfifo(topics, 0o600); err != nil {
					t.Fatal(err)
				}
				args := []string{verb}
				if verb == "run" {
					args = append(args, "./cmd/tell")
				}
				started := func() bool { return len(p.processes()) == 1 }
				p.interrupt(p.command(args...), sig, code, started)
				kafkatest.Eventually(t, "the end of the brokers", func() bool { return len(p.processes()) == 0 })
				if s := p.status(); s.Up {
					t.Errorf("status says up: %+v", s)
				}
			})
		}
	}
}

// A cluster that takes connections and never answers.
func TestSignalDuringAQuestion(t *testing.T) {
	t.Parallel()
	for sig, code := range map[syscall.Signal]int{
		syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129,
	} {
		if signal.Ignored(sig) {
			t.Logf("left out: %s is ignored here, as under nohup", sig)
			continue
		}
		for _, args := range [][]string{
			{"topic", "ls"}, {"group", "describe", "g", "-o", "json"}, {"group", "delete", "g", "-y"},
		} {
			p := newPlace(t)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			asked := make(chan net.Conn, 1)
			go func() {
				if conn, err := l.Accept(); err == nil {
					asked <- conn
				}
			}()
			cmd := p.command(args...)
			cmd.Env = p.environ("KAFKA_BOOTSTRAP=" + l.Addr().String())
			out := p.interrupt(cmd, sig, code, func() bool { return len(asked) == 1 })
			if out != "" {
				t.Errorf("%q says after %s: %s", args, sig, out)
			}
			l.Close()
			(<-asked).Close()
		}
	}
}

func TestSignalDuringTheProgram(t *testing.T) {
	t.Parallel()
	for sig := range stops {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.clone()
			ready := filepath.Join(t.TempDir(), "ready")
			cmd := p.command("run", "./cmd/wait", "--", ready)
			// The program decides what a signal means: here it ends with 0.
			out := p.interrupt(cmd, sig, 0, func() bool { return len(numbers(ready)) == 1 })
			if pid := numbers(ready)[0]; pid != cmd.Process.Pid {
				t.Errorf("the program is process %d, not %d", pid, cmd.Process.Pid)
			}
			if want := "stopped by " + sig.String(); !strings.Contains(out, want) {
				t.Errorf("%q is missing in %q", want, out)
			}
		})
	}
}

// interrupt starts a command, sends it the signal when it is ready, and checks its exit
// status. It returns what the command wrote.
func (p *place) interrupt(cmd *exec.Cmd, sig syscall.Signal, code int, ready func() bool) string {
	p.t.Helper()
	out, err := os.CreateTemp(p.t.TempDir(), "out")
	if err != nil {
		p.t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	kafkatest.Eventually(p.t, "the moment for the signal", ready)
	if err := cmd.Process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
	_ = cmd.Wait() // its status is looked at
	text, err := os.ReadFile(out.Name())
	if err != nil {
		p.t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit %d, want %d: %s", got, code, text)
	}
	return string(text)
}

// numbers returns the numbers in a file, none if it is not there yet.
func numbers(path string) []int {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var list []int
	for _, word := range strings.Fields(string(text)) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil
		}
		list = append(list, n)
	}
	return list
}
