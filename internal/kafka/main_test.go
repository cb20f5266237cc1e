package kafka

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/cli"
	"brew.example/internal/embedded"
	"brew.example/internal/kafkatest"
	"brew.example/internal/msg"
)

// canary is the password of the tests; no text that a program prints may hold it.
const canary = "canary-7f3a"

// TestMain runs the tests in English unless TestInRussian asks otherwise, or does what a
// program does at its start: the tests run their own binary so.
func TestMain(m *testing.M) {
	switch os.Getenv("BREW_TEST_CHILD") {
	case "ping":
		os.Exit(cli.Status(pingAsProgram()))
	case "":
		os.Setenv("COURSE_LANG", "en")
	}
	flag.Parse()
	flag.Set("test.parallel", "20") // they wait for brokers more than they compute
	os.Exit(m.Run())
}

func pingAsProgram() error {
	cl, err := NewClient()
	if err != nil {
		return err
	}
	defer cl.Close()
	return Ping(context.Background(), cl)
}

// child runs this test binary again, as what says, with the environment given by vars and
// with nothing else of ours.
func child(t *testing.T, what string, vars map[string]string, args ...string) (
	status int, stdout, stderr string,
) {
	t.Helper()
	cmd := exec.CommandContext(kafkatest.Context(t), os.Args[0], args...)
	for _, v := range os.Environ() {
		if !regexp.MustCompile(`^(KAFKA|COURSE|LC|LANG|BREW)`).MatchString(v) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	// A program built with -race waits for a second at its end unless told otherwise.
	cmd.Env = append(cmd.Env, "BREW_TEST_CHILD="+what, "GORACE=atexit_sleep_ms=0")
	for name, value := range vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// TestInRussian runs the tests of what is told to a person once more, in Russian: there
// oneLine asks for Cyrillic, and for the same names and values.
func TestInRussian(t *testing.T) {
	if msg.Lang() == msg.Russian {
		return // this is that run
	}
	t.Parallel()
	status, stdout, stderr := child(t, "test", map[string]string{"COURSE_LANG": "ru"},
		"-test.run=^(TestEnvironment|TestPingFails|TestEnsureTopicFails|TestNames)$", "-test.v")
	if status != 0 || !strings.Contains(stdout, "--- PASS: TestPingFails") {
		t.Errorf("exit %d\n%s%s", status, stdout, stderr)
	}
}

// oneLine fails the test unless err is told in one line in the language in use, with
// all of the parts and without the password.
func oneLine(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in: %s", part, text)
		}
	}
	if strings.ContainsAny(text, "\n\r\x1b") {
		t.Errorf("more than a line: %q", text)
	}
	if strings.Contains(text, canary) {
		t.Errorf("the password is in: %s", text)
	}
	if cyrillic := regexp.MustCompile(`\p{Cyrillic}`).MatchString(text); cyrillic !=
		(msg.Lang() == msg.Russian) {
		t.Errorf("COURSE_LANG=%s, and the text is: %s", msg.Lang(), text)
	}
}

// vars returns an environment that holds the KAFKA_ variables of pairs: name, value, …
func vars(pairs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m["KAFKA_"+pairs[i]] = pairs[i+1]
	}
	return m
}

// clientOf returns what NewClient returns in the environment env, and what it printed.
func clientOf(t *testing.T, env map[string]string, opts ...kgo.Opt) (
	*kgo.Client, *kafkatest.Buffer,
) {
	t.Helper()
	var stderr kafkatest.Buffer
	cl, err := newClient(func(name string) string { return env[name] }, &stderr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl, &stderr
}

// start starts a cluster of the test's own and returns its addresses as well.
func start(t *testing.T, opts ...kfake.Opt) (c *kfake.Cluster, addrs string) {
	t.Helper()
	c, err := embedded.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, strings.Join(c.ListenAddrs(), ",")
}

// deadAddr returns an address of this machine that nothing listens on, nor will while the
// test runs: it is the near end of a connection.
func deadAddr(t *testing.T) string {
	t.Helper()
	conn, err := net.Dial("tcp", silentAddr(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.LocalAddr().String()
}

// silentAddr returns an address that accepts connections and answers nothing.
func silentAddr(t *testing.T) string { return listen(t, func(net.Conn) {}) }

// listen calls serve for each connection of a listener and returns its address.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			go serve(conn)
		}
	}()
	return ln.Addr().String()
}
