package standctl

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"

	"brew.example/internal/msg"
)

const (
	lockRetry  = 10 * time.Millisecond
	lockNotice = time.Second
)

func newLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

// lockCommands waits until no other command changes the stand, and keeps others from
// it until unlock is called.
func (c *Control) lockCommands(ctx context.Context) (unlock func(), err error) {
	l := newLock(c.home.path(commandLock))
	soon, cancel := context.WithTimeout(ctx, lockNotice)
	defer cancel()
	ok, err := l.TryLockContext(soon, lockRetry)
	if !ok && ctx.Err() == nil && soon.Err() != nil {
		c.say(msg.Sprintf("waiting for another course command that is at work in %s", c.home))
		ok, err = l.TryLockContext(ctx, lockRetry)
	}
	if !ok {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, unusable(string(c.home), err)
	}
	return func() { l.Unlock() }, nil
}

// atWork says whether another command changes the stand.
func (c *Control) atWork() bool {
	l := newLock(c.home.path(commandLock))
	ok, err := l.TryLock()
	if ok {
		_ = l.Unlock()
	}
	return err == nil && !ok
}

// running says whether a process holds the stand's lock.
func (h home) running() (bool, error) {
	path := h.path(standLock)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return false, nil
	}
	// A shared lock, so that two that ask do not take each other for the stand.
	l := newLock(path)
	free, err := l.TryRLock()
	if err != nil {
		return false, unusable(string(h), err)
	}
	if free {
		err = l.Unlock()
	}
	return !free, err
}
