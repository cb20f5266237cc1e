package daemon

import "sync"

// maxHeld is how many bytes of requests the stand keeps at once, of all connections
// together: one of the longest, and room beside it for those that learners send.
const maxHeld = maxFrame + 28<<20

// frames counts what the connections keep of their requests. Each may be as long as
// maxFrame, and a peer that sends one but for its last byte makes the stand keep it.
type frames struct {
	mu    sync.Mutex
	held  map[*guarded]int // the capacity of its buffer
	whole map[*guarded]bool
	total int
}

func newFrames() *frames {
	return &frames{held: map[*guarded]int{}, whole: map[*guarded]bool{}}
}

// hold notes that c keeps n bytes of an unfinished frame. If that is too much for all
// together, those with the longest unfinished frames have to go, perhaps c itself: short
// requests pass, whoever stuffs the stand. A frame that is whole is left to its answer.
func (f *frames) hold(c *guarded, n int) (crowded []*guarded) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(c, n)
	for f.total > maxHeld {
		longest := c
		for other, n := range f.held {
			if n > f.held[longest] && !f.whole[other] {
				longest = other
			}
		}
		f.set(longest, 0)
		crowded = append(crowded, longest)
	}
	return crowded
}

// finish notes that the frame of c is whole, free that it is done with or gone.
func (f *frames) finish(c *guarded) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.held[c] > 0 {
		f.whole[c] = true
	}
}

func (f *frames) free(c *guarded) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(c, 0)
}

func (f *frames) set(c *guarded, n int) {
	f.total += n - f.held[c]
	delete(f.whole, c)
	if n == 0 {
		delete(f.held, c)
	} else {
		f.held[c] = n
	}
}
