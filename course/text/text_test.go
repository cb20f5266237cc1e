package text

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain builds the fake lecture's program, once for all tests. They wait more
// than they compute, so more of them run at once than there are processors.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "32"); err != nil {
		panic(err)
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	bin, err := os.MkdirTemp("", "brew-text-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "kitchen"),
		filepath.Join("testdata", "course", filepath.FromSlash(program)))
	out, err := build.CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	os.Setenv("COURSE_LANG", "en")
	return m.Run()
}

// fakeStand is a file that a program can find.
type fakeStand struct {
	home string
	env  []string
	log  *[]string
	// broken is what Whole says.
	broken error
}

const fakePort = "20511"

func (s *fakeStand) Start(context.Context) error {
	*s.log = append(*s.log, "start")
	if err := os.MkdirAll(s.home, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.home, "stand.json"), nil, 0o600)
}

func (s *fakeStand) Reset(ctx context.Context) error {
	if err := s.Stop(ctx); err != nil {
		return err
	}
	return s.Start(ctx)
}

func (s *fakeStand) Stop(context.Context) error {
	*s.log = append(*s.log, "stop")
	return os.RemoveAll(s.home)
}

func (s *fakeStand) Release(ctx context.Context) error { return s.Stop(ctx) }

func (s *fakeStand) Whole(context.Context) error { return s.broken }

func (s *fakeStand) Up() bool { return exists(filepath.Join(s.home, "stand.json")) }

func (s *fakeStand) Env() []string {
	return append(s.env, "COURSE_HOME="+s.home, "COURSE_PORT="+fakePort)
}

func (s *fakeStand) Clean(line string) string { return strings.ReplaceAll(line, fakePort, "19092") }

// TestStandOfAText follows a stand through a text: up and empty for the first block,
// gone for the cold one, gone at the end.
func TestStandOfAText(t *testing.T) {
	t.Parallel()
	var log []string
	opts := fakeOptions()
	opts.NewStand = func(scratch string, env []string) Stand {
		return &fakeStand{home: filepath.Join(scratch, "home"), env: env, log: &log}
	}
	c := newFakeCourse(t)
	c.replace(english, "<!-- run: t3 stand=kafka -->\n```console\n"+
		"$ make no-such-thing-on-the-embedded-stand\n",
		"<!-- run: t3 -->\n```console\n$ make status\nstand: 19092\n")
	for _, p := range c.check(opts, "en") {
		t.Error(p)
	}
	want := "stop start, stop, stop start, stop"
	if got := strings.Join(log, " "); got != strings.ReplaceAll(want, ",", "") {
		t.Errorf("the stand: %s; want %s", got, want)
	}
}

// fakeOptions are short waits: what is right takes as long as it takes anyway.
func fakeOptions() Options {
	return Options{
		MinWords: 20, MaxWords: 200,
		StepTimeout: 20 * time.Second, Quiet: 150 * time.Millisecond, Grace: 5 * time.Second,
		Settle: 300 * time.Millisecond, Patience: time.Second,
		NewStand: func(scratch string, env []string) Stand {
			return &fakeStand{home: filepath.Join(scratch, "home"), env: env, log: new([]string)}
		},
	}
}

// fakeCourse is a copy of the fake course, to be spoiled.
type fakeCourse struct {
	*testing.T
	root string
}

func newFakeCourse(t *testing.T) fakeCourse {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "course"))); err != nil {
		t.Fatal(err)
	}
	// The program is built by TestMain; there is no module here to build it in.
	return fakeCourse{t, root}
}

const (
	english  = "01-fake/01-01-kitchen/README.md"
	russian  = "01-fake/01-01-kitchen/README.ru.md"
	program  = "01-fake/01-01-kitchen/cmd/kitchen/main.go"
	makefile = "01-fake/01-01-kitchen/Makefile"
)

func (c fakeCourse) read(file string) string {
	c.Helper()
	data, err := os.ReadFile(filepath.Join(c.root, file))
	if err != nil {
		c.Fatal(err)
	}
	return string(data)
}

// replace changes one place of a file.
func (c fakeCourse) replace(file, old, new string) {
	c.Helper()
	s := c.read(file)
	if !strings.Contains(s, old) {
		c.Fatalf("%s has no %q", file, old)
	}
	err := os.WriteFile(filepath.Join(c.root, file), []byte(strings.Replace(s, old, new, 1)), 0o600)
	if err != nil {
		c.Fatal(err)
	}
}

func (c fakeCourse) checker(opts Options) (*Checker, Lecture) {
	c.Helper()
	checker, err := NewChecker(c.root, opts)
	if err != nil {
		c.Fatal(err)
	}
	// The programs are built already; there is no module around the copy.
	checker.build = func(Lecture) error { return nil }
	lectures, err := Find(c.root, "01-01")
	if err != nil {
		c.Fatal(err)
	}
	return checker, lectures[0]
}

func (c fakeCourse) check(opts Options, lang string) []Problem {
	c.Helper()
	checker, l := c.checker(opts)
	return checker.Check(c.Context(), l, lang)
}

func TestRightTextsPass(t *testing.T) {
	t.Parallel()
	c := newFakeCourse(t)
	for i := range 2 {
		for _, lang := range Languages {
			t.Run(fmt.Sprint(lang, i), func(t *testing.T) {
				t.Parallel()
				for _, p := range c.check(fakeOptions(), lang) {
					t.Error(p)
				}
			})
		}
	}
}
