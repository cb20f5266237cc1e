//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
)

// finds checks that the doctor has a line of that level and thing with all the words.
func (p *place) finds(r result, level, what string, words ...string) {
	p.t.Helper()
	for line := range strings.Lines(r.stdout) {
		f := strings.Fields(line)
		found := len(f) > 1 && f[0] == level && f[1] == what
		for _, w := range words {
			found = found && strings.Contains(line, w)
		}
		if found {
			return
		}
	}
	p.t.Errorf("no line %s %s with %q: %v", level, what, words, r)
}

func TestDoctorOfAHealthyMachine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.clone()
	r := p.must(p.course("doctor"), 0)
	p.finds(r, "ok", "go", "go1.")
	p.finds(r, "ok", "course", p.root())
	p.finds(r, "ok", "home", p.home)
	p.finds(r, "ok", "disk", "MiB")
	p.finds(r, "ok", "stand", "not up")
	p.finds(r, "ok", "ports", fmt.Sprintf("%d-%d", p.port, p.port+2))
	p.finds(r, "ok", "language", "en")
	if _, err := os.Stat(p.home); err == nil {
		t.Error("the doctor has made the home")
	}
	p.up()
	r = p.must(p.course("doctor"), 0)
	p.finds(r, "ok", "stand", fmt.Sprintf("localhost:%d", p.port), fmt.Sprint(p.pid()))
	p.finds(r, "ok", "bootstrap", "brokers: 3")
	p.finds(r, "ok", "broker", "broker 2", fmt.Sprintf("localhost:%d", p.port+2))
}

func TestDoctorNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.port+1))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	r := p.must(p.course("doctor"), 1)
	p.finds(r, "fail", "ports", fmt.Sprintf("port %d is taken", p.port+1), "COURSE_PORT")
	p.finds(r, "warn", "course")

	for kv, what := range map[string]string{
		"COURSE_HOME=/": "home", "COURSE_PORT=1": "ports", "COURSE_STAND=x": "stand",
		"PATH=/nowhere": "go",
	} {
		cmd := p.command("doctor")
		cmd.Env = p.environ(kv)
		r := p.must(p.finish(cmd), 1)
		p.finds(r, "fail", what)
	}
}

func TestDoctorTellsNoSecret(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const secret = "canary-5f3a"
	p.vars = append(p.vars, "KAFKA_SASL_PASSWORD="+secret, "KAFKA_SSL_KEY_PASSWORD="+secret,
		"KAFKA_SASL_USER=barista\x1b[2J", "DATABASE_URL=postgres://u:"+secret+"@h/db",
		"COURSE_TOKEN="+secret)
	r := p.course("doctor")
	if strings.Contains(r.stdout+r.stderr, secret) || strings.Contains(r.stdout, "\x1b") {
		t.Errorf("a secret, or a raw escape: %v", r)
	}
	p.finds(r, "ok", "variable", "KAFKA_SASL_PASSWORD=***")
	p.finds(r, "warn", "variable", "KAFKA_SSL_KEY_PASSWORD")
	p.vars = nil
}

func TestDoctorSeesAStandThatWasKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.up()
	p.kill()
	p.finds(p.must(p.course("doctor"), 0), "warn", "state", "killed")
	p.write("stand.json", []byte("{"))
	p.finds(p.must(p.course("doctor"), 0), "warn", "state", "damaged")
	p.write("stand.json", []byte(`{"version":7}`))
	p.finds(p.must(p.course("doctor"), 1), "fail", "stand", "version 7")
	if err := os.Remove(filepath.Join(p.home, "stand.json")); err != nil {
		t.Fatal(err)
	}
}

// A cluster that answers at its bootstrap address and sends its clients to a name that
// is not known here.
func TestDoctorFollowsAdvertisedAddresses(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const named = "kafka.invalid:9092"
	p.vars = append(p.vars, "KAFKA_BOOTSTRAP="+clusterThatTells(t, named))
	r := p.must(p.course("doctor"), 1)
	p.finds(r, "ok", "bootstrap", "brokers: 1")
	p.finds(r, "fail", "broker", named, "advertised.listeners")

	p.vars = append(p.vars, "KAFKA_BOOTSTRAP=127.0.0.1:1")
	r = p.must(p.course("doctor"), 1)
	p.finds(r, "fail", "bootstrap", "127.0.0.1:1", "refused")
	p.vars = nil
}

// A broker that is frozen: the kernel accepts its connections, and nobody answers.
func TestDoctorAsksEachBroker(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	p := newPlace(t)
	p.vars = append(p.vars, "KAFKA_BOOTSTRAP="+clusterThatTells(t, silent.Addr().String()))
	r := p.must(p.course("doctor"), 1)
	p.finds(r, "ok", "bootstrap", "brokers: 1")
	p.finds(r, "fail", "broker", "does not answer at "+silent.Addr().String(), "in time")
	p.vars = nil
}

// clusterThatTells starts a cluster of one broker, which sends its clients to another
// address than its own. It returns its own.
func clusterThatTells(t *testing.T, told string) (own string) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.ListenFn(
		func(network, address string) (net.Listener, error) {
			ln, err := net.Listen(network, address)
			if err == nil {
				own = ln.Addr().String()
			}
			return elsewhere{ln, told}, err
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return own
}

// elsewhere is a listener that says it has another address.
type elsewhere struct {
	net.Listener
	told string
}

func (e elsewhere) Addr() net.Addr { return address(e.told) }

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }
