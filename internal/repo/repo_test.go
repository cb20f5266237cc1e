// Package repo holds the repository to its rules; it has tests only.
package repo

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"brew.example/internal/stand"
)

// root is the top folder of the course.
var root string

func TestMain(m *testing.M) {
	var err error
	if root, err = stand.Root("."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// files returns the repository's files with names that match the pattern, relative to the
// root, without what is built or kept by git and the stand. Those in testdata are made to
// be tested, and come for the pattern "*" only.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone since it was listed: a file of a tool that runs beside
		}
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == ".git" || name == ".course" || name == "bin" ||
			name == "testdata" && pattern != "*") {
			return fs.SkipDir
		}
		if ok, _ := filepath.Match(pattern, name); ok && d.Type().IsRegular() {
			rel, err := filepath.Rel(root, path)
			found = append(found, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no file %s below %s", pattern, root)
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// goTool runs the go command in dir with env added and returns what it printed.
func goTool(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// modules are the folders that have a go.mod, relative to the root.
func modules(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, path := range files(t, "go.mod") {
		dirs = append(dirs, filepath.Dir(path))
	}
	return dirs
}

func TestWorkspaceListsAllModules(t *testing.T) {
	out, err := goTool(t, root, nil, "work", "edit", "-json")
	if err != nil {
		t.Fatal(out)
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal([]byte(out), &work); err != nil {
		t.Fatal(err)
	}
	var used []string
	for _, u := range work.Use {
		used = append(used, filepath.Clean(u.DiskPath))
	}
	slices.Sort(used)
	if want := modules(t); !slices.Equal(used, want) {
		t.Errorf("go.work uses %v, the modules are %v", used, want)
	}
}

// TestEveryModuleBuildsAlone holds that no module needs the workspace: a folder that is
// copied elsewhere, or lies below a foreign go.work, must still build.
func TestEveryModuleBuildsAlone(t *testing.T) {
	for _, dir := range modules(t) {
		t.Run(dir, func(t *testing.T) {
			// vet compiles as build does, and keeps what it has found out.
			out, err := goTool(t, filepath.Join(root, dir), []string{"GOWORK=off"},
				"vet", "./...")
			if err != nil && !strings.Contains(out, "no packages to vet") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestVetElsewhere holds that all modules compile and vet for the systems that no machine
// of ours runs.
func TestVetElsewhere(t *testing.T) {
	for _, system := range []string{"windows", "darwin", "linux"} {
		if system == runtime.GOOS {
			continue // that is the lint's
		}
		for _, dir := range modules(t) {
			t.Run(system+"/"+dir, func(t *testing.T) {
				out, err := goTool(t, filepath.Join(root, dir),
					[]string{"GOOS=" + system, "CGO_ENABLED=0"}, "vet", "./...")
				if err != nil && !strings.Contains(out, "no packages to vet") {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// TestCopiedElsewhere holds that a module goes on building when it is copied with the
// shared one, below a go.work that does not know it, with the one setting that the go
// command asks for; and a copy of a lecture inside its module without any.
func TestCopiedElsewhere(t *testing.T) {
	above := t.TempDir()
	here := filepath.Join(above, "copy")
	for _, dir := range []string{"internal", "01-foundations"} {
		err := os.CopyFS(filepath.Join(here, dir), os.DirFS(filepath.Join(root, dir)))
		if err != nil {
			t.Fatal(err)
		}
	}
	module := filepath.Join(here, "01-foundations")
	lectures, err := filepath.Glob(filepath.Join(module, "[0-9]*"))
	if err != nil || len(lectures) == 0 {
		t.Fatalf("no lectures in %s: %v", module, err)
	}
	mine := filepath.Join(module, "01-99-mine")
	if err := os.CopyFS(mine, os.DirFS(lectures[0])); err != nil {
		t.Fatal(err)
	}
	build := func(dir string, env ...string) (string, error) {
		return goTool(t, dir, env, "build", "-o", os.DevNull, "./...")
	}
	for _, dir := range []string{mine, lectures[0]} {
		if out, err := build(dir); err != nil {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
	}
	foreign := filepath.Join(above, "go.work")
	if err := os.WriteFile(foreign, []byte("go 1.26.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := build(mine); err == nil || !strings.Contains(out, "go.work") {
		t.Errorf("below a foreign go.work: %v\n%s", err, out)
	}
	if out, err := build(mine, "GOWORK=off"); err != nil {
		t.Errorf("GOWORK=off: %v\n%s", err, out)
	}
}

// TestOneVersionOfEachDependency holds that the modules agree on the go line and on the
// version of each dependency, and that each finds the shared module beside it.
func TestOneVersionOfEachDependency(t *testing.T) {
	versions, where := map[string]string{}, map[string]string{}
	note := func(dir, what, version string) {
		if have, ok := versions[what]; ok && have != version {
			t.Errorf("%s: %s in %s, %s in %s", what, have, where[what], version, dir)
		}
		versions[what], where[what] = version, dir
	}
	for _, dir := range append(modules(t), ".") {
		verb := []string{"mod", "edit", "-json"}
		if dir == "." {
			verb[0] = "work"
		}
		out, err := goTool(t, filepath.Join(root, dir), nil, verb...)
		if err != nil {
			t.Fatal(out)
		}
		var mod struct {
			Go, Toolchain string
			Require       []struct{ Path, Version string }
			Replace       []struct{ Old, New struct{ Path string } }
		}
		if err := json.Unmarshal([]byte(out), &mod); err != nil {
			t.Fatal(err)
		}
		note(dir, "go", mod.Go)
		note(dir, "toolchain", mod.Toolchain)
		beside := map[string]string{}
		for _, r := range mod.Replace {
			beside[r.Old.Path] = r.New.Path
			if !strings.HasPrefix(r.Old.Path, "brew.example/") {
				t.Errorf("%s: %s is replaced", dir, r.Old.Path)
			}
		}
		for _, r := range mod.Require {
			if name, ours := strings.CutPrefix(r.Path, "brew.example/"); !ours {
				note(dir, r.Path, r.Version)
			} else if beside[r.Path] != "../"+name {
				t.Errorf("%s: %s is found at %q", dir, r.Path, beside[r.Path])
			}
		}
	}
}
