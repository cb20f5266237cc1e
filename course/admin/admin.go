// Package admin asks a cluster about its consumer groups and topics, and changes them.
//
// It works on any Kafka: the stand, one of the learner's own, a managed one. What a
// broker reports inside a result, for one group or one partition, counts as an error
// like any other: a tool that answers "done" while one of three groups was refused is
// worse than none.
package admin

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafka"
)

// Timeout bounds the requests of one command, once a broker has answered at all.
const Timeout = 30 * time.Second

// retryTimeout is how long one request is tried again. It is shorter than Timeout so
// that a dead broker of three costs its own part of an answer and no more.
const retryTimeout = 8 * time.Second

// silence is how long a broker may take for an answer before another one is asked, on top
// of the time that a request itself gives it: a frozen broker never answers. It leaves room
// for two more tries within retryTimeout.
const silence = 3 * time.Second

// Client talks to one cluster.
type Client struct {
	cl  *kgo.Client
	adm *kadm.Client
}

// Connect returns a client for the cluster that the environment names, or for the
// running stand. It fails when no broker answers.
func Connect(ctx context.Context) (*Client, error) {
	cl, err := kafka.NewClient(kgo.ClientID("course"), kgo.RetryTimeout(retryTimeout),
		kgo.RequestTimeoutOverhead(silence), kgo.DialTimeout(silence))
	if err != nil {
		return nil, err
	}
	if err := kafka.UseAnswering(ctx, cl); err != nil {
		cl.Close()
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		return nil, &Error{Code: CodeUnreachable, Message: err.Error()}
	}
	return &Client{cl: cl, adm: kadm.NewClient(cl)}, nil
}

// Close ends the connections.
func (c *Client) Close() { c.cl.Close() }
