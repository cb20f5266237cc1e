package admin

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/kafka"
	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// ListedTopic is a topic as a list shows it.
type ListedTopic struct {
	Topic       string `json:"topic"`
	ID          string `json:"topic_id"`
	Internal    bool   `json:"internal"`
	Partitions  int    `json:"partitions"`
	Replication int    `json:"replication_factor"`
}

// Topic is a described topic.
type Topic struct {
	ListedTopic
	// Configs are the settings that differ from Kafka's defaults.
	Configs []Config `json:"configs"`
	Rows    []Row    `json:"partition_details"`
	// Total is the sum of latest minus earliest; nil if one of them is not known.
	Total *int64 `json:"total"`
}

// Config is a setting of a topic.
type Config struct {
	Name string `json:"name"`
	// Value is nil for a secret, which a broker does not tell.
	Value *string `json:"value"`
	// Own says that the setting was made for this topic, and not for all of a broker.
	Own bool `json:"topic_level"`
}

// Row is a partition of a described topic.
type Row struct {
	Partition int32   `json:"partition"`
	Leader    *int32  `json:"leader"` // nil when there is none
	Epoch     int32   `json:"leader_epoch"`
	Replicas  []int32 `json:"replicas"`
	ISR       []int32 `json:"isr"`
	Offline   []int32 `json:"offline_replicas"`
	Earliest  *int64  `json:"earliest"`
	Latest    *int64  `json:"latest"`
	Error     *string `json:"error"`
}

// Topics lists the topics in order of their names, internal ones if asked to.
func (c *Client) Topics(ctx context.Context, internal bool) ([]ListedTopic, error) {
	topics, err := c.adm.ListTopicsWithInternal(ctx)
	if err != nil {
		return nil, failed(msg.Text("list of the topics"), err)
	}
	list := []ListedTopic{}
	var errs []error
	for _, t := range topics.Sorted() {
		switch {
		case t.IsInternal && !internal:
		case t.Err != nil:
			errs = append(errs, failed(topicThing(t.Topic), t.Err))
		default:
			list = append(list, listedTopic(t))
		}
	}
	return list, errors.Join(errs...)
}

// TopicNames returns the names of all topics that are not internal.
func (c *Client) TopicNames(ctx context.Context) []string {
	topics, _ := c.adm.ListTopics(ctx) // what can be had is enough for a suggestion
	return topics.Names()
}

func listedTopic(t kadm.TopicDetail) ListedTopic {
	l := ListedTopic{
		Topic: t.Topic, Internal: t.IsInternal, Partitions: len(t.Partitions),
		ID: base64.RawURLEncoding.EncodeToString(t.ID[:]), // as Kafka's own tools print it
	}
	for _, p := range t.Partitions.Sorted()[:min(1, len(t.Partitions))] {
		l.Replication = len(p.Replicas)
	}
	return l
}

// DescribeTopic describes a topic. An error for a part of it comes with the rest.
func (c *Client) DescribeTopic(ctx context.Context, name string) (*Topic, error) {
	detail, err := c.topic(ctx, name)
	if err != nil {
		return nil, c.topicError(ctx, name, err, "")
	}
	t := &Topic{ListedTopic: listedTopic(detail)}
	var errs []error
	if t.Configs, err = c.configs(ctx, name); err != nil {
		errs = append(errs, err)
	}
	spans := c.spans(ctx, detail)
	total := int64(0)
	for _, p := range detail.Partitions.Sorted() {
		row := Row{
			Partition: p.Partition, Epoch: p.LeaderEpoch, Replicas: orEmpty(p.Replicas),
			ISR: orEmpty(p.ISR), Offline: orEmpty(p.OfflineReplicas),
		}
		if p.Leader >= 0 && p.Err == nil {
			row.Leader = &p.Leader
		}
		if s := spans[p.Partition]; s.err != nil {
			e := partitionFailed(detail, p.Partition, s.err)
			row.Error = &e.Code
			errs = append(errs, e)
		} else {
			row.Earliest, row.Latest = &s.start, &s.end
			total += max(s.end-s.start, 0)
		}
		t.Rows = append(t.Rows, row)
	}
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Error != nil }) {
		t.Total = &total
	}
	return t, errors.Join(errs...)
}

func orEmpty(list []int32) []int32 {
	if list == nil {
		return []int32{} // JSON writes nil as null
	}
	return list
}

// configs returns the settings that are not Kafka's defaults, by name.
func (c *Client) configs(ctx context.Context, name string) ([]Config, error) {
	thing := msg.Sprintf("settings of topic %s", cell(name))
	described, err := c.adm.DescribeTopicConfigs(ctx, name)
	if err != nil {
		return []Config{}, failed(thing, err)
	}
	resource, err := described.On(name, nil)
	if err = cmpErr(err, resource.Err); err != nil {
		return []Config{}, failedWith(thing, err, resource.ErrMessage)
	}
	configs := []Config{}
	for _, cfg := range resource.Configs {
		if cfg.Source != kmsg.ConfigSourceDefaultConfig {
			own := cfg.Source == kmsg.ConfigSourceDynamicTopicConfig
			configs = append(configs, Config{cfg.Key, cfg.Value, own})
		}
	}
	slices.SortFunc(configs, func(a, b Config) int { return strings.Compare(a.Name, b.Name) })
	return configs, nil
}

// NewTopic is a topic to create; -1 leaves a number to the cluster.
type NewTopic struct {
	Name        string
	Partitions  int32
	Replication int16
	Configs     map[string]string
}

// CreateTopic creates a topic and returns when it can be used. One that exists already
// is an error, unless the caller takes an equal one as well: then created is false.
func (c *Client) CreateTopic(
	ctx context.Context, t NewTopic, ifNotExists bool,
) (created bool, err error) {
	configs := map[string]*string{}
	for k, v := range t.Configs {
		configs[k] = &v
	}
	resp, err := c.adm.CreateTopic(ctx, t.Partitions, t.Replication, configs, t.Name)
	switch {
	case err == nil:
	case errors.Is(err, kerr.TopicAlreadyExists):
		if !ifNotExists {
			return false, &Error{
				Code:    kerr.TopicAlreadyExists.Message,
				Message: msg.Sprintf("topic %s exists already", cell(t.Name)),
				Hint: msg.Sprintf("see it with `course topic describe %s`, or add --if-not-exists "+
					"to take it as it is", cell(t.Name)),
			}
		}
	default:
		return false, failedWith(topicThing(t.Name), err, resp.ErrMessage)
	}
	created = err == nil
	settings := t.Configs
	if created {
		// A broker that has not heard of the new topic yet would say that it has none.
		settings = nil
	}
	// Waits for leaders; compares the settings of a topic that was there.
	_, err = kafka.EnsureTopic(ctx, c.cl, t.Name, t.Partitions, t.Replication, settings)
	if err != nil {
		return created, &Error{Code: CodeOther, Message: err.Error()}
	}
	return created, nil
}

// GrowTopic gives a topic more partitions and returns when they can be used; grown is false
// if it has as many already.
func (c *Client) GrowTopic(
	ctx context.Context, name string, partitions int32,
) (grown bool, err error) {
	if err := c.TopicExists(ctx, name); err != nil {
		return false, err
	}
	grown, err = kafka.GrowTopic(ctx, c.cl, name, partitions)
	if err != nil {
		return grown, &Error{Code: CodeOther, Message: err.Error()}
	}
	return grown, nil
}

// TopicExists returns an error if the topic does not exist.
func (c *Client) TopicExists(ctx context.Context, name string) error {
	if _, err := c.topic(ctx, name); err != nil {
		return c.topicError(ctx, name, err, "")
	}
	return nil
}

// DeleteTopic deletes a topic with its records.
func (c *Client) DeleteTopic(ctx context.Context, name string) error {
	if resp, err := c.adm.DeleteTopic(ctx, name); err != nil {
		return c.topicError(ctx, name, err, resp.ErrMessage)
	}
	return nil
}

// topicError names the topic, and similar ones if it does not exist.
func (c *Client) topicError(ctx context.Context, name string, err error, sentence string) error {
	if !errors.Is(err, kerr.UnknownTopicOrPartition) {
		return failedWith(topicThing(name), err, sentence)
	}
	return &Error{
		Code:    kerr.UnknownTopicOrPartition.Message,
		Message: msg.Sprintf("no such topic: %s", show.Text(name)),
		Hint:    didYouMean(name, c.TopicNames(ctx), "course topic ls"),
	}
}
