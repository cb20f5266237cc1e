package headers

import (
	"bytes"
	"crypto/rand"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

func header(key, value string) kgo.RecordHeader {
	return kgo.RecordHeader{Key: key, Value: []byte(value)}
}

func TestSet(t *testing.T) {
	user := []kgo.RecordHeader{header("via", "a"), {Key: "coupon"}, header("via", "b")}
	for _, test := range []struct{ key, want string }{
		{"new", "via=a coupon=<nil> via=b new=7"},
		{"coupon", "via=a coupon=7 via=b"},
		{"via", "via=7 coupon=<nil>"}, // once, where it stood first
	} {
		before := Format(user)
		if got := Format(Set(user, test.key, "7")); got != test.want {
			t.Errorf("%s: %s, want %s", test.key, got, test.want)
		}
		if Format(user) != before {
			t.Errorf("%s: the list that was given has changed: %s", test.key, Format(user))
		}
	}
	if got := Format(Set(nil, "new", "")); got != "new=<empty>" {
		t.Error(got)
	}
	room := append(make([]kgo.RecordHeader, 0, 9), user...)
	if a, b := Add(room, "x", "1"), Add(room, "x", "2"); Get(a, "x") != "1" || Get(b, "x") != "2" {
		t.Error("two lists share memory")
	}
}

// Nil, empty and the text "<nil>" are three things, in all of which a list differs from a map.
func TestFormat(t *testing.T) {
	list := []kgo.RecordHeader{
		header("b", "2"), {Key: "n"}, header("e", ""), header("n", "<nil>"), header("b", "1"),
		header("\x1b", "\x1b[2J"),
	}
	want := `b=2 n=<nil> e=<empty> n="<nil>" b=1 "\x1b"="\x1b[2J"`
	if got := Format(list); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want = `"\x1b"="\x1b[2J" b=1 e=<empty> n="<nil>"`
	if got := Format(View(list, true)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Size(list); got != 6+1+5+1+4 {
		t.Errorf("%d bytes", got)
	}
}

func TestTrace(t *testing.T) {
	parent := NewTrace(rand.Reader)
	child, err := Child(parent, rand.Reader)
	if err != nil || child[:36] != parent[:36] || child[36:] == parent[36:] ||
		!traceparent.MatchString(child) {
		t.Errorf("%s of %s, error %v", child, parent, err)
	}
	trace, span := strings.Repeat("4b", 16), strings.Repeat("0f", 8)
	if got, err := Child("00-"+trace+"-"+span+"-00", rand.Reader); err != nil ||
		!strings.HasSuffix(got, "-00") { // not recorded stays so
		t.Errorf("%s, error %v", got, err)
	}
	for name, wrong := range map[string]string{
		"nothing":         "",
		"upper case":      "00-" + strings.ToUpper(trace) + "-" + span + "-01",
		"another version": "ff-" + trace + "-" + span + "-01",
		"trace id zero":   "00-" + strings.Repeat("0", 32) + "-" + span + "-01",
		"span id zero":    "00-" + trace + "-" + strings.Repeat("0", 16) + "-01",
		"more":            "00-" + trace + "-" + span + "-01-x",
		"escape":          "00-\x1b[2J",
	} {
		got, err := Child(wrong, rand.Reader)
		if err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %s, error %v", name, got, err)
		}
	}
	// The standard allows no id of zeros; the source may give them.
	zeros := append(make([]byte, 16), bytes.Repeat([]byte{7}, 24)...)
	want := "00-" + strings.Repeat("07", 16) + "-" + strings.Repeat("07", 8) + "-01"
	if got := NewTrace(bytes.NewReader(zeros)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// After five hops each of our headers stands there once, the user's are as they were, and
// the count is five. Piled up, they are twenty.
func TestFiveHops(t *testing.T) {
	for pileUp, want := range map[bool]int{false: 4, true: 20} {
		first := Payment("brew.printing.v1", 0, rand.Reader)
		first.Offset = 41
		last := first
		for range 5 {
			var err error
			if last, err = Retry(last, pileUp, "no paper", rand.Reader); err != nil {
				t.Fatal(err)
			}
		}
		ours := 0
		user := slices.DeleteFunc(slices.Clone(last.Headers), func(h kgo.RecordHeader) bool {
			if strings.HasPrefix(h.Key, "x-") {
				ours++
				return true
			}
			return false
		})
		if ours != want || Retries(last) != 5 {
			t.Errorf("pile up %t: %d headers of ours, %d retries", pileUp, ours, Retries(last))
		}
		if got, want := Format(user[1:]), Format(first.Headers[1:]); got != want {
			t.Errorf("pile up %t: %s, want %s", pileUp, got, want)
		}
		trace := Get(last.Headers, "traceparent")
		if len(user) != 6 || trace[:36] != Get(first.Headers, "traceparent")[:36] {
			t.Errorf("pile up %t: %s", pileUp, Format(last.Headers))
		}
		if from := Get(last.Headers, "x-original-id"); !pileUp && from != "0/41" {
			t.Errorf("it came from %s", from)
		}
		if string(last.Key) != "order-0" || string(last.Value) != string(first.Value) {
			t.Errorf("key %s, value %s", last.Key, last.Value)
		}
	}
}

func TestRetriesOfNonsense(t *testing.T) {
	for value, want := range map[string]uint{"": 0, "three": 0, "-1": 0, "3": 3, "99999999999": 0} {
		r := &kgo.Record{Headers: []kgo.RecordHeader{header("x-retry-count", value)}}
		if got := Retries(r); got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
	if Retries(&kgo.Record{}) != 0 {
		t.Error("a record without headers has failed before")
	}
}
