package runctx

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

func TestCancelWithoutSignal(t *testing.T) {
	ctx, cancel := New()
	if ctx.Err() != nil {
		t.Error("ended at the start")
	}
	began := time.Now()
	cancel()
	cancel()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("cancel took %s", took)
	}
	if ctx.Err() != context.Canceled {
		t.Errorf("after cancel: %v", ctx.Err())
	}
}

func TestSleep(t *testing.T) {
	began := time.Now()
	Sleep(context.Background(), 30*time.Millisecond)
	if took := time.Since(began); took < 30*time.Millisecond {
		t.Errorf("slept %s of 30ms", took)
	}
	Sleep(context.Background(), 0)
	Sleep(context.Background(), -time.Hour)

	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	began = time.Now()
	Sleep(ctx, time.Hour)
	Sleep(ctx, time.Hour)
	if took := time.Since(began); took > time.Minute {
		t.Errorf("slept %s after the end of the context", took)
	}
}

// TestMain runs the tests, or does what a program does: child_unix_test.go runs the
// binary again.
func TestMain(m *testing.M) {
	if behaviour := os.Getenv("BREW_TEST_CHILD"); behaviour != "" {
		program(behaviour)
	}
	os.Exit(m.Run())
}

// program is a main function that ends at a signal, hangs after one, or ends without one.
func program(behaviour string) {
	ctx, cancel := New()
	os.Stdout.WriteString("ready\n")
	switch behaviour {
	case "clean":
		<-ctx.Done()
	case "hangs":
		<-ctx.Done()
		os.Stdout.WriteString("hangs\n")
		time.Sleep(time.Minute)
	case "undoes":
		<-ctx.Done()
		cancel()
		os.Stdout.WriteString(context.Cause(ctx).Error() + "\n")
		time.Sleep(time.Minute)
	case "closes":
		heard := make(chan os.Signal, 2)
		<-ctx.Done()
		signal.Notify(heard, syscall.SIGHUP)
		os.Stdout.WriteString("closes\n")
		<-heard
		os.Stdout.WriteString("heard\n")
		Sleep(context.Background(), linger) // to be ended, if it is
	case "after":
		cancel() // signals have their usual meaning from here on
		os.Stdout.WriteString("cancelled\n")
		time.Sleep(time.Minute)
	}
	cancel()
	os.Exit(0)
}
