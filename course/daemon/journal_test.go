package daemon

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestMendCutsTheStump(t *testing.T) {
	entry := []byte("\x05\x00\x00\x00cccc\x01\x00abc") // 13 bytes
	for stump := range len(entry) {
		path := filepath.Join(t.TempDir(), "groups.log")
		whole := bytes.Repeat(entry, 3)
		if err := os.WriteFile(path, append(whole[:len(whole):len(whole)], entry[:stump]...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := mend(path); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Errorf("a stump of %d bytes: %q, %v", stump, got, err)
		}
	}
	if err := mend(filepath.Join(t.TempDir(), "pids.log")); err != nil {
		t.Errorf("no journal yet: %v", err)
	}
}
