package text

import (
	"context"
	"testing"
	"time"

	"brew.example/internal/stand"
)

// Test checks all lectures of the course in root, one subtest a lecture and language.
// On a real Kafka it is English alone, one after the other. Else they run side by side: give -parallel the number wanted, since they mostly wait.
func Test(t *testing.T, root string, opts Options) {
	lectures, err := Find(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChecker(root, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	languages := Languages
	if opts.Stand == stand.Java {
		languages = languages[:1]
	}
	for _, l := range lectures {
		for _, lang := range languages {
			t.Run(l.Name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := testContext(t)
				defer cancel()
				for _, p := range c.Check(ctx, l, lang) {
					t.Error(p)
				}
			})
		}
	}
}

// testContext ends in time for all that was started to be stopped: when go test's
// own limit strikes, nothing is.
func testContext(t *testing.T) (context.Context, context.CancelFunc) {
	if deadline, ok := t.Deadline(); ok {
		return context.WithDeadline(t.Context(), deadline.Add(-testCleanup))
	}
	return context.WithCancel(t.Context())
}

const testCleanup = 10 * time.Second
