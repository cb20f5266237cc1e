package standctl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/course/brokers"
	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/stand"
)

// askWait is how long the brokers may take to answer a question about them.
const askWait = 5 * time.Second

// Status is what `course status` tells.
type Status struct {
	stand.State
	// Brokers tells how each of them is.
	Brokers []brokers.Broker
	// Memory is the resident memory of the stand's processes, in bytes.
	Memory uint64
	// Answers says whether the brokers could be asked for the next two. While one of them
	// does not run, they may not know.
	Answers bool
	// Records counts the records in all topics, and Groups the consumer groups.
	Records int64
	Groups  int
	// Data is the size of the data on disk, in bytes.
	Data int64
	// Home is the folder that holds the stand's state.
	Home string
	// Unfinished says that no stand is up, and that a start or stop of one goes on or was
	// interrupted: something of it may run.
	Unfinished bool
}

// Status returns what runs. ok is false if nothing does, and note then says what is
// left of a stand that has not been stopped, if something is.
func (c *Control) Status(ctx context.Context) (s Status, ok bool, note string, err error) {
	f, err := c.home.look()
	if err != nil {
		return s, false, "", err
	}
	if !f.running {
		s.Unfinished = f.unfinished
		switch {
		case f.unfinished && c.atWork():
			note = msg.Sprintf("a start or stop of the %s stand is under way: wait for it",
				f.record.Kind)
		case f.unfinished:
			note = msg.Sprintf("a start or stop of the %s stand was interrupted; `make down` ends what "+
				"is left of it", f.record.Kind)
		case isReal(f.record.Kind):
			note = msg.Text("no broker of the last stand runs any more; `make up` starts it " +
				"again with its data")
		case f.readable:
			note = msg.Sprintf("the last stand was not stopped but killed (pid %d is gone); "+
				"`make up` starts it again with its data", pidOf(f.state))
		case f.err != nil:
			note = msg.Sprintf("%s is damaged and no stand runs; `make up` puts it right and "+
				"keeps the data",
				c.home.path(stand.File))
		}
		return s, false, note, nil
	}
	rec, err := c.repair(f)
	if err != nil {
		return s, false, "", err
	}
	s = Status{State: rec.State, Home: string(c.home)}
	s.Data = size(c.home.path(dataDir, rec.Kind))
	if s.Brokers, err = c.brokers(ctx, rec); err != nil {
		return s, false, "", err
	}
	whole := true
	for _, b := range s.Brokers {
		s.Memory += b.Memory
		whole = whole && b.Status == brokers.Running
	}
	for _, p := range rec.Processes {
		if proc, ours := c.home.find(p); ours {
			if mem, err := proc.MemoryInfo(); err == nil {
				s.Memory += mem.RSS
			}
		}
	}
	s.Records, s.Groups, err = count(ctx, rec.Bootstrap)
	s.Answers = err == nil
	if !whole && ctx.Err() == nil {
		err = nil
	}
	return s, true, "", err
}

// ask calls fn with a client of the stand's brokers.
func ask(
	ctx context.Context, bootstrap []string, fn func(ctx context.Context, adm *kadm.Client) error,
) error {
	// A frozen broker never answers: after some time another one is asked.
	cl, err := kgo.NewClient(kgo.SeedBrokers(bootstrap...), kgo.RequestTimeoutOverhead(askWait/3))
	if err != nil {
		return err
	}
	defer cl.Close()
	limited, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	err = fn(limited, kadm.NewClient(cl))
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return msg.Errorf("the stand runs, but its brokers do not answer (%s): stop it with "+
			"`make down`, then `make up`",
			cmp.Or(kafka.Lost(err), show.Text(err.Error())))
	}
	return nil
}

// count counts the records of all topics and the groups.
func count(ctx context.Context, bootstrap []string) (records int64, groups int, err error) {
	err = ask(ctx, bootstrap, func(ctx context.Context, adm *kadm.Client) error {
		starts, err := adm.ListStartOffsets(ctx)
		if err != nil {
			return err
		}
		ends, err := adm.ListEndOffsets(ctx)
		if err != nil {
			return err
		}
		ends.Each(func(end kadm.ListedOffset) {
			start, ok := starts.Lookup(end.Topic, end.Partition)
			if ok && start.Err == nil && end.Err == nil {
				records += end.Offset - start.Offset
			}
		})
		listed, err := adm.ListGroups(ctx)
		groups = len(listed)
		return err
	})
	return records, groups, err
}

// Idle refuses with the groups that have members: their programs would lose the
// topics that they read.
func (c *Control) Idle(ctx context.Context) error {
	f, err := c.home.look()
	if err != nil || !f.running {
		return err
	}
	s, err := c.repair(f)
	if err != nil {
		return err
	}
	var busy []string
	err = ask(ctx, s.Bootstrap, func(ctx context.Context, adm *kadm.Client) error {
		groups, err := adm.DescribeGroups(ctx)
		if err != nil {
			return err
		}
		for _, g := range groups.Sorted() {
			if len(g.Members) > 0 {
				busy = append(busy, msg.Sprintf("group %s has %d members (%s)",
					show.Text(g.Group), len(g.Members), clientIDs(g.Members)))
			}
		}
		return nil
	})
	if err != nil {
		all, look := c.brokers(ctx, s)
		if look != nil || ctx.Err() != nil || !slices.ContainsFunc(all, notRunning) {
			return err
		}
		all = slices.DeleteFunc(all, notRunning)
		if len(all) > stand.Brokers/2 {
			return msg.Errorf("one broker does not run, and the others have not taken its groups " +
				"over yet, so nobody knows who reads: try again in ten seconds, or `make down` first")
		}
		return nil // nobody reads from a cluster without a majority
	}
	if len(busy) > 0 {
		return msg.Errorf("programs read from the stand: %s; stop them with Ctrl+C, then wipe "+
			"again",
			strings.Join(busy, ", "))
	}
	return nil
}

func running(b brokers.Broker) bool    { return b.Status == brokers.Running }
func notRunning(b brokers.Broker) bool { return !running(b) }

func clientIDs(members []kadm.DescribedGroupMember) string {
	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = show.Text(m.ClientID)
	}
	sort.Strings(ids)
	return fmt.Sprint(strings.Join(ids, ", "))
}
