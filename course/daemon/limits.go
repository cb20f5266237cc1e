package daemon

import (
	"regexp"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// maxPartitions is how many partitions a topic may have here. Kafka itself has no
// such limit, but a slip such as 1000000000 would keep kfake busy until the memory is
// gone.
const maxPartitions = 1000

var topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

// limit makes the cluster refuse topics that Kafka would refuse and kfake takes: bad
// names, and more partitions than maxPartitions.
func limit(c *kfake.Cluster) {
	c.ControlKey(int16(kmsg.CreateTopics), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return limitTopics(r.(*kmsg.CreateTopicsRequest))
	})
	c.ControlKey(int16(kmsg.CreatePartitions), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		return limitPartitions(r.(*kmsg.CreatePartitionsRequest))
	})
}

// limitTopics refuses the whole request if one of its topics is to be refused.
func limitTopics(req *kmsg.CreateTopicsRequest) (kmsg.Response, error, bool) {
	var code int16
	var text string
	for _, t := range req.Topics {
		switch {
		case !topicName.MatchString(t.Topic) || t.Topic == "." || t.Topic == "..":
			code = kerr.InvalidTopicException.Code
			text = msg.Sprintf("topic %s: a name has 1 to 249 of "+
				"the characters a-z, A-Z, 0-9, dot, underscore and hyphen", show.Text(t.Topic))
		case t.NumPartitions > maxPartitions || len(t.ReplicaAssignment) > maxPartitions:
			code, text = kerr.InvalidPartitions.Code, limitText()
		}
	}
	if code == 0 {
		return nil, nil, false
	}
	resp := req.ResponseKind().(*kmsg.CreateTopicsResponse)
	for _, t := range req.Topics {
		rt := kmsg.NewCreateTopicsResponseTopic()
		rt.Topic, rt.ErrorCode, rt.ErrorMessage = t.Topic, code, &text
		resp.Topics = append(resp.Topics, rt)
	}
	return resp, nil, true
}

// limitPartitions refuses to add too many partitions to a topic.
func limitPartitions(req *kmsg.CreatePartitionsRequest) (kmsg.Response, error, bool) {
	tooMany := false
	for _, t := range req.Topics {
		tooMany = tooMany || t.Count > maxPartitions
	}
	if !tooMany {
		return nil, nil, false
	}
	text := limitText()
	resp := req.ResponseKind().(*kmsg.CreatePartitionsResponse)
	for _, t := range req.Topics {
		rt := kmsg.NewCreatePartitionsResponseTopic()
		rt.Topic, rt.ErrorCode, rt.ErrorMessage = t.Topic, kerr.InvalidPartitions.Code, &text
		resp.Topics = append(resp.Topics, rt)
	}
	return resp, nil, true
}

func limitText() string {
	return msg.Sprintf("the embedded stand takes at most %d partitions a topic", maxPartitions)
}
