package standctl

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"brew.example/internal/stand"
)

// record is what the embedded stand notes about itself in a file of its own. It has
// what stand.json says, so that a damaged stand.json can be written anew, and how it
// was started.
type record struct {
	stand.State
	Bind      string `json:"bind"`
	Advertise string `json:"advertise"`
}

// readRecord returns the record if the process that it names is the stand.
func (h home) readRecord() (record, error) {
	var r record
	data, err := os.ReadFile(h.path(recordFile))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, err
	}
	if len(r.Processes) != 1 || len(r.Ports) != stand.Brokers {
		return r, errors.New(recordFile + ": fields are missing")
	}
	if _, ours := h.find(r.Processes[0]); !ours {
		return r, errors.New(recordFile + ": another process has that pid")
	}
	return r, nil
}

// publish tells every program on this machine that the stand is ready.
func (h home) publish(r record) error {
	r.Version = stand.FormatVersion
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(h.path(recordFile), append(data, '\n'), 0o600); err != nil {
		return err
	}
	return stand.Write(string(h), r.State)
}

// unpublish takes back what publish has written.
func (h home) unpublish() error {
	if err := os.Remove(h.path(recordFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(string(h), err)
	}
	return stand.Remove(string(h))
}
