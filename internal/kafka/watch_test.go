package kafka

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

// TestWatchGoesOn has looks that succeed, fail twice, and succeed again.
func TestWatchGoesOn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := errors.New("no broker answers")
	looks := []error{nil, gone, gone, nil, nil}
	var stderr kafkatest.Buffer
	n := 0
	err := Watch(ctx, time.Millisecond, &stderr, func(ctx context.Context) error {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("a look may last forever")
		}
		err := looks[n]
		if n++; n == len(looks) {
			cancel()
		}
		return err
	})
	want := regexp.MustCompile(`^\[\d\d:\d\d:\d\d\] no broker answers; still watching\n` +
		`\[\d\d:\d\d:\d\d\] the cluster answers again\n$`)
	if err != nil || n != len(looks) || !want.MatchString(stderr.String()) {
		t.Errorf("%v after %d looks; stderr %q", err, n, stderr.String())
	}
}

// TestWatchFirstLook: what fails at once is the caller's mistake, not an event to watch.
func TestWatchFirstLook(t *testing.T) {
	t.Parallel()
	var stderr kafkatest.Buffer
	missing := errors.New("no such topic")
	err := Watch(t.Context(), time.Hour, &stderr, func(context.Context) error { return missing })
	if !errors.Is(err, missing) || stderr.String() != "" {
		t.Errorf("%v; stderr %q", err, stderr.String())
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	err = Watch(cancelled, time.Hour, &stderr, func(context.Context) error { return missing })
	if err != nil {
		t.Errorf("a stop by Ctrl+C is no error: %v", err)
	}
}

func TestCheckInterval(t *testing.T) {
	for d, ok := range map[time.Duration]bool{
		0: false, 9 * time.Millisecond: false, 10 * time.Millisecond: true, time.Hour: true,
	} {
		err := CheckInterval(d)
		var usage cli.UsageError
		if ok && err != nil || !ok && !errors.As(err, &usage) {
			t.Errorf("%s: %v", d, err)
		}
	}
}
