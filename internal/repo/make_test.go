package repo

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shellOnly are constructs that cmd.exe does not know.
var shellOnly = []string{
	"|", "&", ";", "`", ">", "<", "$(shell", "$$", "mkdir -p", "rm -", "export ", "if [",
	"test -", "'",
}

// lectureMakefiles are the Makefiles of the lectures; the root's own is not one of them.
func lectureMakefiles(t *testing.T) (found []string) {
	t.Helper()
	for _, file := range files(t, "Makefile") {
		if lecture.MatchString(file) {
			found = append(found, file)
		}
	}
	if len(found) == 0 {
		t.Fatal("no lecture has a Makefile")
	}
	return found
}

// makefile is what the tests want to know of one.
type makefile struct {
	recipes map[string][]string // by target; none for one that only has prerequisites
	help    map[string]string   // by language
}

var (
	rule   = regexp.MustCompile(`^([\w.-]+(?: [\w.-]+)*)\s*:([^=].*|)$`)
	define = regexp.MustCompile(`^define HELP\.(\w+)$`)
	helped = regexp.MustCompile(`(?m)^make ([\w-]+)`)
)

// parseMake reads the part of make's language that the lectures use.
func parseMake(text string) makefile {
	m := makefile{recipes: map[string][]string{}, help: map[string]string{}}
	var targets []string
	language := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case language != "" && line == "endef":
			language = ""
		case language != "":
			m.help[language] += line + "\n"
		case define.MatchString(line):
			language = define.FindStringSubmatch(line)[1]
		case strings.HasPrefix(line, "\t"):
			for _, target := range targets {
				m.recipes[target] = append(m.recipes[target], strings.TrimSpace(line))
			}
		case rule.MatchString(line):
			parts := rule.FindStringSubmatch(line)
			targets = strings.Fields(parts[1])
			_, recipe, inline := strings.Cut(parts[2], ";")
			for _, target := range targets {
				m.recipes[target] = append(m.recipes[target], nil...)
				if inline {
					m.recipes[target] = append(m.recipes[target], strings.TrimSpace(recipe))
				}
			}
		}
	}
	return m
}

// shared is what each lecture's Makefile includes.
func shared(t *testing.T) makefile { return parseMake(read(t, "lecture.mk")) }

func TestRecipes(t *testing.T) {
	for _, file := range append(lectureMakefiles(t), "lecture.mk") {
		recipes := 0
		for target, lines := range parseMake(read(t, file)).recipes {
			recipes += len(lines)
			if len(lines) > 1 && file != "lecture.mk" {
				t.Errorf("%s: %s has %d lines", file, target, len(lines))
			}
			for _, line := range lines {
				for _, construct := range shellOnly {
					if strings.Contains(line, construct) {
						t.Errorf("%s: %s has %q, which cmd.exe does not know: %s", file, target,
							construct, line)
					}
				}
			}
		}
		if recipes == 0 {
			t.Errorf("%s: no recipe found", file)
		}
		if strings.Contains(read(t, file), "\\\n") {
			t.Errorf("%s: a line goes on in the next", file)
		}
	}
}

// TestHelp holds that each Makefile's help is there in both languages, that both name the
// same targets, and that each of these exists.
func TestHelp(t *testing.T) {
	common := shared(t)
	for _, file := range files(t, "Makefile") {
		m := parseMake(read(t, file))
		named := map[string][]string{}
		for _, language := range []string{"en", "ru"} {
			for _, found := range helped.FindAllStringSubmatch(m.help[language], -1) {
				target := found[1]
				named[language] = append(named[language], target)
				_, own := m.recipes[target]
				if _, of := common.recipes[target]; !own && !of {
					t.Errorf("%s: HELP.%s names %s, which does not exist", file, language, target)
				}
			}
			if len(named[language]) == 0 {
				t.Errorf("%s: HELP.%s names no target", file, language)
			}
		}
		if !slices.Equal(named["en"], named["ru"]) {
			t.Errorf("%s: HELP.en names %v, HELP.ru %v", file, named["en"], named["ru"])
		}
	}
}

// TestMakeBuildsForThisMachine gives make a go command that tells what it would build for.
func TestMakeBuildsForThisMachine(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skipf("make is not installed, and Windows goes without: %v", err)
	}
	fake := t.TempDir()
	script := "#!/bin/sh\necho \"for [$GOOS] [$GOARCH]: $*\"\n"
	if err := os.WriteFile(filepath.Join(fake, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range append(lectureMakefiles(t), "Makefile") {
		cmd := exec.CommandContext(t.Context(), "make", "--always-make", "course")
		cmd.Dir = filepath.Join(root, path.Dir(file))
		cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=0", "GOOS=plan9", "GOARCH=mips",
			"PATH="+fake+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "for [] []: build -C ") {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// TestMakeHelp runs make itself: the first target of each lecture is its help, in the
// language that the environment asks for.
func TestMakeHelp(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skipf("make is not installed, and Windows goes without: %v", err)
	}
	for _, file := range lectureMakefiles(t) {
		for _, tt := range []struct{ env, want string }{
			{"COURSE_LANG=en", "Variables: "}, {"COURSE_LANG=ru", "Переменные: "},
			{"LC_ALL=ru_RU.UTF-8", "Переменные: "}, {"LC_ALL=C", "Variables: "},
		} {
			cmd := exec.CommandContext(t.Context(), "make")
			cmd.Dir = filepath.Join(root, path.Dir(file))
			cmd.Env = append(os.Environ(), "COURSE_LANG=", "LC_ALL=", "LC_MESSAGES=", "LANG=",
				"MAKEFLAGS=", "MAKELEVEL=0", tt.env)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), "make ") ||
				!strings.Contains(string(out), tt.want) {
				t.Errorf("%s, %s: %v\n%s", file, tt.env, err, out)
			}
		}
	}
}
