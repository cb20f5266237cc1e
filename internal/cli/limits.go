package cli

import (
	"context"
	"time"

	"github.com/spf13/pflag"

	"brew.example/internal/msg"
)

// Limits are the flags that let a program end by itself, the same in all of them.
type Limits struct {
	// Records is --records: stop after so many; 0 for no limit.
	Records uint
	// For is --for: stop after this time; 0 for no limit.
	For time.Duration
}

// LimitFlags adds --records, with its default, and --for to the flags of
// pflag.CommandLine.
func LimitFlags(records uint) *Limits {
	var l Limits
	f := pflag.CommandLine
	f.UintVar(&l.Records, "records", records,
		msg.Text("stop after this many records (0: no limit)"))
	f.DurationVar(&l.For, "for", 0, msg.Text("stop after this time, such as 30s (0: no limit)"))
	return &l
}

// Reached says whether n records are as many as --records allows.
func (l *Limits) Reached(n uint) bool { return l.Records > 0 && n >= l.Records }

// Context returns ctx, ending after the time that --for gives.
func (l *Limits) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.For == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, l.For)
}
