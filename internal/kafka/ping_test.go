package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
	"brew.example/internal/msg"
)

// kafkaLike makes a listener that closes a connection whose first bytes claim more than
// Kafka takes, as a broker does with a TLS hello on a plaintext port. kfake waits for
// the rest.
func kafkaLike(network, address string) (net.Listener, error) {
	ln, err := net.Listen(network, address)
	return sizeGuard{ln}, err
}

type sizeGuard struct{ net.Listener }

func (g sizeGuard) Accept() (net.Conn, error) {
	conn, err := g.Listener.Accept()
	return &guardedConn{Conn: conn}, err
}

type guardedConn struct {
	net.Conn
	seen bool
}

func (c *guardedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.seen && n > 0 && p[0] > 6 { // 100 MiB are 06 40 00 00
		c.Close()
		return 0, net.ErrClosed
	}
	c.seen = true
	return n, err
}

// secured are the clusters that the tests of TLS and SASL talk to.
type secured struct {
	plain, tls, wrongName, expired, mutual, mutual12, sasl, sasl256 string

	ca, cert, key, otherCert, otherKey string
}

func secure(t *testing.T) secured {
	t.Helper()
	later := time.Now().Add(time.Hour)
	ca, other := newAuthority(t), newAuthority(t)
	pair, cert, key := ca.issue(t, "", later)
	wrong, _, _ := ca.issue(t, "kafka.brew.example", later)
	old, _, _ := ca.issue(t, "", time.Now().Add(-time.Hour))
	s := secured{ca: ca.file, cert: cert, key: key}
	_, s.otherCert, s.otherKey = other.issue(t, "", later)
	withTLS := func(cert tls.Certificate) string {
		_, addrs := start(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{cert}}))
		return addrs
	}
	mutual := func(version uint16) string {
		_, addrs := start(t, kfake.TLS(&tls.Config{
			Certificates: []tls.Certificate{pair}, MaxVersion: version,
			ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: ca.pool,
		}))
		return addrs
	}
	_, s.plain = start(t, kfake.ListenFn(kafkaLike))
	s.tls, s.wrongName, s.expired = withTLS(pair), withTLS(wrong), withTLS(old)
	s.mutual, s.mutual12 = mutual(tls.VersionTLS13), mutual(tls.VersionTLS12)
	_, s.sasl = start(t, kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", canary),
		kfake.Superuser("SCRAM-SHA-256", "ann", canary),
		kfake.Superuser("SCRAM-SHA-512", "ann", canary))
	_, s.sasl256 = start(t, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "ann", canary))
	return s
}

// login returns the variables of a SASL login.
func login(bootstrap, mechanism, user, password string) map[string]string {
	return vars("BOOTSTRAP", bootstrap, "SASL_MECHANISM", mechanism, "SASL_USER", user,
		"SASL_PASSWORD", password)
}

func TestPing(t *testing.T) {
	t.Parallel()
	s := secure(t)
	silent := silentAddr(t)
	one := strings.Split(s.plain, ",")[0]
	tests := []struct {
		name string
		env  map[string]string
	}{
		{"plaintext", vars("BOOTSTRAP", s.plain)},
		{"localhost", vars("BOOTSTRAP", strings.ReplaceAll(s.plain, "127.0.0.1", "localhost"))},
		{"one dead of three", vars("BOOTSTRAP", deadAddr(t)+","+s.plain)},
		{"two dead of three", vars("BOOTSTRAP", deadAddr(t)+","+deadAddr(t)+","+one)},
		{"one silent of two", vars("BOOTSTRAP", silent+","+one)},
		{"one unresolvable of two", vars("BOOTSTRAP", "no-such-broker.invalid:9092,"+one)},
		{"own CA", vars("BOOTSTRAP", s.tls, "TLS", "1", "TLS_CA", s.ca)},
		{"client certificate", vars("BOOTSTRAP", s.mutual, "TLS", "1", "TLS_CA", s.ca,
			"TLS_CERT", s.cert, "TLS_KEY", s.key)},
		{"PLAIN", login(s.sasl, "PLAIN", "ann", canary)},
		{"SCRAM-SHA-256", login(s.sasl, "SCRAM-SHA-256", "ann", canary)},
		{"SCRAM-SHA-512", login(s.sasl, "SCRAM-SHA-512", "ann", canary)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cl, stderr := clientOf(t, tt.env)
			began := time.Now()
			if err := Ping(context.Background(), cl); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > pingTimeout/2 {
				t.Errorf("took %s: waited for a dead one", took)
			}
			if stderr.String() != "" {
				t.Errorf("printed %q", stderr)
			}
		})
	}
}

// refusal is a way not to reach a broker.
type refusal struct {
	name string
	env  map[string]string
	en   string // the reason in English
	want string // what both languages name
}

func refusals(t *testing.T) []refusal {
	t.Helper()
	s := secure(t)
	dead, dead2 := deadAddr(t), deadAddr(t)
	closer := listen(t, func(c net.Conn) { c.Close() })
	http := listen(t, func(c net.Conn) {
		c.Read(make([]byte, 4096))
		c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		c.Close()
	})
	caTLS := func(addrs string, more ...string) map[string]string {
		return vars(append([]string{"BOOTSTRAP", addrs, "TLS", "1", "TLS_CA", s.ca}, more...)...)
	}
	return []refusal{
		{"nothing listens", vars("BOOTSTRAP", dead+","+dead2), "connection refused",
			dead + ", " + dead2 + ": |make up|KAFKA_BOOTSTRAP"},
		{"unresolvable", vars("BOOTSTRAP", "no-such-broker.invalid:9092"), "does not resolve",
			"no-such-broker.invalid:9092: |KAFKA_BOOTSTRAP"},
		{"a reason each", vars("BOOTSTRAP", dead+","+closer), "it closes the connection",
			dead + ": connection refused|; " + closer + ": |KAFKA_TLS=1"},
		{"TLS to plaintext", caTLS(s.plain), "does it speak TLS?",
			"KAFKA_TLS|KAFKA_SASL_MECHANISM"},
		{"TLS and SASL to plaintext", caTLS(s.plain, "SASL_MECHANISM", "PLAIN", "SASL_USER", "ann",
			"SASL_PASSWORD", canary), "does it speak TLS?", "KAFKA_TLS"},
		{"plaintext to TLS", vars("BOOTSTRAP", s.tls), "it closes the connection", "KAFKA_TLS=1"},
		{"SASL, TLS missing", login(s.tls, "PLAIN", "ann", canary), "it closes the connection",
			"KAFKA_TLS=1"},
		{"unknown CA", vars("BOOTSTRAP", s.tls, "TLS", "1"), "unknown authority", "KAFKA_TLS_CA"},
		{"wrong host name", caTLS(s.wrongName), "another name", "KAFKA_BOOTSTRAP|127.0.0.1"},
		{"certificate expired", caTLS(s.expired), "refused", "expired"},
		{"client certificate missing", caTLS(s.mutual), "does it want",
			"certificate required|KAFKA_TLS_CERT|KAFKA_TLS_KEY"},
		{"client certificate missing, TLS 1.2", caTLS(s.mutual12), "does it want",
			"handshake failure|KAFKA_TLS_CERT|KAFKA_TLS_KEY"},
		{"client certificate of another CA",
			caTLS(s.mutual, "TLS_CERT", s.otherCert, "TLS_KEY", s.otherKey), "check KAFKA_TLS_CERT",
			"unknown certificate authority|KAFKA_TLS_CERT|KAFKA_TLS_KEY"},
		{"login missing", vars("BOOTSTRAP", s.sasl), "or a login", "KAFKA_SASL_MECHANISM"},
		{"PLAIN, wrong password", login(s.sasl, "PLAIN", "ann", canary+"x"), "at the login",
			"KAFKA_SASL_PASSWORD"},
		{"PLAIN, wrong user", login(s.sasl, "PLAIN", "bob", canary), "at the login",
			"KAFKA_SASL_USER"},
		{"SCRAM-SHA-256, wrong password", login(s.sasl, "SCRAM-SHA-256", "ann", canary+"x"),
			"at the login", "KAFKA_SASL_PASSWORD"},
		{"SCRAM-SHA-512, wrong password", login(s.sasl, "SCRAM-SHA-512", "ann", canary+"x"),
			"at the login", "KAFKA_SASL_PASSWORD"},
		{"another mechanism", login(s.sasl256, "SCRAM-SHA-512", "ann", canary), "at the login",
			"KAFKA_SASL_MECHANISM"},
		{"HTTP", vars("BOOTSTRAP", http), "not as Kafka does", "KAFKA_BOOTSTRAP|KAFKA_TLS=1"},
		{"HTTP, TLS", vars("BOOTSTRAP", http, "TLS", "1"), "does not speak TLS", "KAFKA_TLS"},
	}
}

// TestPingFails holds that each way not to reach a broker is told in one line with the
// addresses, the reason and the variable to change.
func TestPingFails(t *testing.T) {
	t.Parallel()
	for _, tt := range refusals(t) {
		t.Run(tt.name, func(t *testing.T) {
			cl, _ := clientOf(t, tt.env)
			began := time.Now()
			err := Ping(context.Background(), cl)
			want := strings.Split(tt.want, "|")
			for addr := range strings.SplitSeq(tt.env["KAFKA_BOOTSTRAP"], ",") {
				want = append(want, addr)
			}
			if msg.Lang() == msg.English {
				want = append(want, tt.en)
			}
			oneLine(t, err, want...)
			// Ping has 10 s at most, and a busy machine some more.
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestPingOfTheRefusals holds what a real broker answers to a login, where kfake only
// closes the connection.
func TestPingOfTheRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  *kerr.Error
		key  int16
		want string
	}{
		{kerr.SaslAuthenticationFailed, 36, "user or password refused (check KAFKA_SASL_USER"},
		{kerr.UnsupportedSaslMechanism, 17, "mechanism refused (check KAFKA_SASL_MECHANISM)"},
		{kerr.IllegalSaslState, 17, "it wants no login (unset KAFKA_SASL_MECHANISM"},
		{kerr.UnknownServerError, 36, `\x1b[2J`},
	}
	for _, tt := range tests {
		t.Run(tt.err.Message, func(t *testing.T) {
			t.Parallel()
			c, addrs := start(t, kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", canary))
			c.ControlKey(tt.key, func(req kmsg.Request) (kmsg.Response, error, bool) {
				c.KeepControl()
				resp := req.ResponseKind()
				switch resp := resp.(type) {
				case *kmsg.SASLHandshakeResponse:
					resp.ErrorCode = tt.err.Code
				case *kmsg.SASLAuthenticateResponse:
					resp.ErrorCode, resp.ErrorMessage = tt.err.Code, kmsg.StringPtr("\x1b[2Jno")
				}
				return resp, nil, true
			})
			cl, _ := clientOf(t, login(addrs, "PLAIN", "ann", canary))
			oneLine(t, Ping(context.Background(), cl), tt.want, "KAFKA_SASL")
		})
	}
}

// TestPingWithoutAnswer holds that Ping keeps its 10 s when a listener accepts and says
// nothing, with and without TLS, and says which address it was.
func TestPingWithoutAnswer(t *testing.T) {
	t.Parallel()
	for _, vs := range [][]string{nil, {"TLS", "1"}} {
		t.Run(fmt.Sprint(vs), func(t *testing.T) {
			t.Parallel()
			silent, dead := silentAddr(t), deadAddr(t)
			cl, _ := clientOf(t, vars(append(vs, "BOOTSTRAP", silent+","+dead)...))
			began := time.Now()
			err := Ping(context.Background(), cl)
			if took := time.Since(began); took >= 10*time.Second {
				t.Errorf("took %s", took)
			}
			oneLine(t, err, silent+": no answer", dead+": connection refused", "KAFKA_BOOTSTRAP")
		})
	}
}

func TestPingIsCancelled(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	silent := listen(t, func(net.Conn) { asked <- struct{}{} })
	cl, _ := clientOf(t, vars("BOOTSTRAP", silent))
	ctx, cancel := context.WithCancel(kafkatest.Context(t))
	go func() {
		<-asked
		cancel()
	}()
	began := time.Now()
	if err := Ping(ctx, cl); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took >= pingTimeout {
		t.Errorf("took %s", took)
	}
}

// TestReasonOnWindows holds the reasons for Windows' own error numbers.
func TestReasonOnWindows(t *testing.T) {
	for number, want := range map[syscall.Errno]string{
		10061: "connection refused", 10054: "it closes the connection",
	} {
		got := transport{}.reason(fmt.Errorf("dial: %w", number))
		if !strings.Contains(got, want) {
			t.Errorf("%d: %q, want %q", int(number), got, want)
		}
	}
}

// TestPingAsProgram holds what a lecture program does at its start: one line, exit 1.
func TestPingAsProgram(t *testing.T) {
	t.Parallel()
	dead := deadAddr(t)
	for lang, prefix := range map[string]string{"en": "error: no broker", "ru": "ошибка: ни один"} {
		env := vars("BOOTSTRAP", dead)
		env["COURSE_LANG"] = lang
		status, stdout, stderr := child(t, "ping", env)
		if status != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 ||
			!strings.HasPrefix(stderr, prefix) || !strings.Contains(stderr, dead) ||
			!strings.Contains(stderr, "connection refused") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", lang, status, stdout, stderr)
		}
	}
	env := login(dead, "GSSAPI", "ann", canary)
	env["COURSE_LANG"] = "ru"
	status, _, stderr := child(t, "ping", env)
	if status != 2 || !strings.HasPrefix(stderr, `ошибка: KAFKA_SASL_MECHANISM="GSSAPI"`) ||
		strings.Contains(stderr, canary) {
		t.Errorf("exit %d, stderr %q", status, stderr)
	}
}
