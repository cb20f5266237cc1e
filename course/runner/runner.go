// Package runner builds a lecture's program and becomes it.
package runner

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// modulePrefix begins the import paths of the course's modules; the folder of a
// package is what follows it.
const modulePrefix = "brew.example/"

// Program is a program of the course.
type Program struct {
	// Name is the last element of its path, such as consumer.
	Name string
	// Bin is the path of the compiled program, in bin/ of the course's root: the
	// stand's home may be wiped at any time.
	Bin string

	dir string
}

// Find returns the program whose folder is pkg, relative to the current one, or whose
// import path is pkg.
func Find(pkg string) (Program, error) {
	dir, err := filepath.Abs(pkg)
	if err != nil {
		return Program{}, err
	}
	if rest, ok := strings.CutPrefix(pkg, modulePrefix); ok {
		root, err := stand.Root(".")
		if err != nil {
			return Program{}, msg.Errorf("no course folder here or above: " +
				"go to a clone of the course")
		}
		dir = filepath.Join(root, filepath.FromSlash(rest))
	}
	if err := isMain(dir); err != nil {
		return Program{}, err
	}
	root, err := stand.Root(dir)
	if err != nil {
		return Program{}, cli.Usagef("%s is not a program of the course: "+
			"it lies outside of its folder", show.Text(pkg))
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return Program{}, err
	}
	p := Program{Name: filepath.Base(dir), dir: dir}
	p.Bin = filepath.Join(root, "bin", binName(filepath.ToSlash(rel)))
	return p, nil
}

// isMain says why dir is not the folder of a program.
func isMain(dir string) error {
	src, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !hasMain(src) {
		return cli.Usagef("no program at %s: "+
			"name the folder of one, such as ./cmd/consumer", show.Text(dir))
	}
	return err
}

func hasMain(src []byte) bool {
	for line := range bytes.Lines(src) {
		if bytes.Equal(bytes.TrimSpace(line), []byte("package main")) {
			return true
		}
	}
	return false
}

// binName makes one word of a path: 01-06-first-consumer-consumer of
// 01-foundations/01-06-first-consumer/cmd/consumer.
func binName(rel string) string {
	parts := strings.Split(rel, "/")
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "cmd" || s == "." })
	if len(parts) > 2 {
		parts = parts[1:] // the lecture's number says which module it is in
	}
	name := strings.Join(parts, "-")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// Built says whether the program has ever been compiled here.
func (p Program) Built() bool {
	_, err := os.Stat(p.Bin)
	return err == nil
}

// Build compiles the program, unless nothing has changed since it last did. If slow
// is not nil, it is called when the compiler is at work for longer than that.
func (p Program) Build(ctx context.Context, slow func()) error {
	bin := filepath.Dir(p.Bin)
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return msg.Errorf("cannot build %s: %w", p.Name, err)
	}
	// One at a time: two terminals may run the same program.
	lock := flock.New(filepath.Join(bin, ".lock"))
	if ok, err := lock.TryLockContext(ctx, 20*time.Millisecond); !ok {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return msg.Errorf("cannot build %s: %w", p.Name, err)
	}
	defer lock.Unlock()
	sum, unsure := sources(filepath.Dir(bin))
	if unsure == nil && p.upToDate(sum) {
		return nil
	}
	tmp, err := buildDir(bin)
	if err != nil {
		return msg.Errorf("cannot build %s: %w", p.Name, err)
	}
	defer os.RemoveAll(tmp)
	if slow != nil {
		timer := time.AfterFunc(slowAfter, slow)
		defer timer.Stop()
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", p.Bin, ".")
	cmd.Dir = p.dir
	// The go command moves what it has linked to its place. From a folder of the same
	// file system the move is one step; else it writes the file there, under the feet
	// of a terminal that is just starting it.
	cmd.Env = append(os.Environ(), "PWD="+p.dir, "GOTMPDIR="+tmp,
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH) // it is to run here
	group(cmd)
	cmd.WaitDelay = killAfter
	out, err := cmd.CombinedOutput()
	killGroup(cmd)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return msg.Errorf("cannot build %s: there is no `go` on PATH; "+
			"install Go, see https://go.dev/dl/", p.Name)
	case err != nil:
		return BuildError{Output: string(out), program: p.Name}
	}
	if unsure == nil {
		p.remember(sum)
	}
	return nil
}

// buildDir makes the go command a folder to work in, and removes those that builds which
// were killed have left. It is called under the lock, so nobody works in them.
func buildDir(bin string) (string, error) {
	const pattern = ".build-*"
	left, err := filepath.Glob(filepath.Join(bin, pattern))
	if err != nil {
		return "", err
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return "", err
		}
	}
	return os.MkdirTemp(bin, pattern)
}

const (
	// slowAfter is when a build counts as slow.
	slowAfter = 2 * time.Second
	// killAfter is how long the go command may take to end after Ctrl+C.
	killAfter = time.Second
)

// BuildError is a program that is not built: it does not compile, or the go command
// itself fails.
type BuildError struct {
	// Output is what the go command said.
	Output  string
	program string
}

func (e BuildError) Error() string {
	switch blame(e.Output) {
	case onProgram:
		return msg.Sprintf("%s does not compile, see above", e.program)
	case onDownload:
		return msg.Sprintf("cannot build %s: the go command cannot download what it needs, "+
			"see above; check the network and GOPROXY", e.program)
	}
	return msg.Sprintf("cannot build %s: the go command fails, see above; "+
		"`go env -changed` shows your settings of it", e.program)
}

// What keeps a program from being built.
const (
	onProgram  = "the program"
	onDownload = "a download"
	onGo       = "the go command or this machine"
)

var (
	compiler = regexp.MustCompile(`(?m)^# `)
	source   = regexp.MustCompile(`(?m)^\S+\.go:\d+(:\d+)?: `)
	download = regexp.MustCompile(`module lookup disabled|: Get "|toolchain not available|` +
		`: dial tcp|lookup .*: no such host|reading \S+/@v/`)
	machine = regexp.MustCompile(`no space left on device|disk quota exceeded|not enough space`)
)

// blame reads the go command's output: a line with # begins what the compiler says, and a
// place in a source what is found before it runs, unless a download ends there.
func blame(output string) string {
	switch {
	case machine.MatchString(output):
		return onGo
	case compiler.MatchString(output):
		return onProgram
	case download.MatchString(output):
		return onDownload
	case source.MatchString(output):
		return onProgram
	}
	return onGo
}

// Become turns this process into the program, or where that is not possible runs the
// program and returns its exit status. args do not hold the program's name.
func (p Program) Become(args []string) (status int, err error) {
	return become(p.Bin, append([]string{p.Name}, args...))
}
