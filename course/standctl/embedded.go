package standctl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"brew.example/course/ports"
	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

const (
	loopback  = "127.0.0.1"
	localhost = "localhost"
	// startWait is how long the brokers may take to read their data.
	startWait = 60 * time.Second
)

// embedded runs the brokers in a background process of the course's own tool.
type embedded struct{}

// fill puts in what the flags leave open.
func (o UpOptions) fill() UpOptions {
	if o.Bind == "" {
		o.Bind = loopback
	}
	if o.Advertise == "" {
		o.Advertise = o.Bind
		if o.Bind == loopback { // another loopback address is not what localhost means
			o.Advertise = localhost
		}
	}
	return o
}

// Local says whether only programs on this machine can reach the stand.
func (o UpOptions) Local() bool {
	ip := net.ParseIP(o.Bind)
	return o.Bind == "" || ip != nil && ip.IsLoopback()
}

// Check refuses flags that do not fit together.
func (o UpOptions) Check() error {
	ip := net.ParseIP(o.Bind)
	switch {
	case o.Bind != "" && ip == nil:
		return cli.Usagef("--bind %s is not an IP address of this machine, "+
			"such as 0.0.0.0 for all of them",
			show.Text(o.Bind))
	case ip != nil && ip.IsUnspecified() && o.Advertise == "":
		return cli.Usagef("--bind %s needs --advertise HOST: "+
			"the name by which other machines reach this one", o.Bind)
	case o.Advertise != "" && !isHost(o.Advertise):
		return cli.Usagef("--advertise %s is not a host: "+
			"give a name or an address without a port", show.Text(o.Advertise))
	}
	return nil
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?$`)

// isHost says whether clients can be told to connect to it: an address of a machine, or a
// name, whose last part is no number. All brokers' answers carry it to all clients.
func isHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return !ip.IsUnspecified() && (ip.Zone() == "" || hostName.MatchString(ip.Zone()))
	}
	name := strings.TrimSuffix(host, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	_, number := strconv.ParseUint(last, 0, 64)
	return len(name) <= 253 && hostName.MatchString(host) && number != nil &&
		!strings.HasPrefix(host, "-")
}

// bootstrap returns the addresses of the brokers for programs on this machine.
func (o UpOptions) bootstrap(ports []int) []string {
	host := o.Bind
	switch ip := net.ParseIP(o.Bind); {
	case o.Advertise == localhost:
		host = localhost
	case ip.IsUnspecified():
		host = loopback
	}
	addrs := make([]string, len(ports))
	for i, port := range ports {
		addrs[i] = net.JoinHostPort(host, strconv.Itoa(port))
	}
	return addrs
}

// report is what the daemon says on its standard output when it is ready or is not
// going to be.
type report struct {
	State stand.State `json:"state"`
	Error string      `json:"error,omitempty"`
}

// Report writes what the daemon has to say to the command that has started it.
func Report(to io.Writer, s stand.State, failed error) error {
	r := report{State: s}
	if failed != nil {
		r.Error = failed.Error()
	}
	return json.NewEncoder(to).Encode(r)
}

func (embedded) start(
	ctx context.Context, h home, o UpOptions, on []int, _ func(string),
) (stand.State, error) {
	o = o.fill()
	if err := ports.Probe(o.Bind, on); err != nil {
		return stand.State{}, err
	}
	logTo, err := h.rotateLog()
	if err != nil {
		return stand.State{}, err
	}
	defer logTo.Close()
	self, err := os.Executable()
	if err != nil {
		return stand.State{}, err
	}
	cmd := exec.Command(self, DaemonVerb, "--home", string(h),
		"--first-port", strconv.Itoa(on[0]), "--bind", o.Bind, "--advertise", o.Advertise)
	cmd.Dir = string(h)
	cmd.Env = daemonEnv(os.Environ())
	cmd.Stderr = logTo
	detach(cmd)
	said, err := cmd.StdoutPipe()
	if err != nil {
		return stand.State{}, err
	}
	if err := cmd.Start(); err != nil {
		return stand.State{}, msg.Errorf("the stand does not start: %w", err)
	}
	s, err := await(ctx, said, logTo.Name())
	if err != nil {
		// Whatever state it is in, nobody knows about it: it must not stay.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = h.unpublish()
		return stand.State{}, err
	}
	return s, cmd.Process.Release()
}

// await waits for the daemon's report.
func await(ctx context.Context, from io.Reader, logName string) (stand.State, error) {
	type answer struct {
		report
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		a.err = json.NewDecoder(from).Decode(&a.report)
		answers <- a
	}()
	limit := time.NewTimer(startWait)
	defer limit.Stop()
	select {
	case <-ctx.Done():
		return stand.State{}, context.Cause(ctx)
	case <-limit.C:
		return stand.State{}, msg.Errorf("the stand is not ready after %s; its log is %s",
			startWait, show.Text(logName))
	case a := <-answers:
		switch {
		case a.err != nil:
			return stand.State{}, msg.Errorf("the stand died at its start: %s; its log is %s",
				lastLine(logName), show.Text(logName))
		case a.Error != "":
			return stand.State{}, errors.New(a.Error)
		}
		return a.State, nil
	}
}

// daemonEnv leaves out what the daemon must not know: it talks to no other cluster.
func daemonEnv(environ []string) []string {
	var env []string
	for _, kv := range environ {
		if !strings.HasPrefix(kv, "KAFKA_") {
			env = append(env, kv)
		}
	}
	return env
}

// rotateLog opens a new log and keeps the one before it.
func (h home) rotateLog() (*os.File, error) {
	if err := os.MkdirAll(h.path(logDir), 0o700); err != nil {
		return nil, unusable(string(h), err)
	}
	path := stand.Log(string(h))
	if err := os.Rename(path, path+".1"); err != nil && !os.IsNotExist(err) {
		return nil, unusable(string(h), err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, unusable(string(h), err)
	}
	return f, nil
}

// lastLine returns the last line of the log: of a crash, the most telling one that is
// there without reading the rest.
func lastLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	for line := range bytes.Lines(data) {
		// A Go program that dies names the reason first, its goroutines after that.
		text := string(line)
		if strings.HasPrefix(text, "panic:") || strings.HasPrefix(text, "fatal error:") {
			return show.Text(strings.TrimSpace(text))
		}
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return show.Text(strings.TrimSpace(last))
	}
	return msg.Text("it said nothing")
}

// stop asks the daemon to close its files, and kills it when it does not.
func (embedded) stop(ctx context.Context, h home, r record, say func(string)) error {
	proc, ours := h.find(r.Processes[0])
	if !ours {
		return h.gone(ctx, time.Second) // it has ended between two looks
	}
	if err := proc.Terminate(); err != nil {
		return msg.Errorf("cannot stop the stand, pid %d: %w", proc.Pid, err)
	}
	if err := h.gone(ctx, stopWait); err == nil || ctx.Err() != nil {
		h.awaitEnd(r.Processes[0])
		return err
	}
	say(msg.Sprintf("the stand (pid %d) did not stop within %s and is killed; no acknowledged "+
		"record is lost by that",
		proc.Pid, stopWait))
	if err := proc.Kill(); err != nil {
		return msg.Errorf("cannot stop the stand, pid %d: %w", proc.Pid, err)
	}
	return h.gone(ctx, stopWait)
}

// awaitEnd waits for a process that has let go of its lock to be gone, too. A moment is
// all that it needs for that.
func (h home) awaitEnd(p stand.Process) {
	for range 100 {
		if _, ours := h.find(p); !ours {
			return
		}
		time.Sleep(lockRetry)
	}
}

// gone waits until nobody holds the stand's lock.
func (h home) gone(ctx context.Context, wait time.Duration) error {
	l := newLock(h.path(standLock))
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	ok, err := l.TryLockContext(limited, lockRetry)
	switch {
	case ok:
		return l.Unlock()
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return msg.Errorf("the stand is still there after %s", wait)
	}
	return unusable(string(h), err)
}
