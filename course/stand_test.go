//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	psnet "github.com/shirou/gopsutil/v4/net"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sys/unix"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

func TestUpTwiceIsOneStand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first := p.up()
	r := p.must(p.course("up"), 0)
	if !strings.Contains(r.stdout, "up already") || p.pid() != first.Processes[0].PID {
		t.Errorf("a second stand: %v", r)
	}
}

// Ctrl+C in the terminal that started the stand must not reach it: it has a session of
// its own.
func TestStandHasItsOwnSession(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	pid := p.up().Processes[0].PID
	if sid, err := unix.Getsid(pid); err != nil || sid != pid {
		t.Errorf("the session of process %d is %d (%v)", pid, sid, err)
	}
}

func TestUpInTerminalsAtOnceIsOneStand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var wg sync.WaitGroup
	results := make([]result, 4)
	for i := range results {
		wg.Go(func() { results[i] = p.course("up") })
	}
	wg.Wait()
	began := 0
	for _, r := range results {
		p.must(r, 0)
		if !strings.Contains(r.stdout, "already") {
			began++
		}
	}
	if began != 1 || len(p.processes()) != 1 {
		t.Errorf("%d stands were started, %d run: %v", began, len(p.processes()), results)
	}
}

func TestTwoStandsSideBySide(t *testing.T) {
	t.Parallel()
	a, b := newPlace(t), newPlace(t)
	a.up()
	b.up()
	produce(t, a, "only-in-a", 3)
	if n := *a.status().Records; n != 3 {
		t.Errorf("%d records in the first stand", n)
	}
	if n := *b.status().Records; n != 0 {
		t.Errorf("%d records in the second stand", n)
	}
	a.must(a.course("down"), 0)
	if !b.status().Up {
		t.Error("down of one stopped the other")
	}
}

// produce writes n records to a topic, which is made if it is missing.
func produce(t testing.TB, p *place, topic string, n int) {
	t.Helper()
	cl := p.client(kgo.DefaultProduceTopic(topic))
	if _, err := kadm.NewClient(cl).CreateTopic(kafkatest.Context(t), 1, 3, nil, topic); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		r := kgo.StringRecord(fmt.Sprint(i))
		if err := cl.ProduceSync(kafkatest.Context(t), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBusyPort(t *testing.T) {
	t.Parallel()
	for i := range stand.Brokers {
		for _, host := range []string{"127.0.0.1", "0.0.0.0", "::1"} {
			t.Run(fmt.Sprintf("%d on %s", i, host), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				addr := net.JoinHostPort(host, fmt.Sprint(p.port+i))
				ln, err := net.Listen("tcp", addr)
				if err != nil && host == "::1" {
					t.Skipf("no IPv6 here: %v", err)
				}
				if err != nil {
					t.Fatal(err)
				}
				defer ln.Close()
				began := time.Now()
				r := p.course("up")
				if took := time.Since(began); took > 9*time.Second { // 3 s, and a busy machine
					t.Errorf("refused after %s", took)
				}
				p.refused(r, 1, fmt.Sprintf("port %d is taken", p.port+i), "COURSE_PORT",
					fmt.Sprintf("pid %d", os.Getpid()))
				nothingHalfOpen(t, p, i)
			})
		}
	}
}

// nothingHalfOpen checks that no port but the taken one is in use and nothing says
// that a stand is up.
func nothingHalfOpen(t *testing.T, p *place, taken int) {
	t.Helper()
	for j := range stand.Brokers {
		if j == taken {
			continue
		}
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.port+j))
		if err != nil {
			t.Errorf("left open: %v", err)
			continue
		}
		ln.Close()
	}
	if len(p.processes()) != 0 {
		t.Error("a process stays")
	}
	if s := p.status(); s.Up {
		t.Errorf("status says up: %+v", s)
	}
}

func TestUpOnOtherPorts(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	other := p.command("up")
	other.Env = p.environ("COURSE_PORT=31000")
	running := fmt.Sprintf("%d-%d", p.port, p.port+2)
	p.refused(p.finish(other), 1, running, "31000-31002", "make down")
	unset := p.command("up")
	unset.Env = p.environ("COURSE_PORT=")
	p.must(p.finish(unset), 0)
	r := p.course("up", "--bind", "0.0.0.0", "--advertise", "example.org")
	p.refused(r, 1, "127.0.0.1", "make down")
}

func TestBadVariables(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, kv := range []string{
		"COURSE_PORT=x", "COURSE_PORT=80", "COURSE_PORT=65501",
		"COURSE_STAND=redpanda",
		"COURSE_HOME=here", "COURSE_LANG=de",
	} {
		name, _, _ := strings.Cut(kv, "=")
		cmd := p.command("up")
		cmd.Env = p.environ(kv)
		p.refused(p.finish(cmd), 2, name)
	}
	if _, err := os.Stat(p.home); err == nil {
		t.Error("a refused up has made the home")
	}
}

// stranger starts a process that is not the course's.
func stranger(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !exists(cmd.Process.Pid) {
			t.Errorf("the stranger, pid %d, has got a signal", cmd.Process.Pid)
		}
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd
}

func TestForeignPidIsNeverSignalled(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"down", "up", "status", "wipe"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.up()
			p.kill()
			// The pid has passed to somebody else in the meantime.
			s.Processes[0].PID = stranger(t).Process.Pid
			p.write("stand.json", s)
			p.write("embedded.json", s)
			args := []string{verb}
			if verb == "wipe" {
				args = append(args, "-y")
			}
			if r := p.course(args...); r.code != 0 && verb != "status" {
				t.Error(r)
			}
		})
	}
}

func TestForeignPidWhileTheStandRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.up()
	mine := s.Processes[0].PID
	s.Processes[0].PID = stranger(t).Process.Pid
	p.write("stand.json", s)
	r := p.must(p.course("up"), 0)
	if !strings.Contains(r.stderr, "written anew") || p.pid() != mine {
		t.Errorf("stand.json is not put right: %v", r)
	}
	p.write("stand.json", s)
	p.must(p.course("down"), 0)
	kafkatest.Eventually(t, "the stand has ended", func() bool { return !exists(mine) })
}

func TestUnknownProcessHoldsTheLock(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.up()
	record, err := os.ReadFile(filepath.Join(p.home, "embedded.json"))
	if err != nil {
		t.Fatal(err)
	}
	s.Processes[0].PID = stranger(t).Process.Pid
	p.write("stand.json", s)
	p.write("embedded.json", s)
	var wg sync.WaitGroup
	results := make([]result, 2)
	for i, verb := range []string{"down", "status"} {
		wg.Go(func() { results[i] = p.course(verb) })
	}
	wg.Wait()
	for _, r := range results {
		p.refused(r, 1, p.home, "embedded-daemon")
	}
	p.write("embedded.json", []byte("{"))
	p.refused(p.course("up"), 1, p.home, "embedded.json: unexpected end", "`ps -ef | grep "+
		"embedded-daemon` and end it")
	p.write("embedded.json", json.RawMessage(record)) // or the test could not end it
}

// write puts a file into the home.
func (p *place) write(name string, content any) {
	p.t.Helper()
	data, ok := content.([]byte)
	if !ok {
		var err error
		if data, err = json.Marshal(content); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(p.home, name), data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func TestDamagedState(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"empty": "", "not JSON": "{", "no fields": "{}", "a list": "[1]", "zeros": "\x00\x00\x00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.up()
			produce(t, p, "kept", 2)
			p.write("stand.json", []byte(content))
			r := p.must(p.course("status"), 0)
			if !strings.Contains(r.stderr, "written anew") ||
				!strings.Contains(r.stdout, "records=2") {
				t.Errorf("status of a running stand: %v", r)
			}
			p.must(p.course("down"), 0)
			p.write("stand.json", []byte(content))
			if r := p.must(p.course("status"), 1); !strings.Contains(r.stdout, "damaged") {
				t.Errorf("status without a stand: %v", r)
			}
			if r := p.must(p.course("up"), 0); !strings.Contains(r.stderr, "damaged") {
				t.Errorf("up: %v", r)
			}
			if n := *p.status().Records; n != 2 {
				t.Errorf("%d records are left of 2", n)
			}
		})
	}
}

func TestStateThatIsAFolder(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	path := filepath.Join(p.home, stand.File)
	precious := filepath.Join(path, "precious")
	for _, running := range []bool{true, false} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			"up", "status", "down", "wipe -y", "topic ls", "run ./cmd/tell",
		} {
			if line == "run ./cmd/tell" {
				p.clone()
			}
			r := p.course(strings.Fields(line)...)
			p.refused(r, 1, path+" is a folder, and the course keeps a file there: move it away")
		}
		if err := os.WriteFile(precious, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		p.refused(p.course("down"), 1, "move it away")
		if err := os.RemoveAll(path); err != nil { // with precious: it has not been touched
			t.Fatal(err)
		}
		if running {
			p.must(p.course("down"), 0)
			p.write(stand.File, []byte("{}"))
		}
	}
}

func TestStateOfANewerVersion(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	p.must(p.course("down"), 0)
	newer := []byte(`{"version": 99, "something": "else"}`)
	p.write("stand.json", newer)
	for _, args := range [][]string{{"up"}, {"down"}, {"status"}, {"wipe", "-y"}} {
		p.refused(p.course(args...), 1, "version 99", "COURSE_HOME")
	}
	got, err := os.ReadFile(filepath.Join(p.home, "stand.json"))
	if err != nil || string(got) != string(newer) {
		t.Errorf("the file was changed: %q, %v", got, err)
	}
	if err := os.Remove(filepath.Join(p.home, "stand.json")); err != nil {
		t.Fatal(err)
	}
}

func TestUpAfterKill(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	produce(t, p, "kept", 5)
	p.kill()
	if r := p.must(p.course("status"), 1); !strings.Contains(r.stdout, "killed") {
		t.Errorf("status: %v", r)
	}
	r := p.must(p.course("up"), 0)
	if !strings.Contains(r.stderr, "killed") || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("up says it in one line: %v", r)
	}
	if n := *p.status().Records; n != 5 {
		t.Errorf("%d records are left of 5", n)
	}
	p.kill()
	if r := p.must(p.course("down"), 0); !strings.Contains(r.stderr, "killed") {
		t.Errorf("down: %v", r)
	}
}

func TestRestartKeepsRecordsAndOffsets(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	produce(t, p, "kept", 10)
	commitAt(t, p, "readers", "kept", 7)
	for range 2 {
		p.must(p.course("down"), 0)
		p.up()
		if s := p.status(); *s.Records != 10 || *s.Groups != 1 {
			t.Errorf("after a restart: %d records, %d groups", *s.Records, *s.Groups)
		}
		if at := committedAt(t, p, "readers", "kept"); at != 7 {
			t.Errorf("the committed offset is %d after a restart, not 7", at)
		}
	}
}

func commitAt(t testing.TB, p *place, group, topic string, at int64) {
	t.Helper()
	var offsets kadm.Offsets
	offsets.AddOffset(topic, 0, at, -1)
	if err := kadm.NewClient(p.client()).CommitAllOffsets(kafkatest.Context(t), group, offsets); err != nil {
		t.Fatal(err)
	}
}

func committedAt(t testing.TB, p *place, group, topic string) int64 {
	t.Helper()
	got, err := kadm.NewClient(p.client()).FetchOffsets(kafkatest.Context(t), group)
	if err != nil {
		t.Fatal(err)
	}
	offset, ok := got.Lookup(topic, 0)
	if !ok {
		t.Fatalf("group %s has no offset", group)
	}
	return offset.At
}

func TestHomesThatAreRefused(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	write := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(base, "file"))
	write(filepath.Join(base, "foreign", "letter.txt"))
	write(filepath.Join(base, "user", ".profile"))
	write(filepath.Join(base, "clone", "lecture.mk"))
	write(filepath.Join(base, "clone", "go.work"))
	all := filepath.Join(base, "all")
	if err := os.Mkdir(all, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(all, 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for home, why := range map[string]string{
		"/":                             "root of the file system",
		filepath.Join(base, "user"):     "home folder",
		link:                            "symbolic link",
		filepath.Join(base, "file"):     "not a folder",
		filepath.Join(base, "foreign"):  "has not made it",
		filepath.Join(base, "clone"):    "the course itself",
		base:                            "the course itself",
		filepath.Join(base, "file/sub"): "not a directory",
		filepath.Join(base, "all"):      "everybody on this machine can write",
	} {
		for _, args := range [][]string{{"up"}, {"down"}, {"wipe", "-y"}, {"status"}} {
			p := &place{t: t, home: home, port: 19092, dir: filepath.Join(base, "clone")}
			p.vars = []string{"HOME=" + filepath.Join(base, "user")}
			code := 2
			if strings.HasSuffix(home, "sub") {
				code = 1
			}
			p.refused(p.course(args...), code, home, why, "COURSE_HOME")
		}
	}
	var left []string
	filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			left = append(left, strings.TrimPrefix(path, base+"/"))
		}
		return err
	})
	want := []string{
		"clone/go.work", "clone/lecture.mk", "file", "foreign/letter.txt", "link", "user/.profile",
	}
	if !slices.Equal(left, want) {
		t.Errorf("the files are now %q", left)
	}
}

// An empty folder that its owner gives as the home is used and keeps its mode; what the
// stand puts into it is private.
func TestHomeThatIsAnEmptyFolder(t *testing.T) {
	t.Parallel()
	for _, mode := range []fs.FileMode{0o755, 0o775, 0o700} {
		p := newPlace(t)
		if err := os.Mkdir(p.home, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(p.home, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		p.up()
		info, err := os.Stat(p.home)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %o has become %v (%v)", mode, info.Mode(), err)
		}
		entries, err := os.ReadDir(p.home)
		if err != nil || len(entries) == 0 {
			t.Fatalf("%d files, %v", len(entries), err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %o (%v)", e.Name(), info.Mode().Perm(), err)
			}
		}
	}
}

// A .course that is a symbolic link is refused like any other home.
func TestDefaultHomeThatIsALink(t *testing.T) {
	t.Parallel()
	root, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{"lecture.mk", "go.work"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, ".course")); err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, dir: root, vars: []string{"COURSE_HOME="}}
	p.refused(p.course("up"), 2, ".course", "symbolic link")
}

func TestHomeThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tmpfs("size=64k,ro,mode=0700")
	p.refused(p.course("up"), 1, p.home, "COURSE_HOME")
	if r := p.course("doctor"); r.code != 1 && !strings.Contains(r.stdout, "fail") {
		t.Errorf("the doctor finds nothing: %v", r)
	}
}

// Whatever file a full disk does not take, the error names the way out.
func TestFullDiskAtTheStart(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.tmpfs("size=4k,mode=0700")
	for _, size := range []string{"4k", "20k", "28k", "32k", "36k", "40k"} {
		remount := exec.Command("mount", "-o", "remount,size="+size, p.home)
		if out, err := remount.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		p.refused(p.course("up"), 1, "the disk is full", p.home, "COURSE_HOME")
		if s := p.status(); s.Up || len(p.processes()) > 0 {
			t.Errorf("%s: something stays: %+v", size, s)
		}
		p.must(p.course("wipe", "-y"), 0)
	}
}

// Who redirects the output to a disk that is full must learn that it is not there.
func TestFullOutput(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("left out: there is no /dev/full here: %v", err)
	}
	p := newPlace(t)
	for _, line := range []string{
		"up", "up", "status", "doctor", "version", "topic ls", "group ls", "down", "down",
		"wipe -y", "--help", "group", "help up", "topic ls --help", "completion bash",
		"group ls --explain",
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		cmd := p.command(strings.Fields(line)...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run() // its status is looked at
		full.Close()
		want := "error: write /dev/stdout: no space left on device\n"
		if cmd.ProcessState.ExitCode() != 1 || stderr.String() != want {
			t.Errorf("%s: %s, stderr %q", line, cmd.ProcessState, &stderr)
		}
	}
}

// tmpfs mounts a file system of its own as the home.
func (p *place) tmpfs(options string) {
	p.t.Helper()
	if err := os.MkdirAll(p.home, 0o700); err != nil {
		p.t.Fatal(err)
	}
	mount := exec.Command("mount", "-t", "tmpfs", "-o", options, "brew-test", p.home)
	if out, err := mount.CombinedOutput(); err != nil {
		p.t.Skipf("cannot mount a tmpfs here: %v: %s", err, out)
	}
	p.t.Cleanup(func() {
		p.course("down") // the stand's files keep the mount busy
		// The kernel takes a moment to close the files of a process that has ended.
		kafkatest.Eventually(p.t, "umount", func() bool {
			return exec.Command("umount", p.home).Run() == nil
		})
	})
}

func TestWipe(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	nothing := func(when string) {
		t.Helper()
		want := "No stand has left anything in " + p.home + ": nothing to delete.\n"
		if r := p.must(p.course("wipe", "-y"), 0); r.stdout != want {
			t.Errorf("%s: %v", when, r)
		}
	}
	nothing("before the first stand")
	p.up()
	p.must(p.course("down"), 0)
	if r := p.must(p.course("wipe", "-y"), 0); !strings.Contains(r.stdout, "is deleted") {
		t.Errorf("the data of a stand that is down: %v", r)
	}
	nothing("after a wipe")
	p.up()
	produce(t, p, "gone", 3)
	p.write("notes.txt", []byte("mine"))
	p.refused(p.course("wipe"), 2, "-y")
	reader := p.client(kgo.ConsumerGroup("readers"), kgo.ConsumeTopics("gone"),
		kgo.ClientID("kitchen-1"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if fetches := reader.PollRecords(kafkatest.Context(t), 1); fetches.Err() != nil {
		t.Fatal(fetches.Err())
	}
	p.refused(p.course("wipe", "-y"), 1, "readers", "kitchen-1", "Ctrl+C")
	if n := *p.status().Records; n != 3 {
		t.Errorf("a refused wipe has left %d records", n)
	}
	reader.Close()
	r := p.must(p.course("wipe", "-y"), 0)
	if !strings.Contains(r.stderr, "notes.txt") {
		t.Errorf("the foreign file is not named: %v", r)
	}
	var left []string
	entries, err := os.ReadDir(p.home)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{".brew-course", "command.lock", "notes.txt", "stand.lock"}
	if !slices.Equal(left, want) {
		t.Errorf("the home holds %q after wipe", left)
	}
	p.up()
	if n := *p.status().Records; n != 0 {
		t.Errorf("%d records after wipe", n)
	}
}

// What a data folder that is a link points to is not the course's to delete.
func TestWipeDoesNotFollowLinks(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	p.must(p.course("down"), 0)
	elsewhere := t.TempDir()
	letter := filepath.Join(elsewhere, "letter.txt")
	if err := os.WriteFile(letter, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(p.home, "data")
	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, data); err != nil {
		t.Fatal(err)
	}
	p.must(p.course("wipe", "-y"), 0)
	if _, err := os.Stat(letter); err != nil {
		t.Error(err)
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	for _, addr := range listening(t, p) {
		if addr != "127.0.0.1" {
			t.Errorf("listens on %s", addr)
		}
	}
	p.must(p.course("down"), 0)

	r := p.must(p.course("up", "--bind", "0.0.0.0", "--advertise", "localhost"), 0)
	if !strings.Contains(r.stderr, "warning") || !strings.Contains(r.stderr, "0.0.0.0") {
		t.Errorf("no warning: %v", r)
	}
	if got := listening(t, p); !slices.Contains(got, "::") && !slices.Contains(got, "0.0.0.0") {
		t.Errorf("--bind 0.0.0.0 listens on %q", got)
	}
	if s := p.status(); !s.Up || *s.Records != 0 {
		t.Errorf("not reachable: %+v", s)
	}
	p.refused(p.course("up", "--bind", "0.0.0.0"), 2, "--advertise")
	p.refused(p.course("up", "--bind", "here"), 2, "--bind")
	p.refused(p.course("up", "--advertise", "host:1"), 2, "--advertise")
}

// listening returns the addresses on which the stand's process listens, one a socket.
func listening(t *testing.T, p *place) []string {
	t.Helper()
	conns, err := psnet.ConnectionsPid("tcp", int32(p.pid()))
	if err != nil {
		t.Fatal(err)
	}
	var addrs []string
	for _, c := range conns {
		if c.Status == "LISTEN" {
			addrs = append(addrs, c.Laddr.IP)
		}
	}
	if len(addrs) != stand.Brokers {
		t.Errorf("%d listening sockets: %q", len(addrs), addrs)
	}
	return addrs
}

func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	produce(t, p, "private", 1)
	commitAt(t, p, "readers", "private", 1)
	files := 0
	err := filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		files++
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestRetentionInTheBackground(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	cl := p.client(kgo.DefaultProduceTopic("short"))
	adm := kadm.NewClient(cl)
	ms := "1"
	short := map[string]*string{"retention.ms": &ms}
	if _, err := adm.CreateTopic(kafkatest.Context(t), 1, 3, short, "short"); err != nil {
		t.Fatal(err)
	}
	if err := cl.ProduceSync(kafkatest.Context(t), kgo.StringRecord("old")).FirstErr(); err != nil {
		t.Fatal(err)
	}
	kafkatest.Eventually(t, "the end of a record past its retention", func() bool {
		starts, err := adm.ListStartOffsets(kafkatest.Context(t), "short")
		if err != nil {
			t.Fatal(err)
		}
		start, _ := starts.Lookup("short", 0)
		return start.Offset == 1
	})
}

// `git clean` takes the home from under the stand; it must not stay for ever, found
// by nobody.
func TestStandEndsWithoutItsHome(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	pid := p.up().Processes[0].PID
	if err := os.RemoveAll(p.home); err != nil {
		t.Fatal(err)
	}
	kafkatest.Eventually(t, "the end of the stand", func() bool { return !exists(pid) })
}

func TestMemory(t *testing.T) {
	p := newPlace(t)
	p.up()
	p.t = t
	t.Setenv("COURSE_HOME", p.home)
	t.Setenv("KAFKA_BOOTSTRAP", "")
	if err := benchFill(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	s := p.status()
	if *s.Records != benchRecords {
		t.Errorf("%d records", *s.Records)
	}
	// The bound is 40 MiB; the race detector multiplies all memory.
	if limit := uint64(40 << 20); *s.Memory > limit && !raceEnabled {
		t.Errorf("%d MiB with %d records of %d bytes", *s.Memory>>20, benchRecords, benchBytes)
	}
}
