package kafka

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
)

// Lost says in a few words why a broker that is known to serve cannot be talked to just
// now; "" for errors of another sort, such as those that a broker has answered with.
//
// Ping explains the same errors to whoever may have wrong settings. Once a broker has
// answered, the settings are right, and franz-go's guesses ("is SASL missing?") mislead.
func Lost(err error) string {
	var answer *kerr.Error
	var first *kgo.ErrFirstReadEOF
	var network *net.OpError
	switch {
	case errors.As(err, &answer), errors.Is(err, context.Canceled):
		return ""
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, wsaRefused):
		return msg.Text("connection refused")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return msg.Text("no answer in time")
	case errors.As(err, &first), kgo.IsRetryableBrokerErr(err), errors.As(err, &network):
		return msg.Text("the connection breaks off")
	}
	return ""
}
