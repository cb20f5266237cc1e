package text

import (
	"strings"
	"testing"
)

// alike are lines that differ from run to run and mean the same.
var alike = []struct {
	name string
	attributes
	head string
	a, b string
}{
	{name: "clock", a: "came at 12:00:01", b: "came at 23:59:59"},
	{name: "clock with fraction", a: "at 12:00:01.001", b: "at 23:59:59.999"},
	{name: "date", a: "2026-11-29T12:00:01.1Z x", b: "2027-01-01T00:00:00.123456Z x"},
	{name: "duration", a: "took 1.5s", b: "took 312ms"},
	{name: "long duration", a: "(up 1h2m3.5s)", b: "(up 4s)"},
	{name: "duration apart", a: "took 12 ms.", b: "took 9.5 ms."},
	{name: "Russian duration", a: "за 12 мс", b: "за 9 мс"},
	{name: "uuid",
		a: "c-1-0b1c2d3e-0000-4000-8000-0123456789ab left",
		b: "c-1-ffffffff-1111-4111-9111-ba9876543210 left"},
	{name: "uuid and hex",
		a: "c-1-0b1c2d3e-0000-4000-8000-0123456789ab",
		b: "c-1-0b1c2d3e000040008000123456789abc"},
	{name: "base64 id", a: "topic id ZzE4vQ1sTkqj0mF8Yb3dWg", b: "topic id MkU3OEVBNTcwNTJENDM2Qk"},
	{name: "pid", a: "pid 17 is up, PID=17", b: "pid 4242 is up, PID=18"},
	{name: "host", a: "from 127.0.0.1:60042", b: "from /127.0.0.1"},
	{name: "host 6", a: "from [::1]:60042", b: "from 10.0.0.7"},
	{name: "host column", head: "GROUP  HOST  CLIENT-ID",
		a: "g  kafka-7  c",
		b: "g  /127.0.0.1  c"},
	{name: "pid column", head: "NODE  PID", a: "1     17", b: "1     18"},
	{name: "vary", attributes: attributes{vary: []string{"LEADER", "ISR"}},
		head: "PARTITION  LEADER  ISR",
		a:    "0          1       [1,2,0]", b: "0          12      [0,1,2]"},
	{name: "vary a head in brackets", attributes: attributes{vary: []string{"COORDINATOR(ID)"}},
		head: "GROUP  COORDINATOR(ID)     STATE",
		a:    "g      localhost:19093(1)  Stable", b: "g      localhost:19094(2)  Stable"},
	{name: "vary line", attributes: attributes{vary: []string{"COORDINATOR"}},
		a: "COORDINATOR  2",
		b: "COORDINATOR  0"},
	{name: "vary pair", attributes: attributes{vary: []string{"COORDINATOR"}},
		a: "coordinator=2 state=Stable",
		b: "coordinator=0 state=Stable"},
	{name: "a percentile as a column", attributes: attributes{vary: []string{"P99.9"}},
		head: "MODE  P99.9", a: "all   17", b: "all   4"},
	{name: "vary line of a tool of Kafka's", attributes: attributes{vary: []string{"LEADERID"}},
		a: "LeaderId:               2",
		b: "LeaderId:               0"},
	{name: "vary number", attributes: attributes{vary: []string{"BROKER", "БРОКЕР"}},
		a: "Broker 2 is stopped, see брокер 2.",
		b: "Broker 0 is stopped, see брокер 1."},
	{name: "about", attributes: attributes{about: []string{"RATE"}}, head: "ACKS  RATE",
		a: "all   1,200/s",
		b: "all   2,400/s"},
	{name: "about pair", attributes: attributes{about: []string{"RATE"}},
		a: "rate=100.5/s",
		b: "rate=51/s"},
}

// unlike are lines whose difference must be seen.
var unlike = []struct {
	name string
	attributes
	head string
	a, b string
}{
	{name: "offset", a: "0          1", b: "0          2"},
	{name: "spaces", head: "PARTITION  OFFSET", a: "0          1", b: "0  1"},
	{name: "trailing space", a: "done", b: "done "},
	{name: "no clock", a: "at 12:00:01", b: "at 25:00:01"},
	{name: "fraction lost", a: "at 12:00:01.001", b: "at 12:00:01"},
	{name: "port", a: "localhost:19092", b: "localhost:19093"},
	{name: "address with a fixed port", a: "127.0.0.1:19092", b: "127.0.0.1:19093"},
	{name: "order", a: "order-5s", b: "order-6s"},
	{name: "version", a: "v1.5s", b: "v1.6s"},
	{name: "duration against number", a: "took 5s", b: "took 5"},
	{name: "word of 22 letters", a: "abcdefghijklmnopqrstuv", b: "abcdefghijklmnopqrstuw"},
	{name: "client id",
		a: "kitchen-1-0b1c2d3e-0000-4000-8000-0123456789ab",
		b: "kitchen-2-0b1c2d3e-0000-4000-8000-0123456789ab"},
	{name: "no host", head: "GROUP  HOST  CLIENT-ID", a: "g  -  c", b: "g  /127.0.0.1  c"},
	{name: "vary another line of a tool", attributes: attributes{vary: []string{"LEADERID"}},
		a: "LeaderEpoch:            2",
		b: "LeaderEpoch:            3"},
	{name: "vary another number", attributes: attributes{vary: []string{"BROKER"}},
		a: "Broker 2 is stopped, see node 2.",
		b: "Broker 2 is stopped, see node 1."},
	{name: "vary another column",
		attributes: attributes{vary: []string{"LEADER"}}, head: "PARTITION  LEADER",
		a: "0          1",
		b: "1          1"},
	{name: "vary shape", attributes: attributes{vary: []string{"ISR"}}, head: "PARTITION  ISR",
		a: "0          [1,2]",
		b: "0          [1,2,0]"},
	{name: "not about", attributes: attributes{about: []string{"RATE"}}, head: "ACKS  RATE",
		a: "all   1,000/s",
		b: "all   2,001/s"},
	{name: "about nothing", attributes: attributes{about: []string{"RATE"}}, head: "ACKS  RATE",
		a: "all   0/s",
		b: "all   5/s"},
	{name: "about unit", attributes: attributes{about: []string{"RATE"}}, head: "ACKS  RATE",
		a: "all   1 MB/s",
		b: "all   1 GB/s"},
}

func sameByPattern(a attributes, head, x, y string) bool {
	lines := func(line string) []string {
		if head == "" {
			return []string{line}
		}
		return []string{head, line}
	}
	return newPattern(a, lines(x), nil).match(lines(y)) == full
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range alike {
		if !sameByPattern(c.attributes, c.head, c.a, c.b) ||
			!sameByPattern(c.attributes, c.head, c.b, c.a) {
			t.Errorf("%s: %q and %q differ", c.name, c.a, c.b)
		}
	}
	for _, c := range unlike {
		if sameByPattern(c.attributes, c.head, c.a, c.b) ||
			sameByPattern(c.attributes, c.head, c.b, c.a) {
			t.Errorf("%s: %q and %q are taken for the same", c.name, c.a, c.b)
		}
	}
}

// TestMatch gives lines by words: "A B" are two lines, "p0:1" a row of partition 0.
func TestMatch(t *testing.T) {
	t.Parallel()
	const head = "PARTITION  OFFSET"
	anyOrder, merge := attributes{anyOrder: true}, attributes{merge: true}
	tests := []struct {
		name string
		attributes
		want, got string
		outcome   outcome
	}{
		{"equal", attributes{}, "A B", "A B", full},
		{"nothing", attributes{}, "", "", full},
		{"not yet", attributes{}, "A B", "A", partial},
		{"none yet", attributes{}, "A B", "", partial},
		{"wrong", attributes{}, "A B", "A C", mismatch},
		{"too many", attributes{}, "A B", "A B C", mismatch},
		{"something of nothing", attributes{}, "", "A", mismatch},
		{"any", attributes{}, "A … C", "A X Y C", full},
		{"any of none", attributes{}, "A … C", "A C", full},
		{"any without an end", attributes{}, "A … C", "A X Y", partial},
		{"any and too many", attributes{}, "A … C", "A X C Y", partial},
		{"any twice", attributes{}, "… B … C", "X B C B C", full},
		{"any at the end", attributes{}, "A …", "A", full},
		{"any at the end with more", attributes{}, "A …", "A X", full},
		{"any at the start", attributes{}, "… A", "B", partial},
		{"wrong before any", attributes{}, "A …", "B", mismatch},

		{"rows", anyOrder, "H p0:0 p0:1 p1:0 A", "H p1:0 p0:0 p0:1 A", full},
		{"rows between", anyOrder, "H p0:0 p0:1 p1:0 A", "H p0:0 p1:0 p0:1 A", full},
		{"rows not yet", anyOrder, "H p0:0 p0:1 p1:0 A", "H p1:0", partial},
		{"rows of a partition", anyOrder, "H p0:0 p0:1 p1:0", "H p0:1 p0:0 p1:0", mismatch},
		{"row missing", anyOrder, "H p0:0 p0:1 A", "H p0:0 A", mismatch},
		{"row twice", anyOrder, "H p0:0 p1:0 A", "H p0:0 p0:0 A", mismatch},
		{"row after the table", anyOrder, "H p0:0 p1:0 A", "H p0:0 A p1:0", mismatch},
		{"rows in order only", attributes{}, "H p0:0 p1:0", "H p1:0 p0:0", mismatch},
		{"rows left out", anyOrder, "H p0:0 … A", "H p1:0 p0:0 p0:1 A", full},
		{"rows left out, one missing", anyOrder, "H p0:0 … A", "H p1:0 A", partial},
		{"lines of no table", anyOrder, "A B", "B A", mismatch},

		{"one gain", merge, "m=[2,5]", "m=[2,5]", full},
		{"split gain", merge, "m=[2,5] A", "m=[2] m=[5] A", full},
		{"split gain shown", merge, "m=[5] m=[2]", "m=[2,5]", full},
		{"half a gain", merge, "m=[2,5]", "m=[2]", partial},
		{"half a gain and on", merge, "m=[2,5] A", "m=[2] A", mismatch},
		{"wrong gain", merge, "m=[2,5]", "m=[3]", mismatch},
		{"gain of another", merge, "m=[2,5]", "m=[2] n=[5]", mismatch},
		{"split gain without merge", attributes{}, "m=[2,5]", "m=[2] m=[5]", mismatch},
	}
	lines := func(words string) []string {
		var out []string
		for _, w := range strings.Fields(words) {
			switch {
			case w == "H":
				w = head
			case w[0] == 'p':
				w = strings.Replace(w[1:], ":", "          ", 1)
			}
			out = append(out, strings.ReplaceAll(w, ",", " "))
		}
		return out
	}
	for _, test := range tests {
		p := newPattern(test.attributes, lines(test.want), nil)
		if got := p.match(lines(test.got)); got != test.outcome {
			t.Errorf("%s: %q against %q is %d, want %d",
				test.name, test.want, test.got, got, test.outcome)
		}
	}
}

func TestRowsOfALaterBlock(t *testing.T) {
	t.Parallel()
	first := newPattern(attributes{}, []string{"PARTITION  OFFSET", "0          0"}, nil)
	rows := []string{"0          1", "1          0"}
	later := newPattern(attributes{anyOrder: true}, rows, first.head)
	if later.match([]string{"1          0", "0          1"}) != full {
		t.Error("rows under the head of an earlier block keep an order")
	}
}

func TestLooseColumns(t *testing.T) {
	t.Parallel()
	text := []string{
		"CONSUMER-ID                             PARTITION",
		"c-0b1c2d3e-0000-4000-8000-0123456789ab  0",
	}
	run := []string{
		"CONSUMER-ID                         PARTITION",
		"c-0b1c2d3e00004000800000123456789a  0",
	}
	if newPattern(attributes{}, text, nil).match(run) != full {
		t.Error("a shorter member id moves the columns, and is no difference")
	}
}
