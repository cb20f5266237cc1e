package admin

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/internal/msg"
)

// Reset is a plan for the committed offsets of a group, and what has come of it.
type Reset struct {
	Group string `json:"group"`
	// New says that there is no such group yet: the commit makes it.
	New bool `json:"new_group"`
	// Executed says that all these offsets were committed, and found when read back.
	Executed bool `json:"executed"`
	// Time is the time that the offsets were chosen by; nil when by something else.
	Time       *string `json:"time"`
	Partitions []Move  `json:"partitions"`
	// Missing are topics that the group has commits of, and that do not exist.
	Missing []string `json:"missing_topics"`

	hint string // what a new group may be a misspelling of
}

// Move is the part of a Reset for one partition.
type Move struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Old       *int64 `json:"old"` // nil without a commit
	New       int64  `json:"new"`
	Delta     *int64 `json:"delta"`
	Start     int64  `json:"log_start_offset"`
	End       int64  `json:"log_end_offset"`
	// Note tells why New is not what was asked for; nil when it is.
	Note      *string `json:"note"`
	Committed bool    `json:"committed"`
	Error     *string `json:"error"` // of the commit

	wanted int64
}

// PlanReset works out new offsets for a group, and changes nothing. A group with members
// is refused: their next commits would undo the reset. One that does not exist is fine.
// An error for one partition means no plan at all.
func (c *Client) PlanReset(
	ctx context.Context, group string, scope Scope, target Target,
) (*Reset, error) {
	r := &Reset{Group: group, Partitions: []Move{}, Missing: []string{}}
	if target.timed() {
		at := target.at()
		r.Time = &at
	}
	if err := c.resettable(ctx, r); err != nil {
		return nil, err
	}
	all := scope == nil
	if r.New && (all || target.option == ShiftBy) { // both begin with what it has committed
		return nil, noSuchGroup(group, r.hint)
	}
	commits, err := c.commits(ctx, group)
	if err != nil {
		return nil, err
	}
	if all {
		scope = committed(commits)
	}
	var errs []error
	for _, topic := range slices.Sorted(maps.Keys(scope)) {
		t, err := c.topic(ctx, topic)
		switch {
		case err == nil:
			errs = append(errs, c.moves(ctx, r, t, scope[topic], commits[topic], target))
		case all && errors.Is(err, kerr.UnknownTopicOrPartition):
			r.Missing = append(r.Missing, topic)
		default:
			errs = append(errs, c.topicError(ctx, topic, err, ""))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(r.Partitions) == 0 {
		return nil, &Error{
			Code: noteNoCommit,
			Message: msg.Sprintf("group %s has no commits, so --all-topics names nothing",
				cell(group)),
			Hint: msg.Sprintf("name the topics with --topic"),
		}
	}
	return r, nil
}

// resettable returns an error for a group that cannot be reset now.
func (c *Client) resettable(ctx context.Context, r *Reset) error {
	g, err := c.Find(ctx, r.Group)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == kerr.GroupIDNotFound.Message {
		r.New, r.hint = true, e.Hint
		return nil
	}
	if err != nil {
		return err
	}
	if len(g.Members) > 0 {
		return g.busy()
	}
	return g.keepsOffsets()
}

// commits returns what the group has committed, nothing if it does not exist.
func (c *Client) commits(ctx context.Context, group string) (kadm.OffsetResponses, error) {
	commits, err := c.adm.FetchOffsets(ctx, group)
	if err != nil && !errors.Is(err, kerr.GroupIDNotFound) {
		return nil, failed(offsetsThing(group), err)
	}
	return commits, nil
}

// committed returns the partitions with a commit.
func committed(commits kadm.OffsetResponses) Scope {
	scope := Scope{}
	commits.Each(func(o kadm.OffsetResponse) {
		if o.Err != nil || o.At >= 0 {
			scope[o.Topic] = append(scope[o.Topic], o.Partition)
		}
	})
	return scope
}

// moves adds the new offsets of one topic's partitions, of all unless some are chosen.
func (c *Client) moves(
	ctx context.Context, r *Reset, t kadm.TopicDetail, chosen []int32,
	commits map[int32]kadm.OffsetResponse, target Target,
) error {
	t, err := only(t, chosen)
	if err != nil {
		return err
	}
	spans := c.spans(ctx, t)
	var found map[int32]listed
	if target.timed() {
		found = c.firstSince(ctx, t.Topic, spans, target.millis)
	}
	var errs []error
	for _, p := range t.Partitions.Sorted() {
		commit, committed := commits[p.Partition]
		s, first := spans[p.Partition], found[p.Partition]
		if err := cmpErr(cmpErr(commit.Err, s.err), first.err); err != nil {
			e := partitionFailed(t, p.Partition, err)
			if errors.Is(err, kerr.LeaderNotAvailable) {
				e.Hint = strings.TrimPrefix(e.Hint+"; ", "; ") +
					msg.Sprintf("--topic %s:P,P resets only the partitions P that it names", cell(t.Topic))
			}
			errs = append(errs, e)
			continue
		}
		// Asked for after the end: a record that came in between has a place of its own,
		// and if there was still none, whatever comes stands at the end or behind.
		s.end = max(s.end, first.offset)
		m := Move{Topic: t.Topic, Partition: p.Partition, Start: s.start, End: s.end}
		if committed && commit.At >= 0 {
			m.Old = &commit.At
		}
		choice, ok := target.choose(m.Old, s, first.offset)
		if !ok {
			errs = append(errs, noCommit(r.Group, t.Topic, p.Partition))
			continue
		}
		m.set(choice)
		r.Partitions = append(r.Partitions, m)
	}
	return errors.Join(errs...)
}

// firstSince asks for the first records at or after a time, where the log is known.
func (c *Client) firstSince(
	ctx context.Context, topic string, spans map[int32]span, millis int64,
) map[int32]listed {
	var ask []int32
	for p, s := range spans {
		if s.err == nil {
			ask = append(ask, p)
		}
	}
	return c.listOffsets(ctx, topic, ask, millis)
}

// only returns the topic with the chosen partitions alone.
func only(t kadm.TopicDetail, chosen []int32) (kadm.TopicDetail, error) {
	if chosen == nil {
		return t, nil
	}
	count := len(t.Partitions)
	some := kadm.PartitionDetails{}
	var errs []error
	for _, p := range chosen {
		detail, ok := t.Partitions[p]
		if !ok {
			errs = append(errs, &Error{
				Code:    "UNKNOWN_PARTITION",
				Message: msg.Sprintf("topic %s has no partition %d", cell(t.Topic), p),
				Hint: msg.Sprintf("the number of its partitions is %d, and they count from 0",
					count),
			})
			continue
		}
		some[p] = detail
	}
	t.Partitions = some
	return t, errors.Join(errs...)
}

func (m *Move) set(c choice) {
	m.New, m.wanted, m.Note = c.offset, c.wanted, orNil(c.note)
	if m.Old != nil {
		delta := m.New - *m.Old
		m.Delta = &delta
	}
}

// CommitReset commits the offsets of a plan, and reads them back.
func (c *Client) CommitReset(ctx context.Context, r *Reset) error {
	offsets := kadm.Offsets{}
	for _, m := range r.Partitions {
		// Without an epoch, as the official tool does: the epoch of the record there is not
		// known, and a wrong one would make a consumer believe that its log was cut.
		offsets.AddOffset(m.Topic, m.Partition, m.New, -1)
	}
	results, err := c.adm.CommitOffsets(ctx, r.Group, offsets)
	if err != nil {
		e := failed(offsetsThing(r.Group), err)
		e.Hint = msg.Sprintf("`course group describe` shows what is committed")
		return e
	}
	var errs []error
	for i := range r.Partitions {
		m := &r.Partitions[i]
		if result := results[m.Topic][m.Partition]; result.Err != nil {
			e := failed(partitionThing(m.Topic, m.Partition), result.Err)
			m.Error = &e.Code
			errs = append(errs, e)
		}
	}
	if len(errs) == len(r.Partitions) { // perhaps a member came since we looked
		if g, err := c.Find(ctx, r.Group); err == nil && len(g.Members) > 0 {
			return g.busy()
		}
		return errors.Join(errs...)
	}
	errs = append(errs, c.readBack(ctx, r))
	err = errors.Join(errs...)
	r.Executed = err == nil
	return err
}

// readBack compares what is committed now with the plan.
func (c *Client) readBack(ctx context.Context, r *Reset) error {
	commits, err := c.commits(ctx, r.Group)
	if err != nil {
		return err
	}
	var errs []error
	for i := range r.Partitions {
		m := &r.Partitions[i]
		if m.Error != nil {
			continue
		}
		commit, ok := commits[m.Topic][m.Partition]
		if ok && commit.Err == nil && commit.At == m.New {
			m.Committed = true
			continue
		}
		e := changed(r.Group, m, commit, ok)
		m.Error = &e.Code
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// changed is the error of a commit that is not there when read back.
func changed(group string, m *Move, commit kadm.OffsetResponse, ok bool) *Error {
	if ok && commit.Err != nil {
		return failed(partitionThing(m.Topic, m.Partition), commit.Err)
	}
	now := none
	if ok && commit.At >= 0 {
		now = strconv.FormatInt(commit.At, 10)
	}
	return &Error{
		Code: "NOT_READ_BACK",
		Message: msg.Sprintf("topic %s, partition %d: %d was committed for group %s, "+
			"and %s is read back", cell(m.Topic), m.Partition, m.New, cell(group), now),
		Hint: msg.Sprintf("see whether somebody else commits for this group"),
	}
}

func offsetsThing(group string) string { return msg.Sprintf("offsets of group %s", cell(group)) }
