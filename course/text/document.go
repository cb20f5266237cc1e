package text

import (
	"bytes"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"

	"brew.example/internal/msg"
)

// document is one text of a lecture, read and taken apart.
type document struct {
	lecture Lecture
	lang    string
	path    string // absolute
	src     []byte
	starts  []int // offset of each line's first byte
	problems

	title    *heading
	preamble string // the prose between the title and the first section
	sections []*section
	blocks   []*block
	links    []link
	anchors  map[string]bool
	words    int
}

// section is a part of a lecture under a heading of level two.
type section struct {
	id          string
	line        int
	subheadings int
	prose       string // what a reader reads, code aside; with HTML tags
}

type heading struct {
	line int
	text string
}

type link struct {
	dest string
	line int
}

// block is a fence with its marker.
type block struct {
	marker
	fenceLine int    // of the opening fence, counted from 1
	prefix    string // what stands before the fence on its line
	fence     string // the fence's own characters
	info      string
	content   []string
	section   string
	steps     []*step // of a run block
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// readDocument reads a text; what is wrong with it stands in its problems. The
// error tells that it could not be read at all.
func readDocument(l Lecture, lang string) (*document, error) {
	path := filepath.Join(l.Dir, textFiles[lang])
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseDocument(l, lang, src), nil
}

func parseDocument(l Lecture, lang string, src []byte) *document {
	path := filepath.Join(l.Dir, textFiles[lang])
	d := &document{lecture: l, lang: lang, path: path, src: src, anchors: map[string]bool{}}
	d.file = l.rel(path)
	if !d.readable() {
		return d
	}
	d.starts = lineStarts(src)
	w := &walker{document: d, seen: map[string]int{}}
	w.walk(markdown.Parse(gmtext.NewReader(src)))
	for _, b := range d.blocks {
		if b.kind == markRun {
			d.parseSteps(b)
		}
	}
	return d
}

// readable refuses what Markdown and shells would each read in their own way.
func (d *document) readable() bool {
	if bytes.HasPrefix(d.src, []byte("\xef\xbb\xbf")) {
		d.add(1, msg.Text("the file begins with a byte order mark: save it as UTF-8 without one"))
		return false
	}
	line := 0
	for text := range bytes.Lines(d.src) {
		line++
		switch {
		case bytes.ContainsRune(text, '\r'):
			d.add(line, msg.Text("the line ends with CR LF: save the file with LF alone"))
			return false
		case !utf8.Valid(text):
			d.add(line, msg.Text("the line is not UTF-8"))
			return false
		}
	}
	return true
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt gives the line, counted from 1, that holds the byte at offset.
func (d *document) lineAt(offset int) int {
	return sort.SearchInts(d.starts, offset+1)
}

// line gives the text of a line counted from 1, without its end.
func (d *document) line(n int) string {
	if n < 1 || n > len(d.starts) {
		return ""
	}
	end := len(d.src)
	if n < len(d.starts) {
		end = d.starts[n] - 1
	}
	return string(d.src[d.starts[n-1]:end])
}

// walker goes through the parsed Markdown in the order of the text.
type walker struct {
	*document
	pending *marker // a marker that waits for its fence or heading
	seen    map[string]int
}

func (w *walker) walk(root ast.Node) {
	// The callback returns no error, so Walk does not either.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock {
			w.block(n)
		} else {
			w.inline(n)
		}
		return ast.WalkContinue, nil
	})
	w.drop()
}

func (w *walker) block(n ast.Node) {
	line := w.lineAt(n.Pos())
	switch n := n.(type) {
	case *ast.HTMLBlock:
		w.html(n, line)
		return
	case *ast.FencedCodeBlock:
		w.fenced(n, line)
	case *ast.Heading:
		w.heading(n, line)
	case *ast.CodeBlock:
		w.add(line, msg.Text("code by indentation: put it between fences with a marker above"))
	case *ast.Document:
		return
	}
	w.drop()
	if n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
		w.prose(plainText(n, w.src))
	}
}

// drop complains of a marker that stands above nothing it could bind.
func (w *walker) drop() {
	if w.pending != nil {
		w.add(w.pending.line, msg.Sprintf("the marker %s: stands above no %s",
			w.pending.kind, boundTo(w.pending.kind)))
		w.pending = nil
	}
}

func boundTo(kind string) string {
	if kind == markSection {
		return msg.Text("heading of level two")
	}
	return msg.Text("fence")
}

func (w *walker) html(n *ast.HTMLBlock, line int) {
	var b strings.Builder
	b.Write(n.Lines().Value(w.src))
	if n.HasClosure() {
		b.Write(n.ClosureLine.Value(w.src))
	}
	html := strings.TrimSpace(b.String())
	if m := comment.FindStringSubmatch(html); m != nil && strings.Count(html, "-->") == 1 {
		w.drop()
		mark, err := parseMarker(m[1], line)
		if err != nil {
			w.add(line, err.Error())
		}
		// Even a wrong marker is one: its fence needs no second complaint.
		w.pending = &mark
		return
	}
	w.drop()
	if before, _, found := strings.Cut(b.String(), "<!--"); found {
		w.notAlone(line + strings.Count(before, "\n"))
	}
	w.rawHTML(b.String(), line)
	w.prose(html)
}

// notAlone complains of a comment among other things: it would bind nothing.
func (w *walker) notAlone(line int) {
	w.add(line, msg.Text("a marker stands on lines of its own, with an empty line between "+
		"it and HTML"))
}

func (w *walker) fenced(n *ast.FencedCodeBlock, line int) {
	open := w.line(line)
	at := n.Pos() - w.starts[line-1]
	rest := open[at:]
	b := &block{fenceLine: line, prefix: open[:at], section: w.sectionID()}
	b.fence = rest[:len(rest)-len(strings.TrimLeft(rest, rest[:1]))]
	if n.Info != nil {
		b.info = string(n.Info.Segment.Value(w.src))
	}
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.content = append(b.content, strings.TrimSuffix(string(seg.Value(w.src)), "\n"))
	}
	closing := w.line(line + 1 + len(b.content))
	if !strings.Contains(closing, b.fence) {
		w.add(line, msg.Text("the fence never closes"))
	}
	switch {
	case w.pending == nil || w.pending.kind == markSection:
		w.add(line, msg.Text("the fence has no marker above it: code:, run:, or plain: with "+
			"the reason"))
		return
	case b.info == "":
		w.add(line, msg.Text("the fence names no language: console, go, yaml, mermaid, text"))
	}
	b.marker = *w.pending
	w.pending = nil
	w.blocks = append(w.blocks, b)
}

func (w *walker) sectionID() string {
	if len(w.sections) == 0 {
		return ""
	}
	return w.sections[len(w.sections)-1].id
}

func (w *walker) heading(n *ast.Heading, line int) {
	text := plainText(n, w.src)
	w.anchors[w.anchor(text)] = true
	switch {
	case n.Level == 1 && w.title == nil:
		w.title = &heading{line, text}
	case n.Level == 1:
		w.add(line, msg.Text("a second heading of level one: a lecture has one title"))
	case n.Level == 2:
		s := &section{line: line}
		if w.pending == nil || w.pending.kind != markSection {
			w.add(line, msg.Text("the heading has no marker above it: section: and the "+
				"section's name"))
		} else {
			s.id = w.pending.value
			w.pending = nil
		}
		w.sections = append(w.sections, s)
	case len(w.sections) > 0:
		w.sections[len(w.sections)-1].subheadings++
	}
}

// anchor makes a heading's anchor as GitHub does: lower case, letters, digits,
// hyphens and underscores only, spaces as hyphens, a number for the second alike.
func (w *walker) anchor(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.N):
			b.WriteRune(r)
		}
	}
	return numbered(b.String(), w.seen)
}

func (w *walker) inline(n ast.Node) {
	line := w.lineAt(n.Pos())
	switch n := n.(type) {
	case *ast.Link:
		w.links = append(w.links, link{string(n.Destination), line})
	case *ast.Image:
		w.links = append(w.links, link{string(n.Destination), line})
	case *ast.RawHTML:
		html := string(n.Segments.Value(w.src))
		if strings.HasPrefix(html, "<!--") {
			w.notAlone(line)
		}
		w.rawHTML(html, line)
	}
}

// prose adds what a reader reads to the current section and to the count of words.
func (w *walker) prose(text string) {
	if len(w.sections) > 0 {
		w.sections[len(w.sections)-1].prose += text + "\n"
	} else {
		w.preamble += text + "\n"
	}
	w.words += countWords(text)
}

// countWords counts what holds a letter or a digit, HTML tags left out.
func countWords(text string) int {
	n := 0
	for word := range strings.FieldsSeq(htmlTag.ReplaceAllString(text, " ")) {
		if strings.ContainsFunc(word, isAlphanumeric) {
			n++
		}
	}
	return n
}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// plainText gives the text inside a block, without its marks. Inline HTML is left out.
func plainText(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(src))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
