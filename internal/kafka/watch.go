package kafka

import (
	"context"
	"io"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
)

// lookTimeout bounds one look: a broker that is frozen takes a request and never answers.
const lookTimeout = 5 * time.Second

// Watch calls look at once and then after each interval, until ctx ends, and returns nil
// then. The context that look gets ends after 5 s.
//
// An error of the first look is returned: a topic that does not exist will not come by
// itself. Later ones belong to what is watched: a broker goes away and comes back. Watch
// says so on stderr, once until a look succeeds again, and goes on.
func Watch(
	ctx context.Context, interval time.Duration, stderr io.Writer,
	look func(context.Context) error,
) error {
	failing := false
	for first := true; ; first = false {
		err := bounded(ctx, look)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && first:
			return err
		case err != nil && !failing:
			msg.Fprintf(stderr, "[%s] %v; still watching\n", clock(), err)
		case err == nil && failing:
			msg.Fprintf(stderr, "[%s] the cluster answers again\n", clock())
		}
		failing = err != nil
		runctx.Sleep(ctx, interval)
	}
}

func bounded(ctx context.Context, look func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	return look(ctx)
}

func clock() string { return time.Now().Format("15:04:05") }

// CheckInterval returns a usage error for a time between two looks that would keep a
// cluster busy: less than 10 ms, the least that franz-go's metadata cache allows.
func CheckInterval(interval time.Duration) error {
	if interval < 10*time.Millisecond {
		return cli.Usagef("flag --interval cannot be %s: 10ms or more, such as 500ms", interval)
	}
	return nil
}
