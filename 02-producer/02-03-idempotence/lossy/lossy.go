// Package lossy is a network that loses acknowledgements. The broker has stored the records
// and said so, and the client never hears it: its connection breaks instead.
//
// It stands between client and broker, in the program itself, so it is the same on every
// stand. It can also bring an old request a second time.
package lossy

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/msg"
)

// Answer is what a broker said to a batch of records.
type Answer struct {
	// N counts the acknowledged requests, from 1.
	N int
	// ProducerID and Sequence stand in the batch: who sent it, and the number that its
	// first record has in its partition. Both are -1 without idempotence.
	ProducerID int64
	Sequence   int32
	Records    int32
	// Offset is where the first record lies.
	Offset int64
	// Err is a refusal.
	Err error
	// Lost says that the client does not get this answer.
	Lost bool

	broker  string
	request []byte
}

// Network carries requests and answers. Make it with New and pass Dial to kgo.Dialer.
type Network struct {
	every int
	tell  func(Answer)

	mu   sync.Mutex
	acks int
	lost int
	// unheard counts the records whose acknowledgement was lost.
	unheard int64
}

// New makes a network that loses one acknowledgement in every few: 3 is the third, the sixth
// and so on, 1 is all of them, 0 none. It tells of each acknowledgement, one at a time.
func New(every int, tell func(Answer)) *Network {
	return &Network{every: every, tell: tell}
}

// Lost returns how many acknowledgements were lost so far, and of how many records.
func (n *Network) Lost() (answers int, records int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lost, n.unheard
}

// Dial connects to a broker through the network.
func (n *Network) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	broker, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: broker, network: n, addr: addr, asked: map[int32]produce{}}, nil
}

// Repeat brings the request that was answered by a to its broker once more, on a connection
// of its own, and returns what the broker says now.
func (n *Network) Repeat(ctx context.Context, a Answer) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	broker, err := (&net.Dialer{}).DialContext(ctx, "tcp", a.broker)
	if err != nil {
		return Answer{}, err
	}
	defer broker.Close()
	defer context.AfterFunc(ctx, func() { broker.SetDeadline(time.Now()) })()
	if _, err := broker.Write(a.request); err != nil {
		return Answer{}, err
	}
	answer, err := readFrame(broker)
	if err != nil {
		return Answer{}, err
	}
	_, p, _ := parse(a.request)
	answers := p.answers(answer)
	if len(answers) == 0 {
		return Answer{}, msg.Errorf("the broker's answer names no partition")
	}
	return answers[0], nil
}

// WithSequence returns a with a request that bears another sequence number, for Repeat.
func (a Answer) WithSequence(n int32) Answer {
	_, p, _ := parse(a.request)
	records := p.req.Topics[0].Partitions[0].Records
	a.request = bytes.Clone(a.request)
	batch := a.request[bytes.Index(a.request, records):][:len(records)]
	binary.BigEndian.PutUint32(batch[53:], uint32(n))
	// A broker compares the checksum of all that stands behind it.
	binary.BigEndian.PutUint32(batch[17:], crc32.Checksum(batch[21:], castagnoli))
	a.Sequence = n
	return a
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// produce is a request to store records.
type produce struct {
	frame []byte
	req   *kmsg.ProduceRequest
}

// conn is a connection to a broker, frame by frame: a size of four bytes, then so many.
type conn struct {
	net.Conn
	network *Network
	addr    string
	sent    []byte       // a request that is not complete yet
	unread  bytes.Buffer // of the answer that the client reads

	mu    sync.Mutex
	asked map[int32]produce // by correlation id, which the answer repeats
}

func (c *conn) Write(p []byte) (int, error) {
	c.sent = append(c.sent, p...)
	for len(c.sent) >= 4 {
		size := 4 + int(binary.BigEndian.Uint32(c.sent))
		if len(c.sent) < size {
			break
		}
		if id, p, ok := parse(bytes.Clone(c.sent[:size])); ok {
			c.mu.Lock()
			c.asked[id] = p
			c.mu.Unlock()
		}
		c.sent = c.sent[size:]
	}
	return c.Conn.Write(p)
}

func (c *conn) Read(p []byte) (int, error) {
	if c.unread.Len() == 0 {
		frame, err := readFrame(c.Conn)
		if err != nil {
			return 0, err
		}
		id := int32(binary.BigEndian.Uint32(frame[4:]))
		c.mu.Lock()
		asked, ok := c.asked[id]
		delete(c.asked, id)
		c.mu.Unlock()
		// region lose
		if ok && c.network.loses(asked, frame, c.addr) { // the whole answer is here
			c.Close()
			return 0, io.EOF // all that the client hears of it
		}
		// endregion lose
		c.unread.Write(frame)
	}
	return c.unread.Read(p)
}

// loses decides what becomes of an answer. One that refuses a batch is never lost: nothing
// was stored.
func (n *Network) loses(p produce, frame []byte, addr string) bool {
	answers := p.answers(frame)
	for _, a := range answers {
		if a.Err != nil {
			return false
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.acks++
	lost := n.every > 0 && n.acks%n.every == 0
	if lost {
		n.lost++
	}
	for _, a := range answers {
		if lost {
			n.unheard += int64(a.Records)
		}
		a.N, a.Lost, a.broker, a.request = n.acks, lost, addr, p.frame
		n.tell(a)
	}
	return lost
}

// parse reads a request; ok says that it carries records.
func parse(frame []byte) (id int32, p produce, ok bool) {
	r := kbin.Reader{Src: frame[4:]}
	key, version, id := r.Int16(), r.Int16(), r.Int32()
	if key != int16(kmsg.Produce) {
		return id, produce{}, false
	}
	r.NullableString() // the client's name
	req := kmsg.NewPtrProduceRequest()
	req.SetVersion(version)
	if req.IsFlexible() {
		kmsg.SkipTags(&r)
	}
	return id, produce{frame, req}, r.Ok() && req.ReadFrom(r.Src) == nil
}

// answers reads the answer to a request, batch by batch.
func (p produce) answers(frame []byte) []Answer {
	r := kbin.Reader{Src: frame[8:]}
	resp := p.req.ResponseKind().(*kmsg.ProduceResponse)
	if resp.IsFlexible() {
		kmsg.SkipTags(&r)
	}
	if resp.ReadFrom(r.Src) != nil {
		return nil
	}
	var answers []Answer
	for _, t := range resp.Topics {
		for _, a := range t.Partitions {
			b := p.batch(t.Topic, t.TopicID, a.Partition)
			answers = append(answers, Answer{
				ProducerID: b.ProducerID, Sequence: b.FirstSequence, Records: b.NumRecords,
				Offset: a.BaseOffset, Err: kerr.ErrorForCode(a.ErrorCode),
			})
		}
	}
	return answers
}

// batch finds what was sent to a partition. Newer requests name a topic by its id alone.
func (p produce) batch(topic string, id [16]byte, partition int32) (b kmsg.RecordBatch) {
	for _, t := range p.req.Topics {
		for _, sent := range t.Partitions {
			if t.Topic == topic && t.TopicID == id && sent.Partition == partition {
				_ = b.ReadFrom(sent.Records) // what was not read stays zero
			}
		}
	}
	return b
}

// largest is the longest answer that is believed; a broker that speaks TLS sends garbage.
const largest = 100 << 20

func readFrame(r io.Reader) ([]byte, error) {
	size := make([]byte, 4)
	if _, err := io.ReadFull(r, size); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size)
	if n < 4 || n > largest {
		return nil, msg.Errorf("an answer of %d bytes: this is no Kafka", n)
	}
	frame := append(size, make([]byte, n)...)
	_, err := io.ReadFull(r, frame[4:])
	return frame, err
}
