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
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	seeds := cl.SeedBrokers()
	addrs, _ := cl.OptValue(kgo.SeedBrokers).([]string)
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
	for range seeds {
		a := <-answers
		if a.err == nil {
			return nil
		}
		reasons[a.seed] = reason(a.err)
	}
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
		return cause
	}
	return msg.Errorf("no broker answers: %s", byReason(addrs, reasons))
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

// reason says in a few words why a broker could not be talked to, and the way out.
func reason(err error) string {
	var (
		dns      *net.DNSError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		verify   *tls.CertificateVerificationError
		record   tls.RecordHeaderError
		alert    tls.AlertError
		eof      *kgo.ErrFirstReadEOF
	)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return msg.Sprintf("connection refused (start the stand with `make up`, or check KAFKA_BOOTSTRAP)")
	case errors.As(err, &dns):
		return msg.Sprintf("the name does not resolve (check KAFKA_BOOTSTRAP)")
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return msg.Sprintf("user or password refused (check KAFKA_SASL_USER and KAFKA_SASL_PASSWORD)")
	case errors.Is(err, kerr.UnsupportedSaslMechanism):
		return msg.Sprintf("mechanism refused (check KAFKA_SASL_MECHANISM)")
	case errors.As(err, &unknown):
		return msg.Sprintf("its certificate is signed by an unknown authority (name the CA's file in KAFKA_TLS_CA)")
	case errors.As(err, &hostname):
		return msg.Sprintf("its certificate is for another name (check KAFKA_BOOTSTRAP): %s", hostname.Error())
	case errors.As(err, &verify):
		return msg.Sprintf("its certificate is refused: %s", show.Text(verify.Err.Error()))
	case errors.As(err, &record):
		return msg.Sprintf("it does not speak TLS (unset KAFKA_TLS)")
	case errors.As(err, &alert):
		return msg.Sprintf("it refuses our TLS (%s); does it want KAFKA_TLS_CERT and KAFKA_TLS_KEY?", show.Text(alert.Error()))
	case errors.As(err, &eof), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return msg.Sprintf("it closes the connection at once (does it want KAFKA_TLS=1, another KAFKA_TLS or KAFKA_SASL_MECHANISM?)")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return msg.Sprintf("no answer")
	}
	return show.Text(err.Error())
}
