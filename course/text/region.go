package text

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"brew.example/internal/msg"
)

// regionMark is `// region name` or `// endregion name`, with the comment signs of
// Go, of shells and Makefiles, or of SQL.
var regionMark = regexp.MustCompile(`^\s*(?://|#|--)\s*(region|endregion)\b\s*(.*?)\s*$`)

var regionName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// source is a file that code blocks are taken from.
type source struct {
	lines   []string // without region marks
	regions map[string][2]int
}

// readSource reads a file and its regions. Regions may lie inside one another but
// not overlap; file is the name that an error gives.
func readSource(path, file string) (*source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, msg.Errorf("code: there is no %s", file)
	}
	s := &source{regions: map[string][2]int{}}
	type opened struct {
		name        string
		line, start int
	}
	var open []opened
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text = strings.TrimSuffix(text, "\n")
		m := regionMark.FindStringSubmatch(text)
		if m == nil {
			s.lines = append(s.lines, text)
			continue
		}
		what, name := m[1], m[2]
		wrong := func(why string) error {
			return fmt.Errorf("%s:%d: %s %s: %s", file, line, what, name, why)
		}
		switch {
		case !regionName.MatchString(name):
			return nil, wrong(msg.Text("a region's name is lower-case letters, digits and hyphens"))
		case what == "region":
			if _, taken := s.regions[name]; taken {
				return nil, wrong(msg.Text("the file has a region of that name already"))
			}
			s.regions[name] = [2]int{}
			open = append(open, opened{name, line, len(s.lines)})
		case len(open) == 0:
			return nil, wrong(msg.Text("no region is open here"))
		case open[len(open)-1].name != name:
			top := open[len(open)-1]
			return nil, wrong(msg.Sprintf("regions overlap: %s of line %d must end first",
				top.name, top.line))
		default:
			top := open[len(open)-1]
			open = open[:len(open)-1]
			s.regions[name] = [2]int{top.start, len(s.lines)}
		}
	}
	if len(open) > 0 {
		top := open[len(open)-1]
		return nil, msg.Errorf("%s:%d: region %s never ends", file, top.line, top.name)
	}
	return s, nil
}

// region gives the lines of a region, or of the whole file if name is empty: empty
// lines at both ends and the indentation that all lines share are dropped.
func (s *source) region(name string) ([]string, bool) {
	lines := s.lines
	if name != "" {
		span, ok := s.regions[name]
		if !ok {
			return nil, false
		}
		lines = lines[span[0]:span[1]]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return dedent(lines), true
}

func dedent(lines []string) []string {
	indent, first := "", true
	for _, line := range lines {
		body := strings.TrimLeft(line, " \t")
		if body == "" {
			continue
		}
		own := line[:len(line)-len(body)]
		if first {
			indent, first = own, false
		}
		for !strings.HasPrefix(own, indent) {
			indent = indent[:len(indent)-1]
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(line, indent)
	}
	return out
}

// sourceOf gives the lines that a code block must show.
func (d *document) sourceOf(b *block) ([]string, error) {
	path := filepath.Join(d.lecture.Dir, filepath.FromSlash(b.path))
	if !inside(d.lecture.Root, path) {
		return nil, msg.Errorf("code: %s leads out of the course", b.path)
	}
	file := d.lecture.rel(path)
	src, err := readSource(path, file)
	if err != nil {
		return nil, err
	}
	lines, ok := src.region(b.region)
	if !ok {
		return nil, msg.Errorf("code: %s has no region %s", file, b.region)
	}
	if len(lines) == 0 {
		return nil, msg.Errorf("code: region %s of %s is empty", b.region, file)
	}
	return lines, nil
}

// checkCode holds the code blocks to the sources, to the letter.
func (d *document) checkCode() {
	for _, b := range d.blocks {
		if b.kind != markCode || b.path == "" {
			continue
		}
		want, err := d.sourceOf(b)
		if err != nil {
			d.add(b.line, err.Error())
			continue
		}
		if changes := plainDiff(b.content, want); changes != "" {
			d.add(b.fenceLine, msg.Sprintf("the code is not that of %s#%s (- in the text, + "+
				"in the source; `make text` takes it over):\n%s",
				b.path, b.region, changes))
		}
	}
}
