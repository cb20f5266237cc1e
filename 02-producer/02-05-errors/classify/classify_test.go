package classify

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/02-producer/delivery"
)

func TestClassify(t *testing.T) {
	for _, test := range []struct {
		err    error
		action Action
		name   string
	}{
		{nil, Done, "-"},
		{fmt.Errorf("%w (uncompressed_bytes=7)", kerr.MessageTooLarge), DeadLetter,
			"MESSAGE_TOO_LARGE"},
		{kerr.InvalidRecord, DeadLetter, "INVALID_RECORD"},
		{kerr.InvalidTimestamp, DeadLetter, "INVALID_TIMESTAMP"},
		{kerr.UnknownTopicOrPartition, Stop, "UNKNOWN_TOPIC_OR_PARTITION"},
		{kerr.TopicAuthorizationFailed, Stop, "TOPIC_AUTHORIZATION_FAILED"},
		{kerr.InvalidRequiredAcks, Stop, "INVALID_REQUIRED_ACKS"},
		{kgo.ErrMaxBuffered, Retry, "ErrMaxBuffered"},
		{kerr.NotEnoughReplicas, Retry, "NOT_ENOUGH_REPLICAS"},
		{kerr.LeaderNotAvailable, Ask, "LEADER_NOT_AVAILABLE"},
		{kerr.NotEnoughReplicasAfterAppend, Ask, "NOT_ENOUGH_REPLICAS_AFTER_APPEND"},
		{kerr.RequestTimedOut, Ask, "REQUEST_TIMED_OUT"},
		{kerr.NotLeaderForPartition, Ask, "NOT_LEADER_FOR_PARTITION"},
		{kerr.UnknownServerError, Ask, "UNKNOWN_SERVER_ERROR"},
		{kgo.ErrRecordTimeout, Ask, "ErrRecordTimeout"},
		{fmt.Errorf("%w, last err: %w", kgo.ErrRecordTimeout, kerr.LeaderNotAvailable), Ask,
			"ErrRecordTimeout"},
		{kgo.ErrRecordRetries, Ask, "ErrRecordRetries"},
		{kgo.ErrClientClosed, Ask, "ErrClientClosed"},
		{context.Canceled, Ask, "context.Canceled"},
		{errors.New("of another sort\x1b[2J"), Ask, `"of another sort\x1b[2J"`},
	} {
		if got := Classify(test.err); got != test.action {
			t.Errorf("%v: %s, want %s", test.err, got, test.action)
		}
		if got := Name(test.err); got != test.name {
			t.Errorf("%v: name %s, want %s", test.err, got, test.name)
		}
	}
}

// No list says that a record is not stored where the tally, which knows more about the
// client, would not say so.
func TestListsHoldOnlyWhatIsCertain(t *testing.T) {
	for action, list := range map[Action][]error{
		DeadLetter: deadLetter, Stop: stop, Retry: retry,
	} {
		for _, err := range list {
			if outcome, _ := delivery.Judge(err); outcome != delivery.Failed {
				t.Errorf("%v is in the list %s", err, action)
			}
		}
	}
}

// What the text says about the protocol's own flag: it does not tell whether franz-go
// repeats, or whether the caller may.
func TestRetriableIsAnotherQuestion(t *testing.T) {
	for err, want := range map[error]bool{
		kerr.MessageTooLarge: false, kerr.TopicAuthorizationFailed: false,
		kerr.InvalidRequiredAcks: false, kerr.InvalidRecord: false,
		kerr.NotLeaderForPartition: true, kerr.NotEnoughReplicas: true,
		kerr.NotEnoughReplicasAfterAppend: true, kerr.LeaderNotAvailable: true,
		kerr.RequestTimedOut: true, kerr.UnknownTopicOrPartition: true,
	} {
		if kerr.IsRetriable(err) != want {
			t.Errorf("%v: retriable %t", err, !want)
		}
	}
}
