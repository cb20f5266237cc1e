package brokers

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

const (
	// minJava is the oldest Java that this Kafka runs on.
	minJava = "17"
	// minMaven is the oldest Maven that the plugin below runs on.
	minMaven = "3.6.3"
	// copyDependencies is the goal that puts a project's jars into a folder.
	copyDependencies = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies"
	// fetchPrefix begins the name of the folder that Maven fetches into.
	fetchPrefix = "fetch."
)

var (
	// pom names the jars that are wanted; Maven adds what they need.
	//go:embed pom.xml
	pom []byte
	// sums are the SHA-256 sums of all jars, in the form of sha256sum.
	//go:embed libs.sha256
	sums string
)

// pinned returns the sums by the names of the jars.
func pinned() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(sums) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		m[name] = sum
	}
	return m
}

// verify says which file in dir is not a jar of this Kafka, or is missing. Java takes
// every jar that it finds there.
func (j Java) verify(dir string) error {
	want := maps.Clone(j.jars)
	if want == nil {
		want = pinned()
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		sum, known := want[e.Name()]
		if !known {
			return msg.Errorf("%s is not one of the jars of Apache Kafka %s",
				show.Text(e.Name()), Version)
		}
		delete(want, e.Name())
		if got, err := sumOf(filepath.Join(dir, e.Name())); err != nil {
			return err
		} else if got != sum {
			return msg.Errorf("%s is not the jar of Apache Kafka %s: its SHA-256 is %s "+
				"instead of %s", e.Name(), Version, got, sum)
		}
	}
	for name := range want {
		return msg.Errorf("%s is missing", name)
	}
	return nil
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checkLibs refuses jars that have been changed since they were fetched.
func (j Java) checkLibs() error {
	if err := j.verify(j.libDir()); err != nil {
		return msg.Errorf("the jars in %s have been changed: %w; delete that folder, then "+
			"`make down` and `make up`", show.Text(j.libDir()), err)
	}
	return nil
}

// libs makes sure that the jars are in place, and fetches them if there are none.
func (j Java) libs(ctx context.Context) error {
	dir := j.libDir()
	if _, err := os.Stat(dir); err == nil {
		return j.checkLibs()
	}
	mvn, err := findMaven(ctx)
	if err != nil {
		return err
	}
	j.Say(msg.Sprintf("fetching Apache Kafka %s with Maven, about 55 MB, once ...", Version))
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := j.sweep(ctx); err != nil {
		return err
	}
	// In a folder of its own first: what is in place is whole.
	temp, err := os.MkdirTemp(filepath.Dir(dir), fetchPrefix+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := fetch(ctx, mvn, temp); err != nil {
		return err
	}
	if err := j.verify(filepath.Join(temp, "libs")); err != nil {
		return msg.Errorf("Maven has brought other jars than expected: %w; delete "+
			"org/apache/kafka in its local repository (~/.m2/repository), and see which "+
			"mirror its settings name", err)
	}
	return os.Rename(filepath.Join(temp, "libs"), dir)
}

// sweep removes what a fetch that was killed has left, and ends its Maven, which goes on
// alone. It is no other command's: one at a time has the command lock.
func (j Java) sweep(ctx context.Context) error {
	dir := filepath.Dir(j.libDir())
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), fetchPrefix) {
			continue
		}
		temp := filepath.Join(dir, e.Name())
		mavens, err := find(func(args []string) (int, bool) {
			return 0, slices.Contains(args, copyDependencies) && slices.Contains(args, outputTo(temp))
		})
		if err == nil {
			err = kill(ctx, mavens)
		}
		if err := errors.Join(err, os.RemoveAll(temp)); err != nil {
			return err
		}
	}
	return nil
}

// outputTo is the argument by which Maven puts the jars into a folder of dir.
func outputTo(dir string) string { return "-DoutputDirectory=" + filepath.Join(dir, "libs") }

// fetch lets Maven put the jars into dir/libs. It compares them with the sums that the
// repository gives, and fails when they differ.
func fetch(ctx context.Context, mvn, dir string) error {
	file := filepath.Join(dir, "pom.xml")
	if err := os.WriteFile(file, pom, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, mvn, "--batch-mode", "--no-transfer-progress",
		"--strict-checksums", "-Dstyle.color=never", "--file", file,
		"-Dkafka.version="+Version, copyDependencies, "-DincludeScope=runtime",
		outputTo(dir))
	cmd.Dir = dir
	cmd.Env = inUTF8(os.Environ())
	group(cmd)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return msg.Errorf("Maven cannot fetch Apache Kafka %s: %s; it needs the network "+
			"this once: see `mvn --version` and the proxy in ~/.m2/settings.xml",
			Version, mavenError(out, err))
	}
	return nil
}

// helpMark points to the end of what Maven says.
var helpMark = regexp.MustCompile(` -> \[Help \d+\]$`)

// mavenError returns the first error that Maven names: the rest explains how to search.
func mavenError(out []byte, err error) string {
	for line := range bytes.Lines(out) {
		if text, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("[ERROR] ")); ok {
			return show.Text(string(helpMark.ReplaceAll(text, nil)))
		}
	}
	return err.Error()
}

// CheckJava says what is missing on this machine for the Java stand.
func CheckJava(ctx context.Context) error {
	if err := supported(); err != nil {
		return err
	}
	home, err := stand.Home()
	if err != nil {
		return err
	}
	j := Java{Home: home}
	if err := j.CheckHome(); err != nil {
		return err
	}
	if _, err := findJava(ctx); err != nil {
		return err
	}
	if _, err := os.Stat(j.libDir()); err != nil {
		_, err = findMaven(ctx)
		return err
	}
	return nil
}

// findMaven returns the path of Maven's command, or says what to install.
func findMaven(ctx context.Context) (string, error) {
	path, err := exec.LookPath("mvn")
	if err != nil {
		return "", msg.Errorf("there is no `mvn` on PATH, and it has to fetch Apache Kafka "+
			"once: install Maven %s or newer, see https://maven.apache.org/install.html, "+
			"or unset COURSE_STAND for the embedded stand", minMaven)
	}
	out, err := ask(ctx, path, "--version")
	version := versionIn(out, `Apache Maven (\d+(?:\.\d+)*)`)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil || version == "":
		return "", msg.Errorf("`%s --version` does not work: %s", path, said(out, err))
	case older(version, minMaven):
		return "", msg.Errorf("%s is Maven %s, too old to fetch Apache Kafka: install %s or "+
			"newer, see https://maven.apache.org/install.html", path, version, minMaven)
	}
	return path, nil
}

// findJava returns the path of the Java to use, or says what to install.
func findJava(ctx context.Context) (string, error) {
	path, err := exec.LookPath("java")
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path = filepath.Join(home, "bin", "java")
		if _, err := os.Stat(path); err != nil {
			return "", msg.Errorf("JAVA_HOME=%s has no bin/java: set it to the folder of a "+
				"JDK, or unset it", show.Text(home))
		}
	} else if err != nil {
		return "", msg.Errorf("there is no `java` on PATH and no JAVA_HOME: install a JDK of "+
			"version %s or newer, such as https://adoptium.net, or unset COURSE_STAND for "+
			"the embedded stand", minJava)
	}
	out, err := ask(ctx, path, "-version")
	version := versionIn(out, `version "(\d+(?:\.\d+)*)`)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil || version == "":
		return "", msg.Errorf("`%s -version` does not work: %s", path, said(out, err))
	case older(version, minJava):
		return "", msg.Errorf("%s is Java %s, too old for Apache Kafka %s: install a JDK of "+
			"version %s or newer, or name it with JAVA_HOME", path, version, Version, minJava)
	}
	return path, nil
}

// ask runs a program for what it says about itself.
func ask(ctx context.Context, path string, arg ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, arg...)
	group(cmd)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// said tells why a program could not be asked.
func said(out string, err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	switch {
	case line != "":
		return show.Text(line)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return show.Text(err.Error())
	}
	return msg.Text("it said nothing")
}

func versionIn(out, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(out); m != nil {
		return m[1]
	}
	return ""
}

// older compares versions by their numbers: 1.8.0 is older than 17, and 4.10 newer
// than 4.9.
func older(version, than string) bool {
	return slices.Compare(numbers(version), numbers(than)) < 0
}

// numbers returns the three numbers that a version begins with.
func numbers(version string) []int {
	n := make([]int, 3)
	_, _ = fmt.Sscanf(version, "%d.%d.%d", &n[0], &n[1], &n[2]) // fewer are fine
	return n
}
