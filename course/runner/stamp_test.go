package runner

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// course makes a folder with a program in it that was built of what is there.
func course(t *testing.T) (root string, p Program) {
	t.Helper()
	root = t.TempDir()
	t.Setenv("GOENV", filepath.Join(t.TempDir(), "env"))
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	p = Program{Name: "x", Bin: filepath.Join(root, "bin", "x")}
	write(t, filepath.Join(root, "go.work"), "go 1.26\n\nuse ./m\n")
	write(t, filepath.Join(root, "m", "go.mod"), "module m\n\nreplace n => ./n\n")
	write(t, filepath.Join(root, "m", "main.go"), "package main\n")
	write(t, filepath.Join(root, "m", "data.txt"), "embedded\n")
	write(t, p.Bin, "binary\n")
	sum, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	p.remember(sum)
	return root, p
}

// write leaves a file as one that was written a while ago.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	age(t, path, time.Hour)
}

func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

// The go command is asked after every change that could be one of the program.
func TestChangeIsSeen(t *testing.T) {
	for name, change := range map[string]func(root string, p Program) error{
		"a file of the same size": func(root string, _ Program) error {
			path := filepath.Join(root, "m", "main.go")
			if err := os.WriteFile(path, []byte("package m4in\n"), 0o644); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, time.Now().Add(-time.Minute))
		},
		"an older time": func(root string, _ Program) error {
			return os.Chtimes(filepath.Join(root, "m", "main.go"), time.Time{},
				time.Now().Add(-24*time.Hour))
		},
		"a new file": func(root string, _ Program) error {
			path := filepath.Join(root, "m", "new.go")
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, time.Now().Add(-time.Minute))
		},
		"a deleted file": func(root string, _ Program) error {
			return os.Remove(filepath.Join(root, "m", "data.txt"))
		},
		"another name": func(root string, _ Program) error {
			return os.Rename(filepath.Join(root, "m", "data.txt"), filepath.Join(root, "m", "d.txt"))
		},
		"another binary": func(_ string, p Program) error {
			return os.WriteFile(p.Bin, []byte("other\n"), 0o644)
		},
		"no binary": func(_ string, p Program) error { return os.Remove(p.Bin) },
		"no binary, a note cut short": func(_ string, p Program) error {
			return errors.Join(os.Remove(p.Bin), os.Truncate(p.stampFile(), 0))
		},
		"a setting": func(string, Program) error { return os.Setenv("GOFLAGS", "-race") },
		"go env -w": func(string, Program) error {
			return os.WriteFile(os.Getenv("GOENV"), []byte("CGO_ENABLED=0\n"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, p := course(t)
			sum, err := sources(root)
			if err != nil || !p.upToDate(sum) {
				t.Fatalf("out of date (%v) with nothing changed", err)
			}
			if err := change(root, p); err != nil {
				t.Fatal(err)
			}
			if sum, err = sources(root); err == nil && p.upToDate(sum) {
				t.Error("up to date after the change")
			}
		})
	}
}

// Where files outside of the course have a say, the go command is always asked.
func TestOutsideIsAsked(t *testing.T) {
	for name, change := range map[string]func(root string) error{
		"work": func(root string) error {
			return os.WriteFile(filepath.Join(root, "go.work"), []byte("use ../franz-go\n"), 0o644)
		},
		"replace": func(root string) error {
			return os.WriteFile(filepath.Join(root, "m", "go.mod"),
				[]byte("module m\n\nreplace n => /src/n\n"), 0o644)
		},
		"link": func(root string) error {
			return os.Symlink(t.TempDir(), filepath.Join(root, "m", "n"))
		},
		"GOWORK":  func(string) error { return os.Setenv("GOWORK", "/src/go.work") },
		"GOFLAGS": func(string) error { return os.Setenv("GOFLAGS", "-mod=mod -overlay=/src/o") },
		"go env -w": func(string) error {
			return os.WriteFile(os.Getenv("GOENV"), []byte("GOFLAGS=-modfile=/src/go.mod\n"), 0o644)
		},
		"just written": func(root string) error {
			return os.WriteFile(filepath.Join(root, "m", "main.go"), []byte("package main\n"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, _ := course(t)
			if err := change(root); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"go.work", "m/go.mod"} {
				age(t, filepath.Join(root, filepath.FromSlash(file)), time.Hour)
			}
			if _, err := sources(root); !errors.Is(err, errAsk) {
				t.Errorf("%v, want the go command to be asked", err)
			}
		})
	}
	t.Run("GOWORK=off", func(t *testing.T) {
		root, _ := course(t)
		t.Setenv("GOWORK", "off")
		if _, err := sources(root); err != nil {
			t.Error(err)
		}
	})
}
