package admin

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// none stands in a table for what does not exist, as in the official tools.
const none = "-"

func address(host string, port int32) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// printable says whether a terminal shows each character of s as itself.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// octal writes s as a format for printf; a quote cannot end the shell's string early.
func octal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; harmless.MatchString(string(rune(c))) && c != '%' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String()
}

// writeJSON prints v as one indented JSON value. A terminal shows nothing of it but
// what it says: encoding/json escapes control characters below 0x20 and leaves others,
// and marks of writing direction, as they are.
func writeJSON(w io.Writer, v any, indent string) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	var out strings.Builder
	for _, r := range b.String() {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// number renders a number that may not exist.
func number[T int32 | int64](n *T) string {
	if n == nil {
		return none
	}
	return strconv.FormatInt(int64(*n), 10)
}

// word renders a name that may not exist.
func word(s *string) string {
	if s == nil {
		return none
	}
	return cell(*s)
}
