package differences

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafkatest"
)

// Questions about groups.

// member starts a member of a new group and returns when the group has settled.
func (s *site) member(t *testing.T, opts ...kgo.Opt) (cl *kgo.Client, group string) {
	t.Helper()
	group = unique(t)
	topic := s.topic(t, 1)
	s.write(t, topic, 1)
	cl = s.client(t, append([]kgo.Opt{kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic),
		kgo.ClientID("kitchen"), kgo.DisableAutoCommit()}, opts...)...)
	if err := cl.PollFetches(kafkatest.Context(t)).Err(); err != nil {
		t.Fatal(err)
	}
	return cl, group
}

func (s *site) describe(t *testing.T, group string) kadm.DescribedGroup {
	t.Helper()
	groups, err := s.admin(t).DescribeGroups(kafkatest.Context(t), group)
	if err != nil {
		t.Fatal(err)
	}
	return groups[group]
}

var (
	uuidForm = regexp.MustCompile(`^kitchen-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	hexForm  = regexp.MustCompile(`^kitchen-[0-9a-f]{32}$`)
)

func memberID(t *testing.T, s *site) string {
	cl, _ := s.member(t)
	id, _ := cl.GroupMetadata()
	switch {
	case uuidForm.MatchString(id):
		return "CLIENT-UUID"
	case hexForm.MatchString(id):
		return "CLIENT-HEX"
	}
	return id
}

func memberHost(t *testing.T, s *site) string {
	_, group := s.member(t)
	return regexp.MustCompile(`:\d+$`).ReplaceAllString(
		s.describe(t, group).Members[0].ClientHost, ":PORT")
}

// unknownOffsets asks for the offsets of a group that does not exist.
func unknownOffsets(t *testing.T, s *site) string {
	topic := s.topic(t, 1)
	offsets, err := s.admin(t).FetchOffsetsForTopics(kafkatest.Context(t), unique(t), topic)
	if err != nil {
		return code(err)
	}
	o, _ := offsets.Lookup(topic, 0)
	if o.Err != nil {
		return code(o.Err)
	}
	return fmt.Sprint(o.At)
}

func unknownGroup(t *testing.T, s *site) string {
	g := s.describe(t, unique(t))
	if g.Err != nil {
		return code(g.Err)
	}
	return g.State
}

func deleteWithMembers(t *testing.T, s *site) string {
	_, group := s.member(t)
	deleted, err := s.admin(t).DeleteGroup(kafkatest.Context(t), group)
	if err != nil {
		return code(err)
	}
	return code(deleted.Err)
}

// abandoned is the state of a group without commits that its last member has left.
func abandoned(t *testing.T, s *site) string {
	cl, group := s.member(t)
	cl.Close()
	var g kadm.DescribedGroup
	kafkatest.Eventually(t, "no member", func() bool {
		g = s.describe(t, group)
		return len(g.Members) == 0
	})
	if g.Err != nil {
		return code(g.Err)
	}
	return g.State
}

// staticMember counts the members after the only one, a static one, has been closed.
func staticMember(t *testing.T, s *site) string {
	cl, group := s.member(t, kgo.InstanceID("kitchen-1"))
	cl.Close()
	return fmt.Sprint(len(s.describe(t, group).Members))
}

func commitToMissingTopic(t *testing.T, s *site) string {
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: unique(t), At: 1, LeaderEpoch: -1})
	resp, err := s.admin(t).CommitOffsets(kafkatest.Context(t), unique(t), offsets)
	if err == nil {
		err = resp.Error()
	}
	return code(err)
}

func shortSession(t *testing.T, s *site) string {
	m := rawMember{group: unique(t), session: 1000}
	return code(m.join(t, s))
}

// serverSide tells whether the description of a group of the new protocol names the
// topics of its members.
func serverSide(t *testing.T, s *site) string {
	_, group := s.member(t, kgo.ServerSideBalancer())
	ctx := kafkatest.Context(t)
	groups := ask[kadm.DescribedConsumerGroups](t)(
		s.admin(t).DescribeConsumerGroups(ctx, group))
	g := groups[group]
	if g.Err != nil {
		return code(g.Err)
	}
	if len(g.Members) != 1 || slices.Contains(g.Members[0].Assignment.Topics(), "") {
		return no
	}
	return yes
}

// A rawMember joins a group and then says only what it is told to: a client would join
// anew when it is forgotten.
type rawMember struct {
	group, id  string
	generation int32
	session    int32 // milliseconds
}

func (m *rawMember) join(t *testing.T, s *site) error {
	t.Helper()
	ctx, cl := kafkatest.Context(t), s.client(t)
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.ProtocolType = m.group, "consumer"
	req.SessionTimeoutMillis, req.RebalanceTimeoutMillis = m.session, m.session
	p := kmsg.NewJoinGroupRequestProtocol()
	p.Name = "raw"
	req.Protocols = append(req.Protocols, p)
	for {
		resp := ask[*kmsg.JoinGroupResponse](t)(req.RequestWith(ctx, cl))
		if err := kerr.ErrorForCode(resp.ErrorCode); err != nil {
			if err == kerr.MemberIDRequired {
				req.MemberID = resp.MemberID
				continue
			}
			return err
		}
		m.id, m.generation = resp.MemberID, resp.Generation
		break
	}
	sync := kmsg.NewPtrSyncGroupRequest()
	sync.Group, sync.MemberID, sync.Generation = m.group, m.id, m.generation
	sync.ProtocolType, sync.Protocol = kmsg.StringPtr("consumer"), kmsg.StringPtr("raw")
	a := kmsg.NewSyncGroupRequestGroupAssignment()
	a.MemberID = m.id
	sync.GroupAssignment = append(sync.GroupAssignment, a)
	resp := ask[*kmsg.SyncGroupResponse](t)(sync.RequestWith(ctx, cl))
	return kerr.ErrorForCode(resp.ErrorCode)
}

func (m *rawMember) heartbeat(t *testing.T, s *site) error {
	t.Helper()
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.MemberID, req.Generation = m.group, m.id, m.generation
	resp := ask[*kmsg.HeartbeatResponse](t)(req.RequestWith(kafkatest.Context(t), s.client(t)))
	return kerr.ErrorForCode(resp.ErrorCode)
}
