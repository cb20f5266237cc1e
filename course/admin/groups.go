package admin

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// Types of group, as ListGroups names them. A classic group lets its members share
// out the partitions, a consumer group (KIP-848) its coordinator.
const (
	typeClassic  = "classic"
	typeConsumer = "consumer"
	typeShare    = "share"
)

// States that a command reacts to.
const (
	stateEmpty = "Empty"
	stateDead  = "Dead"
)

// Listed is a group as a list shows it. Old brokers leave Type and State empty.
type Listed struct {
	Group       string `json:"group"`
	Type        string `json:"type"`
	Protocol    string `json:"protocol"`
	State       string `json:"state"`
	Coordinator int32  `json:"coordinator"`
}

// Coordinator is the broker that keeps a group.
type Coordinator struct {
	ID   int32  `json:"id"`
	Host string `json:"host"`
	Port int32  `json:"port"`
}

func (c Coordinator) address() string { return address(c.Host, c.Port) }

// Assigned are the partitions of one topic that a member owns.
type Assigned struct {
	Topic      string  `json:"topic"`
	Partitions []int32 `json:"partitions"`
}

// Member is a member of a group.
type Member struct {
	ID         string     `json:"member_id"`
	InstanceID *string    `json:"instance_id"` // set for a static member
	ClientID   string     `json:"client_id"`
	Host       string     `json:"host"`
	Assigned   []Assigned `json:"assignment"`

	subscribed []string
}

// Group is a described group.
type Group struct {
	Name            string      `json:"group"`
	Type            string      `json:"type"`
	State           string      `json:"state"`
	Coordinator     Coordinator `json:"coordinator"`
	Strategy        *string     `json:"assignment_strategy"` // null while there is none
	Epoch           *int32      `json:"group_epoch"`         // these two only for type consumer
	AssignmentEpoch *int32      `json:"target_assignment_epoch"`
	Members         []Member    `json:"members"`
}

// Groups lists the groups of all brokers, in order of their names. When only some
// brokers answer it returns those groups with an error.
func (c *Client) Groups(ctx context.Context) ([]Listed, error) {
	groups, err := c.adm.ListGroups(ctx)
	list := make([]Listed, 0, len(groups))
	for _, g := range groups.Sorted() {
		list = append(list, Listed{
			Group: g.Group, Type: strings.ToLower(g.GroupType), Protocol: g.ProtocolType,
			State: g.State, Coordinator: g.Coordinator,
		})
	}
	shards, ok := errors.AsType[*kadm.ShardErrors](err)
	if !ok {
		if err != nil {
			return nil, failed(msg.Text("list of the groups"), err)
		}
		return list, nil
	}
	var errs []error
	for _, e := range shards.Errs {
		errs = append(errs, unlisted(e))
	}
	return list, errors.Join(errs...)
}

// unlisted is the error of a broker that has not listed its groups.
func unlisted(e kadm.ShardError) *Error {
	lost := kafka.Lost(e.Err)
	if lost == "" {
		return failed(msg.Sprintf("list of the groups of broker %d", e.Broker.NodeID), e.Err)
	}
	return &Error{
		Code: CodeUnreachable,
		Message: msg.Sprintf("broker %d does not answer (%s): the list lacks the groups that it "+
			"coordinates", e.Broker.NodeID, lost),
		Hint: msg.Sprintf("another broker takes them over when it is seen to be gone, if most " +
			"of them run: try again soon"),
	}
}

// GroupNames returns the names of all groups that can be listed.
func (c *Client) GroupNames(ctx context.Context) []string {
	list, _ := c.adm.ListGroups(ctx) // what can be had is enough for a suggestion
	return list.Groups()
}

// Find describes a group without its offsets. A group that does not exist is found out
// here and never by its offsets: a broker answers a fetch of those for any name.
func (c *Client) Find(ctx context.Context, name string) (*Group, error) {
	// The client does not ask again by itself when a description comes too early.
	for deadline := time.Now().Add(retryTimeout); ; {
		g, err := c.find(ctx, name)
		if !unsettled(err) || time.Now().After(deadline) {
			return g, err
		}
		select {
		case <-ctx.Done():
			return g, err
		case <-time.After(settleInterval):
		}
	}
}

// settleInterval is the pause before a group is asked for again.
const settleInterval = 100 * time.Millisecond

// unsettled says whether the group's coordinator is about to be there: a fresh cluster
// first makes the topic of the commits, and after a broker has stopped another one reads
// that topic.
func unsettled(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Code == kerr.CoordinatorNotAvailable.Message ||
		e.Code == kerr.CoordinatorLoadInProgress.Message || e.Code == kerr.NotCoordinator.Message)
}

// frozen says whether no answer came: the same broker would be asked again and waited for.
func frozen(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == CodeTimeout
}

func (c *Client) find(ctx context.Context, name string) (*Group, error) {
	// The new kind first: asked the old way, some brokers answer for such a group as if
	// it had no members. Whatever else goes wrong here, an old broker for one, the classic
	// answer decides.
	g, err := c.findConsumer(ctx, name)
	if g != nil || unsettled(err) || frozen(err) {
		return g, err
	}
	g, err = c.findClassic(ctx, name)
	if err != nil || g != nil {
		return g, err
	}
	// Share groups and whatever kinds are to come are known by listing alone.
	all, _ := c.adm.ListGroups(ctx)
	if l, ok := all[name]; ok {
		return c.findListed(ctx, l), nil
	}
	return nil, noSuchGroup(name, didYouMean(name, all.Groups(), "course group ls"))
}

func noSuchGroup(name, hint string) *Error {
	return &Error{
		Code:    kerr.GroupIDNotFound.Message,
		Message: msg.Sprintf("no such group: %s", cell(name)),
		Hint:    hint,
	}
}

// findConsumer describes a group of type consumer. kadm has a call for this that drops
// the topics' ids, and some brokers send nothing else.
func (c *Client) findConsumer(ctx context.Context, name string) (*Group, error) {
	req := kmsg.NewPtrConsumerGroupDescribeRequest()
	req.Groups = append(req.Groups, name)
	shard := c.cl.RequestSharded(ctx, req)[0]
	if shard.Err != nil {
		return nil, failed(groupThing(name), shard.Err)
	}
	resp := shard.Resp.(*kmsg.ConsumerGroupDescribeResponse)
	if len(resp.Groups) != 1 {
		return nil, failed(groupThing(name), errMissing)
	}
	rg := resp.Groups[0]
	if err := kerr.ErrorForCode(rg.ErrorCode); err != nil {
		return nil, failed(groupThing(name), err)
	}
	g := &Group{
		Name: name, Type: typeConsumer, State: rg.State, Coordinator: coordinator(shard.Meta),
		Strategy: orNil(rg.AssignorName), Epoch: &rg.Epoch, AssignmentEpoch: &rg.AssignmentEpoch,
	}
	names := c.topicNames(ctx, rg.Members)
	for _, m := range rg.Members {
		member := Member{
			ID: m.MemberID, InstanceID: m.InstanceID, ClientID: m.ClientID,
			Host: bareHost(m.ClientHost), subscribed: m.SubscribedTopics,
		}
		for _, tp := range m.Assignment.TopicPartitions {
			topic := cmp.Or(tp.Topic, names[tp.TopicID])
			member.Assigned = append(member.Assigned, Assigned{topic, tp.Partitions})
		}
		g.Members = append(g.Members, member)
	}
	g.sort()
	return g, nil
}

// topicNames returns names by topic id if a member's assignment lacks the names.
func (c *Client) topicNames(
	ctx context.Context, members []kmsg.ConsumerGroupDescribeResponseGroupMember,
) map[[16]byte]string {
	missing := false
	for _, m := range members {
		for _, tp := range m.Assignment.TopicPartitions {
			missing = missing || tp.Topic == ""
		}
	}
	names := map[[16]byte]string{}
	if !missing {
		return names
	}
	topics, err := c.adm.ListTopicsWithInternal(ctx)
	if err != nil {
		return names // the rows are then without a name, and the offsets fail with the reason
	}
	for _, t := range topics {
		names[t.ID] = t.Topic
	}
	return names
}

// findClassic describes a group of type classic; nil without an error if there is none.
func (c *Client) findClassic(ctx context.Context, name string) (*Group, error) {
	described, err := c.adm.DescribeGroups(ctx, name)
	if err != nil {
		return nil, failed(groupThing(name), err)
	}
	d, err := described.On(name, nil)
	err = cmpErr(err, d.Err)
	switch {
	case errors.Is(err, kerr.GroupIDNotFound), err == nil && d.State == stateDead:
		return nil, nil
	case err != nil:
		return nil, failedWith(groupThing(name), err, d.ErrMessage)
	}
	g := &Group{
		Name: name, Type: typeClassic, State: d.State, Coordinator: coordinator(d.Coordinator),
		Strategy: orNil(d.Protocol),
	}
	for _, m := range d.Members {
		member := Member{
			ID: m.MemberID, InstanceID: m.InstanceID, ClientID: m.ClientID,
			Host: bareHost(m.ClientHost),
		}
		if join, ok := m.Join.AsConsumer(); ok {
			member.subscribed = join.Topics
		}
		if assigned, ok := m.Assigned.AsConsumer(); ok {
			for _, t := range assigned.Topics {
				member.Assigned = append(member.Assigned, Assigned{t.Topic, t.Partitions})
			}
		}
		g.Members = append(g.Members, member)
	}
	g.sort()
	return g, nil
}

// findListed returns what can be said of a group of another type.
func (c *Client) findListed(ctx context.Context, l kadm.ListedGroup) *Group {
	g := &Group{Name: l.Group, Type: strings.ToLower(l.GroupType), State: l.State}
	g.Coordinator.ID = l.Coordinator
	if g.Type != typeShare {
		return g
	}
	described, err := c.adm.DescribeShareGroups(ctx, l.Group)
	if err != nil {
		return g // its members are then unknown; a broker still refuses to delete it with some
	}
	for _, m := range described[l.Group].Members {
		g.Members = append(g.Members, Member{
			ID: m.MemberID, ClientID: m.ClientID, Host: bareHost(m.ClientHost),
			subscribed: m.SubscribedTopicNames,
		})
	}
	g.sort()
	return g
}

// sort puts members and their partitions into an order that does not change from one
// call to the next: by client id, which people choose, before member id.
func (g *Group) sort() {
	slices.SortFunc(g.Members, func(a, b Member) int {
		return cmp.Or(strings.Compare(a.ClientID, b.ClientID), strings.Compare(a.ID, b.ID))
	})
	for _, m := range g.Members {
		slices.SortFunc(m.Assigned, func(a, b Assigned) int { return strings.Compare(a.Topic, b.Topic) })
		for _, a := range m.Assigned {
			slices.Sort(a.Partitions)
		}
	}
}

// Readers returns, for each of the topics, the groups with members that subscribe to it.
func (c *Client) Readers(ctx context.Context, topics []string) map[string][]string {
	readers := map[string][]string{}
	all, _ := c.adm.ListGroups(ctx) // a warning is no place to fail
	for _, l := range all.Sorted() {
		if l.State == stateEmpty || l.State == stateDead {
			continue
		}
		g, err := c.Find(ctx, l.Group)
		if err != nil {
			continue
		}
		for _, topic := range topics {
			if slices.ContainsFunc(g.Members, func(m Member) bool { return m.reads(topic) }) {
				readers[topic] = append(readers[topic], l.Group)
			}
		}
	}
	return readers
}

func (m Member) reads(topic string) bool {
	return slices.Contains(m.subscribed, topic) ||
		slices.ContainsFunc(m.Assigned, func(a Assigned) bool { return a.Topic == topic })
}

// Deletable finds the group and returns an error if it does not exist or has members.
func (c *Client) Deletable(ctx context.Context, name string) error {
	g, err := c.Find(ctx, name)
	if err != nil {
		return err
	}
	if len(g.Members) > 0 {
		return g.busy()
	}
	return nil
}

// DeleteGroup deletes a group with its committed offsets. The records stay. The caller has
// seen the group: when it is gone the group is deleted, by a request whose answer was lost, for
// one.
func (c *Client) DeleteGroup(ctx context.Context, name string) error {
	resp, err := c.adm.DeleteGroup(ctx, name)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kerr.NonEmptyGroup): // a member came since we looked
		if busy := c.Deletable(ctx, name); busy != nil {
			return busy
		}
	case errors.Is(err, kerr.GroupIDNotFound):
		_, gone := c.Find(ctx, name)
		if e, ok := errors.AsType[*Error](gone); ok && e.Code == kerr.GroupIDNotFound.Message {
			return nil
		}
		if gone != nil {
			return gone
		}
	}
	return failedWith(groupThing(name), err, resp.ErrMessage)
}

// busyMost is how many client ids a refusal names.
const busyMost = 5

// busy says who keeps the group from being deleted or reset.
func (g *Group) busy() *Error {
	var clients, static []string
	for _, m := range g.Members {
		if m.InstanceID != nil {
			static = append(static, cell(*m.InstanceID))
		}
		if id := cell(m.ClientID); !slices.Contains(clients, id) {
			clients = append(clients, id)
		}
	}
	e := &Error{
		Code: kerr.NonEmptyGroup.Message,
		Hint: msg.Sprintf("stop them (Ctrl+C; if killed, wait for the session timeout) and try again"),
	}
	ids := enumerate(clients, busyMost)
	if len(g.Members) == 1 {
		e.Message = msg.Sprintf("group %s is %s with 1 member: client id %s", cell(g.Name), g.State, ids)
		e.Hint = msg.Sprintf("stop it (Ctrl+C; if it was killed, wait for its session timeout) and try again")
	} else {
		e.Message = msg.Sprintf("group %s is %s with %d members: client ids %s",
			cell(g.Name), g.State, len(g.Members), ids)
	}
	if len(static) > 0 {
		e.Hint += msg.Sprintf(" (static member %s still holds the group after its program has ended: "+
			"wait until its session timeout has passed)", enumerate(static, busyMost))
	}
	return e
}

// enumerate joins the first few of the names.
func enumerate(names []string, most int) string {
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return strings.Join(names, ", ")
}

func groupThing(name string) string { return msg.Sprintf("group %s", cell(name)) }

func coordinator(b kgo.BrokerMetadata) Coordinator {
	return Coordinator{ID: b.NodeID, Host: b.Host, Port: b.Port}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// bareHost strips what brokers put around a member's address: Kafka a slash in front,
// others a port behind.
func bareHost(host string) string {
	host = host[strings.LastIndexByte(host, '/')+1:]
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return host
}

// cell renders a name for a table or a sentence; an empty one stays visible.
func cell(name string) string { return show.Bytes([]byte(name)) }
