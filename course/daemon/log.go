package daemon

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// logEvery is how often a line of one kind is written at most: a full disk or a peer
// that knocks in a loop must not fill the log.
const logEvery = time.Second

// log is the stand's log: a time and a sentence a line.
type log struct {
	w   io.Writer
	now func() time.Time
	die func() // ends the process

	mu   sync.Mutex
	last map[string]time.Time // when a line of this kind was written
	left map[string]int       // how many were left out since then
}

func newLog(w io.Writer) *log {
	return &log{w: w, now: time.Now, die: func() { os.Exit(1) }, last: map[string]time.Time{}, left: map[string]int{}}
}

// Logf takes kfake's own messages: what failed, such as a write to a full disk. What
// it tells at lower levels, about the life of each group, would fill the disk in time.
func (l *log) Logf(level kfake.LogLevel, format string, args ...any) {
	if level <= kfake.LogLevelWarn {
		l.write(format, "kfake: "+show.Text(fmt.Sprintf(format, args...)))
		if isJournal(format) {
			// kfake goes on and acknowledges the commit that it could not keep. We are called
			// before the answer is sent: nobody hears of a commit that a restart forgets.
			l.write("life", msg.Text("a commit cannot be kept (see above): the stand stops"))
			l.die()
		}
	}
}

// write writes a line. Lines of one kind come once in logEvery.
func (l *log) write(kind, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if last, ok := l.last[kind]; ok && now.Sub(last) < logEvery {
		l.left[kind]++
		return
	}
	if n := l.left[kind]; n > 0 {
		line += msg.Sprintf(" (and %d lines like this since the last one)", n)
	}
	l.last[kind], l.left[kind] = now, 0
	fmt.Fprintf(l.w, "%s %s\n", now.Format("2006-01-02 15:04:05.000"), line)
}
