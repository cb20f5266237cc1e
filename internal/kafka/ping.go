package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// pingTimeout leaves Ping time to report within the 10 s that it promises.
const pingTimeout = 8 * time.Second

// Ping returns nil as soon as one bootstrap address answers: a dead broker of three
// is no error. When none answers it fails within 10 s and names each address, the
// reason, and what to do.
//
// Without it a program whose cluster is down looks idle: the client retries inside
// and a poll returns nothing, for as long as one waits.
func Ping(ctx context.Context, cl *kgo.Client) error {
	_, err := ping(ctx, cl, 0)
	return err
}

// grace is how long UseAnswering waits for more addresses once one has answered.
const grace = 250 * time.Millisecond

// UseAnswering is Ping, and leaves cl only the bootstrap addresses that have answered. A
// client asks any of those that it has when it does not know the cluster yet, and would wait
// for a frozen broker as for another one.
func UseAnswering(ctx context.Context, cl *kgo.Client) error {
	answering, err := ping(ctx, cl, grace)
	r := reachOf(cl)
	if err != nil || r == nil || len(answering) == len(cl.SeedBrokers()) {
		return err
	}
	r.seeds.Store(&answering)
	return cl.UpdateSeedBrokers(answering...)
}

// seedAddrs returns the addresses of cl.SeedBrokers, which do not tell theirs.
func seedAddrs(cl *kgo.Client) []string {
	if r := reachOf(cl); r != nil {
		if seeds := r.seeds.Load(); seeds != nil {
			return *seeds
		}
	}
	addrs, _ := cl.OptValue(kgo.SeedBrokers).([]string)
	return addrs
}

// ping returns the addresses that answer within wait after the first one.
func ping(ctx context.Context, cl *kgo.Client, wait time.Duration) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	seeds, addrs := cl.SeedBrokers(), seedAddrs(cl)
	used := transportOf(cl)
	type answer struct {
		seed int
		err  error
	}
	answers := make(chan answer, len(seeds))
	for i, seed := range seeds {
		go func() {
			_, err := seed.Request(ctx, kmsg.NewPtrMetadataRequest())
			answers <- answer{i, err}
		}()
	}
	reasons := make([]string, len(seeds))
	var answering []string
	var enough <-chan time.Time // never, without an answer
	for range seeds {
		select {
		case <-enough:
			return answering, nil
		case a := <-answers:
			switch {
			case a.err == nil && wait == 0:
				return nil, nil
			case a.err == nil:
				answering = append(answering, addrs[a.seed])
				if enough == nil {
					enough = time.After(wait)
				}
			case errors.Is(a.err, kgo.ErrClientClosed):
				return nil, a.err
			default:
				reasons[a.seed] = used.reason(a.err)
			}
		}
	}
	if len(answering) > 0 {
		return answering, nil
	}
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
		return nil, cause
	}
	return nil, msg.Errorf("no broker answers: %s", byReason(addrs, reasons))
}

// byReason joins addresses and reasons into one line, with the addresses that share
// a reason together.
func byReason(addrs, reasons []string) string {
	var order []string
	groups := map[string][]string{}
	for i, reason := range reasons {
		if groups[reason] == nil {
			order = append(order, reason)
		}
		groups[reason] = append(groups[reason], addrs[i])
	}
	var parts []string
	for _, reason := range order {
		parts = append(parts, strings.Join(groups[reason], ", ")+": "+reason)
	}
	return strings.Join(parts, "; ")
}

// transport is what a client uses on top of TCP: what a refusal means depends on it.
type transport struct{ tls, cert, sasl bool }

func transportOf(cl *kgo.Client) transport {
	cfg, _ := cl.OptValue(kgo.DialTLSConfig).(*tls.Config)
	mechanisms, _ := cl.OptValue(kgo.SASL).([]sasl.Mechanism)
	return transport{
		tls:  cfg != nil,
		cert: cfg != nil && len(cfg.Certificates) > 0,
		sasl: len(mechanisms) > 0,
	}
}

// reason says in a few words why a broker could not be talked to, and the way out.
func (t transport) reason(err error) string {
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, wsaRefused):
		return msg.Sprintf("connection refused (start the stand with `make up`; if " +
			"KAFKA_BOOTSTRAP is set, check it, or unset it to use the stand)")
	case errors.As(err, &dns):
		return msg.Sprintf("the name does not resolve (check KAFKA_BOOTSTRAP)")
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return msg.Sprintf("user or password refused (check KAFKA_SASL_USER and " +
			"KAFKA_SASL_PASSWORD)")
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		return msg.Sprintf("mechanism refused (check KAFKA_SASL_MECHANISM)")
	case errors.Is(err, kerr.IllegalSaslState):
		return msg.Sprintf("it wants no login (unset KAFKA_SASL_MECHANISM, KAFKA_SASL_USER and " +
			"KAFKA_SASL_PASSWORD)")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, wsaReset):
		return t.closed(err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return msg.Sprintf("no answer (is it paused, busy or no Kafka? check KAFKA_BOOTSTRAP and " +
			"KAFKA_TLS)")
	case strings.Contains(err.Error(), "invalid large response size"): // kgo has no type for it
		return msg.Sprintf("it answers, and not as Kafka does (check the port in " +
			"KAFKA_BOOTSTRAP; or does it want KAFKA_TLS=1?)")
	}
	if s := t.tlsReason(err); s != "" {
		return s
	}
	return msg.Sprintf("%s (check KAFKA_BOOTSTRAP, KAFKA_TLS and KAFKA_SASL_MECHANISM)",
		show.Text(err.Error()))
}

// Windows' numbers for refused and reset connections; package syscall has other ones
// under the usual names there.
const (
	wsaReset   = syscall.Errno(10054)
	wsaRefused = syscall.Errno(10061)
)

// closed explains a connection that the broker closed without a word, as brokers do
// with clients that speak otherwise than they.
func (t transport) closed(err error) string {
	var first *kgo.ErrFirstReadEOF
	switch {
	case t.sasl && errors.Is(err, io.EOF) && !errors.As(err, &first):
		return msg.Sprintf("it closes the connection at the login (check KAFKA_SASL_MECHANISM, " +
			"KAFKA_SASL_USER and KAFKA_SASL_PASSWORD)")
	case t.tls && t.sasl:
		return msg.Sprintf("it closes the connection at once (does it speak TLS? if not, unset " +
			"KAFKA_TLS)")
	case t.tls:
		return msg.Sprintf("it closes the connection at once (does it speak TLS? if not, unset " +
			"KAFKA_TLS; or does it want a login: KAFKA_SASL_MECHANISM?)")
	case t.sasl:
		return msg.Sprintf("it closes the connection at once (does it want KAFKA_TLS=1?)")
	}
	return msg.Sprintf("it closes the connection at once (does it want KAFKA_TLS=1, or a login: " +
		"KAFKA_SASL_MECHANISM?)")
}

// tlsReason explains a TLS handshake that failed on either side; empty for other errors.
func (t transport) tlsReason(err error) string {
	var (
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    *net.OpError
	)
	switch {
	case errors.As(err, &unknown):
		return msg.Sprintf("its certificate is signed by an unknown authority (name the CA's " +
			"file in KAFKA_TLS_CA)")
	case errors.As(err, &hostname):
		return msg.Sprintf("its certificate is for another name (check KAFKA_BOOTSTRAP): %s",
			show.Text(hostname.Error()))
	case errors.As(err, &verify):
		return msg.Sprintf("its certificate is refused (%s); ask whoever runs the cluster",
			show.Text(verify.Err.Error()))
	case errors.As(err, &record):
		return msg.Sprintf("it does not speak TLS (unset KAFKA_TLS)")
	case errors.As(err, &alert) && alert.Op == "remote error" && t.cert:
		return msg.Sprintf("it refuses our TLS (%s); check KAFKA_TLS_CERT and KAFKA_TLS_KEY",
			show.Text(alert.Err.Error()))
	case errors.As(err, &alert) && alert.Op == "remote error":
		return msg.Sprintf("it refuses our TLS (%s); does it want KAFKA_TLS_CERT and "+
			"KAFKA_TLS_KEY?", show.Text(alert.Err.Error()))
	}
	return ""
}
