package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
)

// errAsk says that only the go command can tell whether a program is up to date: files
// outside of the course have a say in its build, or one was written just now.
var errAsk = errors.New("ask the go command")

// sources sums up what a program of the course is made of: the names, sizes and times of
// the files below root, the go command and its settings. While the sum is as it was after
// a build, the go command need not be asked, which on two cores takes 0.2 s each time.
func sources(root string) (string, error) {
	sum := sha256.New()
	if err := settings(sum); err != nil {
		return "", err
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(path, root)
		switch hidden := strings.HasPrefix(d.Name(), "."); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (hidden || rel == string(filepath.Separator)+"bin"):
			return filepath.SkipDir
		case d.IsDir() || hidden:
			return nil
		case !d.Type().IsRegular():
			return errAsk // such as a link: what it leads to may change unseen
		}
		if d.Name() == "go.mod" || d.Name() == "go.work" {
			if err := inside(root, path); err != nil {
				return err
			}
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		// A file may be written twice within one tick of the clock that stamps files.
		if time.Since(info.ModTime()).Abs() < time.Second {
			return errAsk
		}
		note(sum, rel, info)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

func note(w io.Writer, name string, info fs.FileInfo) {
	fmt.Fprintln(w, name, info.Size(), info.ModTime().UnixNano())
}

// settings writes what else the go command goes by.
func settings(w io.Writer) error {
	path, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	note(w, path, info)
	env := os.Environ()
	slices.Sort(env)
	for _, v := range env {
		switch name, value, _ := strings.Cut(v, "="); {
		case name == "GOWORK" && value != "" && value != "off",
			name == "GOFLAGS" && namesFile(value):
			return errAsk
		case strings.HasPrefix(name, "GO"), strings.HasPrefix(name, "CGO_"), name == "CC":
			fmt.Fprintln(w, v)
		}
	}
	// What `go env -w` has written.
	file := os.Getenv("GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return err
		}
		file = filepath.Join(dir, "go", "env")
	}
	set, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || namesFile(string(set)) {
		return errAsk
	}
	_, err = fmt.Fprintf(w, "%s\n", set)
	return err
}

// namesFile says whether flags of the go command lead to a file that may change.
func namesFile(flags string) bool {
	return slices.ContainsFunc([]string{"-overlay", "-modfile", "-toolexec", "-pgo"},
		func(flag string) bool { return strings.Contains(flags, flag) })
}

// inside looks whether all the modules that a go.mod or a go.work leads to by a path lie
// in the course: somebody may try the programs with a changed franz-go.
func inside(root, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var dirs []string
	var replaced []*modfile.Replace
	if filepath.Base(path) == "go.mod" {
		mod, err := modfile.Parse(path, data, nil)
		if err != nil {
			return err
		}
		replaced = mod.Replace
	} else {
		work, err := modfile.ParseWork(path, data, nil)
		if err != nil {
			return err
		}
		replaced = work.Replace
		for _, use := range work.Use {
			dirs = append(dirs, use.Path)
		}
	}
	for _, r := range replaced {
		if r.New.Version == "" {
			dirs = append(dirs, r.New.Path)
		}
	}
	for _, dir := range dirs {
		dir = filepath.FromSlash(dir)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil || !filepath.IsLocal(rel) {
			return errAsk
		}
	}
	return nil
}

// upToDate says whether the program was built of what there is now.
func (p Program) upToDate(sum string) bool {
	noted, err := os.ReadFile(p.stampFile())
	stamp := p.stamp(sum)
	return err == nil && stamp != "" && string(noted) == stamp
}

// remember notes what the program was built of. Without the note the go command will be
// asked again, so its loss is none.
func (p Program) remember(sum string) {
	_ = os.WriteFile(p.stampFile(), []byte(p.stamp(sum)), 0o644)
}

// stamp is empty where the program is not there.
func (p Program) stamp(sum string) string {
	info, err := os.Stat(p.Bin)
	if err != nil {
		return ""
	}
	return fmt.Sprintln(sum, info.Size(), info.ModTime().UnixNano())
}

func (p Program) stampFile() string {
	return filepath.Join(filepath.Dir(p.Bin), "."+filepath.Base(p.Bin)+".stamp")
}
