//go:build unix

package brokers

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

func TestFindJava(t *testing.T) {
	for _, c := range []struct {
		name, version string
		want          []string
	}{
		{"17", `openjdk version "17.0.15" 2025-04-15`, nil},
		{"17 without numbers behind", `openjdk version "17" 2021-09-14`, nil},
		{"25", "NOTE: Picked up JDK_JAVA_OPTIONS: -X\nopenjdk version \"25\" 2025-09-16", nil},
		{"early access", `openjdk version "26-ea" 2026-03-17`, nil},
		{"8", `java version "1.8.0_392"`, []string{"Java 1.8.0", "too old", "17", "JAVA_HOME"}},
		{"11", `openjdk version "11.0.2" 2019-01-15`, []string{"Java 11.0.2", "too old", "17"}},
		{"none", "Unable to locate a Java Runtime.\x1b[2J", []string{"-version", `\x1b[2J`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := fake(t, "java")
			say(t, dir, "java.version", c.version)
			path, err := findJava(t.Context())
			switch {
			case c.want != nil:
				wantError(t, err, c.want...)
			case err != nil || path != filepath.Join(dir, "java"):
				t.Errorf("found %q: %v", path, err)
			}
		})
	}
}

func TestNoJava(t *testing.T) {
	dir := fake(t)
	_, err := findJava(t.Context())
	wantError(t, err, "no `java` on PATH", "JDK", "17", "COURSE_STAND")
	t.Setenv("JAVA_HOME", dir)
	_, err = findJava(t.Context())
	wantError(t, err, "JAVA_HOME="+dir, "has no bin/java")
}

func TestJavaHomeComesFirst(t *testing.T) {
	dir := fake(t, "java")
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home, "bin", "java")
	if err := os.Rename(filepath.Join(dir, "java"), path); err != nil {
		t.Fatal(err)
	}
	t.Setenv("JAVA_HOME", home)
	if got, err := findJava(t.Context()); err != nil || got != path {
		t.Errorf("found %q: %v", got, err)
	}
}

func TestFindMaven(t *testing.T) {
	fake(t)
	_, err := findMaven(t.Context())
	wantError(t, err, "no `mvn` on PATH", minMaven, "COURSE_STAND")
	for version, want := range map[string][]string{
		"Apache Maven 3.6.3 (x)":                 nil,
		"\x1b[1mApache Maven 3.8.7\x1b[m\nMaven": nil,
		"Apache Maven 4.0.0-rc-5 (x)":            nil,
		"Apache Maven 3.0.5 (x)":                 {"Maven 3.0.5", "too old", minMaven},
		"The JAVA_HOME variable is not set":      {"--version", "JAVA_HOME variable is not"},
	} {
		dir := fake(t, "mvn")
		say(t, dir, "mvn.version", version)
		path, err := findMaven(t.Context())
		switch {
		case want != nil:
			wantError(t, err, want...)
		case err != nil || path != filepath.Join(dir, "mvn"):
			t.Errorf("found %q: %v", path, err)
		}
	}
}

// fetching returns a stand without jars, and the folder that Maven takes them from.
func fetching(t *testing.T) (*fakeStand, string) {
	t.Helper()
	f := newFakeStand(t)
	if err := os.RemoveAll(f.libDir()); err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(f.dir, "repo")
	if err := os.Mkdir(repo, 0o700); err != nil {
		t.Fatal(err)
	}
	say(t, repo, "a.jar", "")
	return f, repo
}

// nothingFetched fails the test if a part of the jars is there.
func nothingFetched(t *testing.T, f *fakeStand) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(f.libDir()))
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestFetch(t *testing.T) {
	f, _ := fetching(t)
	f.start(t)
	got := told(f.dir, "mvn.log", "")
	for _, part := range []string{"--strict-checksums", "-Dkafka.version=" + Version,
		copyDependencies, "--batch-mode"} {
		if !strings.Contains(got, part) {
			t.Errorf("Maven was not told %s: %s", part, got)
		}
	}
	// They are fetched once: it is nothing to Maven that the stand starts again.
	say(t, f.dir, "mvn.fail", "[ERROR] no network")
	if err := f.Stop(t.Context(), f.start(t)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(told(f.dir, "mvn.log", ""), "\n"); n != 1 {
		t.Errorf("Maven ran %d times", n)
	}
}

func TestFetchWithoutNetwork(t *testing.T) {
	f, _ := fetching(t)
	say(t, f.dir, "mvn.fail", "[INFO] Scanning\n[ERROR] Could not transfer: Unknown \x1b[2Jhost "+
		"-> [Help 1]\n[ERROR] \n[ERROR] Re-run Maven with -X\n")
	_, err := f.Start(t.Context(), f.opts)
	wantError(t, err, "cannot fetch Apache Kafka "+Version, `Unknown \x1b[2Jhost"; it`, "network")
	nothingFetched(t, f)
}

func TestFetchOfOtherJars(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string){
		"a.jar": func(t *testing.T, dir string) { say(t, dir, "a.jar", "x") },
		"b.jar": func(t *testing.T, dir string) { say(t, dir, "b.jar", "") },
	} {
		f, repo := fetching(t)
		change(t, repo)
		_, err := f.Start(t.Context(), f.opts)
		wantError(t, err, "other jars than expected", name, "~/.m2/repository")
		nothingFetched(t, f)
	}
}

func TestFetchInterrupted(t *testing.T) {
	f, _ := fetching(t)
	say(t, f.dir, "mvn.hang", "yes")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := f.Start(ctx, f.opts)
		ended <- err
	}()
	pid := func() int {
		n, _ := strconv.Atoi(strings.TrimSpace(told(f.dir, "mvn.pid", "")))
		return n
	}
	kafkatest.Eventually(t, "Maven runs", func() bool { return pid() > 0 })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	kafkatest.Eventually(t, "Maven is gone", func() bool { return syscall.Kill(pid(), 0) != nil })
	nothingFetched(t, f)
}

// A command that is killed while Maven fetches leaves both Maven and its folder.
func TestFetchThatWasKilled(t *testing.T) {
	for name, next := range map[string]func(f *fakeStand) error{
		"up":   func(f *fakeStand) error { f.start(t); return nil },
		"down": func(f *fakeStand) error { return f.Stop(t.Context(), stand.State{}) },
	} {
		f, _ := fetching(t)
		temp := filepath.Join(filepath.Dir(f.libDir()), fetchPrefix+"123")
		if err := os.Mkdir(temp, 0o700); err != nil {
			t.Fatal(err)
		}
		say(t, f.dir, "mvn.hang", "yes")
		maven := exec.Command("mvn", copyDependencies, outputTo(temp))
		if err := maven.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- maven.Wait() }()
		kafkatest.Eventually(t, "Maven runs", func() bool { return told(f.dir, "mvn.pid", "") != "" })
		if err := os.Remove(filepath.Join(f.dir, "mvn.hang")); err != nil {
			t.Fatal(err)
		}
		if err := next(f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		<-ended
		if _, err := os.Stat(temp); err == nil {
			t.Errorf("%s leaves the folder", name)
		}
	}
}

// Maven is asked for only when it has something to fetch.
func TestCheckJava(t *testing.T) {
	fake(t, "java")
	t.Setenv("COURSE_HOME", t.TempDir())
	wantError(t, CheckJava(t.Context()), "no `mvn`")
	j := Java{Home: os.Getenv("COURSE_HOME")}
	if err := os.MkdirAll(j.libDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := CheckJava(t.Context()); err != nil {
		t.Error(err)
	}
	t.Setenv("COURSE_HOME", "/a,b")
	wantError(t, CheckJava(t.Context()), "/a,b cannot hold the java stand")
}

func TestChangedJars(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string){
		"a.jar is not the jar": func(t *testing.T, dir string) { say(t, dir, "a.jar", "x") },
		"b.jar is not one of":  func(t *testing.T, dir string) { say(t, dir, "b.jar", "") },
		"a.jar is missing": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "a.jar")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		f := newFakeStand(t)
		s := f.start(t)
		s, err := Do(t.Context(), f, s, Stop, 1)
		if err != nil {
			t.Fatal(err)
		}
		change(t, f.libDir())
		_, err = Do(t.Context(), f, s, Start, 1)
		wantError(t, err, name, f.libDir())
		if err := f.Stop(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		_, err = f.Start(t.Context(), f.opts)
		wantError(t, err, name, f.libDir(), "delete that folder")
	}
}
