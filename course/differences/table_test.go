package differences

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"brew.example/course/brokers"
	"brew.example/internal/stand"
)

// question asks a stand and returns a short answer.
type question func(*testing.T, *site) string

// Answers that are words. All others are codes and numbers.
const (
	yes          = "yes"
	no           = "no"
	accepted     = "accepted"
	refused      = "refused"
	another      = "another one"
	oneBroker    = "always one broker"
	anyBroker    = "any broker, by chance"
	clientsClock = "the client's clock"
	brokersClock = "the broker's clock"
	byChance     = "by chance"
	oneEach      = "one on each broker"
)

var russian = map[string]string{
	yes:          "да",
	no:           "нет",
	accepted:     "принято",
	refused:      "отказ",
	another:      "другой",
	oneBroker:    "всегда один и тот же брокер",
	anyBroker:    "случайный брокер",
	clientsClock: "часы клиента",
	brokersClock: "часы брокера",
	byChance:     "по воле случая",
	oneEach:      "по одному на брокер",
}

// row is a behaviour and what both stands do.
type row struct {
	en, ru          string
	embedded, kafka string
	ask             question
}

func (r row) want(kind string) string {
	if kind == stand.Java {
		return r.kafka
	}
	return r.embedded
}

// answers are what the stands have said, by behaviour and kind.
type answers struct {
	sync.Mutex
	m map[string]map[string]string
}

// check asks a stand and compares the answer with the table.
func (a *answers) check(t *testing.T, r row, s *site) {
	t.Helper()
	got := r.ask(t, s)
	a.Lock()
	defer a.Unlock()
	if a.m[r.en] == nil {
		a.m[r.en] = map[string]string{}
	}
	a.m[r.en][s.kind] = got
	if want := r.want(s.kind); got != want {
		t.Errorf("%s: %q, and the table says %q", s.kind, got, want)
	}
}

// storm asks what has to be asked before and after the stand is killed.
func (a *answers) storm(t *testing.T, s *site) {
	b := prepare(t, s)
	for _, r := range b.stopped() {
		t.Run(r.en, func(t *testing.T) { a.check(t, r, s) })
	}
	s.kill(t)
	for _, r := range b.killed() {
		t.Run(r.en, func(t *testing.T) { a.check(t, r, s) })
	}
}

// print prints both columns as they were found.
func (a *answers) print(t *testing.T, rows []row) {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "BEHAVIOUR\tEMBEDDED\tKAFKA")
	for _, r := range rows {
		m := a.m[r.en]
		embedded, kafka := m[stand.Embedded], m[stand.Java]
		if kafka == embedded {
			kafka = "same"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", r.en, embedded, kafka)
	}
	w.Flush()
	t.Logf("\n%s", &b)
}

// TestDifferences asks both stands all questions at once.
func TestDifferences(t *testing.T) {
	t.Parallel()
	a := &answers{m: map[string]map[string]string{}}
	t.Run("stands", func(t *testing.T) {
		for _, kind := range []string{stand.Embedded, stand.Java} {
			t.Run(kind, func(t *testing.T) {
				t.Parallel()
				s := on(t, kind)
				s.weather.RLock()
				t.Run("calm", func(t *testing.T) { a.calm(t, s) })
				s.weather.RUnlock()
				s.weather.Lock()
				defer s.weather.Unlock()
				t.Run("storm", func(t *testing.T) { a.storm(t, s) })
			})
		}
	})
	if os.Getenv("COURSE_TEST_KAFKA") == "1" {
		a.print(t, slices.Concat(told(), alike))
	}
}

// calm asks what needs no other order.
func (a *answers) calm(t *testing.T, s *site) {
	for _, r := range slices.Concat(calm, alike) {
		t.Run(r.en, func(t *testing.T) {
			t.Parallel()
			a.check(t, r, s)
		})
	}
}

// told are the rows that the READMEs have: the differences, then what is worth knowing to
// be the same.
func told() []row {
	b := &before{}
	rows := slices.Concat(calm, b.stopped(), b.killed())
	slices.SortStableFunc(rows, func(x, y row) int {
		switch alikeX, alikeY := x.embedded == x.kafka, y.embedded == y.kafka; {
		case alikeX == alikeY:
			return 0
		case alikeX:
			return 1
		}
		return -1
	})
	return rows
}

// TestReadmes compares the table with the ones that people read.
func TestReadmes(t *testing.T) {
	for _, name := range []string{"README.md", "README.ru.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		want := markdown(t, told(), name == "README.ru.md")
		const begin, end = "<!-- differences -->\n", "<!-- /differences -->"
		_, rest, ok := strings.Cut(string(text), begin)
		got, _, closed := strings.Cut(rest, end)
		if !ok || !closed || strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s has not this table:\n%s%s%s", name, begin, want, end)
		}
	}
}

// markdown writes the table in a language.
func markdown(t *testing.T, rows []row, inRussian bool) string {
	t.Helper()
	head, same := [3]string{"What", "Embedded stand", "Apache Kafka"}, "same"
	if inRussian {
		head = [3]string{"Что", "Встроенный стенд", "Apache Kafka"}
		same = "так же"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s | %s %s |\n|---|---|---|\n", head[0], head[1], head[2],
		brokers.Version)
	for _, r := range rows {
		what, embedded, kafka := r.en, cell(t, r.embedded, inRussian), same
		if inRussian {
			what = r.ru
		}
		if r.kafka != r.embedded {
			kafka = cell(t, r.kafka, inRussian)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", what, embedded, kafka)
	}
	return b.String()
}

// Codes, names and numbers are the same in both languages.
var (
	codes   = regexp.MustCompile(`^[A-Z]+[A-Z_-]+$|:PORT$|^Empty$|^/127`)
	numbers = regexp.MustCompile(`^[-0-9 x]+$`)
)

func cell(t *testing.T, answer string, inRussian bool) string {
	t.Helper()
	switch word := russian[answer]; {
	case word != "" && inRussian:
		return word
	case word != "", numbers.MatchString(answer):
		return answer
	case codes.MatchString(answer):
		return "`" + answer + "`"
	}
	t.Errorf("%q is in no Russian", answer)
	return ""
}
