package kafka

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

const (
	// waitLong is when waiting to get into a group becomes strange: a member that lives
	// hears of the newcomer by its next heartbeat, within 3 s.
	waitLong = 8 * time.Second
	// waitNamed is how many client ids a notice names.
	waitNamed = 5
)

// waiting says whom the group waits for when it does not let this member in: one that died
// holds up the newcomers until its session timeout has passed.
func (n *Notices) waiting(ctx context.Context, cl *kgo.Client) {
	group, _ := cl.OptValue(kgo.ConsumerGroup).(string)
	adm := kadm.NewClient(cl)
	for wait := waitLong; ; wait = time.Second {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		ids, err := unsettled(ctx, adm, group)
		n.mu.Lock()
		in := n.asked
		n.mu.Unlock()
		if in || errors.Is(err, kgo.ErrClientClosed) {
			return
		}
		self, _ := cl.OptValue(kgo.ClientID).(string)
		if i := slices.Index(ids, self); i >= 0 && len(ids) > 1 {
			ids = slices.Delete(ids, i, i+1) // a dead one may have the same client id
		}
		if len(ids) == 0 {
			continue
		}
		if len(ids) > waitNamed {
			ids = append(ids[:waitNamed], "…")
		}
		msg.Fprintf(n.w, "%snot in the group yet: it waits for a member that does not answer "+
			"(client id %s); one that died is given up after its session timeout, 45 s by "+
			"default\n", n.prefix, show.Message(show.Text(strings.Join(ids, ", "))))
		return
	}
}

// unsettled returns the client ids of a group in the middle of a rebalance; none of others.
func unsettled(ctx context.Context, adm *kadm.Client, group string) (ids []string, err error) {
	described, err := adm.DescribeGroups(ctx, group)
	if err != nil {
		return nil, err
	}
	g, err := described.On(group, nil)
	if err != nil || g.State != "PreparingRebalance" {
		return nil, err
	}
	for _, m := range g.Members {
		ids = append(ids, m.ClientID)
	}
	slices.Sort(ids)
	return ids, nil
}
