package admin

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/internal/msg"
)

// Progress is how far a group has come in one partition. A nil pointer is a thing that
// does not exist, such as a commit, or is not known; the error then says why.
type Progress struct {
	Topic     string  `json:"topic"`
	Partition int32   `json:"partition"`
	Commit    *int64  `json:"current_offset"`
	Epoch     *int32  `json:"leader_epoch"` // of the committed record
	Start     *int64  `json:"log_start_offset"`
	End       *int64  `json:"log_end_offset"`
	Lag       *int64  `json:"lag"`
	MemberID  *string `json:"consumer_id"` // these four are the owner's
	Instance  *string `json:"instance_id"`
	Host      *string `json:"host"`
	ClientID  *string `json:"client_id"`
	Error     *string `json:"error"`
}

// Description is a group with its progress.
type Description struct {
	Group
	// TotalLag is the sum of the partitions' lags; nil if one of them is not known, or if
	// there are none: a group that reads nothing is not up to date.
	TotalLag   *int64     `json:"total_lag"`
	Partitions []Progress `json:"partitions"`
	// Missing are topics that the group reads or has commits of, and that do not exist.
	Missing []string `json:"missing_topics"`
}

// Describe describes a group: all partitions of the topics that it reads or has commits
// of. An error for a part of them comes with the rest of the description.
//
// The lag of a partition without a commit is all that a consumer from the start would
// read, the end minus the start of its log: no commit does not mean no backlog.
func (c *Client) Describe(ctx context.Context, name string) (*Description, error) {
	g, err := c.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := g.keepsOffsets(); err != nil {
		return nil, err
	}
	d := &Description{Group: *g, Partitions: []Progress{}, Missing: []string{}}
	// Commits first, ends after them: the group moves on in between, and in the other
	// order a commit could be ahead of the end.
	commits, err := c.adm.FetchOffsets(ctx, name)
	if err != nil {
		return d, failed(offsetsThing(name), err)
	}
	var errs []error
	total := int64(0)
	for _, topic := range d.topics(commits) {
		errs = append(errs, c.progress(ctx, d, topic, commits[topic]))
	}
	for _, p := range d.Partitions {
		if p.Lag != nil {
			total += *p.Lag
		}
	}
	err = errors.Join(errs...)
	if err == nil && len(d.Partitions) > 0 {
		d.TotalLag = &total
	}
	return d, err
}

// keepsOffsets returns an error for a group of a type without committed offsets.
func (g *Group) keepsOffsets() error {
	if g.Type == typeClassic || g.Type == typeConsumer {
		return nil
	}
	return &Error{
		Code: CodeOther,
		Message: msg.Sprintf("group %s is of type %s, which has no committed offsets",
			cell(g.Name), cell(g.Type)),
		Hint: msg.Sprintf("see it with the official kafka-%s-groups.sh", cell(g.Type)),
	}
}

// topics returns the names of all topics that the group has to do with.
func (d *Description) topics(commits kadm.OffsetResponses) []string {
	names := map[string]bool{}
	for topic := range commits {
		names[topic] = true
	}
	for _, m := range d.Members {
		for _, topic := range m.subscribed {
			names[topic] = true
		}
		for _, a := range m.Assigned {
			names[a.Topic] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// progress adds the partitions of one topic.
func (c *Client) progress(
	ctx context.Context, d *Description, topic string, commits map[int32]kadm.OffsetResponse,
) error {
	t, err := c.topic(ctx, topic)
	gone := errors.Is(err, kerr.UnknownTopicOrPartition)
	if gone {
		d.Missing = append(d.Missing, topic)
	} else if err != nil {
		return failed(topicThing(topic), err)
	}
	spans := c.spans(ctx, t)
	owners := d.owners(topic)
	numbers := map[int32]bool{}
	for p := range spans {
		numbers[p] = true
	}
	for p := range commits {
		numbers[p] = true
	}
	for p := range owners {
		if !gone { // members give a deleted topic up a moment later
			numbers[p] = true
		}
	}
	var errs []error
	for _, p := range slices.Sorted(maps.Keys(numbers)) {
		row := Progress{Topic: topic, Partition: p}
		row.own(owners[p])
		s, known := spans[p]
		if !known && !gone {
			s.err = errMissing
		}
		commit, committed := commits[p]
		if err := cmpErr(commit.Err, s.err); err != nil {
			e := partitionFailed(t, p, err)
			row.Error = &e.Code
			errs = append(errs, e)
		}
		row.fill(commit, committed && commit.Err == nil && commit.At >= 0, s, known && s.err == nil)
		d.Partitions = append(d.Partitions, row)
	}
	return errors.Join(errs...)
}

// owners returns the members that own partitions of the topic.
func (d *Description) owners(topic string) map[int32]*Member {
	owners := map[int32]*Member{}
	for i, m := range d.Members {
		for _, a := range m.Assigned {
			if a.Topic == topic {
				for _, p := range a.Partitions {
					owners[p] = &d.Members[i]
				}
			}
		}
	}
	return owners
}

func (p *Progress) own(m *Member) {
	if m != nil {
		p.MemberID, p.Instance, p.Host, p.ClientID = &m.ID, m.InstanceID, &m.Host, &m.ClientID
	}
}

// fill sets offsets and lag from what is known.
func (p *Progress) fill(commit kadm.OffsetResponse, committed bool, s span, known bool) {
	if committed {
		p.Commit = &commit.At
		if commit.LeaderEpoch >= 0 {
			p.Epoch = &commit.LeaderEpoch
		}
	}
	if !known {
		return
	}
	p.Start, p.End = &s.start, &s.end
	if commit.Err != nil {
		return
	}
	lag := s.end - s.start
	if committed {
		lag = s.end - commit.At
	}
	lag = max(lag, 0) // a commit may be ahead: the log was cut, or someone set it by hand
	p.Lag = &lag
}

func topicThing(name string) string { return msg.Sprintf("topic %s", cell(name)) }

func partitionThing(topic string, partition int32) string {
	return msg.Sprintf("topic %s, partition %d", cell(topic), partition)
}
