package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"brew.example/internal/cli"
	"brew.example/internal/stand"
)

func TestEnvironment(t *testing.T) {
	ca := newAuthority(t)
	_, cert, key := ca.issue(t, "", time.Now().Add(time.Hour))
	_, _, otherKey := ca.issue(t, "", time.Now().Add(time.Hour))
	noPEM := filepath.Join(t.TempDir(), "no.pem")
	if err := os.WriteFile(noPEM, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	login := []string{"SASL_USER", "ann", "SASL_PASSWORD", canary}
	mechanisms := "PLAIN, SCRAM-SHA-256"
	tests := []struct {
		name string
		vars []string
		want string // the variable at fault and, behind a |, what else the error names
	}{
		{"no port", []string{"BOOTSTRAP", "localhost"}, `KAFKA_BOOTSTRAP="localhost"|host:port`},
		{"no host", []string{"BOOTSTRAP", ":9092"}, `KAFKA_BOOTSTRAP=":9092"|host:port`},
		{"empty port", []string{"BOOTSTRAP", "a:"}, `KAFKA_BOOTSTRAP="a:"|host:port`},
		{"port of letters", []string{"BOOTSTRAP", "a:kafka"},
			`KAFKA_BOOTSTRAP="a:kafka"|host:port`},
		{"port 0", []string{"BOOTSTRAP", "a:0"}, `KAFKA_BOOTSTRAP="a:0"|host:port`},
		{"port too high", []string{"BOOTSTRAP", "a:65536"}, `KAFKA_BOOTSTRAP="a:65536"|host:port`},
		{"last comma", []string{"BOOTSTRAP", "a:1,"}, `KAFKA_BOOTSTRAP="a:1,"|host:port`},
		{"spaces", []string{"BOOTSTRAP", "a:1 b:2"}, `KAFKA_BOOTSTRAP="a:1 b:2"|host:port`},
		{"URL", []string{"BOOTSTRAP", "http://a:1"}, `KAFKA_BOOTSTRAP="http://a:1"|host:port`},
		{"naked IPv6", []string{"BOOTSTRAP", "::1:9092"}, `KAFKA_BOOTSTRAP="::1:9092"|host:port`},
		{"escape", []string{"BOOTSTRAP", "\x1b[2J\na"}, `KAFKA_BOOTSTRAP="\x1b[2J\na"|host:port`},
		{"TLS word", []string{"TLS", "true"}, `KAFKA_TLS="true"|1|0`},
		{"TLS yes", []string{"TLS", "yes\n"}, `KAFKA_TLS="yes\n"|1|0`},
		{"CA without TLS", []string{"TLS_CA", ca.file}, "KAFKA_TLS_CA|KAFKA_TLS=1"},
		{"cert, TLS off", []string{"TLS", "0", "TLS_CERT", cert}, "KAFKA_TLS_CERT|KAFKA_TLS=1"},
		{"key without TLS", []string{"TLS_KEY", key}, "KAFKA_TLS_KEY|KAFKA_TLS=1"},
		{"no CA file", []string{"TLS", "1", "TLS_CA", "/no/ca.pem"}, "KAFKA_TLS_CA|/no/ca.pem"},
		{"CA is no PEM", []string{"TLS", "1", "TLS_CA", noPEM}, "KAFKA_TLS_CA|no.pem|PEM"},
		{"key alone", []string{"TLS", "1", "TLS_KEY", key}, "KAFKA_TLS_CERT|KAFKA_TLS_KEY"},
		{"cert alone", []string{"TLS", "1", "TLS_CERT", cert}, "KAFKA_TLS_CERT|KAFKA_TLS_KEY"},
		{"no pair", []string{"TLS", "1", "TLS_CERT", cert, "TLS_KEY", otherKey},
			"KAFKA_TLS_CERT|KAFKA_TLS_KEY"},
		{"no key file", []string{"TLS", "1", "TLS_CERT", cert, "TLS_KEY", "/no/key.pem"},
			"KAFKA_TLS_CERT|/no/key.pem"},
		{"mechanism", append(login, "SASL_MECHANISM", "plain"),
			`KAFKA_SASL_MECHANISM="plain"|SCRAM-SHA-512|` + mechanisms},
		{"mechanism of others", append(login, "SASL_MECHANISM", "GSSAPI"),
			`KAFKA_SASL_MECHANISM="GSSAPI"|SCRAM-SHA-512|` + mechanisms},
		{"no mechanism", login, "KAFKA_SASL_MECHANISM|SCRAM-SHA-512|" + mechanisms},
		{"password alone", login[2:], "KAFKA_SASL_MECHANISM|KAFKA_SASL_PASSWORD"},
		{"no user", []string{"SASL_MECHANISM", "PLAIN", "SASL_PASSWORD", canary},
			"KAFKA_SASL_MECHANISM=PLAIN|KAFKA_SASL_USER"},
		{"no password", []string{"SASL_MECHANISM", "SCRAM-SHA-512", "SASL_USER", "ann"},
			"KAFKA_SASL_MECHANISM=SCRAM-SHA-512|KAFKA_SASL_PASSWORD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := vars(append([]string{"BOOTSTRAP", "localhost:9092"}, tt.vars...)...)
			_, err := connect(func(name string) string { return env[name] })
			oneLine(t, err, strings.Split(tt.want, "|")...)
			var usage cli.UsageError
			if !errors.As(err, &usage) {
				t.Errorf("no UsageError, so the exit status is not 2: %v", err)
			}
		})
	}
}

func TestEnvironmentAccepted(t *testing.T) {
	ca := newAuthority(t)
	_, cert, key := ca.issue(t, "", time.Now().Add(time.Hour))
	login := []string{"SASL_USER", "ann", "SASL_PASSWORD", canary, "SASL_MECHANISM"}
	tests := []struct {
		name                string
		vars                []string
		addrs               []string
		tls, ca, cert, warn bool
		mechanism           string
	}{
		{name: "one", vars: []string{"BOOTSTRAP", "kafka:9092"}, addrs: []string{"kafka:9092"}},
		{name: "list", vars: []string{"BOOTSTRAP", "a:1, b:2 ,[::1]:65535"},
			addrs: []string{"a:1", "b:2", "[::1]:65535"}},
		{name: "TLS off", vars: []string{"BOOTSTRAP", "a:1", "TLS", "0"}, addrs: []string{"a:1"}},
		{name: "TLS", vars: []string{"BOOTSTRAP", "a:1", "TLS", "1"}, addrs: []string{"a:1"},
			tls: true},
		{name: "own CA and certificate", addrs: []string{"a:1"}, tls: true, ca: true, cert: true,
			vars: []string{"BOOTSTRAP", "a:1", "TLS", "1", "TLS_CA", ca.file, "TLS_CERT", cert,
				"TLS_KEY", key}},
		{name: "PLAIN over the network", addrs: []string{"localhost:1", "a:1"}, warn: true,
			vars: append(login, "PLAIN", "BOOTSTRAP", "localhost:1,a:1"), mechanism: "PLAIN"},
		{name: "PLAIN to an address", addrs: []string{"10.0.0.1:1"}, warn: true,
			vars: append(login, "PLAIN", "BOOTSTRAP", "10.0.0.1:1"), mechanism: "PLAIN"},
		{name: "PLAIN at home", addrs: []string{"localhost:1", "127.0.0.1:2", "[::1]:3"},
			vars:      append(login, "PLAIN", "BOOTSTRAP", "localhost:1,127.0.0.1:2,[::1]:3"),
			mechanism: "PLAIN"},
		{name: "PLAIN over TLS", addrs: []string{"a:1"}, tls: true, mechanism: "PLAIN",
			vars: append(login, "PLAIN", "BOOTSTRAP", "a:1", "TLS", "1")},
		{name: "SCRAM 256", addrs: []string{"a:1"}, mechanism: "SCRAM-SHA-256",
			vars: append(login, "SCRAM-SHA-256", "BOOTSTRAP", "a:1")},
		{name: "SCRAM 512", addrs: []string{"a:1"}, mechanism: "SCRAM-SHA-512",
			vars: append(login, "SCRAM-SHA-512", "BOOTSTRAP", "a:1")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := vars(tt.vars...)
			c, err := connect(func(name string) string { return env[name] })
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(c.bootstrap, tt.addrs) {
				t.Errorf("addresses %q, want %q", c.bootstrap, tt.addrs)
			}
			if (c.tls != nil) != tt.tls {
				t.Fatalf("TLS %v, want %v", c.tls != nil, tt.tls)
			}
			if tt.tls && (c.tls.MinVersion < tls.VersionTLS12 || c.tls.InsecureSkipVerify ||
				(c.tls.RootCAs != nil) != tt.ca || (len(c.tls.Certificates) == 1) != tt.cert) {
				t.Errorf("TLS settings: %+v", c.tls)
			}
			mechanism := ""
			if c.sasl != nil {
				mechanism = c.sasl.Name()
			}
			if mechanism != tt.mechanism {
				t.Errorf("mechanism %q, want %q", mechanism, tt.mechanism)
			}
			if (len(c.warnings) == 1) != tt.warn {
				t.Errorf("warnings: %q", c.warnings)
			}
			for _, w := range c.warnings {
				oneLine(t, errors.New(w), "KAFKA_SASL_MECHANISM=PLAIN", "KAFKA_TLS=1",
					c.bootstrap[0])
			}
		})
	}
}

// TestWarningIsPrinted holds that the warning comes out, once, and the password does not.
func TestWarningIsPrinted(t *testing.T) {
	_, stderr := clientOf(t, vars("BOOTSTRAP", "kafka.invalid:9092", "SASL_MECHANISM", "PLAIN",
		"SASL_USER", "ann", "SASL_PASSWORD", canary))
	got := stderr.String()
	if strings.Count(got, "\n") != 1 ||
		!strings.Contains(got, "warning: KAFKA_SASL_MECHANISM=PLAIN") {
		t.Errorf("printed %q", got)
	}
	if strings.Contains(got, canary) {
		t.Error("the password was printed")
	}
}

// TestStateFile holds that without KAFKA_BOOTSTRAP the running stand's file is used, that
// with it the file is not even read, and what is said when there is no usable file.
func TestStateFile(t *testing.T) {
	home := t.TempDir()
	t.Setenv("COURSE_HOME", home)
	none := func(string) string { return "" }

	_, err := connect(none)
	oneLine(t, err, "KAFKA_BOOTSTRAP", "make up")
	if errors.As(err, new(cli.UsageError)) {
		t.Errorf("no stand is no wrong usage: %v", err)
	}

	if err := stand.Write(home, stand.State{
		Kind: stand.Embedded, Bootstrap: []string{"127.0.0.1:24991", "127.0.0.1:24992"},
		Ports: []int{24991, 24992, 24993},
	}); err != nil {
		t.Fatal(err)
	}
	c, err := connect(none)
	if want := []string{"127.0.0.1:24991", "127.0.0.1:24992"}; err != nil ||
		!reflect.DeepEqual(c.bootstrap, want) {
		t.Errorf("got %q, %v; want the stand's %q", c.bootstrap, err, want)
	}

	file := filepath.Join(home, stand.File)
	for _, content := range []string{
		`{"version":99,"bootstrap":["a:1"],"ports":[1,2,3]}`, `{"version":1}`, `{`, ``, "\x1b[2J",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = connect(none)
		oneLine(t, err, file)
		if data, _ := os.ReadFile(file); string(data) != content {
			t.Errorf("the file was changed to %q", data)
		}
	}
	env := vars("BOOTSTRAP", "a:1")
	if _, err = connect(func(name string) string { return env[name] }); err != nil {
		t.Errorf("with KAFKA_BOOTSTRAP: %v", err)
	}

	t.Setenv("COURSE_HOME", "relative/path")
	_, err = connect(none)
	oneLine(t, err, `COURSE_HOME="relative/path"`)
	if !errors.As(err, new(cli.UsageError)) {
		t.Errorf("a relative COURSE_HOME is wrong usage: %v", err)
	}
}

// TestNewClient holds that NewClient reads the process's environment, does not connect,
// and lets the caller's options win.
func TestNewClient(t *testing.T) {
	for _, name := range Environment {
		t.Setenv(name, "")
	}
	_, addrs := start(t)
	t.Setenv("KAFKA_BOOTSTRAP", deadAddr(t))
	began := time.Now()
	cl, err := NewClient()
	if err != nil || time.Since(began) > 5*time.Second {
		t.Fatalf("%v after %s; a broker that is down must not matter here", err, time.Since(began))
	}
	cl.Close()

	t.Setenv("KAFKA_BOOTSTRAP", addrs)
	if cl, err = NewClient(); err != nil {
		t.Fatal(err)
	}
	if err := Ping(context.Background(), cl); err != nil {
		t.Error(err)
	}
	cl.Close()

	t.Setenv("KAFKA_TLS", "maybe")
	if _, err := NewClient(); err == nil {
		t.Error("a bad KAFKA_TLS was accepted")
	}
}
