// Package stand knows where the course keeps its state and what stand.json says:
// which brokers run on this machine and where to reach them.
//
// It only reads and writes that one file. Starting and stopping brokers is the
// business of the course's tool.
package stand

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"brew.example/internal/msg"
)

// FormatVersion is the version of stand.json that this code writes. It reads no newer one.
const FormatVersion = 1

// File is the name of the state file inside the course's home.
const File = "stand.json"

// The kinds of stand.
const (
	Embedded = "embedded"
	Java     = "java"
	Docker   = "docker"
)

// Brokers is how many brokers a stand has; they take as many ports in a row.
const Brokers = 3

// DefaultPort is the first broker's port. It is not 9092, so that a Kafka of the
// learner's own is never touched.
const DefaultPort = 19092

// State is the content of stand.json. The file exists while a stand is up.
type State struct {
	Version int `json:"version"`
	// Kind is Embedded, Java or Docker.
	Kind string `json:"kind"`
	// Bootstrap holds one host:port per broker, for clients on this machine.
	Bootstrap []string `json:"bootstrap"`
	// Ports are the brokers' ports in order of their node ids.
	Ports []int `json:"ports"`
	// Processes are the stand's processes on this machine; none on Docker.
	Processes []Process `json:"processes,omitempty"`
	// Software names what the brokers are, with its version.
	Software string `json:"software"`
	// Started is when the stand became ready.
	Started time.Time `json:"started"`
}

// Process identifies a process: a pid alone may have passed to another one.
type Process struct {
	// Node is the broker's node id; -1 when one process serves all of them.
	Node int `json:"node"`
	PID  int `json:"pid"`
	// Created is the start time of the process in milliseconds since 1970, as the
	// operating system tells it.
	Created int64 `json:"created"`
}

// ErrNoRoot is returned by Root outside a clone of the course.
var ErrNoRoot = errors.New("not inside the course's folder")

// Root returns the top folder of the course that dir lies in: the nearest one
// upwards that has a lecture.mk and a go.work. It returns ErrNoRoot if there is none.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if exists(filepath.Join(dir, "lecture.mk")) && exists(filepath.Join(dir, "go.work")) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ErrNoRoot
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Home returns the absolute path of the folder that holds the stand's state:
// COURSE_HOME, else .course in the course's root. It need not exist. A relative
// COURSE_HOME is refused, since each folder would see another stand.
func Home() (string, error) {
	if home := os.Getenv("COURSE_HOME"); home != "" {
		if !filepath.IsAbs(home) {
			return "", msg.Errorf("COURSE_HOME=%q is not an absolute path; "+
				"write it from the root, or unset it", home)
		}
		return filepath.Clean(home), nil
	}
	root, err := Root(".")
	if errors.Is(err, ErrNoRoot) {
		return "", msg.Errorf("no course folder here or above: " +
			"go to a clone of the course, or set COURSE_HOME or KAFKA_BOOTSTRAP")
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(root, ".course"), nil
}

// Log returns the path of the embedded stand's log.
func Log(home string) string { return filepath.Join(home, "logs", "embedded.log") }

// Port returns the first broker's port: COURSE_PORT, else DefaultPort.
func Port() (int, error) {
	v := os.Getenv("COURSE_PORT")
	if v == "" {
		return DefaultPort, nil
	}
	port, err := strconv.Atoi(v)
	if err != nil || port < 1024 || port > 65500 {
		return 0, msg.Errorf("COURSE_PORT=%q is not the first port of a stand: "+
			"a number from 1024 to 65500", v)
	}
	return port, nil
}

// Ports returns the ports of a stand's brokers, by the first one.
func Ports(first int) []int {
	list := make([]int, Brokers)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// Kind returns the kind of stand to start: COURSE_STAND, else Embedded.
func Kind() (string, error) {
	switch v := os.Getenv("COURSE_STAND"); v {
	case "":
		return Embedded, nil
	case Embedded, Java, Docker:
		return v, nil
	default:
		return "", msg.Errorf("COURSE_STAND=%q is not a kind of stand: embedded, java or docker", v)
	}
}

// Read returns the state in home. No stand: an error that is fs.ErrNotExist. A
// file that is damaged, or of a newer version of the course, is an error that
// names the file; the file is left as it is.
func Read(home string) (State, error) {
	path := filepath.Join(home, File)
	if err := notFolder(path); err != nil {
		return State{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return State{}, err
	}
	var s State
	err = json.Unmarshal(data, &s)
	// A newer version may have other types in the fields, so its number comes first.
	if s.Version > FormatVersion {
		return State{}, msg.Errorf("%s is of version %d and this course knows up to %d: "+
			"use the newer course, or another COURSE_HOME", path, s.Version, FormatVersion)
	}
	if err != nil {
		return State{}, damaged(path, err)
	}
	if s.Version < 1 || len(s.Bootstrap) == 0 || len(s.Ports) != Brokers {
		return State{}, damaged(path, errors.New("fields are missing"))
	}
	return s, nil
}

func damaged(path string, err error) error {
	return msg.Errorf("%s is damaged (%w); see what runs with `make status`", path, err)
}

// FolderError is a folder where the state file should be. It may hold somebody's files, so it
// is not touched.
type FolderError struct{ Path string }

// Error names the folder and the way out.
func (e FolderError) Error() string {
	return msg.Sprintf("%s is a folder, and the course keeps a file there: move it away", e.Path)
}

func notFolder(path string) error {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return FolderError{path}
	}
	return nil
}

// Write puts the state into home, in one step: a reader sees the old file or the new one.
func Write(home string, s State) error {
	if err := notFolder(filepath.Join(home, File)); err != nil {
		return err
	}
	s.Version = FormatVersion
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return Replace(filepath.Join(home, File), append(data, '\n'))
}

// Replace writes a file of mode 0600 in one step: after a crash or on a full disk the old one
// is still there, whole.
func Replace(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// Remove deletes the state file; that none is there is no error.
func Remove(home string) error {
	path := filepath.Join(home, File)
	if err := notFolder(path); err != nil {
		return err
	}
	err := os.Remove(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the state file: %w", err)
	}
	return nil
}
