package text

import (
	"context"
	"testing"
	"time"
)

// Test checks all lectures of the course in root, one subtest a lecture and language.
// They run side by side: give -parallel the number wanted, since they mostly wait.
func Test(t *testing.T, root string, opts Options) {
	lectures, err := Find(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChecker(root, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lectures {
		for _, lang := range Languages {
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
