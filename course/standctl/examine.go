package standctl

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

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

// PIDText returns the processes of the stand in one word; none without any.
func (s Status) PIDText() string {
	var list []string
	for _, pid := range s.PIDs() {
		list = append(list, strconv.Itoa(pid))
	}
	return strings.Join(list, ",")
}

// PIDs returns the processes of the stand that run on this machine.
func (s Status) PIDs() []int {
	var list []int
	if s.Kind == stand.Embedded {
		for _, p := range s.Processes {
			list = append(list, p.PID)
		}
	}
	for _, b := range s.Brokers {
		if b.PID != 0 {
			list = append(list, b.PID)
		}
	}
	return list
}
