// Package text keeps the lectures true: it reads their Markdown, holds the code
// blocks to the sources and replays the console blocks on a stand.
//
// A lecture is a folder NN-module/NN-NN-name with README.md and README.ru.md.
// Invisible markers (HTML comments) above a fence say what the block is:
//
//	<!-- code: cmd/consumer/main.go#options -->  a region of a source file
//	<!-- run: t1 any-order -->                   a terminal's commands and output
//	<!-- plain: a picture -->                    neither, and why
//	<!-- section: break-it -->                   above each heading of level two
//
// A region stands in the source between `// region name` and `// endregion name`; its
// indentation is dropped. In a console block a line `$ command` starts a command, `^C`
// interrupts it, `…` stands for any lines, and all others must come to the letter but
// for what no two runs have in common (see shape.go). The attributes of run:
//
//	t1 … t4         the terminal; it lasts to the end of the text
//	cold            begins without a stand
//	any-order       rows of a table in any order, those of a PARTITION in theirs
//	merge           lines equal but for their [list] count as one with the union
//	vary=A,B        the columns A and B are compared by their shape
//	about=RATE      the column RATE is compared within a factor of two
//	quiet=2s        nothing comes for that long
//	stand=kafka     replayed on a real Kafka only (or stand=embedded)
//	exit=1          the last command fails with that status. A failure that the text
//	                shows (error: …, make: *** …) needs no attribute
package text

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"brew.example/internal/msg"
)

// Problem is one thing that is wrong in a text.
type Problem struct {
	// File is the path from the course's root, with slashes.
	File string
	// Line counts from 1; 0 when the problem is the file's as a whole.
	Line int
	// Message may have several lines; the first one tells what is wrong.
	Message string
}

// Error gives the problem as file:line: message.
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// problems collects what is wrong with one file.
type problems struct {
	file string
	list []Problem
}

// add notes a problem; the message is in the language in use already.
func (p *problems) add(line int, message string) {
	p.list = append(p.list, Problem{p.file, line, message})
}

func sortProblems(list []Problem) {
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// Lecture is the folder of one lecture.
type Lecture struct {
	// Name is the folder's own name, like 01-06-first-consumer.
	Name string
	// Root is the course's root, Dir the folder; both absolute.
	Root, Dir string
}

// rel is a path of this lecture as problems show it.
func (l Lecture) rel(path string) string {
	rel, err := filepath.Rel(l.Root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// textFiles names a lecture's file in each language.
var textFiles = map[string]string{
	msg.English: "README.md",
	msg.Russian: "README.ru.md",
}

// Languages lists the languages of the texts, the original first.
var Languages = []string{msg.English, msg.Russian}

var (
	moduleName  = regexp.MustCompile(`^\d\d-[a-z0-9-]+$`)
	lectureName = regexp.MustCompile(`^\d\d-\d\d-[a-z0-9-]+$`)
)

// Find returns the lectures under root in their order: all of them, or those that
// names choose by number (01-06), folder name or path.
func Find(root string, names ...string) ([]Lecture, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	all, err := allLectures(root)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		if len(all) == 0 {
			return nil, msg.Errorf("no lectures in %s: their folders are called "+
				"NN-module/NN-NN-name", root)
		}
		return all, nil
	}
	var found []Lecture
	for _, name := range names {
		i := slices.IndexFunc(all, func(l Lecture) bool { return l.isCalled(name) })
		if i < 0 {
			return nil, msg.Errorf("no lecture %q: give its number (01-06), its folder's "+
				"name or a path; there are %s",
				name, numbers(all))
		}
		if !slices.Contains(found, all[i]) {
			found = append(found, all[i])
		}
	}
	return found, nil
}

func allLectures(root string) ([]Lecture, error) {
	var all []Lecture
	modules, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, module := range modules {
		if !module.IsDir() || !moduleName.MatchString(module.Name()) {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(root, module.Name()))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() && lectureName.MatchString(e.Name()) {
				dir := filepath.Join(root, module.Name(), e.Name())
				all = append(all, Lecture{Name: e.Name(), Root: root, Dir: dir})
			}
		}
	}
	return all, nil
}

func (l Lecture) isCalled(name string) bool {
	if name == l.Name || name == l.Name[:len("01-06")] {
		return true
	}
	abs, err := filepath.Abs(name)
	return err == nil && abs == l.Dir
}

func numbers(all []Lecture) string {
	if len(all) == 0 {
		return msg.Text("none")
	}
	var list []string
	for _, l := range all {
		list = append(list, l.Name[:len("01-06")])
	}
	return strings.Join(list, ", ")
}

// exists tells whether a file or folder is there.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
