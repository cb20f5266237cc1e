package admin

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// Codes of errors that do not come from a broker. Those that do keep Kafka's names.
const (
	CodeUsage       = "USAGE"
	CodeUnreachable = "UNREACHABLE"
	CodeTimeout     = "TIMEOUT"
	CodeInterrupted = "INTERRUPTED"
	CodeOther       = "ERROR"
)

// Error is an error in the parts that a script wants to tell apart.
type Error struct {
	// Code is Kafka's name of the error, such as GROUP_ID_NOT_FOUND, or one of the
	// codes above.
	Code string
	// Message names the thing and the reason.
	Message string
	// Hint is the way out; empty when there is none to offer.
	Hint string
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// failed returns an Error for err, which happened to the named thing ("group x").
func failed(thing string, err error) *Error { return failedWith(thing, err, "") }

// failedWith is failed with the sentence that the broker sent along.
func failedWith(thing string, err error, sentence string) *Error {
	code, reason := explainError(err)
	if sentence != "" {
		reason = code + ": " + show.Text(sentence)
	}
	e := &Error{Code: code, Message: thing + ": " + reason}
	switch code {
	case CodeUnreachable:
		e.Hint = msg.Sprintf("if a broker is down, another one takes over while a majority runs: " +
			"try again then")
	case CodeTimeout:
		e.Hint = msg.Sprintf("a broker may be frozen or busy: see `course broker ls` or " +
			"`make doctor`, and try again when another one has taken over")
	}
	return e
}

// partitionFailed is failed for a partition of t, with what to do when it has no leader.
func partitionFailed(t kadm.TopicDetail, partition int32, err error) *Error {
	e := failed(partitionThing(t.Topic, partition), err)
	replicas := t.Partitions[partition].Replicas
	if !errors.Is(err, kerr.LeaderNotAvailable) || len(replicas) == 0 {
		return e
	}
	ids := make([]string, len(replicas))
	for i, id := range replicas {
		ids[i] = strconv.Itoa(int(id))
	}
	e.Hint = msg.Sprintf("one of the brokers with its replicas (%s) must run: on a stand of the "+
		"course `course broker start N`, or resume if it is paused", strings.Join(ids, ", "))
	return e
}

// explainError returns a code and a reason for an error of a request.
func explainError(err error) (code, reason string) {
	if shards, ok := errors.AsType[*kadm.ShardErrors](err); ok && len(shards.Errs) > 0 {
		err = shards.Errs[0].Err // the caller names the thing, kadm only counts the requests
	}
	if broker, ok := errors.AsType[*kerr.Error](err); ok {
		return broker.Message, show.Text(broker.Error())
	}
	lost := kafka.Lost(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return CodeTimeout, lost
	case errors.Is(err, context.Canceled):
		return CodeInterrupted, msg.Sprintf("interrupted")
	case lost != "":
		return CodeUnreachable, lost
	}
	return CodeOther, show.Text(err.Error())
}

// All returns the errors that err was joined from, or err alone.
func All(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, All(e)...)
		}
		return all
	}
	return []error{err}
}

// didYouMean returns a hint that names what the reader may have meant.
func didYouMean(name string, names []string, command string) string {
	close := near(name, names)
	if len(close) == 0 {
		return msg.Sprintf("`%s` shows all", command)
	}
	for i, c := range close {
		close[i] = show.Text(c)
	}
	return msg.Sprintf("did you mean %s? `%s` shows all", strings.Join(close, ", "), command)
}
