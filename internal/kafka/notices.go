package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// idlePoll is how often a member without partitions asks whether the rebalance is over.
const idlePoll = 200 * time.Millisecond

// Notices tells a person at a terminal what a consumer that runs well would not say:
// that it got no partitions, that a flag has no effect, that a topic is missing, that
// records were deleted before it read them. Call Assigned and Revoked from the group's
// callbacks; they may come in any order, empty and repeated.
type Notices struct {
	w      io.Writer
	prefix string
	start  bool // the user chose where to start reading

	mu     sync.Mutex
	asked  bool            // --from-start was looked at
	owned  map[place]bool  // held now
	next   map[place]int64 // the offset to read next, where it is known
	asking bool            // a goroutine finds out whether this member is left idle
	told   counts          // what the last notice said

	fetchErr string    // the fetch error that was printed last
	fetchAt  time.Time // and when
}

// place is a partition of a topic.
type place struct {
	topic     string
	partition int32
}

// sameErrorEvery is how often a fetch error that stays the same is printed.
const sameErrorEvery = 5 * time.Second

// FetchError takes an error of a poll. Most pass by themselves, a broker's restart for
// one: they are printed, the same one not too often. It returns an error for those that
// stay: a topic that was deleted and made anew is another topic to a client, which never
// reads it.
func (n *Notices) FetchError(topic string, err error) error {
	if errors.Is(err, kerr.UnknownTopicID) {
		return msg.Errorf("topic %s was deleted and made anew: start the consumer again",
			show.Text(topic))
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if text := err.Error(); text != n.fetchErr || time.Since(n.fetchAt) >= sameErrorEvery {
		n.fetchErr, n.fetchAt = text, time.Now()
		msg.Fprintf(n.w, "%sfetch error, going on: %s\n", n.prefix, show.Text(text))
	}
	return nil
}

// counts are the partitions that a group reads and its members.
type counts struct{ partitions, members int }

// NewNotices returns Notices that print to w, each line with "[member=…]" in front.
// fromStart says whether the user gave the flag --from-start: committed offsets make it
// void, and then the user is told.
func NewNotices(w io.Writer, member string, fromStart bool) *Notices {
	prefix := fmt.Sprintf("[member=%s] ", member)
	return &Notices{
		w: w, prefix: prefix, start: fromStart, owned: map[place]bool{}, next: map[place]int64{},
	}
}

// Topics returns an error that names the topics of the client's ConsumeTopics that do
// not exist: a consumer would wait for them without a word. Patterns may match topics
// to come, so a ConsumeRegex that matches nothing is only mentioned. Until ctx ends or the
// first call of Assigned it then watches, in the background, whom the group waits for.
func (n *Notices) Topics(ctx context.Context, cl *kgo.Client) error {
	if err := n.topics(ctx, cl); err != nil {
		return err
	}
	go n.waiting(ctx, cl)
	return nil
}

func (n *Notices) topics(ctx context.Context, cl *kgo.Client) error {
	ctx, cancel := context.WithTimeout(ctx, adminTimeout)
	defer cancel()
	names, _ := cl.OptValue(kgo.ConsumeTopics).([]string)
	if regex, _ := cl.OptValue(kgo.ConsumeRegex).(bool); regex {
		matching, err := matchingTopics(ctx, cl, names)
		if err == nil && matching == 0 {
			msg.Fprintf(n.w, "%sno topic matches %s yet: waiting for one\n",
				n.prefix, show.Text(strings.Join(names, ", ")))
		}
		return err
	}
	missing, err := missingTopics(ctx, cl, names)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return msg.Errorf("topic %s does not exist: check the spelling (course topic ls), "+
			"or write to it first (make orders)", show.Text(strings.Join(missing, ", ")))
	}
	return nil
}

// Assigned takes the partitions that the group gave to this member. When the user
// named a start and the group has committed offsets, or when such an offset points at
// records that are gone, it says so before it returns. When the member holds nothing, it
// finds out in the background whether that will stay so.
func (n *Notices) Assigned(ctx context.Context, cl *kgo.Client, got map[string][]int32) {
	n.mu.Lock()
	ask := !n.asked && n.start
	n.asked = true
	for at := range each(got) {
		n.owned[at] = true
	}
	idle := len(n.owned) == 0 && !n.asking
	if len(n.owned) > 0 {
		n.told = counts{}
	}
	n.asking = n.asking || idle
	n.mu.Unlock()

	if ask || len(got) > 0 {
		n.commits(ctx, cl, got, ask)
	}
	if idle {
		go n.idle(ctx, cl)
	}
}

// Revoked takes the partitions that this member no longer has, given up or lost.
func (n *Notices) Revoked(lost map[string][]int32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for at := range each(lost) {
		delete(n.owned, at)
		delete(n.next, at) // whoever has it now reads on
	}
}

// each yields all places of m.
func each(m map[string][]int32) func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for topic, partitions := range m {
			for _, p := range partitions {
				if !yield(place{topic, p}) {
					return
				}
			}
		}
	}
}

// commits looks at the group's committed offsets: one that lies before its log is told and,
// if asked to, that the start flag is void.
func (n *Notices) commits(
	ctx context.Context, cl *kgo.Client, got map[string][]int32, flag bool,
) {
	ctx, cancel := context.WithTimeout(ctx, expiredTimeout)
	defer cancel()
	group, _ := cl.OptValue(kgo.ConsumerGroup).(string)
	offsets, err := kadm.NewClient(cl).FetchOffsets(ctx, group)
	if err != nil {
		return // the consumer itself meets the same error, and reports it
	}
	for _, o := range offsets.Sorted() {
		if flag && o.Err == nil && o.At >= 0 {
			msg.Fprintf(n.w, "%sgroup %s has committed offsets, so --from-start does nothing "+
				"(to start over, stop the group's members and run `make group-delete`)\n",
				n.prefix, show.Message(show.Text(group)))
			break
		}
	}
	if len(got) > 0 && len(offsets) > 0 {
		n.overtaken(ctx, cl, got, offsets)
	}
}

// idle waits until the member holds a partition, or until the group is stable with
// every partition in other hands; then it says so. The callback alone cannot tell: under
// cooperative-sticky each newcomer is first given nothing.
func (n *Notices) idle(ctx context.Context, cl *kgo.Client) {
	group, _ := cl.OptValue(kgo.ConsumerGroup).(string)
	adm := kadm.NewClient(cl)
	for {
		member, _ := cl.GroupMetadata()
		found, stable := settled(ctx, adm, group, member)
		n.mu.Lock()
		if len(n.owned) > 0 || ctx.Err() != nil {
			n.asking = false
			n.mu.Unlock()
			return
		}
		if stable {
			if found != n.told {
				n.told = found
				msg.Fprintf(n.w, "%sno partitions assigned (%d partitions, %d members)\n",
					n.prefix, found.partitions, found.members)
			}
			n.asking = false
			n.mu.Unlock()
			return
		}
		n.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(idlePoll):
		}
	}
}

// settled returns the counts of a group whose rebalance is over for the member: stable,
// each partition of its topics in the hands of a member, and none in those of this one (its
// callback may still be on the way).
func settled(
	ctx context.Context, adm *kadm.Client, group, member string,
) (counts, bool) {
	described, err := adm.DescribeGroups(ctx, group)
	if err != nil {
		return counts{}, false
	}
	g, err := described.On(group, nil)
	if err != nil || g.Err != nil || g.State != "Stable" {
		return counts{}, false
	}
	topics := map[string]bool{}
	assigned := 0
	for _, m := range g.Members {
		if joined, ok := m.Join.AsConsumer(); ok {
			for _, t := range joined.Topics {
				topics[t] = true
			}
		}
		if a, ok := m.Assigned.AsConsumer(); ok {
			for _, t := range a.Topics {
				assigned += len(t.Partitions)
				if m.MemberID == member && len(t.Partitions) > 0 {
					return counts{}, false
				}
			}
		}
	}
	names := make([]string, 0, len(topics))
	for t := range topics {
		names = append(names, t)
	}
	if len(names) == 0 {
		return counts{}, false
	}
	metadata, err := adm.Metadata(ctx, names...)
	if err != nil {
		return counts{}, false
	}
	partitions := 0
	for _, t := range metadata.Topics {
		partitions += len(t.Partitions)
	}
	return counts{partitions, len(g.Members)}, partitions > 0 && assigned >= partitions
}
