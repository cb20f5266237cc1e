//go:build unix

package standctl

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// These tests read English sentences.
func init() { os.Setenv("COURSE_LANG", "en") }

// TestMain makes the test binary a stand when it is started as one: it holds its home
// and its report like the real one, and does not mind SIGTERM.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == DaemonVerb {
		if err := stubborn(os.Args[3]); err != nil {
			_ = Report(os.Stdout, stand.State{}, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func stubborn(dir string) error {
	signal.Ignore(syscall.SIGTERM)
	hold, err := TakeHold(context.Background(), dir)
	if err != nil {
		return err
	}
	s, err := hold.Publish("stubborn", UpOptions{}.fill(), stand.Ports(19092))
	if err != nil {
		return err
	}
	if err := Report(os.Stdout, s, nil); err != nil {
		return err
	}
	select {} // until it is killed
}

func TestDownKillsWhatDoesNotStop(t *testing.T) {
	old := stopWait
	stopWait = 200 * time.Millisecond
	t.Cleanup(func() { stopWait = old })
	t.Setenv("COURSE_HOME", filepath.Join(t.TempDir(), "home"))
	t.Setenv("COURSE_PORT", "21800")
	t.Setenv("COURSE_STAND", "")
	var said []string
	c, err := New(func(line string) { said = append(said, line) })
	if err != nil {
		t.Fatal(err)
	}
	s, started, err := c.Up(t.Context(), UpOptions{})
	if err != nil || !started {
		t.Fatalf("up: %t, %v", started, err)
	}
	stopped, err := c.Down(t.Context())
	if err != nil || !stopped {
		t.Fatalf("down: %t, %v", stopped, err)
	}
	if len(said) != 1 || !strings.Contains(said[0], "killed") {
		t.Errorf("it said %q", said)
	}
	if _, ours := c.home.find(s.Processes[0]); ours {
		t.Error("the stand still runs")
	}
	if _, up, err := c.Running(); up || err != nil {
		t.Errorf("running: %t, %v", up, err)
	}
}

func TestTwoDaemonsInOneHome(t *testing.T) {
	dir := t.TempDir()
	first, err := TakeHold(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if second, err := TakeHold(ctx, dir); err == nil {
		second.Release()
		t.Error("two stands hold one home")
	}
}

// A pid is ours only with our start time and our command line.
func TestFind(t *testing.T) {
	self, err := describeSelf()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "sleep 600; :", "sh", DaemonVerb, "/home/of/the/test")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	h := home("/home/of/the/test")
	ours := stand.Process{PID: cmd.Process.Pid, Created: self.Created}
	now := time.Now().UnixMilli()
	ours.Created = now
	for name, c := range map[string]struct {
		home home
		p    stand.Process
		want bool
	}{
		"ours":             {h, ours, true},
		"another home":     {"/home/of/another", ours, false},
		"recycled":         {h, stand.Process{PID: ours.PID, Created: now - 60_000}, false},
		"no creation time": {h, stand.Process{PID: ours.PID}, false},
		"this test":        {h, self, false},
		"no pid":           {h, stand.Process{Created: now}, false},
		"init":             {h, stand.Process{PID: 1, Created: now}, false},
		"a group":          {h, stand.Process{PID: -ours.PID, Created: now}, false},
	} {
		if _, got := c.home.find(c.p); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestDaemonDoesNotKnowOtherClusters(t *testing.T) {
	got := daemonEnv([]string{
		"PATH=/bin", "KAFKA_SASL_PASSWORD=secret", "COURSE_LANG=ru", "KAFKA_BOOTSTRAP=x:1",
	})
	if want := []string{"PATH=/bin", "COURSE_LANG=ru"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestBootstrap(t *testing.T) {
	for _, c := range []struct {
		o    UpOptions
		want string
	}{
		{UpOptions{}, "localhost:19092"},
		{UpOptions{Bind: "0.0.0.0", Advertise: "brew.example"}, "127.0.0.1:19092"},
		{UpOptions{Bind: "0.0.0.0", Advertise: "localhost"}, "localhost:19092"},
		{UpOptions{Bind: "192.0.2.7"}, "192.0.2.7:19092"},
		{UpOptions{Bind: "::1"}, "[::1]:19092"},
	} {
		if got := c.o.fill().bootstrap([]int{19092})[0]; got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{
		"":           "it said nothing",
		"one\ntwo\n": "two",
		"2026 up\npanic: \x1b[2Jboom\n\ngoroutine 1 " +
			"[running]:\nmain.main()\n": `"panic: \x1b[2Jboom"`,
		"fatal error: out of memory\n\nruntime stack:\n": "fatal error: " +
			"out of memory",
	} {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := lastLine(path); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestAdvertisedHost(t *testing.T) {
	for host, good := range map[string]bool{
		"localhost": true, "brew.example": true, "brew.example.": true, "my_host": true,
		"xn--e1afmkfd.example": true, "192.168.1.20": true, "::1": true, "fe80::1%eth0": true,
		"4brew": true, "0x": true,
		"host:1": false, "http://host": false, "host/": false, "a b": false, " host": false,
		"host\n": false, "\x1b[2J": false, "ho\x00st": false, "\u202ehost": false, "кофе": false,
		"[::1]": false, "::1%": false, "::1%\x1b[2J": false, "0.0.0.0": false, "::": false, "999.1.1.1": false, "1": false,
		"a..b": false, ".": false, "-o": false, "a,b": false, "a@b": false, "$(id)": false,
		strings.Repeat("a", 64): false, strings.Repeat("a.", 127) + "aa": false,
	} {
		err := UpOptions{Advertise: host}.Check()
		var usage cli.UsageError
		if good != (err == nil) || err != nil && !errors.As(err, &usage) {
			t.Errorf("%q: %v", host, err)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), "--advertise "+show.Text(host)) ||
			strings.ContainsAny(err.Error(), "\n\x1b\u202e")) {
			t.Errorf("%q is not named, or harmful: %q", host, err)
		}
	}
}

// While a stand stops or starts, its connections end at once. franz-go then guesses that
// the login or TLS is missing; a stand has neither.
func TestAskWhileConnectionsBreakOff(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	_, _, err = count(t.Context(), []string{l.Addr().String()})
	if err == nil || !strings.Contains(err.Error(), "do not answer (the connection breaks off)") {
		t.Errorf("it says: %v", err)
	}
}
