package brokers

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Files beside the nodes' data folders.
const (
	// madeBy holds the version of Kafka that has written the data last.
	madeBy = "version"
	// launchFile says how the nodes were started, for starting one of them again.
	launchFile = "launch.json"
	// metaFile is in each data folder that has been formatted.
	metaFile = "meta.properties"
	// closedFile is in a data folder whose logs have been written out and closed.
	closedFile = ".kafka_cleanshutdown"
)

// launch is how nodes are started.
type launch struct {
	Java string   `json:"java"`
	JVM  []string `json:"jvm"`
	Bind string   `json:"bind"`
}

func (j Java) libDir() string { return filepath.Join(j.Home, "kafka", Version) }

func (j Java) dataDir(elem ...string) string {
	return filepath.Join(append([]string{j.Home, "data", stand.Java}, elem...)...)
}

func (j Java) nodeDir(node int) string { return j.dataDir(strconv.Itoa(node)) }

func (j Java) propertiesFile(node int) string {
	return j.dataDir(strconv.Itoa(node) + ".properties")
}

// newDir is where a data folder is made, and newPropertiesFile holds the settings for that.
func (j Java) newDir(node int) string            { return j.nodeDir(node) + ".new" }
func (j Java) newPropertiesFile(node int) string { return j.newDir(node) + ".properties" }

// tempDir is where the jars unpack libraries of the system's own kind, such as snappy's. In the
// system's folder for that, a node that is killed would leave them for good.
func (j Java) tempDir() string { return j.dataDir("tmp") }

func (j Java) logFile(node int) string {
	return filepath.Join(j.Home, "logs", "java-"+strconv.Itoa(node)+".log")
}

// checkData says why the data that is there cannot be used. It changes nothing.
func (j Java) checkData() error {
	path := j.dataDir(madeBy)
	version, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if v := strings.TrimSpace(string(version)); v != "" && older(Version, v) {
		return msg.Errorf("the data in %s was written by Apache Kafka %s, and this course has "+
			"%s, which cannot read it: use the newer course, or delete the data with "+
			"`make wipe`", show.Text(j.dataDir()), show.Text(v), Version)
	}
	for node := range stand.Brokers {
		if err := j.checkMeta(node); err != nil {
			return err
		}
	}
	if err == nil {
		return j.checkAllThere()
	}
	return nil // no start has come to the end of formatting: the next one goes on with it
}

// checkAllThere refuses data of which a part has been deleted: a voter that has forgotten
// everything confuses the others.
func (j Java) checkAllThere() error {
	var gone []int
	for node := range stand.Brokers {
		if _, err := os.Stat(j.nodeDir(node)); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, node)
		}
	}
	if len(gone) == 0 || len(gone) == stand.Brokers {
		return nil
	}
	return msg.Errorf("the data of broker %d is gone and that of others is there (%s): delete "+
		"all data with `make wipe`", gone[0], show.Text(j.dataDir()))
}

// checkMeta says why the data folder of a node is not its own.
func (j Java) checkMeta(node int) error {
	path := filepath.Join(j.nodeDir(node), metaFile)
	data, err := os.ReadFile(path)
	if _, gone := os.Stat(j.nodeDir(node)); errors.Is(gone, fs.ErrNotExist) {
		return nil // it is made at the start
	}
	meta := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		meta[name] = value
	}
	id := strconv.Itoa(node)
	switch {
	case err != nil || meta["cluster.id"] == "" || meta["node.id"] == "":
		return msg.Errorf("the data of broker %d is damaged (%s): delete all data with "+
			"`make wipe`", node, show.Text(path))
	case meta["cluster.id"] != j.Settings.ClusterID:
		return msg.Errorf("the data of broker %d belongs to the cluster %s and %s says %s: "+
			"delete the data with `make wipe`, or put the old id back",
			node, show.Text(meta["cluster.id"]), "docker-compose.yml", j.Settings.ClusterID)
	case meta["node.id"] != id:
		return msg.Errorf("the data in %s belongs to broker %s, not to %s: delete the data "+
			"with `make wipe`", show.Text(j.nodeDir(node)), show.Text(meta["node.id"]), id)
	}
	return nil
}

// prepare writes the nodes' settings and formats the data folders that are not there.
func (j Java) prepare(ctx context.Context, o Options, l launch) error {
	if err := os.MkdirAll(j.dataDir(), 0o700); err != nil {
		return err
	}
	var wg sync.WaitGroup
	failed := make([]error, stand.Brokers)
	for node := range stand.Brokers {
		p := encode(j.Settings.Properties(node, o, j.nodeDir(node)))
		if err := os.WriteFile(j.propertiesFile(node), p, 0o600); err != nil {
			return err
		}
		if _, err := os.Stat(j.nodeDir(node)); err == nil {
			continue
		}
		wg.Go(func() { failed[node] = j.format(ctx, node, o, l) })
	}
	wg.Wait()
	if err := errors.Join(failed...); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	how, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := os.WriteFile(j.dataDir(launchFile), how, 0o600); err != nil {
		return err
	}
	return os.WriteFile(j.dataDir(madeBy), []byte(Version+"\n"), 0o600)
}

// format makes the data folder of a node, under another name first: a folder under its
// own name is whole.
func (j Java) format(ctx context.Context, node int, o Options, l launch) error {
	temp, settings := j.newDir(node), j.newPropertiesFile(node)
	if err := os.RemoveAll(temp); err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	defer os.Remove(settings)
	p := encode(j.Settings.Properties(node, o, temp))
	if err := os.WriteFile(settings, p, 0o600); err != nil {
		return err
	}
	args := append(j.java(l), storageTool, "format",
		"--cluster-id", j.Settings.ClusterID, "--config", settings)
	cmd := exec.CommandContext(ctx, l.Java, args...)
	cmd.Env = environment(os.Environ())
	cmd.Dir = j.dataDir()
	group(cmd)
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return msg.Errorf("cannot make the data folder of broker %d: %s", node,
			reason(string(out)))
	}
	return os.Rename(temp, j.nodeDir(node))
}

// readLaunch returns how the nodes were started.
func (j Java) readLaunch() (launch, error) {
	var l launch
	path := j.dataDir(launchFile)
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &l)
	}
	if err == nil && l.Java == "" {
		err = msg.Errorf("it names no Java")
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		err = file.Err
	}
	if err != nil {
		return l, msg.Errorf("%s does not say how the brokers were started (%w): `make down` "+
			"and `make up` write it anew", show.Text(path), err)
	}
	return l, nil
}

// java returns the options for the Java machine.
func (j Java) java(l launch) []string {
	return append(l.JVM[:len(l.JVM):len(l.JVM)],
		"-XX:-UsePerfData", // its file in /tmp outlives a node that is killed
		"-Djava.io.tmpdir="+j.tempDir(),
		"-XX:ErrorFile="+filepath.Join(j.Home, "logs", "java-crash-%p.log"),
		"-Djava.awt.headless=true",
		"-Dorg.slf4j.simpleLogger.showDateTime=true",
		"-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS",
		"-Dorg.slf4j.simpleLogger.showThreadName=false",
		"-cp", filepath.Join(j.libDir(), "*"))
}

// inUTF8 makes a JVM take paths and texts for UTF-8, as this program does. By the locale C, or
// one that is not installed, it would take them for ASCII, and find no folder with other
// letters. On macOS a JVM always takes paths for UTF-8, and older ones have no C.UTF-8.
func inUTF8(environ []string) []string {
	if runtime.GOOS == "darwin" {
		return environ
	}
	return append(environ, "LC_ALL=C.UTF-8") // the last one of a name counts
}

// environment leaves out what would change the nodes behind our back: only the settings
// of docker-compose.yml count.
func environment(environ []string) []string {
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(name, "KAFKA_"), name == "CLASSPATH", name == "JDK_JAVA_OPTIONS",
			name == "JAVA_TOOL_OPTIONS", name == "_JAVA_OPTIONS":
		default:
			env = append(env, kv)
		}
	}
	return inUTF8(env)
}
