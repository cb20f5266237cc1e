package standctl

import (
	"os"
	"path/filepath"

	"brew.example/internal/stand"
)

// What the doctor asks for.

// CheckWritable says why the home cannot be written to. One that does not exist yet is
// not made.
func (c *Control) CheckWritable() error {
	if !c.home.exists() {
		return nil
	}
	f, err := os.CreateTemp(string(c.home), stand.File+".*")
	if err != nil {
		return unusable(string(c.home), err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// DiskFree returns how many bytes are left where the home is or is going to be.
func (c *Control) DiskFree() (uint64, error) {
	dir := string(c.home)
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return diskFree(dir)
		}
		dir = filepath.Dir(dir)
	}
}

// PID returns the first process of the stand, 0 if it has none on this machine.
func (s Status) PID() int { return pidOf(s.State) }
