// Package daemon is the embedded stand itself: three Kafka brokers in one background
// process, their data on disk.
package daemon

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/embedded"
	"brew.example/internal/msg"
)

// retentionEvery is how often records past their topic's retention.ms go, and
// retentionFirst when they go first. Kafka looks every five minutes; a learner cannot
// wait so long.
const (
	retentionFirst = time.Second
	retentionEvery = 5 * time.Second
)

// gcPercent makes the garbage collector run five times as often as by default.
// The brokers keep some 70 bytes for each batch and read records from disk, so the
// heap is small and a collection is cheap; the default would let garbage of produce
// requests take as much memory again.
const gcPercent = 20

// Options say where the brokers listen and keep their data.
type Options struct {
	// Data is the folder of the brokers' data.
	Data string
	// Ports are the brokers' ports, in order of their node ids.
	Ports []int
	// Bind is the address to listen on, and Advertise the host that the brokers
	// name to their clients.
	Bind, Advertise string
	// Log takes the daemon's log.
	Log io.Writer
}

// Daemon is a running cluster of three brokers.
type Daemon struct {
	cluster *kfake.Cluster
	client  *kgo.Client // of the cluster, for its retention
	log     *log
}

// Start opens the data and the ports. After an error nothing is open.
func Start(o Options) (*Daemon, error) {
	debug.SetGCPercent(gcPercent)
	log := newLog(o.Log)
	data := filepath.Clean(o.Data)
	for _, name := range journals {
		if err := mend(filepath.Join(data, name)); err != nil {
			return nil, msg.Errorf("cannot mend %s: %w", name, err)
		}
	}
	c, err := embedded.New(
		kfake.DataDir(data),
		kfake.Ports(o.Ports...),
		kfake.ListenFn(guardListener(o.Bind, o.Advertise, log)),
		kfake.ClusterID("brew"),
		kfake.WithLogger(log),
	)
	if err != nil {
		return nil, err
	}
	limit(c)
	cl, err := kgo.NewClient(
		kgo.SeedBrokers(c.ListenAddrs()...),
		kgo.Dialer(dialer(o.Bind)),
		kgo.MetadataMinAge(retentionFirst), // by default, new topics would be seen a pass later
	)
	if err != nil {
		c.Close()
		return nil, err
	}
	log.write("life", msg.Sprintf("the stand is up, its brokers listen on %s, ports "+
		"%v", o.Bind, o.Ports))
	return &Daemon{cluster: c, client: cl, log: log}, nil
}

// dialer dials the brokers where they listen: the name that they advertise may be known in
// another network alone.
func dialer(bind string) func(context.Context, string, string) (net.Conn, error) {
	if ip := net.ParseIP(bind); ip != nil && ip.IsUnspecified() {
		bind = "localhost"
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(bind, port))
	}
}

// Serve keeps the brokers up until ctx ends or alive says no, then closes them. It
// asks alive as often as it applies retention.
func (d *Daemon) Serve(ctx context.Context, alive func() bool) {
	defer func() { d.log.write("end", msg.Text("the stand is down")) }()
	defer d.Close()
	next := time.NewTimer(retentionFirst)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		if !alive() {
			d.log.write("life", msg.Text("the stand's folder has been deleted: the stand stops"))
			return
		}
		d.retain(ctx)
		next.Reset(retentionEvery)
	}
}

// retain applies retention. What fails is tried again at the next time.
func (d *Daemon) retain(ctx context.Context) {
	pass, cancel := context.WithTimeout(ctx, retentionEvery)
	defer cancel()
	err := embedded.ApplyRetention(pass, d.cluster, d.client, time.Now())
	if err != nil && ctx.Err() == nil {
		d.log.write("retention", msg.Sprintf("records past their retention.ms stay: %v", err))
	}
}

// Close ends the brokers.
func (d *Daemon) Close() {
	d.client.Close()
	d.cluster.Close()
}
