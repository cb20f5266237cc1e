package brokers

import (
	"context"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

const (
	// readyWait is how long the brokers may take until they serve.
	readyWait = 90 * time.Second
	// attempt is how long one question about that may take.
	attempt = 2 * time.Second
	// offsets is where Kafka keeps what groups have committed.
	offsets = "__consumer_offsets"
)

// asker asks brokers how far they are.
type asker struct {
	client *kgo.Client
	admin  *kadm.Client
}

func newAsker(addrs []string) (*asker, error) {
	cl, err := kgo.NewClient(
		kgo.SeedBrokers(addrs...),
		// A broker that does not answer yet is asked again here, not by the client.
		kgo.DialTimeout(attempt), kgo.RequestRetries(0), kgo.RetryTimeout(attempt),
	)
	if err != nil {
		return nil, err
	}
	return &asker{client: cl, admin: kadm.NewClient(cl)}, nil
}

// until asks again and again until the answer is yes.
func (a *asker) until(ctx context.Context, ready func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		try, stop := context.WithTimeout(limited, attempt)
		err := ready(try)
		stop()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case limited.Err() != nil:
			return msg.Errorf("the brokers do not serve after %s: %s", readyWait,
				show.Text(err.Error()))
		}
		select {
		case <-limited.Done():
		case <-tick.C:
		}
	}
}

// metadata asks one broker for the cluster's brokers and the given topics. Another one
// may for seconds count a broker that has been killed among those that serve, and the
// admin client would answer from its memory.
func (a *asker) metadata(
	ctx context.Context, node int, topics ...string,
) (*kmsg.MetadataResponse, error) {
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = []kmsg.MetadataRequestTopic{} // none; nil would be all
	for _, name := range topics {
		topic := kmsg.NewMetadataRequestTopic()
		topic.Topic = kmsg.StringPtr(name)
		req.Topics = append(req.Topics, topic)
	}
	resp, err := a.client.SeedBrokers()[node].Request(ctx, req)
	if err != nil {
		return nil, err
	}
	return resp.(*kmsg.MetadataResponse), nil
}

// registered says whether a broker serves and knows all the brokers that it should: a
// broker answers once the controllers have let it into the cluster.
func (a *asker) registered(ctx context.Context, node int, others ...int) error {
	m, err := a.metadata(ctx, node)
	if err != nil {
		return err
	}
	for _, want := range append(others, node) {
		if !slices.ContainsFunc(m.Brokers, func(b kmsg.MetadataResponseBroker) bool {
			return int(b.NodeID) == want
		}) {
			return msg.Errorf("broker %d does not know broker %d yet", node, want)
		}
	}
	return nil
}

// serving says whether all brokers are there and groups can join at once. Asking for a
// group's coordinator makes the topic of the commits in a fresh cluster: otherwise the
// first group would wait two seconds for it.
func (a *asker) serving(ctx context.Context) error {
	for node := range stand.Brokers {
		if err := a.registered(ctx, node, 0, 1, 2); err != nil {
			return err
		}
	}
	for _, c := range a.admin.FindGroupCoordinators(ctx, "brew") {
		if c.Err != nil {
			return c.Err
		}
	}
	m, err := a.metadata(ctx, 0, offsets)
	if err != nil {
		return err
	}
	if err := kerr.ErrorForCode(m.Topics[0].ErrorCode); err != nil {
		return err
	}
	for _, p := range m.Topics[0].Partitions {
		if p.Leader < 0 || len(p.ISR) < len(p.Replicas) {
			return msg.Errorf("partition %d of %s is not on all its brokers yet",
				p.Partition, offsets)
		}
	}
	// A broker that still reads the commits of its groups refuses this.
	_, err = a.admin.ListGroups(ctx)
	return err
}

// awaitAll waits until the brokers at addrs serve.
func awaitAll(ctx context.Context, addrs []string) error {
	a, err := newAsker(addrs)
	if err != nil {
		return err
	}
	defer a.client.Close()
	return a.until(ctx, a.serving)
}

// awaitOne waits until one broker of a running cluster serves.
func awaitOne(ctx context.Context, addrs []string, node int) error {
	a, err := newAsker(addrs)
	if err != nil {
		return err
	}
	defer a.client.Close()
	return a.until(ctx, func(ctx context.Context) error { return a.registered(ctx, node) })
}
