package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// These tests read English sentences; the language is chosen before the first of them.
func init() { os.Setenv("COURSE_LANG", "en") }

func TestNear(t *testing.T) {
	names := []string{"brew.orders.v1", "brew.orders.v2", "brew.clicks", "kitchen", "x"}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"brew.ordres.v1", []string{"brew.orders.v1", "brew.orders.v2"}},
		{"BREW.ORDERS.V1", []string{"brew.orders.v1", "brew.orders.v2"}},
		{"orders", []string{"brew.orders.v1", "brew.orders.v2"}},
		{"brew", []string{"brew.clicks", "brew.orders.v1", "brew.orders.v2"}},
		{"kitchn", []string{"kitchen"}},
		{"something-else", nil},
		{"or", nil},                                    // too short to be a hint at anything
		{"brew.orders.v1", []string{"brew.orders.v2"}}, // just deleted
	} {
		if got := near(c.name, names); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1},
		{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"партиция", "партиции", 1},
	} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestBareHost(t *testing.T) {
	for host, want := range map[string]string{
		"/127.0.0.1":            "127.0.0.1",
		"127.0.0.1:60042":       "127.0.0.1",
		"host.example/10.0.0.1": "10.0.0.1",
		"[::1]:60042":           "::1",
		"/0:0:0:0:0:0:0:1":      "0:0:0:0:0:0:0:1",
		"::1":                   "::1",
		"":                      "",
	} {
		if got := bareHost(host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}

func TestJSONIsHarmless(t *testing.T) {
	for _, name := range []string{
		"\x1b[2J", "\x7f", "\u009b", "\u202e", "\u2028", "\U000e0041tag", "<b>&</b>", `"\`,
		"ключ", "☕",
	} {
		var b strings.Builder
		if err := writeJSON(&b, map[string]string{"name": name}, ""); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%q: %q in %q", name, r, b.String())
			}
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back["name"] != name {
			t.Errorf("%q came back as %q (%v)", name, back["name"], err)
		}
	}
}

func TestExplainError(t *testing.T) {
	shards := &kadm.ShardErrors{Errs: []kadm.ShardError{{Err: kerr.NotCoordinator}}}
	for _, c := range []struct {
		err          error
		code, reason string
	}{
		{kerr.NotCoordinator, "NOT_COORDINATOR", kerr.NotCoordinator.Error()},
		{shards, "NOT_COORDINATOR", kerr.NotCoordinator.Error()},
		{&kadm.AuthError{Err: kerr.GroupAuthorizationFailed}, "GROUP_AUTHORIZATION_FAILED",
			kerr.GroupAuthorizationFailed.Error()},
		{fmt.Errorf("dial: %w", context.DeadlineExceeded), CodeTimeout, "no answer in time"},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, CodeTimeout, "no answer in time"},
		{context.Canceled, CodeInterrupted, "interrupted"},
		{&kgo.ErrFirstReadEOF{}, CodeUnreachable, "the connection breaks off"},
		{errors.New("a\x1bb"), CodeOther, `"a\x1bb"`},
	} {
		if code, reason := explainError(c.err); code != c.code || reason != c.reason {
			t.Errorf("%v: %s, %s", c.err, code, reason)
		}
	}
}

func TestHintAboutABrokerThatIsDown(t *testing.T) {
	e := failed("group g", fmt.Errorf("unable to dial: %w", syscall.ECONNREFUSED))
	want := "group g: connection refused; if a broker is down, another one takes over while " +
		"a majority runs: try again then"
	if e.Error() != want {
		t.Errorf("%s\nwant %s", e, want)
	}
	if e := failed("group g", context.DeadlineExceeded); !strings.Contains(e.Hint, "broker ls") {
		t.Errorf("the hint about a broker that does not answer: %q", e.Hint)
	}
	if e := failed("group g", kerr.NotCoordinator); e.Hint != "" {
		t.Errorf("a hint for another error: %s", e.Hint)
	}
}

func TestHintAboutReplicas(t *testing.T) {
	topic := kadm.TopicDetail{Topic: "solo", Partitions: kadm.PartitionDetails{
		0: {Replicas: []int32{1, 2}},
	}}
	e := partitionFailed(topic, 0, kerr.LeaderNotAvailable)
	if !strings.HasPrefix(e.Hint, "one of the brokers with its replicas (1, 2) must run") {
		t.Errorf("the hint is %q", e.Hint)
	}
	if e := partitionFailed(topic, 0, kerr.UnknownServerError); e.Hint != "" {
		t.Errorf("a hint for another error: %s", e.Hint)
	}
}

func TestAll(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	got := All(errors.Join(nil, a, errors.Join(b, c)))
	if !slices.Equal(got, []error{a, b, c}) || All(nil) != nil {
		t.Errorf("%v, %v", got, All(nil))
	}
}

// A refusal names a few members of a large group, each client id once.
func TestBusyNamesAFew(t *testing.T) {
	g := Group{Name: "g", State: "Stable"}
	for i := range 40 {
		g.Members = append(g.Members, Member{ClientID: fmt.Sprintf("c%02d", i/2)})
	}
	want := "group g is Stable with 40 members: client ids c00, c01, c02, c03, c04, …"
	if got := g.busy().Message; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
