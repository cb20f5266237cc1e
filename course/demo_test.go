//go:build unix

package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafkatest"
	"brew.example/internal/stand"
)

// atRoot makes the place's folder the course's own root, with its real lectures.
func (p *place) atRoot() {
	p.t.Helper()
	root, err := stand.Root(".")
	if err != nil {
		p.t.Fatal(err)
	}
	p.dir = root
}

// What differs from run to run in what the demo prints.
var (
	demoClock = regexp.MustCompile(`\d\d:\d\d:\d\d\.\d\d\d`)
	demoTook  = regexp.MustCompile(`[\d.]+(µs|ms|s)\b`)
)

// demoRows returns the orders that the demo shows, sorted into the producer's and the
// consumer's, each as key, partition and offset.
func demoRows(t *testing.T, stdout string) (wrote, read map[string]string) {
	t.Helper()
	wrote, read = map[string]string{}, map[string]string{}
	for line := range strings.Lines(stdout) {
		f := strings.Fields(line)
		switch {
		case len(f) == 7 && strings.HasPrefix(f[1], "order-"):
			wrote[f[1]] = f[4] + "/" + f[5]
		case len(f) == 7 && strings.HasPrefix(f[3], "order-"):
			read[f[3]] = f[1] + "/" + f[2]
		}
	}
	return wrote, read
}

func TestDemo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.atRoot()
	p.up()
	produce(t, p, "brew.orders.v1", 2)
	// Where ten orders go, whatever ran before.
	want := map[string]string{
		"order-2": "0/0", "order-3": "0/1", "order-6": "0/2",
		"order-0": "1/0", "order-1": "1/1", "order-7": "1/2", "order-9": "1/3",
		"order-4": "2/0", "order-5": "2/1", "order-8": "2/2",
	}
	var outs []string
	for range 2 {
		r := p.must(p.course("demo"), 0)
		wrote, read := demoRows(t, r.stdout)
		for key, at := range want {
			if wrote[key] != at || read[key] != at {
				t.Errorf("%s was written to %q and read from %q, not "+
					"%q", key, wrote[key], read[key], at)
			}
		}
		if len(wrote) != 10 || len(read) != 10 {
			t.Errorf("%d written, %d read: %v", len(wrote), len(read), r)
		}
		next := []string{
			"cd 01-foundations/01-06-first-consumer", "make run ", "make run-2nd", "make down",
		}
		for _, step := range next {
			if !strings.Contains(r.stdout, step) {
				t.Errorf("what to do next lacks %q: %v", step, r)
			}
		}
		timeless := demoTook.ReplaceAllString(demoClock.ReplaceAllString(r.stdout, ""), "")
		outs = append(outs, sortedLines(timeless))
	}
	if outs[0] != outs[1] {
		t.Errorf("the second demo shows something else:\n%s\n%s", outs[0], outs[1])
	}
	ends, err := kadm.NewClient(p.client()).ListEndOffsets(kafkatest.Context(t), "brew.orders.v1")
	if end, _ := ends.Lookup("brew.orders.v1", 0); err != nil || end.Offset != 2 {
		t.Errorf("the lectures' topic has %d records, not 2 (%v)", end.Offset, err)
	}
	if n := *p.status().Groups; n != 0 {
		t.Errorf("%d groups stay", n)
	}
}

// sortedLines puts lines in order: rows of several partitions come in any.
func sortedLines(text string) string {
	cmd := exec.Command("sort")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return text
	}
	return string(out)
}

func TestDemoStartsAStand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.atRoot()
	p.vars = append(p.vars, "COURSE_LANG=ru")
	r := p.must(p.course("demo"), 0)
	if !strings.Contains(r.stderr, "make down") || !strings.Contains(r.stdout, "README.ru.md") {
		t.Errorf("the stand or the text is not named: %v", r)
	}
	if !p.status().Up {
		t.Error("the stand is not up after the demo")
	}
}

// Another demo at the same time is refused, not disturbed.
func TestDemoWhileAnotherRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.atRoot()
	p.up()
	produce(t, p, demoTopic, 1)
	reader := p.client(kgo.ConsumerGroup(demoGroup), kgo.ConsumeTopics(demoTopic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if fetches := reader.PollRecords(kafkatest.Context(t), 1); fetches.Err() != nil {
		t.Fatal(fetches.Err())
	}
	r := p.must(p.course("demo"), 1)
	if !strings.Contains(r.stderr, demoGroup) {
		t.Errorf("the group is not named: %v", r)
	}
	if n := *p.status().Records; n != 1 {
		t.Errorf("the topic was touched: %d records", n)
	}
}

func TestDemoOutsideTheCourse(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.refused(p.course("demo"), 1, "clone")
	if len(p.processes()) > 0 {
		t.Error("a stand was started")
	}
}
