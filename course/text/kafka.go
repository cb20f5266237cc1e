package text

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/msg"
	"brew.example/internal/stand"
)

// breaksBrokers are the commands after which a stand is not what it was.
var breaksBrokers = regexp.MustCompile(`\bbroker[- ](?:stop|kill|pause)\b`)

// stopsBrokers tells whether the text stops brokers of a real Kafka.
func (d *document) stopsBrokers() bool {
	for _, b := range d.blocks {
		for _, s := range b.steps {
			if b.run.runsOn(stand.Java) && breaksBrokers.MatchString(s.command) {
				return true
			}
		}
	}
	return false
}

// sharedStand is a real Kafka that serves one text after the other: starting three
// nodes takes too long to do it for each. In between its topics and groups are removed.
type sharedStand struct{ *courseStand }

func newSharedStand(course, kind string, env []string) (*sharedStand, error) {
	scratch, err := os.MkdirTemp("", "brew-text-")
	if err != nil {
		return nil, err
	}
	return &sharedStand{newCourseStand(course, kind, scratch, env)}, nil
}

func (s *sharedStand) Reset(ctx context.Context) error {
	if !s.Up() {
		return s.Start(ctx)
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(addresses(s.port)...), kgo.MetadataMinAge(50*time.Millisecond))
	if err != nil {
		return err
	}
	defer cl.Close()
	if err := empty(ctx, cl); err != nil {
		return msg.Errorf("cannot empty the stand for the next text: %w", err)
	}
	return nil
}

// Release leaves the stand to the next text.
func (s *sharedStand) Release(context.Context) error { return nil }

// Close takes the stand down and removes what it kept.
func (s *sharedStand) Close(ctx context.Context) error {
	if err := s.courseStand.Release(ctx); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Dir(s.home))
}

// empty removes all groups and topics. A member that a text has killed is still in its
// group, so it is thrown out first.
func empty(ctx context.Context, cl *kgo.Client) error {
	adm := kadm.NewClient(cl)
	groups, err := adm.DescribeGroups(ctx)
	if err != nil {
		return err
	}
	for _, g := range groups.Sorted() {
		if len(g.Members) == 0 {
			continue
		}
		req := kmsg.NewPtrLeaveGroupRequest()
		req.Group = g.Group
		for _, m := range g.Members {
			left := kmsg.NewLeaveGroupRequestMember()
			left.MemberID = m.MemberID
			req.Members = append(req.Members, left)
		}
		if _, err := req.RequestWith(ctx, cl); err != nil {
			return err
		}
	}
	if names := groups.Names(); len(names) > 0 {
		deleted, err := adm.DeleteGroups(ctx, names...)
		if err == nil {
			err = deleted.Error()
		}
		if err != nil {
			return err
		}
	}
	topics, err := adm.ListTopics(ctx)
	if err != nil {
		return err
	}
	if names := topics.Names(); len(names) > 0 {
		if _, err := adm.DeleteTopics(ctx, names...); err != nil {
			return err
		}
	}
	return awaitNoTopics(ctx, adm)
}

// awaitNoTopics returns when no broker tells of a topic any more.
func awaitNoTopics(ctx context.Context, adm *kadm.Client) error {
	for {
		topics, err := adm.ListTopics(ctx)
		if err != nil || len(topics) == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// addresses are the brokers of the stand whose first port is given.
func addresses(first int) []string {
	var addrs []string
	for i := range stand.Brokers {
		addrs = append(addrs, "localhost:"+strconv.Itoa(first+i))
	}
	return addrs
}
