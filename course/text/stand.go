package text

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"brew.example/course/ports"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// Stand is the Kafka that the console blocks of one text run on.
type Stand interface {
	// Start brings it up.
	Start(ctx context.Context) error
	// Reset has it up and empty, whether it was up before or not.
	Reset(ctx context.Context) error
	// Stop takes it down and removes what it kept. That nothing runs is no error.
	Stop(ctx context.Context) error
	// Release gives it back after the text.
	Release(ctx context.Context) error
	// Whole returns an error that names the brokers which do not run.
	Whole(ctx context.Context) error
	// Up tells whether it runs: the text's own commands may start and stop it.
	Up() bool
	// Env gives the variables by which programs find it.
	Env() []string
	// Clean changes what a line owes to the harness back to what a reader sees.
	Clean(line string) string
}

// courseStand is a stand that the course's tool starts, with a home and ports of
// its own.
type courseStand struct {
	course string // the tool
	kind   string
	home   string
	env    []string

	// The ports, which nobody else gets before release; noPorts tells why there are none.
	port    int
	ports   *regexp.Regexp
	release func()
	noPorts error
	// told: somebody has our Env, so the ports must stay.
	told bool
}

func newCourseStand(course, kind, scratch string, env []string) *courseStand {
	s := &courseStand{course: course, kind: kind, home: filepath.Join(scratch, "home"), env: env}
	s.choosePorts()
	return s
}

// choosePorts takes free ports, and knows their controllers' by them.
func (s *courseStand) choosePorts() {
	if s.port, s.release, s.noPorts = ports.Reserve(); s.noPorts != nil {
		s.release = func() {}
	}
	var all []string
	for i := range stand.Brokers {
		all = append(all, strconv.Itoa(s.port+i), strconv.Itoa(s.port+controllerPorts+i))
	}
	s.ports = regexp.MustCompile(`\b(?:` + strings.Join(all, "|") + `)\b`)
}

// controllerPorts is how far a stand's controllers lie above its brokers.
const controllerPorts = 10

func (s *courseStand) Start(ctx context.Context) error {
	err := s.up(ctx)
	for try := 0; err != nil && try < 2 && ctx.Err() == nil && !s.Up() && !s.told; try++ {
		// A stranger may have taken a port since it was found free.
		s.release()
		s.choosePorts()
		err = s.up(ctx)
	}
	return err
}

func (s *courseStand) up(ctx context.Context) error {
	if s.noPorts != nil {
		return s.noPorts
	}
	_, err := s.run(ctx, "up")
	return err
}

func (s *courseStand) Reset(ctx context.Context) error {
	if err := s.Stop(ctx); err != nil {
		return err
	}
	return s.Start(ctx)
}

func (s *courseStand) Stop(ctx context.Context) error {
	if s.Up() {
		if _, err := s.run(ctx, "down"); err != nil {
			return err
		}
	}
	return os.RemoveAll(s.home)
}

// Release stops it: nobody else uses it.
func (s *courseStand) Release(ctx context.Context) error {
	defer s.release()
	return s.Stop(ctx)
}

// Whole asks `course broker ls`; the embedded stand has no brokers that could be stopped.
func (s *courseStand) Whole(ctx context.Context) error {
	if s.kind == stand.Embedded || !s.Up() {
		return nil
	}
	out, err := s.run(ctx, "broker", "ls")
	if err != nil {
		return err
	}
	var broken []string
	for line := range strings.Lines(out) {
		cells := strings.Fields(line)
		if len(cells) > 2 && cells[0] != "BROKER" && cells[2] != "running" {
			broken = append(broken, cells[0]+" ("+cells[2]+")")
		}
	}
	if len(broken) > 0 {
		return msg.Errorf("the text ends while not all brokers run: %s; start them in its last block",
			strings.Join(broken, ", "))
	}
	return nil
}

func (s *courseStand) Up() bool { return exists(filepath.Join(s.home, stand.File)) }

func (s *courseStand) Env() []string {
	s.told = true
	return s.variables()
}

func (s *courseStand) variables() []string {
	return append(slices.Clone(s.env),
		"COURSE_HOME="+s.home,
		"COURSE_PORT="+strconv.Itoa(s.port),
		"COURSE_STAND="+s.kind)
}

func (s *courseStand) Clean(line string) string {
	return s.ports.ReplaceAllStringFunc(line, func(found string) string {
		n, err := strconv.Atoi(found)
		if err != nil {
			return found
		}
		return strconv.Itoa(n - s.port + stand.DefaultPort)
	})
}

// run runs a verb of the course's tool and returns what it printed.
func (s *courseStand) run(ctx context.Context, verb ...string) (string, error) {
	cmd := exec.CommandContext(ctx, s.course, verb...)
	cmd.Env = s.variables()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	// The stand that `up` leaves behind must not keep us waiting for its output.
	cmd.WaitDelay = waitDelay
	if err := cmd.Run(); err != nil {
		return "", msg.Errorf("the stand: `course %s`: %w: %s", strings.Join(verb, " "), err,
			oneLine(out.String()))
	}
	return out.String(), nil
}

// oneLine shows what a program said, at most its last lines.
func oneLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) > 3 {
		lines = lines[len(lines)-3:]
	}
	for i, line := range lines {
		lines[i] = show.Text(line)
	}
	return strings.Join(lines, "; ")
}
