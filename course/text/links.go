package text

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	gmtext "github.com/yuin/goldmark/text"

	"brew.example/internal/msg"
)

var (
	htmlTag  = regexp.MustCompile(`(?s)<!--.*?-->|</?[a-zA-Z][^>]*>`)
	htmlLink = regexp.MustCompile(`(?i)\s(?:href|src)\s*=\s*["']([^"']*)["']`)
	htmlName = regexp.MustCompile(`(?i)\s(?:id|name)\s*=\s*["']([^"']*)["']`)
	lineSpan = regexp.MustCompile(`^L(\d+)(?:-L(\d+))?$`)
)

// rawHTML notes the links and anchors of HTML inside the Markdown.
func (w *walker) rawHTML(html string, line int) {
	for _, m := range htmlLink.FindAllStringSubmatchIndex(html, -1) {
		at := line + strings.Count(html[:m[2]], "\n")
		w.links = append(w.links, link{html[m[2]:m[3]], at})
	}
	for _, m := range htmlName.FindAllStringSubmatch(html, -1) {
		w.anchors[m[1]] = true
	}
}

// numbered makes an anchor unique as GitHub does: the second one gets -1.
func numbered(anchor string, seen map[string]int) string {
	n, again := seen[anchor]
	seen[anchor] = n + 1
	if !again {
		return anchor
	}
	return numbered(fmt.Sprintf("%s-%d", anchor, n), seen)
}

// checkLinks holds every link that stays in the repository to what is there.
func (d *document) checkLinks() {
	for _, l := range d.links {
		if err := d.checkLink(l.dest); err != nil {
			d.add(l.line, err.Error())
		}
	}
}

func (d *document) checkLink(dest string) error {
	u, err := url.Parse(dest)
	if err != nil {
		return msg.Errorf("link %q: %w", dest, err)
	}
	if u.Scheme != "" || u.Host != "" {
		return nil // another site's matter
	}
	if u.Path == "" {
		if u.Fragment != "" && !d.anchors[u.Fragment] {
			return msg.Errorf("link %q: no heading here makes that anchor", dest)
		}
		return nil
	}
	if strings.HasPrefix(u.Path, "/") {
		return msg.Errorf("link %q: write it relative to this file", dest)
	}
	target := filepath.Join(filepath.Dir(d.path), filepath.FromSlash(u.Path))
	if !inside(d.lecture.Root, target) {
		return msg.Errorf("link %q: it leads out of the course", dest)
	}
	info, err := os.Stat(target)
	if err != nil {
		return msg.Errorf("link %q: there is no %s", dest, d.lecture.rel(target))
	}
	if u.Fragment == "" || info.IsDir() {
		return nil
	}
	return checkAnchor(d.lecture, dest, target, u.Fragment)
}

// checkAnchor looks for a heading in Markdown, and for lines (#L10-L20) elsewhere.
func checkAnchor(l Lecture, dest, target, anchor string) error {
	src, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if filepath.Ext(target) == ".md" {
		if !anchorsOf(src)[anchor] {
			return msg.Errorf("link %q: no heading of %s makes that anchor", dest, l.rel(target))
		}
		return nil
	}
	m := lineSpan.FindStringSubmatch(anchor)
	if m == nil {
		return msg.Errorf("link %q: in a file that is not Markdown only lines can be "+
			"linked, like #L10-L20", dest)
	}
	have := bytes.Count(src, []byte("\n"))
	for _, number := range m[1:] {
		if n, err := strconv.Atoi(number); number != "" && (err != nil || n < 1 || n > have) {
			return msg.Errorf("link %q: %s has %d lines", dest, l.rel(target), have)
		}
	}
	return nil
}

func anchorsOf(src []byte) map[string]bool {
	d := &document{src: src, starts: lineStarts(src), anchors: map[string]bool{}}
	w := &walker{document: d, seen: map[string]int{}}
	w.walk(markdown.Parse(gmtext.NewReader(src)))
	return d.anchors
}

// inside tells whether path lies under root.
func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// CheckLinks checks the links of a Markdown file that is no lecture, such as the
// course's own README.md.
func CheckLinks(root, path string) ([]Problem, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l := Lecture{Root: root, Dir: filepath.Dir(path)}
	d := &document{lecture: l, path: path, src: src, starts: lineStarts(src)}
	d.anchors = map[string]bool{}
	w := &walker{document: d, seen: map[string]int{}}
	w.walk(markdown.Parse(gmtext.NewReader(src)))
	d.problems = problems{file: l.rel(path)} // markers are a lecture's matter
	d.checkLinks()
	return d.list, nil
}
