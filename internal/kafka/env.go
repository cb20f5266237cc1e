package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// Environment names the variables that NewClient reads, for tools that show them.
// The value of KAFKA_SASL_PASSWORD must never be printed.
var Environment = []string{
	"KAFKA_BOOTSTRAP", "KAFKA_TLS", "KAFKA_TLS_CA", "KAFKA_TLS_CERT", "KAFKA_TLS_KEY",
	"KAFKA_SASL_MECHANISM", "KAFKA_SASL_USER", "KAFKA_SASL_PASSWORD",
}

// connection is how to reach a cluster.
type connection struct {
	bootstrap []string
	tls       *tls.Config
	sasl      sasl.Mechanism
	warnings  []string
}

func connect(getenv func(string) string) (connection, error) {
	var c connection
	var err error
	if c.bootstrap, err = bootstrap(getenv("KAFKA_BOOTSTRAP")); err != nil {
		return c, err
	}
	if getenv("KAFKA_BOOTSTRAP") == "" {
		// Left over from another cluster: the stand has no TLS and wants no login.
		for _, name := range []string{"KAFKA_SASL_MECHANISM", "KAFKA_TLS"} {
			if v := getenv(name); v != "" && v != "0" {
				return c, cli.Usagef("%s is set and KAFKA_BOOTSTRAP is not: the stand wants no "+
					"login and no TLS; unset it, or set KAFKA_BOOTSTRAP", name)
			}
		}
	}
	if c.tls, err = tlsConfig(getenv); err != nil {
		return c, err
	}
	if c.sasl, err = saslMechanism(getenv); err != nil {
		return c, err
	}
	if c.sasl != nil && c.sasl.Name() == "PLAIN" && c.tls == nil && !allLoopback(c.bootstrap) {
		c.warnings = append(c.warnings, msg.Sprintf("warning: KAFKA_SASL_MECHANISM=PLAIN without "+
			"KAFKA_TLS=1 sends the password readable over the network to %s",
			strings.Join(c.bootstrap, ", ")))
	}
	return c, nil
}

// bootstrap returns the addresses in list, else those of the running stand.
func bootstrap(list string) ([]string, error) {
	if list == "" {
		return fromStand()
	}
	var addrs []string
	for addr := range strings.SplitSeq(list, ",") {
		addr = strings.TrimSpace(addr)
		host, port, err := net.SplitHostPort(addr)
		n, noPort := strconv.ParseUint(port, 10, 16)
		if err != nil || host == "" || noPort != nil || n == 0 {
			return nil, cli.Usagef("KAFKA_BOOTSTRAP=%q: %q is not an address; "+
				"write host:port,host:port", list, addr)
		}
		addrs = append(addrs, addr)
	}
	return addrs, nil
}

func fromStand() ([]string, error) {
	home, err := stand.Home()
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	s, err := stand.Read(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, msg.Errorf("no stand is running and KAFKA_BOOTSTRAP is not set: " +
			"start one with `make up` (without make: `go run ./course up`) in the course's root")
	}
	return s.Bootstrap, err
}

func tlsConfig(getenv func(string) string) (*tls.Config, error) {
	ca, cert, key := getenv("KAFKA_TLS_CA"), getenv("KAFKA_TLS_CERT"), getenv("KAFKA_TLS_KEY")
	switch v := getenv("KAFKA_TLS"); v {
	case "1":
	case "", "0":
		for _, name := range []string{"KAFKA_TLS_CA", "KAFKA_TLS_CERT", "KAFKA_TLS_KEY"} {
			if getenv(name) != "" {
				return nil, cli.Usagef("%s is set and KAFKA_TLS is not: "+
					"set KAFKA_TLS=1, or unset it", name)
			}
		}
		return nil, nil
	default:
		return nil, cli.Usagef("KAFKA_TLS=%q: 1 for TLS, 0 or unset for none", v)
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, cli.Usagef("KAFKA_TLS_CA cannot be read: %w", err)
		}
		cfg.RootCAs = x509.NewCertPool()
		if !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, cli.Usagef("KAFKA_TLS_CA: no certificate in %s; a PEM file is expected", ca)
		}
	}
	if (cert == "") != (key == "") {
		return nil, cli.Usagef("KAFKA_TLS_CERT and KAFKA_TLS_KEY go together: set both or none")
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, cli.Usagef("KAFKA_TLS_CERT and KAFKA_TLS_KEY cannot be used: %w", err)
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	return cfg, nil
}

func saslMechanism(getenv func(string) string) (sasl.Mechanism, error) {
	user, password := getenv("KAFKA_SASL_USER"), getenv("KAFKA_SASL_PASSWORD")
	name := getenv("KAFKA_SASL_MECHANISM")
	if name == "" {
		if user != "" || password != "" {
			return nil, cli.Usagef("KAFKA_SASL_USER or KAFKA_SASL_PASSWORD is set and " +
				"KAFKA_SASL_MECHANISM is not: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
		}
		return nil, nil
	}
	var mechanism sasl.Mechanism
	switch name {
	case "PLAIN":
		mechanism = plain.Auth{User: user, Pass: password}.AsMechanism()
	case "SCRAM-SHA-256":
		mechanism = scram.Auth{User: user, Pass: password}.AsSha256Mechanism()
	case "SCRAM-SHA-512":
		mechanism = scram.Auth{User: user, Pass: password}.AsSha512Mechanism()
	default:
		return nil, cli.Usagef("KAFKA_SASL_MECHANISM=%q: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512",
			name)
	}
	if user == "" || password == "" {
		return nil, cli.Usagef("KAFKA_SASL_MECHANISM=%s needs KAFKA_SASL_USER and "+
			"KAFKA_SASL_PASSWORD", name)
	}
	return mechanism, nil
}

func allLoopback(addrs []string) bool {
	for _, addr := range addrs {
		host, _, _ := net.SplitHostPort(addr)
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}
