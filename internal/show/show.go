// Package show prints what came from Kafka on a terminal without being fooled by it.
//
// A key is bytes. It may be absent, empty, binary, or hold an escape sequence that
// clears the screen; a reader of a table must be able to tell these apart.
package show

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"brew.example/internal/msg"
)

// Absent and Empty stand for a nil key or value and for one of no bytes. Kafka
// keeps the difference: a nil value on a compacted topic deletes its key, and an
// empty key is hashed to a partition while a nil key is not.
const (
	Absent = "<nil>"
	Empty  = "<empty>"
)

// Bytes renders a record's key, value or header value. Printable text comes as it
// is. Everything else comes quoted with Go's escapes (`"\x1b[2J"`), and so does
// text that would read like one of the marks: no two different inputs look alike.
func Bytes(b []byte) string {
	switch {
	case b == nil:
		return Absent
	case len(b) == 0:
		return Empty
	}
	return Text(string(b))
}

// Text renders a name that a broker or another client chose: a topic, a group, a
// client id, an error message. Control and invisible characters come escaped.
func Text(s string) string {
	if plain(s) && s != Absent && s != Empty && !strings.HasPrefix(s, `"`) {
		return s
	}
	return strconv.Quote(s)
}

// How long a line of a message is at most, and what is kept of a longer one.
const (
	longest = 1000
	head    = 600
	tail    = 300
)

// Message leaves out the middle of lines that are too long for a terminal: a group may have
// a name of 32,767 characters. What a sentence is about stands at its beginning, and the way
// out at its end.
func Message(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if r := []rune(line); len(r) > longest {
			left := msg.Sprintf(" … %d characters more … ", len(r)-head-tail)
			lines[i] = string(r[:head]) + left + string(r[len(r)-tail:])
		}
	}
	return strings.Join(lines, "\n")
}

// plain says whether every character of s shows as itself, with no white space
// but single spaces inside: a column must not be torn apart by a value.
func plain(s string) bool {
	if s != strings.TrimSpace(s) || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Brokers shows broker ids as Kafka's own tools do, "0,1,2"; a hyphen stands for none. An id
// below zero, by which Kafka says that a partition has no leader, is none.
func Brokers(ids ...int32) string {
	var list []string
	for _, id := range ids {
		if id >= 0 {
			list = append(list, strconv.Itoa(int(id)))
		}
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ",")
}
