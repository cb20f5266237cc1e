package text

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// catalogue knows which Russian line stands for which English one. It is read from
// the sources: the maps of internal/msg and of each module's package ru.
type catalogue struct{ entries []entry }

// entry is one line of a message in both languages. The groups are what stands
// before, the arguments in order, and what follows.
type entry struct{ en, ru *regexp.Regexp }

func readCatalogue(root string) (*catalogue, error) {
	c := &catalogue{}
	for _, pattern := range []string{"*/ru/*.go", "internal/msg/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok {
					c.addMap(lit)
				}
				return true
			})
		}
	}
	return c, nil
}

func (c *catalogue) addMap(lit *ast.CompositeLit) {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			en, ok1 := stringValue(kv.Key)
			ru, ok2 := stringValue(kv.Value)
			if ok1 && ok2 {
				c.add(en, ru)
			}
		}
	}
}

// stringValue evaluates a string literal, or several joined by +.
func stringValue(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, ok1 := stringValue(e.X)
		y, ok2 := stringValue(e.Y)
		return x + y, ok1 && ok2 && e.Op == token.ADD
	case *ast.ParenExpr:
		return stringValue(e.X)
	}
	return "", false
}

// add takes a message, line by line if it has several.
func (c *catalogue) add(en, ru string) {
	enLines, ruLines := strings.Split(en, "\n"), strings.Split(ru, "\n")
	if len(enLines) != len(ruLines) {
		return // no line of it stands for a line
	}
	for i, line := range enLines {
		literal := verb.ReplaceAllString(line, "")
		sameVerbs := slices.Equal(verb.FindAllString(line, -1), verb.FindAllString(ruLines[i], -1))
		if line == ruLines[i] || !sameVerbs || !strings.ContainsFunc(literal, unicode.IsLetter) {
			continue
		}
		// An argument at the end of one language's line may stand in the midst of the
		// other's, so first try what takes the whole line.
		for _, ends := range [][2]string{{`^()`, `()$`}, {`^(.*?)`, `()$`}, {`^(.*?)`, `(.*)$`}} {
			c.entries = append(c.entries,
				entry{formatPattern(ends, line), formatPattern(ends, ruLines[i])})
		}
	}
}

// verb is a verb of package fmt.
var verb = regexp.MustCompile(`%[-+# 0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[a-zA-Z%]`)

// formatPattern matches what a format prints, between the two ends given.
func formatPattern(ends [2]string, format string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(ends[0])
	end := 0
	for _, at := range verb.FindAllStringIndex(format, -1) {
		b.WriteString(regexp.QuoteMeta(format[end:at[0]]))
		if format[at[1]-1] == '%' {
			b.WriteString("%")
		} else {
			b.WriteString(`(.*?)`)
		}
		end = at[1]
	}
	b.WriteString(regexp.QuoteMeta(format[end:]))
	b.WriteString(ends[1])
	return regexp.MustCompile(b.String())
}

// translates tells whether ru is en in Russian: equal, or a message of the catalogue
// whose arguments and surroundings are so too.
func (c *catalogue) translates(en, ru string) bool {
	if shaped(en) == shaped(ru) {
		return true
	}
	if !strings.ContainsFunc(ru, isCyrillic) {
		return false
	}
	for _, e := range c.entries {
		m := e.ru.FindStringSubmatch(ru)
		if m == nil {
			continue
		}
		n := e.en.FindStringSubmatch(en)
		if n == nil {
			continue
		}
		same := true
		for i := 1; i < len(m) && same; i++ {
			same = c.translates(n[i], m[i])
		}
		if same {
			return true
		}
	}
	return false
}

func isCyrillic(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }
