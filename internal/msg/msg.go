// Package msg lets the programs speak English and Russian.
//
// The English format stands in the code and is the key; the Russian ones are one
// map per module (package ru of that module). Verbs are those of fmt. What is
// interface rather than prose (table heads, hook lines, key=value) is not translated.
package msg

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// Languages that COURSE_LANG may name.
const (
	English = "en"
	Russian = "ru"
)

var russian = map[string]string{}

// Add registers a module's Russian texts, keyed by the English ones. It is called
// from init functions only, and panics when two modules translate a text differently.
func Add(texts map[string]string) {
	for en, ru := range texts {
		if old, ok := russian[en]; ok && old != ru {
			panic(fmt.Sprintf("msg: two translations of %q: %q and %q", en, old, ru))
		}
		russian[en] = ru
	}
}

// language is read once: a program does not change its language while it runs.
var language = sync.OnceValues(func() (string, error) { return Choose(os.Getenv) })

// Choose tells the language that the environment asks for: COURSE_LANG, else the
// first set one of LC_ALL, LC_MESSAGES, LANG; English unless that says Russian. A
// COURSE_LANG that is neither "en" nor "ru" is an error and means English.
func Choose(getenv func(string) string) (string, error) {
	switch lang := getenv("COURSE_LANG"); lang {
	case English, Russian:
		return lang, nil
	case "":
	default:
		return English, fmt.Errorf("COURSE_LANG=%q is not a language of the course: en or ru", lang)
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if v == Russian || strings.HasPrefix(v, "ru_") || strings.HasPrefix(v, "ru.") {
				return Russian, nil
			}
			return English, nil
		}
	}
	return English, nil
}

// Err returns the error of a COURSE_LANG that names no language of the course.
func Err() error {
	_, err := language()
	return err
}

// Lang returns the language in use, "en" or "ru".
func Lang() string {
	lang, _ := language()
	return lang
}

// Text returns text in the language in use.
func Text(text string) string {
	if Lang() == Russian {
		if ru, ok := russian[text]; ok {
			return ru
		}
	}
	return text
}

// Sprintf is fmt.Sprintf in the language in use.
func Sprintf(format string, args ...any) string {
	if Lang() == English {
		return fmt.Sprintf(format, args...) // written out so that vet checks the callers
	}
	return fmt.Sprintf(Text(format), args...)
}

// Fprintf is fmt.Fprintf in the language in use.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	if Lang() == English {
		return fmt.Fprintf(w, format, args...)
	}
	return fmt.Fprintf(w, Text(format), args...)
}

// Errorf is fmt.Errorf in the language in use.
func Errorf(format string, args ...any) error {
	if Lang() == English {
		return fmt.Errorf(format, args...)
	}
	return fmt.Errorf(Text(format), args...)
}
