// Package kafka connects the lectures' programs to Kafka: to the stand that runs on
// this machine, or to the cluster that the environment names.
package kafka

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// NewClient returns a client for the cluster that KAFKA_BOOTSTRAP and its companions
// describe, else for the running stand. The caller's options come last, so they win.
//
// It never blocks and does not connect: a broker that is down shows in Ping, or in
// the one line on stderr that the client prints when no broker can be reached any
// more. An error means that the environment or an option is wrong, or that there is
// neither KAFKA_BOOTSTRAP nor a stand.
func NewClient(opts ...kgo.Opt) (*kgo.Client, error) {
	return newClient(os.Getenv, os.Stderr, opts...)
}

// closeTimeout is how long Close waits for the group to let go.
const closeTimeout = 5 * time.Second

// Close leaves the group and closes the client, as cl.Close does, but gives up after
// 5 s: while the group waits for a member that died, cl.Close would wait with it, for a
// session timeout of 45 s. Whoever could not leave is missed by the group later.
func Close(cl *kgo.Client) {
	closed := make(chan struct{})
	go func() {
		cl.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

func newClient(
	getenv func(string) string, stderr io.Writer, opts ...kgo.Opt,
) (*kgo.Client, error) {
	connection, err := connect(getenv)
	if err != nil {
		return nil, err
	}
	base := []kgo.Opt{
		kgo.SeedBrokers(connection.bootstrap...),
		// A client asks for metadata at most this often. The default of 5 s makes whoever
		// has just created a topic wait that long for its leaders to show up.
		kgo.MetadataMinAge(250 * time.Millisecond),
		// A connection that breaks at its first request means wrong settings to franz-go, and
		// is not tried again. To us it means a broker that stops: Ping has found out about
		// wrong settings before.
		kgo.AlwaysRetryEOF(),
		kgo.WithHooks(newReach(stderr, usual)),
	}
	if connection.tls != nil {
		base = append(base, kgo.DialTLSConfig(connection.tls))
	}
	if connection.sasl != nil {
		base = append(base, kgo.SASL(connection.sasl))
	}
	for _, warning := range connection.warnings {
		fmt.Fprintln(stderr, warning)
	}
	return kgo.NewClient(append(base, opts...)...)
}
