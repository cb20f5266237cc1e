package daemon

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"

	"brew.example/internal/msg"
	"brew.example/internal/show"
)

// maxFrame is the longest request that the stand takes, as Kafka's
// socket.request.max.bytes.
const maxFrame = 100 << 20

// minFrame holds key, version, correlation id and the length of the client id.
const minFrame = 2 + 2 + 4 + 2

// keptBuffer is how much of a connection's buffer outlives a frame: a thousand idle
// connections cost a thousand times this at most.
const keptBuffer = 4 << 10

// guard stands between the network and kfake, which trusts whatever it is sent: it
// allocates as many bytes as a frame claims to have, and a request that it does not
// expect stops the whole process. The guard hands on a frame only when all of it has
// come and it is a request that kfake can bear; else it cuts the connection and says
// why in the log.
type guard struct {
	net.Listener
	addr   string // what Addr says: kfake advertises it to the clients
	frames *frames
	log    *log
}

// guardListener returns a net.Listen for kfake that guards what is accepted. It
// listens on bind, and the brokers advertise themselves as host.
func guardListener(
	bind, host string, log *log,
) func(network, address string) (net.Listener, error) {
	all := newFrames() // of all brokers
	return func(network, address string) (net.Listener, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		ln, err := net.Listen(network, net.JoinHostPort(bind, port))
		if err != nil {
			return nil, err
		}
		_, port, err = net.SplitHostPort(ln.Addr().String()) // port 0 has become a real one
		if err != nil {
			return nil, err
		}
		addr := net.JoinHostPort(host, port)
		return &guard{Listener: ln, addr: addr, frames: all, log: log}, nil
	}
}

// Addr returns the address that clients shall use.
func (g *guard) Addr() net.Addr { return advertised(g.addr) }

type advertised string

func (advertised) Network() string  { return "tcp" }
func (a advertised) String() string { return string(a) }

func (g *guard) Accept() (net.Conn, error) {
	conn, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(conn, 512)
	return &guarded{Conn: conn, in: in, frames: g.frames, log: g.log}, nil
}

// guarded is a connection whose reads give whole, checked frames. It is read by one
// goroutine at a time, as kfake does.
type guarded struct {
	net.Conn
	in     *bufio.Reader
	frames *frames
	log    *log
	frame  []byte // the whole frame with its length, as it came
	rest   []byte // what of frame has not been read yet
	err    error  // why no more frames come
}

func (c *guarded) Read(p []byte) (int, error) {
	if len(c.rest) == 0 && c.err == nil {
		if c.err = c.next(); c.err != nil {
			c.frame = nil
			c.Close()
		}
	}
	if c.err != nil {
		return 0, c.err
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Close ends the connection and what is kept for it.
func (c *guarded) Close() error {
	err := c.Conn.Close()
	c.frames.free(c)
	return err
}

// next reads and checks the next frame.
func (c *guarded) next() error {
	if cap(c.frame) > keptBuffer {
		c.frame = nil
		c.frames.free(c)
	}
	head, err := c.in.Peek(4)
	if err != nil {
		return err
	}
	size := int64(binary.BigEndian.Uint32(head))
	if size < minFrame || size > maxFrame {
		return c.refuse(badLength(size, c.first()))
	}
	if err := c.fill(4 + int(size)); err != nil {
		return err
	}
	c.frames.finish(c)
	if reason := check(c.frame[4:]); reason != "" {
		return c.refuse(reason)
	}
	c.rest = c.frame
	return nil
}

// fill reads a frame of so many bytes. The buffer grows with what comes, not with what
// was promised.
func (c *guarded) fill(size int) error {
	c.frame = c.frame[:0]
	for len(c.frame) < size {
		if len(c.frame) == cap(c.frame) {
			if err := c.grow(size); err != nil {
				return err
			}
		}
		n, err := c.in.Read(c.frame[len(c.frame):min(size, cap(c.frame))])
		c.frame = c.frame[:len(c.frame)+n]
		if err != nil && len(c.frame) < size {
			return err
		}
	}
	return nil
}

// grow doubles the buffer, up to size.
func (c *guarded) grow(size int) error {
	bigger := min(size, max(2*cap(c.frame), keptBuffer))
	if bigger > keptBuffer {
		for _, crowded := range c.frames.hold(c, bigger) {
			reason := msg.Sprintf("the stand keeps %d bytes of unfinished requests at most, "+
				"and this is the longest of them", maxHeld)
			if crowded == c {
				return c.refuse(reason)
			}
			_ = crowded.refuse(reason)
			crowded.Conn.Close() // its reader frees the rest
		}
	}
	c.frame = append(make([]byte, 0, bigger), c.frame...)
	return nil
}

// first returns the bytes that the peer has sent so far, up to 16, without waiting
// for more.
func (c *guarded) first() []byte {
	b, _ := c.in.Peek(min(16, c.in.Buffered()))
	return b
}

func (c *guarded) refuse(reason string) error {
	c.log.write("cut", msg.Sprintf("cut the connection of %s: %s", c.RemoteAddr(), reason))
	return fmt.Errorf("refused: %s", reason)
}

// badLength says what the peer that began with these bytes probably is.
func badLength(size int64, first []byte) string {
	text := show.Bytes(first)
	switch {
	case isHTTP(first):
		return msg.Sprintf("its first bytes are %s: "+
			"this is an HTTP request, and here is a Kafka broker; "+
			"use a Kafka client", text)
	case len(first) > 2 && first[0] == 0x16 && first[1] == 3:
		return msg.Sprintf("its first bytes are %s: "+
			"this is a TLS handshake, and the stand has no TLS; "+
			"unset KAFKA_TLS or set security.protocol=PLAINTEXT", text)
	case size > maxFrame:
		return msg.Sprintf("its first bytes are %s: as a Kafka request it would have %d bytes, "+
			"more than the %d that the stand takes", text, size, maxFrame)
	}
	return msg.Sprintf("its first bytes are %s: no Kafka request has only %d bytes", text, size)
}

func isHTTP(first []byte) bool {
	verbs := []string{
		"GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "PRI * ",
	}
	return slices.ContainsFunc(verbs, func(verb string) bool {
		return strings.HasPrefix(string(first), verb)
	})
}

// check tells what is wrong with a request (a frame without its length), "" if
// nothing is.
func check(frame []byte) (reason string) {
	in := kbin.Reader{Src: frame}
	key, version := in.Int16(), in.Int16()
	in.Int32() // correlation id
	in.NullableString()
	if !in.Ok() {
		return msg.Sprintf("a request (key %d, version %d) whose head cannot be read", key, version)
	}
	req := kmsg.RequestForKey(key)
	if req == nil {
		return msg.Sprintf("a request of the unknown key %d", key)
	}
	if version < 0 {
		return msg.Sprintf("a request (key %d) of version %d", key, version)
	}
	defer func() {
		if p := recover(); p != nil {
			reason = msg.Sprintf("a request (key %d, version %d) that cannot be read: "+
				"%v", key, version, p)
		}
	}()
	req.SetVersion(version)
	if req.IsFlexible() {
		kmsg.SkipTags(&in)
	}
	if err := req.ReadFrom(in.Src); err != nil {
		return msg.Sprintf("a request (key %d, version %d) that cannot be read: "+
			"%v", key, version, err)
	}
	return ""
}
