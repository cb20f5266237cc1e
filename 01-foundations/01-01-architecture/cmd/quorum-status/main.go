// Command quorum-status shows who keeps the cluster's metadata: the brokers, what the
// metadata response calls the controller, and the quorum of voters, which knows better.
// Guarantee: a majority of the voters is behind a leader that it prints.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	_ "brew.example/01-foundations/ru"
	"brew.example/internal/cli"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/runctx"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

var patience = 5 * time.Second // an election takes some seconds, more if the first one fails

type quorum = kmsg.DescribeQuorumResponseTopicPartition

func main() {
	leader := pflag.Bool("leader", false, msg.Text("print the active controller's number alone"))
	cli.Parse()
	ctx, cancel := runctx.New()
	err := run(ctx, *leader, os.Stdout)
	cancel()
	os.Exit(cli.Status(err))
}

func run(ctx context.Context, leaderAlone bool, stdout io.Writer) error {
	cl, err := kafka.NewClient(kgo.ClientID("quorum-status"))
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := kafka.Ping(ctx, cl); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if leaderAlone {
		q, err := askQuorum(ctx, cl)
		if err == nil {
			fmt.Fprintln(stdout, q.LeaderID)
		}
		return err
	}
	// region metadata
	meta, err := kadm.NewClient(cl).BrokerMetadata(ctx) // any broker answers this
	if err != nil {
		return msg.Errorf("the brokers cannot be listed: %w", err)
	}
	fmt.Fprintf(stdout, "cluster=%s brokers=%d\n", show.Text(meta.Cluster), len(meta.Brokers))
	msg.Fprintf(stdout, "metadata controller (random broker): node=%d\n", meta.Controller)
	// endregion metadata
	start := time.Now()
	q, failed := askQuorum(ctx, cl)
	if failed == nil {
		fmt.Fprintf(stdout, "leader=%d epoch=%d voters=%d observers=%d after=%s\n",
			q.LeaderID, q.LeaderEpoch, len(q.CurrentVoters), len(q.Observers),
			time.Since(start).Round(time.Millisecond))
	}
	head := strings.Fields("NODE HOST PORT RACK ROLE LOG-END LAG")
	return cmp.Or(table.Write(stdout, head, rows(q, meta.Brokers)), failed)
}

// region ask
// askQuorum asks about the log of the metadata, a topic of one partition. Whichever broker
// gets the request passes it on to the active controller, and waits while there is none.
func askQuorum(ctx context.Context, cl *kgo.Client) (quorum, error) {
	req := kmsg.NewPtrDescribeQuorumRequest() // kadm has no call for it
	req.Topics = []kmsg.DescribeQuorumRequestTopic{{Topic: "__cluster_metadata",
		Partitions: []kmsg.DescribeQuorumRequestTopicPartition{{Partition: 0}}}}
	for {
		resp, err := req.RequestWith(ctx, cl)
		if err == nil {
			err = kerr.ErrorForCode(resp.ErrorCode)
		}
		if err != nil {
			return quorum{}, explained(err)
		}
		for _, topic := range resp.Topics {
			for _, q := range topic.Partitions {
				// Without a high watermark nobody follows this leader yet.
				if q.ErrorCode == 0 && q.LeaderID >= 0 && q.HighWatermark >= 0 {
					return q, nil
				}
			}
		}
		runctx.Sleep(ctx, 100*time.Millisecond)
	}
}

// endregion ask

func explained(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return msg.Errorf("no controller has answered for %s: a majority of the voters must "+
			"run (see `make broker-ls`)", patience)
	case strings.Contains(err.Error(), "broker is too old"): // kgo exports no error for it
		return msg.Errorf("this stand imitates the brokers and has no controllers; a real Kafka " +
			"has: `make down`, then COURSE_STAND=java (JDK, Maven) or docker with `make up`")
	}
	return msg.Errorf("the quorum cannot be asked: %w", err)
}

// rows has a row for each node, be it a broker, a voter or both.
func rows(q quorum, brokers kadm.BrokerDetails) (rows [][]string) {
	nodes := map[int32][]string{}
	unknown := "-"
	for _, b := range brokers {
		nodes[b.NodeID] = []string{fmt.Sprint(b.NodeID), show.Text(b.Host), fmt.Sprint(b.Port),
			show.Text(*cmp.Or(b.Rack, &unknown)), "broker", "-", "-"}
	}
	for i, r := range slices.Concat(q.Observers, q.CurrentVoters) {
		id := r.ReplicaID
		if nodes[id] == nil { // the broker is down, or it is a controller alone
			nodes[id] = []string{fmt.Sprint(id), "-", "-", "-", "", "-", "-"}
		}
		nodes[id][4] = "voter"
		if i < len(q.Observers) {
			nodes[id][4] = "observer"
		} else if id == q.LeaderID {
			nodes[id][4] = "active controller"
		}
		if r.LogEndOffset >= 0 { // else this leader has not heard of it
			lag := max(0, q.HighWatermark-r.LogEndOffset)
			nodes[id][5], nodes[id][6] = fmt.Sprint(r.LogEndOffset), fmt.Sprint(lag)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(nodes)) {
		rows = append(rows, nodes[id])
	}
	return rows
}
