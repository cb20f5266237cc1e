package main

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"brew.example/course/text"
	"brew.example/internal/stand"
)

var (
	kind   = flag.String("stand", stand.Embedded, "the kind of stand to replay the texts on")
	course = flag.String("course", "", "the course's tool (built if empty)")
)

// TestMain lets several texts be replayed side by side, however few processors there
// are: they mostly wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(defaultJobs)); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := stand.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLectures holds every text of the course to its code and to real runs.
func TestLectures(t *testing.T) {
	text.Test(t, root(t), text.Options{Stand: *kind, Course: *course, Jobs: defaultJobs})
}

// TestLinks looks at the links of the texts that are no lectures.
func TestLinks(t *testing.T) {
	dir := root(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Markdown in %s: %v", dir, err)
	}
	for _, file := range files {
		list, err := text.CheckLinks(dir, file)
		if err != nil {
			t.Error(err)
		}
		for _, p := range list {
			t.Error(p)
		}
	}
}
