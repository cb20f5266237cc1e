// Package runctx gives a program the context that Ctrl+C ends.
package runctx

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// linger is how long a program lives on after a signal, at least. GNU make 4.3
// now and then prints "wait: No child processes" when its child is gone within
// some 5 ms of Ctrl+C, or later on a busy machine; nobody should meet that line while
// learning Kafka.
const linger = 100 * time.Millisecond

// Interrupt is the cause of a context that a signal has cancelled. It is context.Canceled
// to errors.Is.
type Interrupt struct{ Signal os.Signal }

// Error names the signal.
func (i Interrupt) Error() string { return "interrupted: " + i.Signal.String() }

// Is says whether target is context.Canceled.
func (Interrupt) Is(target error) bool { return target == context.Canceled }

// New returns a context that the first SIGINT, SIGTERM or SIGHUP (a closed terminal)
// cancels, with an Interrupt as the cause. Such a stop is a normal end: finish what is in
// hand, leave the group, exit 0. A second SIGINT or SIGTERM ends the process at once with
// status 130, for the day when the clean way hangs. A second SIGHUP does not: a terminal that
// is closed may send two, one from the system and one from the shell.
//
// Call the cancel function when the work is done, right before os.Exit. Unless a signal has
// come, signals have their default meaning after it.
func New() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // it is under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	done := make(chan struct{})
	stopped := make(chan time.Time, 1)
	go func() {
		select {
		case <-done:
			return
		case s := <-signals:
			stopped <- time.Now()
			cancel(Interrupt{s})
		}
		for {
			select {
			case <-done:
				return
			case s := <-signals:
				if s != syscall.SIGHUP {
					os.Exit(130)
				}
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		var signalled Interrupt
		if errors.As(context.Cause(ctx), &signalled) {
			select {
			case at := <-stopped:
				time.Sleep(linger - time.Since(at))
			default: // cancelled a second time
			}
			return
		}
		signal.Stop(signals)
		select {
		case <-done:
		default:
			close(done)
		}
	}
}

// Sleep waits for d, or for the end of ctx if that comes first.
func Sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
