// Package doctor looks at what the course needs on this machine and says what is
// wrong and how to put it right.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/course/brokers"
	"brew.example/course/standctl"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Levels of a finding. Only Fail keeps the lectures from working.
const (
	OK   = "ok"
	Warn = "warn"
	Fail = "fail"
)

// Finding is one line of the doctor's.
type Finding struct {
	Level string
	// What is the thing looked at: a word, the same in both languages.
	What string
	// Text says what was found, and the way out.
	Text string
}

const (
	toolWait = 5 * time.Second
	dialWait = 3 * time.Second
	// lowDisk is when a disk is nearly full, noDisk when the stand soon cannot write.
	lowDisk = 500 << 20
	noDisk  = 50 << 20
)

// Examine looks at everything and hands each finding to tell as soon as it is there.
func Examine(ctx context.Context, tell func(Finding)) {
	for _, look := range []func(context.Context) []Finding{
		goTool, folder, language, environment, theStand, cluster, tools,
	} {
		for _, f := range look(ctx) {
			tell(f)
		}
	}
}

// Print writes a finding in a line.
func Print(w io.Writer, f Finding) {
	fmt.Fprintf(w, "%-4s  %-9s  %s\n", f.Level, f.What, f.Text)
}

func ok(what, text string) Finding   { return Finding{OK, what, text} }
func warn(what, text string) Finding { return Finding{Warn, what, text} }
func fail(what string, err error) Finding {
	return Finding{Fail, what, strings.TrimSpace(err.Error())}
}

func goTool(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, toolWait)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "version").Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return []Finding{fail("go", msg.Errorf("there is no `go` on PATH; "+
			"install Go, see https://go.dev/dl/"))}
	case err != nil:
		return []Finding{fail("go", msg.Errorf("`go version` does not work: %w", err))}
	}
	return []Finding{ok("go", show.Text(strings.TrimSpace(string(out))))}
}

func folder(context.Context) []Finding {
	root, err := stand.Root(".")
	if err != nil {
		return []Finding{warn("course", msg.Text("not inside a clone of the course: `course run` "+
			"and `course demo` work there only"))}
	}
	return []Finding{ok("course", show.Text(root))}
}

func language(context.Context) []Finding {
	return []Finding{ok("language",
		msg.Sprintf("%s; COURSE_LANG=en or ru chooses another", msg.Lang()))}
}

// ours are the variables that the course reads, beside those of kafka.Environment.
var ours = []string{"COURSE_HOME", "COURSE_LANG", "COURSE_PORT", "COURSE_STAND"}

// environment shows the variables that are set. A value is shown only if the course
// reads the variable: what it does not know may be a secret of something else.
func environment(context.Context) []Finding {
	var found []Finding
	env := os.Environ()
	slices.Sort(env)
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		known := slices.Contains(kafka.Environment, name) || slices.Contains(ours, name)
		like := strings.HasPrefix(name, "KAFKA_") || strings.HasPrefix(name, "COURSE_")
		switch {
		case value == "" || !like:
		case name == "KAFKA_SASL_PASSWORD":
			found = append(found, ok("variable", name+"=***"))
		case known:
			found = append(found, ok("variable", name+"="+show.Text(value)))
		default:
			found = append(found, warn("variable", msg.Sprintf("%s is set and the course does "+
				"not read it; it reads %s",
				show.Text(name), strings.Join(slices.Concat(kafka.Environment, ours), ", "))))
		}
	}
	return found
}

func theStand(ctx context.Context) []Finding {
	var notes []string
	ctl, err := standctl.New(func(line string) { notes = append(notes, line) })
	if err != nil {
		return []Finding{fail("home", err)}
	}
	var found []Finding
	if err := ctl.CheckWritable(); err != nil {
		found = append(found, fail("home", err))
	} else {
		found = append(found, ok("home", show.Text(ctl.Home())))
	}
	found = append(found, disk(ctl)...)
	s, up, note, err := ctl.Status(ctx)
	for _, line := range notes {
		found = append(found, warn("state", line))
	}
	switch {
	case err != nil:
		return append(found, fail("stand", err))
	case up:
		addrs := strings.Join(s.Bootstrap, ", ")
		found = append(found, ok("stand", msg.Sprintf("up: %s, %s, pid %s", s.Kind, addrs,
			cmp.Or(s.PIDText(), "-"))))
		if err := standctl.Wanted(s.State); err != nil {
			found = append(found, fail("stand", err))
		}
		for _, b := range s.Brokers {
			if trouble := b.Trouble(); trouble != "" {
				found = append(found, warn("broker", trouble))
			}
		}
		if err := cmp.Or(standctl.Serving(s.Brokers), standctl.Majority(s.Brokers)); err != nil {
			found = append(found, fail("stand", err))
		}
		return found
	case note != "":
		found = append(found, warn("state", note))
	}
	if s.Unfinished {
		return found // what is left of it may have the ports
	}
	found = append(found, ok("stand", msg.Text("not up; `make up` or any lecture's `make run` "+
		"starts it")))
	return append(found, ports()...)
}

func disk(ctl *standctl.Control) []Finding {
	free, err := ctl.DiskFree()
	switch {
	case err != nil:
		return []Finding{warn("disk", msg.Sprintf("cannot tell how much room is left: %v", err))}
	case free < noDisk:
		return []Finding{fail("disk", msg.Errorf("only %d MiB are left for the stand: make room, "+
			"or set COURSE_HOME to another disk", free>>20))}
	case free < lowDisk:
		return []Finding{warn("disk", msg.Sprintf("only %d MiB are left for the stand: make "+
			"room, or set COURSE_HOME to another disk", free>>20))}
	}
	return []Finding{ok("disk", msg.Sprintf("%d MiB are left", free>>20))}
}

// ports says which ports of a stand that is not up are taken by something else.
func ports() []Finding {
	kind, err := stand.Kind()
	if err != nil {
		return []Finding{fail("stand", err)}
	}
	first, err := stand.Port()
	if err != nil {
		return []Finding{fail("ports", err)}
	}
	list := stand.Ports(first)
	if kind == stand.Java {
		list = brokers.AllPorts(first)
	}
	if err := standctl.ProbeLocal(list); err != nil {
		return []Finding{fail("ports", err)}
	}
	var ranges []string
	for part := range slices.Chunk(list, stand.Brokers) {
		ranges = append(ranges, fmt.Sprintf("%d-%d", part[0], part[len(part)-1]))
	}
	return []Finding{ok("ports", msg.Sprintf("%s are free", strings.Join(ranges, ", ")))}
}

// cluster looks at the brokers that programs will use: whether they answer at the
// bootstrap addresses, and at those that they give their clients.
func cluster(ctx context.Context) []Finding {
	ours := os.Getenv("KAFKA_BOOTSTRAP") == ""
	var known []brokers.Broker
	if ours {
		ctl, err := standctl.New(func(string) {})
		if err != nil {
			return nil // theStand has said it
		}
		if _, up, err := ctl.Running(); err != nil || !up {
			return nil // said as well
		}
		known, _ = ctl.Brokers(ctx) // the embedded stand is one process
		if known != nil && standctl.Serving(known) != nil {
			return nil
		}
	}
	cl, err := kafka.NewClient(kgo.RequestTimeoutOverhead(dialWait))
	if err != nil {
		return []Finding{fail("cluster", err)}
	}
	defer cl.Close()
	if err := kafka.UseAnswering(ctx, cl); err != nil {
		return []Finding{fail("bootstrap", err)}
	}
	limited, cancel := context.WithTimeout(ctx, 3*dialWait)
	defer cancel()
	listed, err := kadm.NewClient(cl).ListBrokers(limited)
	if err != nil {
		return []Finding{fail("bootstrap", msg.Errorf("no broker tells which brokers there are "+
			"(%s)", reason(err)))}
	}
	// Right after a broker has died the others list it still. Why it does not answer has
	// been said.
	listed = slices.DeleteFunc(listed, func(b kadm.BrokerDetail) bool {
		return slices.ContainsFunc(known, func(k brokers.Broker) bool {
			return k.Node == int(b.NodeID) && k.Trouble() != ""
		})
	})
	found := []Finding{ok("bootstrap",
		msg.Sprintf("the cluster answers, brokers: %d", len(listed)))}
	return append(found, advertised(ctx, cl, listed, ours)...)
}

func reason(err error) string { return cmp.Or(kafka.Lost(err), show.Text(err.Error())) }

// advertised asks each broker at its address, all at once.
func advertised(
	ctx context.Context, cl *kgo.Client, list kadm.BrokerDetails, ours bool,
) []Finding {
	found := make([]Finding, len(list))
	var wg sync.WaitGroup
	for i, b := range list {
		wg.Go(func() {
			addr := net.JoinHostPort(b.Host, fmt.Sprint(b.Port))
			found[i] = ok("broker",
				msg.Sprintf("broker %d answers at %s", b.NodeID, show.Text(addr)))
			if err := dial(ctx, addr); err != nil && !ours {
				found[i] = fail("broker", msg.Errorf("broker %d calls itself %s "+
					"and is not to be reached there (%w): "+
					"clients go to that address whatever KAFKA_BOOTSTRAP says; "+
					"set advertised.listeners of the broker, or make the name known here",
					b.NodeID, show.Text(addr), err))
				return
			}
			// A connection proves little: the kernel accepts it for a process that is frozen.
			limited, cancel := context.WithTimeout(ctx, dialWait)
			defer cancel()
			question := kmsg.NewPtrMetadataRequest()
			question.Topics = []kmsg.MetadataRequestTopic{} // of none
			if _, err := cl.Broker(int(b.NodeID)).Request(limited, question); err != nil {
				found[i] = fail("broker", msg.Errorf("broker %d does not answer at %s (%s)",
					b.NodeID, show.Text(addr), reason(err)))
			}
		})
	}
	wg.Wait()
	return found
}

func dial(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, dialWait)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err == nil {
		return conn.Close()
	}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		return msg.Errorf("the name is unknown here")
	case ctx.Err() != nil:
		return msg.Errorf("no answer within %s", dialWait)
	case errors.As(err, &op):
		return op.Err
	}
	return err
}

// tools names what only some parts of the course need, and checks what the kind of stand
// that COURSE_STAND names needs.
func tools(ctx context.Context) []Finding {
	var found []Finding
	ctx, cancel := context.WithTimeout(ctx, toolWait)
	defer cancel()
	switch kind, _ := stand.Kind(); kind {
	case stand.Java:
		if err := brokers.CheckJava(ctx); err != nil {
			found = append(found, fail("java stand", err))
		}
	case stand.Docker:
		if err := brokers.CheckDocker(ctx); err != nil {
			found = append(found, fail("docker stand", err))
		}
	}
	for _, tool := range []string{"make", "java", "mvn", "docker"} {
		if path, err := exec.LookPath(tool); err == nil {
			found = append(found, ok(tool, show.Text(path)))
		} else {
			found = append(found, ok(tool, msg.Text("not on PATH; "+
				"the embedded stand does without it")))
		}
	}
	return found
}
