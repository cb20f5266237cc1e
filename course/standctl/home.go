// Package standctl starts and stops the stand and tells about it: the verbs up, down,
// status and wipe of the course's tool, without their printing.
//
// All that the stand keeps on disk lies in one folder, the home. Nothing is made or
// deleted anywhere else, and nothing in it that is not on the list below.
package standctl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// What a home holds.
const (
	// marker tells a folder that the course has made; no other is written to.
	marker = ".brew-course"
	// commandLock is held by a command that changes something, as long as it does.
	commandLock = "command.lock"
	// standLock is held by the embedded stand for its life: who has it, runs.
	standLock = "stand.lock"
	// recordFile is the embedded stand's own note of what is in stand.json.
	recordFile = "embedded.json"
	// realFile is what is noted about a stand of real brokers.
	realFile = "brokers.json"
	// kafkaDir holds the jars of Apache Kafka. They are no data: a wipe keeps them.
	kafkaDir = "kafka"
	dataDir  = "data"
	logDir   = "logs"
)

const markerText = "This folder belongs to the Brew course: it holds the stand's data and logs.\n" +
	"`make wipe` deletes them. Keep nothing of your own here.\n"

// home is the absolute path of a folder that has passed check.
type home string

func (h home) path(elem ...string) string {
	return filepath.Join(append([]string{string(h)}, elem...)...)
}

// data is the folder of the embedded stand's brokers.
func (h home) data() string { return h.path(dataDir, stand.Embedded) }

// findHome returns the home that the environment names. It need not exist.
func findHome() (home, error) {
	dir, err := stand.Home()
	if err != nil {
		return "", cli.UsageError{Err: err}
	}
	if err := check(dir); err != nil {
		return "", err
	}
	return home(dir), nil
}

// check refuses a folder that must not become the course's: everything that is
// created or deleted later lies below it.
func check(dir string) error {
	if dir == filepath.Dir(dir) {
		return refuse(dir, msg.Text("it is the root of the file system"))
	}
	if user, err := os.UserHomeDir(); err == nil && same(dir, user) {
		return refuse(dir, msg.Text("it is your home folder"))
	}
	if root, err := stand.Root("."); err == nil && above(dir, root) {
		return refuse(dir, msg.Text("the course itself lies in it"))
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unusable(dir, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(dir, msg.Text("it is a symbolic link"))
	case !info.IsDir():
		return refuse(dir, msg.Text("it is not a folder"))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return unusable(dir, err)
	}
	for _, e := range entries {
		if e.Name() == marker && e.Type().IsRegular() {
			return nil
		}
	}
	if len(entries) > 0 {
		return refuse(dir, msg.Sprintf("it holds files and no %s, "+
			"so the course has not made it", marker))
	}
	if openToAll(info) {
		return refuse(dir, msg.Text("everybody on this machine can write to it"))
	}
	return nil
}

func refuse(dir, reason string) error {
	return cli.Usagef("%s cannot hold the stand: %s; set COURSE_HOME to a folder of its own, "+
		"such as %s",
		show.Text(dir), reason, show.Text(filepath.Join(os.TempDir(), "brew-course")))
}

func unusable(dir string, err error) error {
	if _, ok := errors.AsType[stand.FolderError](err); ok {
		return err
	}
	if isFull(err) {
		return msg.Errorf("%s cannot hold the stand: the disk is full; free some space, or set "+
			"COURSE_HOME to a folder on another disk", show.Text(dir))
	}
	return msg.Errorf("%s cannot hold the stand: %w; set COURSE_HOME to a folder that you can "+
		"write to",
		show.Text(dir), reason(err))
}

// reason strips the path that an error of package os begins with.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// above says whether dir is root or one of the folders above it.
func above(dir, root string) bool {
	for {
		if same(dir, root) {
			return true
		}
		parent := filepath.Dir(root)
		if parent == root {
			return false
		}
		root = parent
	}
}

// make makes the folder and puts the marker into it, unless both are there. An empty folder
// that its owner has made keeps its mode: what comes to lie in it is private all the same.
func (h home) make() error {
	dir := string(h)
	if _, err := os.Lstat(h.path(marker)); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unusable(dir, err)
	}
	if err := os.WriteFile(h.path(marker), []byte(markerText), 0o600); err != nil {
		return unusable(dir, err)
	}
	return nil
}

// exists says whether the folder is there and ours.
func (h home) exists() bool {
	_, err := os.Lstat(h.path(marker))
	return err == nil
}

// size returns how many bytes the files below dir take up. Kafka's indexes are files of
// 10 MiB with next to nothing in them.
func size(dir string) int64 {
	var n int64
	// What vanishes while we look (a segment that retention deletes) does not count.
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += onDisk(info)
		}
		return nil
	})
	return n
}

// removeAll deletes what the course has put into the home, but for the marker and
// the locks: a lock file that is deleted while another command waits for it would
// let two commands run at once. It says what it did.
func (h home) removeAll() (w Wiped, err error) {
	entries, err := os.ReadDir(string(h))
	if err != nil {
		return w, err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == marker || name == commandLock || name == standLock || name == kafkaDir:
		case name == dataDir || name == logDir || name == programDir || name == recordFile ||
			name == realFile || isState(name):
			if err := os.RemoveAll(h.path(name)); err != nil {
				return w, err
			}
			w.Something = true
		default:
			w.Foreign = append(w.Foreign, name)
		}
	}
	return w, nil
}

// isState says whether name is the state file, or what stand.Write leaves behind when it
// is killed.
func isState(name string) bool {
	temp, _ := filepath.Match(stand.File+".*", name)
	return temp || name == stand.File
}
