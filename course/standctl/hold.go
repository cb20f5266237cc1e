package standctl

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"

	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// holdWait is how long the daemon tries to get its lock: who asks whether a stand
// runs holds the lock for a moment.
const holdWait = 2 * time.Second

// Hold is the daemon's hold on a home: while it lasts, a stand runs there.
type Hold struct {
	home home
	lock *flock.Flock
	file os.FileInfo
}

// TakeHold makes this process the stand of the home dir. It fails if one runs there.
func TakeHold(ctx context.Context, dir string) (*Hold, error) {
	if err := check(dir); err != nil {
		return nil, err
	}
	private()
	h := home(dir)
	l := newLock(h.path(standLock))
	limited, cancel := context.WithTimeout(ctx, holdWait)
	defer cancel()
	ok, err := l.TryLockContext(limited, lockRetry)
	if !ok {
		if limited.Err() != nil {
			return nil, msg.Errorf("another stand runs in %s already", dir)
		}
		return nil, unusable(dir, err)
	}
	info, err := os.Stat(h.path(standLock))
	if err != nil {
		return nil, unusable(dir, err)
	}
	return &Hold{home: h, lock: l, file: info}, nil
}

// Data returns the folder for the brokers' data.
func (l *Hold) Data() string { return l.home.data() }

// Alive says whether the home is still there. `git clean` takes it away under a
// running stand; nobody could find the stand any more.
func (l *Hold) Alive() bool {
	info, err := os.Stat(l.home.path(standLock))
	return err == nil && os.SameFile(info, l.file)
}

// Publish tells the other programs that the stand is ready, and returns what it told.
func (l *Hold) Publish(software string, o UpOptions, ports []int) (stand.State, error) {
	self, err := describeSelf()
	if err != nil {
		return stand.State{}, err
	}
	r := record{
		State: stand.State{
			Version:   stand.FormatVersion,
			Kind:      stand.Embedded,
			Bootstrap: o.bootstrap(ports),
			Ports:     ports,
			Processes: []stand.Process{self},
			Software:  software,
			Started:   time.Now().UTC().Truncate(time.Millisecond),
		},
		Bind:      o.Bind,
		Advertise: o.Advertise,
	}
	return r.State, l.home.publish(r)
}

// Failed returns the error of brokers that cannot start, with a way out if the disk is full.
func (l *Hold) Failed(err error) error {
	if isFull(err) {
		return unusable(string(l.home), err)
	}
	return err
}

// Release ends the hold.
func (l *Hold) Release() error {
	var err error
	switch {
	case l.Alive():
		err = l.home.unpublish()
	case !l.home.exists():
		l.clearRemains()
	}
	return errors.Join(err, l.lock.Unlock())
}

// clearRemains removes what the brokers have written after their home was taken away:
// without its marker the folder would be a stranger's to the next `course up`.
func (l *Hold) clearRemains() {
	_ = os.RemoveAll(l.home.data())
	// These go if nothing else is in them.
	_ = os.Remove(l.home.path(dataDir))
	_ = os.Remove(string(l.home))
}
