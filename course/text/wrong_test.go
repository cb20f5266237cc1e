package text

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// spoilt is a course with one thing wrong, and what must be said of it.
type spoilt struct {
	name     string
	file     string
	old, new string
	lang     string
	line     string // text of the line that the problem must point at
	want     string // regular expression
}

// spoiltFiles are the names by which the lists call the files of the fake course.
var spoiltFiles = map[string]string{
	"english": english, "russian": russian, "program": program,
	"makefile": makefile, "catalogue": "01-fake/ru/ru.go",
}

// readSpoilt reads a list: `key: value` in lines, an empty line behind each case. What
// is replaced, and by what, is quoted as in Go.
func readSpoilt(t *testing.T, path string) []spoilt {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []spoilt
	for _, paragraph := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		w := spoilt{lang: "en"}
		fields := map[string]*string{
			"name": &w.name, "file": &w.file, "old": &w.old, "new": &w.new,
			"lang": &w.lang, "line": &w.line, "want": &w.want,
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			key, value, _ := strings.Cut(line, ": ")
			if key == "old" || key == "new" || key == "line" {
				if value, err = strconv.Unquote(value); err != nil {
					t.Fatalf("%s: %s: %v", path, line, err)
				}
			}
			if fields[key] == nil {
				t.Fatalf("%s: %s", path, line)
			}
			*fields[key] = value
		}
		w.file = spoiltFiles[w.file]
		list = append(list, w)
	}
	return list
}

// TestWrongTexts spoils what can be told by reading.
func TestWrongTexts(t *testing.T) {
	t.Parallel()
	for _, w := range readSpoilt(t, "testdata/wrong-texts.txt") {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			opts := fakeOptions()
			opts.Static = true
			w.expect(t, opts)
		})
	}
}

// TestWrongRuns spoils what can be told only by running.
func TestWrongRuns(t *testing.T) {
	t.Parallel()
	for _, w := range readSpoilt(t, "testdata/wrong-runs.txt") {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			opts := fakeOptions()
			opts.StepTimeout, opts.Grace = 3*time.Second, time.Second
			w.expect(t, opts)
		})
	}
}

// expect spoils a copy of the course, and demands one problem that says so.
func (w spoilt) expect(t *testing.T, opts Options) {
	t.Helper()
	c := newFakeCourse(t)
	c.replace(w.file, w.old, w.new)
	if w.file == english {
		// The translation is not looked at: an English problem must be found by itself.
		if err := os.Remove(filepath.Join(c.root, russian)); err != nil {
			t.Fatal(err)
		}
		c.write(russian, []byte(c.read(english)))
	}
	found := c.check(opts, w.lang)
	says := regexp.MustCompile(w.want)
	for _, p := range found {
		if says.MatchString(p.Message) && (w.line == "" || c.lineOf(p.File, w.line) == p.Line) {
			return
		}
	}
	for _, p := range found {
		t.Log(p)
	}
	t.Errorf("%d problems; want one at %q (line %d) that says %s",
		len(found), w.line, c.lineOf(english, w.line), w.want)
}

func (c fakeCourse) write(file string, data []byte) {
	c.Helper()
	if err := os.WriteFile(filepath.Join(c.root, file), data, 0o600); err != nil {
		c.Fatal(err)
	}
}

// lineOf gives the number of the line in which text begins; 0 if there is none.
func (c fakeCourse) lineOf(file, text string) int {
	c.Helper()
	before, _, ok := bytes.Cut([]byte(c.read(file)), []byte(text))
	if !ok {
		return 0
	}
	return bytes.Count(before, []byte("\n")) + 1
}
