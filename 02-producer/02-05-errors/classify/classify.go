// Package classify tells what to do about a record that was not acknowledged.
package classify

import (
	"context"
	"errors"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/show"
)

// Action is what the caller does next.
type Action string

// The five things that a caller can do. The words are the same in all languages.
const (
	Done       Action = "done"        // acknowledged
	DeadLetter Action = "dead-letter" // this record will never be accepted, others are
	Stop       Action = "stop"        // no record will be accepted until somebody has a look
	Retry      Action = "retry"       // not stored by this attempt: send it again, later
	Ask        Action = "ask"         // may be stored: again only if readers ignore a second one
)

// region classify

var (
	deadLetter = []error{
		kerr.MessageTooLarge, kerr.RecordListTooLarge, kerr.InvalidRecord, kerr.InvalidTimestamp,
	}
	stop = []error{
		kerr.UnknownTopicOrPartition, kerr.InvalidTopicException, kerr.TopicAuthorizationFailed,
		kerr.ClusterAuthorizationFailed, kerr.InvalidRequiredAcks,
		kerr.UnsupportedCompressionType, kerr.PolicyViolation,
	}
	retry = []error{kgo.ErrMaxBuffered, kerr.NotEnoughReplicas}
)

// Classify sorts the error that Produce gives to its callback. What is not in a list is Ask,
// since the record may be stored: a timeout, a closed client, a cancelled context, and the
// errors that we have not met yet.
func Classify(err error) Action {
	is := func(target error) bool { return errors.Is(err, target) }
	switch {
	case err == nil:
		return Done
	case slices.ContainsFunc(deadLetter, is):
		return DeadLetter
	case slices.ContainsFunc(stop, is):
		return Stop
	case slices.ContainsFunc(retry, is):
		return Retry
	}
	return Ask
}

// endregion classify

// Name returns the error's short name: the protocol's, or that of franz-go's variable.
func Name(err error) string {
	for target, name := range map[error]string{
		kgo.ErrRecordTimeout: "ErrRecordTimeout", kgo.ErrRecordRetries: "ErrRecordRetries",
		kgo.ErrMaxBuffered: "ErrMaxBuffered", kgo.ErrClientClosed: "ErrClientClosed",
		context.Canceled: "context.Canceled",
	} {
		if errors.Is(err, target) {
			return name
		}
	}
	var answer *kerr.Error
	switch {
	case err == nil:
		return "-"
	case errors.As(err, &answer):
		return answer.Message
	}
	return show.Text(err.Error())
}
