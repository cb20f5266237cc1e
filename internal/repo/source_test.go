package repo

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The limits of design.md for Go code.
const (
	columns       = 100 // a tab counts as 4
	functionLines = 69
	programLines  = 150
	benchLines    = 250
)

// ours says whether a file belongs to the lectures or to what they share.
func ours(file string) bool {
	return strings.HasPrefix(file, "internal/") || lecture.MatchString(file)
}

var lecture = regexp.MustCompile(`^\d\d-[^/]+/`)

func TestGoFilesAreFormatted(t *testing.T) {
	for _, file := range files(t, "*.go") {
		src := []byte(read(t, file))
		formatted, err := format.Source(src)
		if err != nil || !bytes.Equal(src, formatted) {
			t.Errorf("%s: not as gofmt has it %v", file, err)
		}
	}
}

func TestLinesFitTheScreen(t *testing.T) {
	for _, file := range files(t, "*.go") {
		if !ours(file) {
			continue
		}
		n := 0
		for line := range strings.Lines(read(t, file)) {
			n++
			line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
			if width := utf8.RuneCountInString(line); width > columns {
				t.Errorf("%s:%d: %d columns, more than %d", file, n, width, columns)
			}
		}
	}
}

// parse returns the syntax of a Go file.
func parse(t *testing.T, fset *token.FileSet, file string) *ast.File {
	t.Helper()
	syntax, err := parser.ParseFile(fset, file, read(t, file), parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return syntax
}

func TestFunctionsAreShort(t *testing.T) {
	for _, file := range files(t, "*.go") {
		if !ours(file) {
			continue
		}
		fset := token.NewFileSet()
		for _, d := range parse(t, fset, file).Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1
			if lines > functionLines {
				t.Errorf("%s: %s has %d lines, more than %d", file, f.Name, lines, functionLines)
			}
		}
	}
}

// program is the folder of a lecture's program.
var program = regexp.MustCompile(`^\d\d-[^/]+/\d\d-\d\d-[^/]+/cmd/([^/]+)$`)

func TestProgramsAreShort(t *testing.T) {
	lines := map[string]int{}
	for _, file := range files(t, "*.go") {
		dir := path.Dir(file)
		if !program.MatchString(dir) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for line := range strings.Lines(read(t, file)) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "// region ") && !strings.HasPrefix(line, "// endregion ") {
				lines[dir]++
			}
		}
	}
	if len(lines) == 0 {
		t.Fatal("no programs found")
	}
	for dir, n := range lines {
		limit := programLines
		if strings.HasPrefix(path.Base(dir), "bench") {
			limit = benchLines
		}
		if n > limit {
			t.Errorf("%s: %d lines, more than %d", dir, n, limit)
		}
	}
}

// TestDocComments holds that each exported name of the shared module and each of its
// packages has a comment.
func TestDocComments(t *testing.T) {
	documented := map[string]bool{}
	for _, file := range files(t, "*.go") {
		if !strings.HasPrefix(file, "internal/") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax := parse(t, token.NewFileSet(), file)
		dir := path.Dir(file)
		documented[dir] = documented[dir] || syntax.Doc != nil
		for _, d := range syntax.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no doc comment", file, name)
			}
		}
	}
	for dir, is := range documented {
		if !is {
			t.Errorf("package %s has no doc comment", dir)
		}
	}
}

// undocumented returns the exported names of a declaration that no comment is about.
func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || exportedType(d.Recv)) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// exportedType says whether a method's receiver is of an exported type.
func exportedType(receiver *ast.FieldList) bool {
	exported := false
	ast.Inspect(receiver.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			exported = exported || id.IsExported()
		}
		return true
	})
	return exported
}

// Words that mark unfinished work, and paths that look like those of one person's machine.
var (
	unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
	homes      = regexp.MustCompile(`(?:^|[^\w./-])(?:/(?:home|Users|root)/|[A-Z]:\\Users\\)\w`)
)

// TestNothingUnwanted holds that no file says such things. Tests may make up a home; the
// paths of this machine are refused there as well.
func TestNothingUnwanted(t *testing.T) {
	here := []string{filepath.ToSlash(root) + "/"}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		here = append(here, filepath.ToSlash(home)+"/")
	}
	for _, file := range files(t, "*") {
		text := read(t, file)
		if !utf8.ValidString(text) {
			continue // a picture
		}
		made := strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata/")
		n := 0
		for line := range strings.Lines(text) {
			n++
			for _, path := range here {
				if strings.Contains(line, path) {
					t.Errorf("%s:%d: a path of this machine: %s", file, n, path)
				}
			}
			if unfinished.MatchString(line) || !made && homes.MatchString(line) {
				t.Errorf("%s:%d: unfinished, or a path of somebody's machine: %s", file, n, line)
			}
		}
	}
}

func TestUnwantedIsSeen(t *testing.T) {
	for _, text := range []string{
		"// TO" + "DO: later", "see /home/ann/kafka", "cd /Users/ann", `C:\Users\ann`,
		"/ro" + "ot/x",
	} {
		if !unfinished.MatchString(text) && !homes.MatchString(text) {
			t.Errorf("%q is not seen", text)
		}
	}
	for _, text := range []string{"https://example.com/home/page", "todo list", "./home/x"} {
		if unfinished.MatchString(text) || homes.MatchString(text) {
			t.Errorf("%q is refused", text)
		}
	}
}
