package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"brew.example/internal/cli"
	"brew.example/internal/msg"
	"brew.example/internal/show"
	"brew.example/internal/table"
)

// Formats that --output may name.
const (
	Text = "text"
	Wide = "wide"
	JSON = "json"
)

// CheckFormat returns a usage error for an output format that there is not.
func CheckFormat(format string) error {
	switch format {
	case Text, Wide, JSON:
		return nil
	}
	return cli.Usagef("flag --output cannot be %s: text, wide or json", cell(format))
}

// Printer prints results: tables on Out, remarks on Err. JSON says all on Out.
//
// Nothing is ever coloured, so NO_COLOR holds always.
type Printer struct {
	Out, Err  io.Writer
	Format    string
	NoHeaders bool
}

// jsonVersion is the version of all JSON that is printed. A change that would break a
// reader raises it.
const jsonVersion = 1

// document is the frame of all JSON on Out.
type document struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
}

// table prints a table, the head unless it is not wanted.
func (p *Printer) table(head []string, rows [][]string) error {
	if p.NoHeaders {
		if len(rows) == 0 {
			return nil
		}
		head, rows = rows[0], rows[1:]
	}
	return table.Write(p.Out, head, rows)
}

// Remark prints a sentence that is neither a result nor an error.
func (p *Printer) Remark(sentence string) {
	if p.Format != JSON {
		fmt.Fprintln(p.Err, show.Message(sentence))
	}
}

// Groups prints a list of groups.
func (p *Printer) Groups(list []Listed) error {
	if p.Format == JSON {
		return writeJSON(p.Out, struct {
			document
			Groups []Listed `json:"groups"`
		}{document{jsonVersion, "group.ls"}, list}, "  ")
	}
	head := []string{"GROUP", "TYPE", "STATE"}
	if p.Format == Wide {
		head = append(head, "PROTOCOL", "COORDINATOR")
	}
	var rows [][]string
	for _, g := range list {
		row := []string{cell(g.Group), word(orNil(capital(g.Type))), word(orNil(g.State))}
		if p.Format == Wide {
			row = append(row, word(orNil(g.Protocol)), strconv.Itoa(int(g.Coordinator)))
		}
		rows = append(rows, row)
	}
	return p.table(head, rows)
}

// capital writes a type as the official tools do.
func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// Descriptions prints described groups, one after another.
func (p *Printer) Descriptions(list []*Description) error {
	if p.Format == JSON {
		for _, d := range list {
			d.complete()
		}
		return writeJSON(p.Out, struct {
			document
			Groups []*Description `json:"groups"`
		}{document{jsonVersion, "group.describe"}, list}, "  ")
	}
	for i, d := range list {
		if i > 0 {
			fmt.Fprintln(p.Out)
		}
		if err := p.description(d); err != nil {
			return err
		}
	}
	return nil
}

// complete puts empty lists where JSON would have null.
func (d *Description) complete() {
	if d.Members == nil {
		d.Members = []Member{}
	}
	for i := range d.Members {
		if d.Members[i].Assigned == nil {
			d.Members[i].Assigned = []Assigned{}
		}
	}
}

func (p *Printer) description(d *Description) error {
	switch {
	case len(d.Members) == 0:
		p.Remark(msg.Sprintf("Consumer group '%s' has no active members.", cell(d.Name)))
	case d.State != "Stable":
		p.Remark(msg.Sprintf("Consumer group '%s' is rebalancing (%s).", cell(d.Name), cell(d.State)))
	}
	for _, topic := range d.Missing {
		p.Remark(msg.Sprintf("note: topic %s, which group %s reads or has commits of, does not exist",
			cell(topic), cell(d.Name)))
	}
	if !p.NoHeaders {
		if err := p.summary(d); err != nil {
			return err
		}
	}
	rows := p.partitions(d)
	if len(rows) == 0 {
		return nil
	}
	head := strings.Fields("TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG " +
		"CONSUMER-ID HOST CLIENT-ID")
	if p.Format == Wide {
		head = strings.Fields("TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-START-OFFSET " +
			"LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID GROUP-INSTANCE-ID")
	}
	if !p.NoHeaders {
		fmt.Fprintln(p.Out)
	}
	return p.table(head, rows)
}

// summary prints the line about the group as a whole. Its heads are the official ones,
// without the space of "COORDINATOR (ID)": columns can then be cut out by number.
func (p *Printer) summary(d *Description) error {
	head := []string{"GROUP", "COORDINATOR(ID)", "ASSIGNMENT-STRATEGY", "STATE"}
	row := []string{
		cell(d.Name),
		fmt.Sprintf("%s(%d)", show.Text(d.Coordinator.address()), d.Coordinator.ID),
		word(d.Strategy), cell(d.State),
	}
	if p.Format == Wide {
		head = append(head, "TYPE", "GROUP-EPOCH", "TARGET-ASSIGNMENT-EPOCH")
		row = append(row, capital(d.Type), number(d.Epoch), number(d.AssignmentEpoch))
	}
	head = append(head, "#MEMBERS", "TOTAL-LAG")
	row = append(row, strconv.Itoa(len(d.Members)), number(d.TotalLag))
	return p.table(head, [][]string{row})
}

// partitions returns the rows of a description: the partitions, then the members that
// own none, which a reader looks for just as much.
func (p *Printer) partitions(d *Description) [][]string {
	var rows [][]string
	for _, r := range d.Partitions {
		rows = append(rows, p.progress(cell(r.Topic), strconv.Itoa(int(r.Partition)), r))
	}
	for _, m := range d.Members {
		if len(m.Assigned) == 0 {
			var r Progress
			r.own(&m)
			rows = append(rows, p.progress(none, none, r))
		}
	}
	return rows
}

func (p *Printer) progress(topic, partition string, r Progress) []string {
	if p.Format == Wide {
		return []string{
			topic, partition, number(r.Epoch), number(r.Commit), number(r.Start), number(r.End),
			number(r.Lag), word(r.MemberID), word(r.Host), word(r.ClientID), word(r.Instance),
		}
	}
	return []string{
		topic, partition, number(r.Commit), number(r.End), number(r.Lag),
		word(r.MemberID), word(r.Host), word(r.ClientID),
	}
}

// Topics prints a list of topics.
func (p *Printer) Topics(list []ListedTopic) error {
	if p.Format == JSON {
		return writeJSON(p.Out, struct {
			document
			Topics []ListedTopic `json:"topics"`
		}{document{jsonVersion, "topic.ls"}, list}, "  ")
	}
	head := []string{"TOPIC", "PARTITIONS", "REPLICATION"}
	if p.Format == Wide {
		head = append(head, "TOPIC-ID", "INTERNAL")
	}
	var rows [][]string
	for _, t := range list {
		row := []string{cell(t.Topic), strconv.Itoa(t.Partitions), strconv.Itoa(t.Replication)}
		if p.Format == Wide {
			row = append(row, t.ID, strconv.FormatBool(t.Internal))
		}
		rows = append(rows, row)
	}
	return p.table(head, rows)
}

// DescribedTopics prints described topics, one after another.
func (p *Printer) DescribedTopics(list []*Topic) error {
	if p.Format == JSON {
		return writeJSON(p.Out, struct {
			document
			Topics []*Topic `json:"topics"`
		}{document{jsonVersion, "topic.describe"}, list}, "  ")
	}
	for i, t := range list {
		if i > 0 {
			fmt.Fprintln(p.Out)
		}
		if err := p.topic(t); err != nil {
			return err
		}
	}
	return nil
}

func (p *Printer) topic(t *Topic) error {
	if !p.NoHeaders {
		var configs []string
		for _, c := range t.Configs {
			if c.Own || p.Format == Wide { // the brokers' own are long, and alike for all topics
				configs = append(configs, show.Text(c.Name)+"="+configValue(c.Value))
			}
		}
		line := fmt.Sprintf("Topic: %s  TopicId: %s  PartitionCount: %d  ReplicationFactor: %d  "+
			"Configs: %s", cell(t.Topic), t.ID, t.Partitions, t.Replication, strings.Join(configs, ","))
		fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
	}
	head := strings.Fields("PARTITION LEADER REPLICAS ISR EARLIEST LATEST")
	if p.Format == Wide {
		head = strings.Fields("PARTITION LEADER LEADER-EPOCH REPLICAS ISR OFFLINE EARLIEST LATEST")
	}
	var rows [][]string
	for _, r := range t.Rows {
		row := []string{strconv.Itoa(int(r.Partition)), leader(r.Leader)}
		if p.Format == Wide {
			row = append(row, strconv.Itoa(int(r.Epoch)))
		}
		row = append(row, show.Brokers(r.Replicas...), show.Brokers(r.ISR...))
		if p.Format == Wide {
			row = append(row, show.Brokers(r.Offline...))
		}
		rows = append(rows, append(row, number(r.Earliest), number(r.Latest)))
	}
	if err := p.table(head, rows); err != nil || p.NoHeaders {
		return err
	}
	_, err := fmt.Fprintf(p.Out, "TOTAL %s\n", number(t.Total))
	return err
}

// leader renders a leader; "none" is the official tool's word.
func leader(id *int32) string {
	if id == nil {
		return "none"
	}
	return number(id)
}

func configValue(v *string) string {
	if v == nil {
		return none
	}
	return show.Text(*v)
}

// Done is what came of one name in a command that changes several.
type Done struct {
	Name string `json:"name"`
	// Changed is false when there was nothing to do.
	Changed bool `json:"changed"`
}

// Results prints what was done under the kind ("group.delete"): in JSON the list, else
// the sentences.
func (p *Printer) Results(kind string, list []Done, sentence func(Done) string) error {
	if p.Format == JSON {
		return writeJSON(p.Out, struct {
			document
			Results []Done `json:"results"`
		}{document{jsonVersion, kind}, list}, "  ")
	}
	for _, d := range list {
		if _, err := fmt.Fprintln(p.Out, sentence(d)); err != nil {
			return err
		}
	}
	return nil
}

// Report prints the errors that err was joined from on Err, and returns the exit
// status: 0 without an error, 2 for wrong usage, 1 for any other. As text it is one
// line an error; as JSON one object a line. What a signal has cut short is not told: who
// has sent it knows.
func (p *Printer) Report(err error) int {
	status := 0
	for _, e := range All(err) {
		if cut, ok := errors.AsType[*Error](e); errors.Is(e, context.Canceled) ||
			ok && cut.Code == CodeInterrupted {
			status = max(status, 1)
			continue
		}
		status = max(status, p.reportOne(e))
	}
	return status
}

func (p *Printer) reportOne(err error) int {
	_, isUsage := errors.AsType[cli.UsageError](err)
	if p.Format != JSON {
		msg.Fprintf(p.Err, "error: %s\n", show.Message(strings.TrimSpace(err.Error())))
	} else {
		writeJSON(p.Err, errorDocument(err, isUsage), "")
	}
	if isUsage {
		return 2
	}
	return 1
}

type errorBody struct {
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Hint    *string `json:"hint"`
}

func errorDocument(err error, isUsage bool) any {
	body := errorBody{Code: CodeOther, Message: strings.TrimSpace(err.Error())}
	if e, ok := err.(*Error); ok {
		body = errorBody{e.Code, e.Message, orNil(e.Hint)}
	} else if isUsage {
		body.Code = CodeUsage
	}
	return map[string]errorBody{"error": body}
}
