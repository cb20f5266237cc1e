package stand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// clone makes a folder that looks like the course, and returns one inside it.
func clone(t *testing.T) (root, inside string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inside = filepath.Join(root, "01-foundations", "01-06-first-consumer")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lecture.mk", "go.work"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, inside
}

func TestRoot(t *testing.T) {
	root, inside := clone(t)
	// A module has no lecture.mk and another workspace none either: both are passed by.
	for _, path := range []string{
		"01-foundations/go.work", "01-foundations/01-06-first-consumer/go.mod",
	} {
		if err := os.WriteFile(filepath.Join(root, path), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{root, inside, filepath.Dir(inside)} {
		if got, err := Root(dir); got != root || err != nil {
			t.Errorf("Root(%s) = %s, %v", dir, got, err)
		}
	}
	if got, err := Root(t.TempDir()); !errors.Is(err, ErrNoRoot) {
		t.Errorf("outside a clone: %s, %v", got, err)
	}
}

func TestHome(t *testing.T) {
	root, inside := clone(t)
	t.Chdir(inside)
	t.Setenv("COURSE_HOME", "")
	if got, err := Home(); got != filepath.Join(root, ".course") || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("COURSE_HOME", filepath.Join(root, "a", "..", "b")+string(filepath.Separator))
	if got, err := Home(); got != filepath.Join(root, "b") || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	for _, relative := range []string{".course", "../x", "~/x", " "} {
		t.Setenv("COURSE_HOME", relative)
		if got, err := Home(); err == nil || !strings.Contains(err.Error(), "COURSE_HOME=") {
			t.Errorf("%q: %s, %v", relative, got, err)
		}
	}
	t.Chdir(t.TempDir())
	t.Setenv("COURSE_HOME", "")
	if got, err := Home(); err == nil || !strings.Contains(err.Error(), "COURSE_HOME") {
		t.Errorf("outside a clone: %s, %v", got, err)
	}
}

func TestPort(t *testing.T) {
	for value, want := range map[string]int{
		"": DefaultPort, "1024": 1024, "24100": 24100, "65500": 65500,
		"0": 0, "1023": 0, "65501": 0, "-1": 0, "99999999999999999999": 0, "9092,9093": 0, "abc": 0,
		" 19092": 0, "19092.5": 0,
	} {
		t.Setenv("COURSE_PORT", value)
		got, err := Port()
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %d, %v", value, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), fmt.Sprintf("COURSE_PORT=%q", value)) ||
			!strings.Contains(err.Error(), "65500")) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func TestKind(t *testing.T) {
	for value, want := range map[string]string{
		"": Embedded, Embedded: Embedded, Java: Java, Docker: Docker,
		"Java": "", "kfake": "", "\x1b[2J": "",
	} {
		t.Setenv("COURSE_STAND", value)
		got, err := Kind()
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: %s, %v", value, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), fmt.Sprintf("COURSE_STAND=%q", value)) ||
			!strings.Contains(err.Error(), "embedded, java")) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

func state(n int) State {
	return State{
		Version: FormatVersion, Kind: Java, Software: fmt.Sprintf("Apache Kafka, write %d", n),
		Bootstrap: []string{"localhost:24100", "localhost:24101", "localhost:24102"},
		Ports:     []int{24100, 24101, 24102},
		Processes: []Process{{Node: 0, PID: n, Created: int64(n)}, {Node: -1, PID: 1}},
		Started:   time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

func TestReadWrite(t *testing.T) {
	home := t.TempDir()
	if _, err := Read(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no stand: %v", err)
	}
	if err := Remove(home); err != nil {
		t.Errorf("remove what is not there: %v", err)
	}
	if err := Write(home, state(1)); err != nil {
		t.Fatal(err)
	}
	got, err := Read(home)
	if err != nil || !reflect.DeepEqual(got, state(1)) {
		t.Errorf("wrote %+v, read %+v, %v", state(1), got, err)
	}
	info, err := os.Stat(filepath.Join(home, File))
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
	if err := Remove(home); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(home); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := Write(filepath.Join(home, "missing"), state(1)); err == nil {
		t.Error("written into a folder that is not there")
	}
}

func TestReadRefuses(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, File)
	for content, want := range map[string]string{
		``: "damaged", `{`: "damaged", `[]`: "damaged", `null`: "damaged", `{}`: "damaged",
		`{"version":1,"bootstrap":["a:1"],"ports":[1,2]}`:        "damaged",
		`{"version":1,"bootstrap":[],"ports":[1,2,3]}`:           "damaged",
		`{"version":0,"bootstrap":["a:1"],"ports":[1,2,3]}`:      "damaged",
		`{"version":2,"bootstrap":["a:1"],"ports":[1,2,3]}`:      "version 2",
		`{"version":2,"bootstrap":{"a":1},"ports":"all"}`:        "version 2",
		`{"version":2,"unknown":{"new":"layout"}}`:               "version 2",
		`{"version":"1","bootstrap":["a:1"],"ports":[1,2,3]}`:    "damaged",
		`{"version":1,"bootstrap":["a:1"],"ports":[1,2,3]} tail`: "damaged",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Read(home)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", content, err)
		}
		if !reflect.DeepEqual(s, State{}) {
			t.Errorf("%s: %+v", content, s)
		}
		if data, _ := os.ReadFile(file); string(data) != content {
			t.Errorf("the file was changed to %q", data)
		}
	}
	// What a newer course adds without a new version is passed by.
	content := `{"version":1,"bootstrap":["a:1"],"ports":[1,2,3],"more":true}`
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(home); err != nil || s.Bootstrap[0] != "a:1" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestWriteIsAtomic holds that a reader meets whole files only while others write.
func TestWriteIsAtomic(t *testing.T) {
	home := t.TempDir()
	if err := Write(home, state(0)); err != nil {
		t.Fatal(err)
	}
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		writers.Go(func() {
			for i := range 200 {
				if err := Write(home, state(i)); err != nil {
					t.Error(err)
				}
			}
		})
		readers.Go(func() {
			for {
				s, err := Read(home)
				if err != nil || !reflect.DeepEqual(s, state(s.Processes[0].PID)) {
					t.Errorf("read %+v, %v", s, err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if left, _ := os.ReadDir(home); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
