package ports

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"brew.example/internal/msg"
)

// Blocks of ports that one stand may use, of whatever kind, with its controllers. They lie
// below the ports that operating systems hand out by themselves (from 32768 on Linux).
const (
	blockSize  = 24
	firstBlock = 10_008
	blocks     = 948
)

// Reserve finds ports for a stand that must disturb nobody, such as that of a test or of a
// text, and returns the first of 24 in a row that nobody listens on. Nobody else who asks
// here gets one of them before release is called, in this process or another.
func Reserve() (first int, release func(), err error) {
	for range 4 * blocks {
		first := firstBlock + blockSize*rand.IntN(blocks)
		lock := flock.New(filepath.Join(os.TempDir(), fmt.Sprintf("brew-ports-%d.lock", first)))
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue
		}
		release := func() {
			os.Remove(lock.Path())
			lock.Unlock()
		}
		all := make([]int, blockSize)
		for i := range all {
			all[i] = first + i
		}
		if Probe("127.0.0.1", all) == nil && Probe("0.0.0.0", all) == nil {
			return first, release, nil
		}
		release()
	}
	return 0, nil, msg.Errorf("no %d free ports in a row between %d and %d", blockSize, firstBlock,
		firstBlock+blockSize*blocks)
}
