// Package msgtest checks a module's Russian texts against the English ones in its code.
package msgtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// formats are the functions that take a text to translate, and at which argument.
var formats = map[string]int{
	"msg.Text": 0, "msg.Sprintf": 0, "msg.Errorf": 0, "msg.Fprintf": 1, "cli.Usagef": 0,
	"Usagef": 0,
}

var (
	verb     = regexp.MustCompile(`%[-+# 0]*(\*|\d+)?(\.(\*|\d+))?[a-zA-Z%]`)
	cyrillic = regexp.MustCompile(`\p{Cyrillic}`)
)

// Check fails the test for each text in the module below dir that russian does not
// translate, for each translation that no code uses, and for each that has other verbs
// than its English text.
func Check(t *testing.T, dir string, russian map[string]string) {
	t.Helper()
	used := texts(t, dir)
	if len(used) == 0 {
		t.Fatalf("no text found below %s", dir)
	}
	for en, where := range used {
		ru, ok := russian[en]
		switch {
		case !ok:
			t.Errorf("%s: no Russian for %q", where, en)
		case !slices.Equal(verb.FindAllString(en, -1), verb.FindAllString(ru, -1)):
			t.Errorf("%s: other verbs in %q and %q", where, en, ru)
		case strings.HasSuffix(en, "\n") != strings.HasSuffix(ru, "\n"):
			t.Errorf("%s: only one ends its line: %q and %q", where, en, ru)
		case !cyrillic.MatchString(ru):
			t.Errorf("%s: not Russian: %q", where, ru)
		}
	}
	for en := range russian {
		if _, ok := used[en]; !ok {
			t.Errorf("no code below %s says %q", dir, en)
		}
	}
}

// texts returns the English texts in the non-test Go files below dir, each with a place
// that uses it. A text that is not a constant string cannot be checked and fails the test.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "msg"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			arg, ok := formats[name(call.Fun)]
			if !ok || arg >= len(call.Args) {
				return true
			}
			if id, ok := call.Args[arg].(*ast.Ident); ok && id.Name == "format" {
				return true // a function that passes its own format on; its callers are checked
			}
			where := fset.Position(call.Pos()).String()
			text, ok := constant(call.Args[arg])
			if !ok {
				t.Errorf("%s: the text is not a constant string", where)
				return true
			}
			found[text] = where
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func name(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// constant returns the value of a string literal or of literals joined by +.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok1 := constant(e.X)
		right, ok2 := constant(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}
