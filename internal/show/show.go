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
