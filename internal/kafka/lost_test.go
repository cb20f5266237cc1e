package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestLost(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	reset := &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	shards := func(err error) error {
		return &kadm.ShardErrors{Errs: []kadm.ShardError{{Err: err}}}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("unable to dial: %w", refused), "connection refused"},
		{shards(refused), "connection refused"},
		{wsaRefused, "connection refused"},
		{reset, "the connection breaks off"},
		{io.EOF, "the connection breaks off"},
		{io.ErrUnexpectedEOF, "the connection breaks off"},
		{shards(&kgo.ErrFirstReadEOF{}), "the connection breaks off"},
		{context.DeadlineExceeded, "no answer in time"},
		{os.ErrDeadlineExceeded, "no answer in time"},
		{context.Canceled, ""},
		{kerr.NotCoordinator, ""},
		{kerr.RequestTimedOut, ""},
		{errors.New("something else"), ""},
	} {
		if got := Lost(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
