package text

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// update updates the course and returns which files it says it wrote.
func (c fakeCourse) update(opts Options) ([]string, []Problem) {
	c.Helper()
	checker, l := c.checker(opts)
	return checker.Update(c.Context(), l)
}

func TestUpdateLeavesRightTexts(t *testing.T) {
	t.Parallel()
	c := newFakeCourse(t)
	before := c.read(english) + c.read(russian)
	written, list := c.update(fakeOptions())
	if len(written) > 0 || len(list) > 0 || c.read(english)+c.read(russian) != before {
		t.Errorf("wrote %v, problems %v", written, list)
	}
}

func TestUpdateMends(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, old, new string
		static               bool
	}{
		{"code", english, "order-%d  %s\\n", "order-%s  %s\\n", true},
		{"code in a list", english, "   first := time", "   second := time", true},
		{"line gone", russian, "   first := time.Now().Nanosecond() / 1000 % 2\n", "", true},
		{"row", english, "0          1       order-1  12", "0          7       order-1  12", false},
		{"last line", english, "4 guests", "5 guests", false},
		{"first line", english, "kitchen serves", "kitchen served", false},
		{"line missing", english, "said: Ann\n```", "```", false},
		{"line too many", english, "said: Ann\n$", "said: Ann\nsaid: Bob\n$", false},
		{"after ^C", russian, "кухня остановлена",
			"кухня закрыта", false},
		{"in a later block", english, "guest Ann came at 12:00:01",
			"guest Bob came at 12:00:01", false},
		{"nothing shown yet", english, "kitchen serves on localhost:19092; Ctrl+C ends it.\n",
			"", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCourse(t)
			right := c.read(test.file)
			c.replace(test.file, test.old, test.new)
			opts := fakeOptions()
			opts.Static = test.static
			written, list := c.update(opts)
			if !slices.Equal(written, []string{test.file}) || len(list) > 0 {
				t.Fatalf("wrote %v, problems %v", written, list)
			}
			// Only the lines that were wrong have changed: the others keep their times.
			got := anyTime.ReplaceAllString(c.read(test.file), "")
			if want := anyTime.ReplaceAllString(right, ""); got != want {
				t.Errorf("%s", plainDiff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
			for _, lang := range Languages {
				opts.Static = true // an update has replayed what it wrote
				if list := c.check(opts, lang); len(list) > 0 {
					t.Error(list)
				}
			}
		})
	}
}

var anyTime = regexp.MustCompile(`\d\d:\d\d:\d\d(\.\d+)?`)

// TestSettled tells when a recorded block is at its end.
func TestSettled(t *testing.T) {
	t.Parallel()
	opts := Options{Settle: 2 * time.Second, Patience: 15 * time.Second}
	tests := []struct {
		name    string
		shown   int
		came    int
		ended   bool
		mustEnd bool
		silent  time.Duration
		want    bool
	}{
		{"ended", 3, 1, true, false, 0, true},
		{"must end", 3, 3, false, true, time.Hour, false},
		{"as many lines, and a pause", 3, 3, false, false, 600 * time.Millisecond, true},
		{"as many lines", 3, 3, false, false, 500 * time.Millisecond, false},
		{"more lines", 3, 4, false, false, time.Second, false},
		{"more lines, and a long pause", 3, 4, false, false, 2 * time.Second, true},
		{"fewer lines", 3, 2, false, false, 10 * time.Second, false},
		{"fewer lines for long", 3, 2, false, false, 15 * time.Second, true},
		{"nothing shown, nothing came", 0, 0, false, false, 10 * time.Second, false},
		{"nothing shown, something came", 0, 1, false, false, 2 * time.Second, true},
	}
	for _, test := range tests {
		w := &wait{
			replay: &replay{opts: opts}, step: &step{want: make([]string, test.shown)},
			mustEnd: test.mustEnd, quiet: 300 * time.Millisecond,
		}
		got := w.settled(snapshot{lines: make([]string, test.came), ended: test.ended}, test.silent)
		if got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestUpdateKeepsEllipsis(t *testing.T) {
	t.Parallel()
	tests := []struct{ want, got, out string }{
		{"A … C", "A x y D", "A … D"},
		{"… C", "x y D", "… D"},
		{"A …", "B x y", "B …"},
		{"A … M … C", "A x M y D", "A … M … D"},
		{"A … M N … C", "A x M y C", "A … M y … C"},
		{"A B … C", "A", "A …"},
		{"A … at=12:00:00", "B x at=13:13:13", "B … at=12:00:00"},
	}
	for _, test := range tests {
		shown := &step{want: strings.Fields(test.want)}
		got, err := renewed(attributes{}, shown, strings.Fields(test.got))
		if out := strings.Join(got, " "); err != nil || out != test.out {
			t.Errorf("%q with %q gives %q, %v; want %q", test.want, test.got, out, err, test.out)
		}
	}
	shown := &step{want: []string{"A", "…", "M", "…", "C"}}
	_, err := renewed(attributes{}, shown, []string{"A", "x", "D"})
	if err == nil {
		t.Error("lines between two … that no longer come are dropped in silence")
	}
}

func TestUpdateRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range readSpoilt(t, "testdata/not-updated.txt") {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCourse(t)
			c.replace(test.file, test.old, test.new)
			// Something else could be mended, and must not be on its own.
			c.replace(english, "   first := time", "   second := time")
			if test.name == "missing file" {
				if err := os.Remove(filepath.Join(c.root, russian)); err != nil {
					t.Fatal(err)
				}
				c.write(russian+".kept", nil)
			}
			before := c.read(english)
			opts := fakeOptions()
			opts.StepTimeout, opts.Grace = 2500*time.Millisecond, time.Second
			if test.name == "hangs" {
				opts.StepTimeout = time.Second
			}
			written, list := c.update(opts)
			if len(written) > 0 || c.read(english) != before {
				t.Errorf("wrote %v", written)
			}
			says := func(p Problem) bool {
				return regexp.MustCompile(test.want).MatchString(p.Message)
			}
			if !slices.ContainsFunc(list, says) {
				t.Errorf("problems %v, want %s", list, test.want)
			}
		})
	}
}

func TestUpdateKeepsTheMode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
