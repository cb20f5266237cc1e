package delivery

import (
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"brew.example/internal/kafka"
	"brew.example/internal/msg"
)

// Explain adds to an error of a record the setting that set the limit: an option of cl, or a
// setting of the topic. Errors without such a limit come back as kafka.Explain leaves them.
func Explain(cl *kgo.Client, err error) error {
	setting := ""
	switch {
	case errors.Is(err, kerr.MessageTooLarge) && strings.Contains(err.Error(), ", compressed_"):
		setting = msg.Text("max.message.bytes of the topic")
	case errors.Is(err, kerr.MessageTooLarge):
		setting = option(cl, "ProducerBatchMaxBytes", kgo.ProducerBatchMaxBytes)
	case errors.Is(err, kerr.NotEnoughReplicas):
		setting = msg.Text("min.insync.replicas of the topic")
	case errors.Is(err, kgo.ErrMaxBuffered):
		setting = option(cl, "MaxBufferedRecords", kgo.MaxBufferedRecords)
	case errors.Is(err, kgo.ErrRecordTimeout):
		setting = option(cl, "RecordDeliveryTimeout", kgo.RecordDeliveryTimeout)
	case errors.Is(err, kgo.ErrRecordRetries):
		setting = option(cl, "RecordRetries", kgo.RecordRetries)
	default:
		return kafka.Explain(err)
	}
	return msg.Errorf("%w; the limit: %s", err, setting)
}

// option names an option with the client's value of it.
func option(cl *kgo.Client, name string, fn any) string {
	return fmt.Sprintf("%s=%v", name, cl.OptValue(fn))
}
