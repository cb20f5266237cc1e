package receipts

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/table"
)

// region verdict
// verdict tells what became of a till's receipts. What was acknowledged and cannot be read is
// hidden while the leader holds records beyond the high watermark. If it holds none, it is gone.
func (l *Log) verdict(t *Till, beyond int64) (readable, hidden, gone int) {
	for _, key := range t.sent {
		if l.seen[key] {
			readable++
		}
	}
	if t.Acks == "0" { // nobody has acknowledged anything
		return readable, 0, 0
	}
	for _, key := range t.acked {
		if !l.seen[key] {
			gone++
		}
	}
	if beyond > 0 {
		hidden, gone = gone, 0
	}
	return readable, hidden, gone
}

// endregion verdict

// Audit reads the log to its end and prints a table of what became of the receipts; with
// wait another one whenever it changes, until none is hidden. It returns how many are gone.
//
// Records that were sent and cannot be read get the time settle: with acks=0 they may still
// be on their way, and the high watermark follows the log's end.
func (l *Log) Audit(
	ctx context.Context, tills []*Till, settle time.Duration, wait bool, stdout, stderr io.Writer,
) (gone int, err error) {
	var shown, before string
	for began := time.Now(); ; {
		// After Ctrl+C, too: the count is what the program is for.
		beyond, err := l.read(context.WithoutCancel(ctx))
		if err != nil {
			return 0, err
		}
		now, missing, hidden, gone := l.table(tills, beyond)
		if missing > 0 && time.Since(began) < settle || now != before {
			before = now
			time.Sleep(100 * time.Millisecond) // the next look tells whether it is at rest
			continue
		}
		if now != shown {
			if _, err := io.WriteString(stdout, now); err != nil {
				return gone, err
			}
		}
		if hidden == 0 || !wait || ctx.Err() != nil {
			return gone, nil
		}
		if shown == "" {
			msg.Fprintf(stderr, "waiting until nothing is hidden; Ctrl+C ends it\n")
		}
		shown = now
		runctx.Sleep(ctx, 200*time.Millisecond)
	}
}

// table returns the table and its sums; missing are records that may come yet.
func (l *Log) table(tills []*Till, beyond int64) (text string, missing, hidden, gone int) {
	var rows [][]string
	for _, t := range tills {
		r, h, g := l.verdict(t, beyond)
		a, f, u := t.Tally.Counts()
		missing, hidden, gone = missing+len(t.sent)-int(f)-r, hidden+h, gone+g
		row := []string{t.Acks, fmt.Sprint(len(t.sent)), fmt.Sprint(a), fmt.Sprint(f),
			fmt.Sprint(u), fmt.Sprint(r), some(h), some(g)}
		if t.Acks == "0" {
			row[2], row[6], row[7] = "-", "-", "-"
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	head := []string{"ACKS", "SENT", "ACKNOWLEDGED", "FAILED", "UNKNOWN", "READABLE", "HIDDEN",
		"GONE"}
	_ = table.Write(&b, head, rows) // a Builder takes everything
	return b.String(), missing, hidden, gone
}

func some(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// Embedded returns an error that says what the embedded stand cannot show, or nil when the
// programs use another cluster.
func Embedded() error {
	if !kafka.OnEmbeddedStand() {
		return nil
	}
	return msg.Errorf("the embedded stand copies no record, so it loses none with a broker; a " +
		"real Kafka: `make down`, then `COURSE_STAND=java make up`")
}
