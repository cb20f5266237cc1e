package ports

import (
	"net"
	"strconv"
	"sync"
	"testing"
)

// TestReserve: no two get the same ports, and none is in use.
func TestReserve(t *testing.T) {
	var mu sync.Mutex
	taken := map[int]bool{}
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			first, release, err := Reserve()
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(release)
			mu.Lock()
			defer mu.Unlock()
			if first < 10_000 || first+blockSize > 32_768 || taken[first] {
				t.Errorf("port %d, after %v", first, taken)
			}
			taken[first] = true
		})
	}
	wait.Wait()
	for first := range taken {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(first+blockSize-1)))
		if err != nil {
			t.Error(err)
			continue
		}
		l.Close()
	}
}
