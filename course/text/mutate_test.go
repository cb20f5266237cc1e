package text

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"brew.example/internal/stand"
)

// mutation is one small lie: a line of a text or of a program, changed.
type mutation struct {
	lecture  Lecture
	lang     string
	file     string // from the course's root
	line     int    // counted from 1
	block    int    // the line of the fence around it; 0 in a program
	old, new string // new is empty for a line that is removed
}

func (m mutation) String() string {
	return fmt.Sprintf("%s:%d: %q became %q", m.file, m.line, m.old, m.new)
}

// TestMutations makes random changes to the real lectures' texts and programs, one at a
// time, and demands that each is found. It takes minutes, so it runs on demand:
//
//	COURSE_MUTATE=40 go test -v -timeout=60m -run=TestMutations ./course/text
//
// COURSE_MUTATE=40,7 repeats the changes of seed 7.
func TestMutations(t *testing.T) {
	wish := os.Getenv("COURSE_MUTATE")
	if wish == "" {
		t.Skip("takes minutes: set COURSE_MUTATE=40 to make 40 changes to the lectures")
	}
	count, seed := wish, strconv.FormatInt(time.Now().UnixNano()%10_000, 10)
	if c, s, ok := strings.Cut(wish, ","); ok {
		count, seed = c, s
	}
	n, err1 := strconv.Atoi(count)
	s, err2 := strconv.ParseUint(seed, 10, 64)
	if err1 != nil || err2 != nil {
		t.Fatalf("COURSE_MUTATE=%s is not a number, or two with a comma", wish)
	}
	root, err := stand.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d", s)
	made := mutations(t, root, rand.New(rand.NewPCG(s, s)), n)
	todo := make(chan mutation, len(made))
	for _, m := range made {
		todo <- m
	}
	close(todo)
	var wg sync.WaitGroup
	for range 4 {
		copied := copyCourse(t, root)
		wg.Go(func() {
			for m := range todo {
				m.run(t, root, copied)
			}
		})
	}
	wg.Wait()
}

// copyCourse copies the sources, which are then changed.
func copyCourse(t *testing.T, root string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (rel == ".git" || rel == ".course" || rel == "bin"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// run changes a copy of the course, checks the text, and changes the copy back.
func (m mutation) run(t *testing.T, root, copied string) {
	path := filepath.Join(copied, filepath.FromSlash(m.file))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	lines := strings.SplitAfter(string(data), "\n")
	lines[m.line-1] = ""
	if m.new != "" {
		lines[m.line-1] = m.new + "\n"
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Error(err)
		return
	}
	defer func() {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Error(err)
		}
	}()
	c, err := NewChecker(copied, Options{StepTimeout: 20 * time.Second})
	if err != nil {
		t.Error(err)
		return
	}
	l := m.lecture
	l.Root, l.Dir = copied, filepath.Join(copied, l.rel(l.Dir))
	var found []Problem
	for range 3 {
		found = c.Check(t.Context(), l, m.lang)
		if len(found) == 0 {
			break
		}
		first, _, _ := strings.Cut(found[0].Error(), "\n")
		if found[0].File != m.file || found[0].Line == 0 || found[0].Line >= m.block {
			t.Logf("%s\n\tfound: %s", m, first)
			return
		}
		t.Logf("%s\n\tfailed before it, trying again: %s", m, found[0])
	}
	t.Errorf("%s\n\tNOT FOUND in %s: %v", m, m.lang, found)
}

// mutations chooses n changes, of all lectures and both languages alike.
func mutations(t *testing.T, root string, rnd *rand.Rand, n int) []mutation {
	t.Helper()
	lectures, err := Find(root)
	if err != nil {
		t.Fatal(err)
	}
	var all []mutation
	for _, l := range lectures {
		for _, lang := range Languages {
			d, err := readDocument(l, lang)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, textMutations(d, rnd)...)
			all = append(all, programMutations(t, d, rnd)...)
		}
	}
	rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if len(all) < n {
		t.Fatalf("only %d changes can be made", len(all))
	}
	return all[:n]
}

// textMutations gives a change for each line of the blocks that are run or bound.
func textMutations(d *document, rnd *rand.Rand) []mutation {
	var out []mutation
	for _, b := range d.blocks {
		if b.kind == markPlain || b.kind == markRun && !b.run.runsOn(standEmbedded) {
			continue
		}
		for i, line := range b.content {
			changed, ok := change1(line, rnd)
			// What the marker lets vary is no lie.
			lines := slices.Clone(b.content)
			lines[i] = changed
			if !ok || line == anyLines || b.kind == markRun &&
				newPattern(b.run, b.content, nil).match(lines) == full {
				continue
			}
			source := d.line(b.fenceLine + 1 + i)
			out = append(out, mutation{
				lecture: d.lecture, lang: d.lang, file: d.file, line: b.fenceLine + 1 + i,
				block: b.fenceLine, old: source, new: strings.Replace(source, line, changed, 1),
			})
		}
	}
	return out
}

// programMutations gives a change for each line that a code block of the text shows,
// made in the source.
func programMutations(t *testing.T, d *document, rnd *rand.Rand) []mutation {
	t.Helper()
	var out []mutation
	for _, b := range d.blocks {
		if b.kind != markCode {
			continue
		}
		path := filepath.Join(d.lecture.Dir, filepath.FromSlash(b.path))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			body := strings.TrimSpace(line)
			at := slices.IndexFunc(b.content, func(s string) bool {
				return body != "" && strings.TrimSpace(s) == body
			})
			changed, ok := change1(line, rnd)
			if at < 0 || !ok {
				continue
			}
			out = append(out, mutation{
				lecture: d.lecture, lang: d.lang, file: d.lecture.rel(path), line: i + 1,
				old: line, new: changed,
			})
		}
	}
	return out
}

var (
	oneDigit = regexp.MustCompile(`\d`)
	oneWord  = regexp.MustCompile(`\pL{3,}`)
	oneFlag  = regexp.MustCompile(` (?:--[a-z-]+|[A-Z]+)(?:=\S+)?`)
	option   = regexp.MustCompile(`^\s*kgo\.\w+\(.*\),`)
)

// change1 changes a digit, a word or a flag of a line, or removes an option.
func change1(line string, rnd *rand.Rand) (string, bool) {
	if option.MatchString(line) && rnd.IntN(2) == 0 {
		return "", true
	}
	kinds := []*regexp.Regexp{oneDigit, oneWord, oneFlag}
	rnd.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, kind := range kinds {
		places := kind.FindAllStringIndex(line, -1)
		if len(places) == 0 || kind == oneFlag && !strings.HasPrefix(line, prompt) {
			continue
		}
		at := places[rnd.IntN(len(places))]
		found, by := line[at[0]:at[1]], ""
		switch kind {
		case oneDigit:
			by = strconv.Itoa((int(found[0]-'0') + 1 + rnd.IntN(8)) % 10)
		case oneWord:
			by = found + "x"
		}
		return line[:at[0]] + by + line[at[1]:], true
	}
	return "", false
}
