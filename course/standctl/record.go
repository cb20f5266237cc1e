package standctl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"brew.example/internal/stand"
)

// record is what is noted about a stand in a file of its own: by the embedded one itself,
// by the command that starts real brokers for them. It has what stand.json says, so that a
// damaged stand.json can be written anew, and how the stand was started.
type record struct {
	stand.State
	Bind      string `json:"bind"`
	Advertise string `json:"advertise"`
	// Root is the course's folder, where docker-compose.yml lies; real brokers only.
	Root string `json:"root,omitempty"`
	// Unfinished says that the brokers are being started or stopped; real ones only.
	Unfinished bool `json:"unfinished,omitempty"`
}

// recordPath is where the record of that kind of stand lies.
func (h home) recordPath(kind string) string {
	if isReal(kind) {
		return h.path(realFile)
	}
	return h.path(recordFile)
}

// readReal returns the record of real brokers.
func (h home) readReal() (record, error) {
	var r record
	data, err := os.ReadFile(h.path(realFile))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, err
	}
	if !isReal(r.Kind) || len(r.Ports) != stand.Brokers || len(r.Bootstrap) != stand.Brokers {
		return r, errors.New(realFile + ": fields are missing")
	}
	return r, nil
}

// note writes the record, which nobody but the course's own commands reads.
func (h home) note(r record) error {
	r.Version = stand.FormatVersion
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return stand.Replace(h.recordPath(r.Kind), append(data, '\n'))
}

// readRecord returns the record if the process that it names is the stand.
func (h home) readRecord() (record, error) {
	var r record
	data, err := os.ReadFile(h.path(recordFile))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("%s: %w", recordFile, err)
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
	err := h.note(r)
	if err == nil {
		err = stand.Write(string(h), r.State)
	}
	if err != nil {
		return unusable(string(h), err)
	}
	return nil
}

// unpublish takes back what publish has written.
func (h home) unpublish() error {
	for _, name := range []string{recordFile, realFile} {
		if err := os.Remove(h.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unusable(string(h), err)
		}
	}
	return stand.Remove(string(h))
}
