package table

import (
	"errors"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	for _, tt := range []struct {
		name string
		head []string
		rows [][]string
		want string
	}{
		{"rows", []string{"GROUP", "LAG"}, [][]string{{"kitchen", "3"}, {"a", "10000"}},
			"GROUP    LAG\nkitchen  3\na        10000\n"},
		{"none", []string{"GROUP", "LAG"}, nil, "GROUP  LAG\n"},
		{"empty last cells", []string{"A", "B", "C"}, [][]string{{"1", "", ""}}, "A  B  C\n1\n"},
		{"empty first cell", []string{"A", "B"}, [][]string{{"", "2"}}, "A  B\n   2\n"},
		{"unicode", []string{"ТОПИК", "N"}, [][]string{{"кофе", "1"}, {"é", "2"}},
			"ТОПИК  N\nкофе   1\né      2\n"},
		{"one column", []string{"A"}, [][]string{{"long cell"}}, "A\nlong cell\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := Write(&b, tt.head, tt.rows); err != nil {
				t.Fatal(err)
			}
			if b.String() != tt.want {
				t.Errorf("got\n%swant\n%s", b.String(), tt.want)
			}
		})
	}
}

func TestStream(t *testing.T) {
	var b strings.Builder
	s := NewStream(&b, "KEY      TWO WORDS  OFFSET  ")
	if b.Len() != 0 {
		t.Errorf("printed %q before the first row", b.String())
	}
	for _, row := range [][]any{
		{"a", true, 1},
		{"order-10", "x", int64(20)},
		{"much longer", "x", 3}, // pushes its own line alone
		{"кофе", "☕", 4},
		{"", "", ""},
	} {
		if err := s.Row(row...); err != nil {
			t.Fatal(err)
		}
	}
	want := "KEY      TWO WORDS  OFFSET\n" +
		"a        true       1\n" +
		"order-10  x          20\n" +
		"much longer  x          3\n" +
		"кофе     ☕          4\n" +
		"\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	for _, row := range [][]any{{}, {"a", "b"}, {"a", "b", "c", "d"}} {
		if err := s.Row(row...); err == nil {
			t.Errorf("a row of %d cells was taken", len(row))
		}
	}
	if b.String() != want {
		t.Error("a row of a wrong number of cells was printed")
	}
}

// TestStreamWidths holds that a cell as wide as the room in the head keeps the two spaces.
func TestStreamWidths(t *testing.T) {
	var b strings.Builder
	s := NewStream(&b, "A     B  C")
	if err := s.Row("1234", "x", "y"); err != nil {
		t.Fatal(err)
	}
	if want := "A     B  C\n1234  x  y\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

type full struct{ lines int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.lines--; f.lines < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	for lines := range 2 {
		if err := Write(&full{lines}, []string{"A"}, [][]string{{"1"}}); !errors.Is(err, errFull) {
			t.Errorf("table, %d lines written: %v", lines, err)
		}
		if err := NewStream(&full{lines}, "A").Row(1); !errors.Is(err, errFull) {
			t.Errorf("stream, %d lines written: %v", lines, err)
		}
	}
}
