package show

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		in   []byte
		want string
	}{
		{nil, "<nil>"},
		{[]byte{}, "<empty>"},
		{[]byte("null"), "null"},
		{[]byte("nil"), "nil"},
		{[]byte("<nil>"), `"<nil>"`},
		{[]byte("<empty>"), `"<empty>"`},
		{[]byte(`"<nil>"`), `"\"<nil>\""`},
		{[]byte("order-1"), "order-1"},
		{[]byte("two words"), "two words"},
		{[]byte("кофе ☕"), "кофе ☕"},
		{[]byte(" "), `" "`},
		{[]byte(" a"), `" a"`},
		{[]byte("a\tb"), `"a\tb"`},
		{[]byte("a\nb"), `"a\nb"`},
		{[]byte("\x1b[2J"), `"\x1b[2J"`},
		{[]byte("\x1b]52;c;aGk=\a"), `"\x1b]52;c;aGk=\a"`},
		{[]byte("\x7f"), `"\x7f"`},
		{[]byte("\x9b2J"), `"\x9b2J"`},     // no UTF-8, and CSI to old terminals
		{[]byte("\u009b2J"), `"\u009b2J"`}, // the same in UTF-8
		{[]byte("a\u202eb"), `"a\u202eb"`}, // right to left from here
		{[]byte("a\u200bb"), `"a\u200bb"`}, // of no width
		{[]byte("a\u00a0b"), `"a\u00a0b"`}, // a space that does not break
		{[]byte("a\u2028b"), `"a\u2028b"`}, // a line separator
		{[]byte{0, 0, 0, 1}, `"\x00\x00\x00\x01"`},
		{[]byte(`C:\x`), `C:\x`},
		{[]byte(`"quoted"`), `"\"quoted\""`},
		{[]byte(`say "hi"`), `say "hi"`},
	} {
		if got := Bytes(tt.in); got != tt.want {
			t.Errorf("Bytes(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestMessage(t *testing.T) {
	for _, s := range []string{"", "no such group: g; `course group ls` shows all", "a\nb",
		strings.Repeat("ж", longest) + "\n" + strings.Repeat("x", longest)} {
		if got := Message(s); got != s {
			t.Errorf("%q has become %q", s, got)
		}
	}
	name := strings.Repeat("g", 15_000) + strings.Repeat("ж", 15_000)
	got := Message("first\nno such group: " + name + "; `course group ls` shows all")
	want := "first\nno such group: " + strings.Repeat("g", 585) + " … 29144 characters more … " +
		strings.Repeat("ж", 271) + "; `course group ls` shows all"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// FuzzBytes holds that no two inputs look alike and that nothing comes out which a
// terminal would act on.
func FuzzBytes(f *testing.F) {
	seeds := []string{
		"", "a", "null", "<nil>", "<empty>", `"<nil>"`, `"\"<nil>\""`, `"`, `""`, `\`, `\x1b`,
		"\x1b", `"\x1b"`, " ", "a ", "a\n", `a\n`, "\u202e", `\u202e`, "\xff", "\ufffd", "\u009b",
		"\x9b", "é", "e\u0301", "☕",
	}
	for _, a := range seeds {
		for _, b := range seeds {
			f.Add([]byte(a), []byte(b))
		}
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		shown := Bytes(a)
		if !bytes.Equal(a, b) && shown == Bytes(b) {
			t.Errorf("%q and %q both come as %s", a, b, shown)
		}
		if shown == Bytes(nil) || (len(a) > 0 && shown == Empty) {
			t.Errorf("%q comes as %s", a, shown)
		}
		if !utf8.ValidString(shown) || shown == "" || strings.TrimSpace(shown) != shown {
			t.Errorf("%q comes as %q", a, shown)
		}
		for _, r := range shown {
			if !unicode.IsPrint(r) {
				t.Errorf("%q comes with %U", a, r)
			}
		}
		if len(a) > 0 && Text(string(a)) != shown {
			t.Errorf("Text(%q) = %s, Bytes: %s", a, Text(string(a)), shown)
		}
	})
}

func TestBrokers(t *testing.T) {
	for want, ids := range map[string][]int32{
		"-": nil, "0": {0}, "2,0,1": {2, 0, 1}, "1": {-1, 1},
	} {
		if got := Brokers(ids...); got != want {
			t.Errorf("%v: %q, want %q", ids, got, want)
		}
	}
	if got := Brokers(-1); got != "-" {
		t.Errorf("no leader: %q", got)
	}
}
