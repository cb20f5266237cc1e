package brokers

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// rotate opens a new log, readable for this user only, and keeps the one before it.
func rotate(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := os.Rename(path, path+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
}

// exception finds the line of a stack trace that names the reason.
var exception = regexp.MustCompile(`^(?:Exception in thread "[^"]*" )?` +
	`(?:[a-z][\w$]*\.)+[A-Z]\w*(?:Exception|Error|Failure)\b(?:: (.*))?$`)

// reason returns the most telling part of what a Java program has said before it died:
// the last exception with its first cause, else the last error, else the last line.
func reason(output string) string {
	var head, cause, complaint, last string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		rest, caused := strings.CutPrefix(line, "Caused by: ")
		m := exception.FindStringSubmatch(rest)
		text := rest
		if m != nil && m[1] != "" {
			text = m[1]
		}
		switch {
		case line == "" || strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "... "):
		case m != nil && caused:
			cause = text
		case m != nil:
			head, cause = text, ""
		case strings.HasPrefix(line, "Error") || strings.Contains(line, " ERROR "):
			complaint = line
		default:
			last = line
		}
	}
	if head != "" && cause != "" && !strings.Contains(head, cause) {
		head += ": " + cause
	}
	if best := cmp.Or(head, complaint, last); best != "" {
		return show.Text(best)
	}
	return msg.Text("it said nothing")
}

// logged is the reason in the last part of a log.
func logged(path string) string {
	const part = 64 << 10
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > part {
		if _, err := f.Seek(-part, 2); err != nil {
			return err.Error()
		}
	}
	buf := make([]byte, part)
	n, _ := f.Read(buf) // an empty file has nothing to say
	return reason(string(buf[:n]))
}
