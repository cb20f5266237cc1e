package daemon

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// These tests read English sentences.
func init() { os.Setenv("COURSE_LANG", "en") }

// patience is how long a test awaits what must come; only a failure takes so long.
const patience = 20 * time.Second

// logBuffer is a log that a test can read while it grows.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start starts a stand in this process, on ports that are free.
func start(t testing.TB) (addrs []string, log *logBuffer) {
	t.Helper()
	log = &logBuffer{}
	d, err := Start(Options{
		Data: t.TempDir(), Ports: []int{0, 0, 0}, Log: log,
		Bind: "127.0.0.1", Advertise: "localhost",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d.cluster.ListenAddrs(), log
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// serves fails the test unless the stand takes and gives back a record.
func serves(t testing.TB, addrs []string) {
	t.Helper()
	topic := strings.ReplaceAll(fmt.Sprintf("t%d", time.Now().UnixNano()), "-", "")
	cl, err := kgo.NewClient(kgo.SeedBrokers(addrs...),
		kgo.DefaultProduceTopic(topic), kgo.ConsumeTopics(topic))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if _, err := kadm.NewClient(cl).CreateTopic(within(t), 1, 3, nil, topic); err != nil {
		t.Fatalf("the stand does not serve: %v", err)
	}
	if err := cl.ProduceSync(within(t), kgo.StringRecord("alive")).FirstErr(); err != nil {
		t.Fatalf("the stand does not serve: %v", err)
	}
	if f := cl.PollRecords(within(t), 1); f.Err() != nil || f.NumRecords() != 1 {
		t.Fatalf("the stand does not serve: %v", f.Err())
	}
}

func connect(t testing.TB, addr string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	return conn
}

// frame puts a length before a request's bytes.
func frame(body ...byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
}

func request(req kmsg.Request) []byte {
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID("test")).AppendRequest(nil, req, 1)
}

func TestGuardCutsWhatIsNotKafka(t *testing.T) {
	t.Parallel()
	known := request(kmsg.NewPtrMetadataRequest())
	for name, c := range map[string]struct {
		sent []byte
		says string
	}{
		"GET":              {[]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP"},
		"POST":             {[]byte("POST /topics HTTP/1.1\r\n"), "HTTP"},
		"HTTP/2":           {[]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "HTTP"},
		"TLS hello":        {[]byte{0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3}, "TLS"},
		"SSH":              {[]byte("SSH-2.0-OpenSSH_9.9\r\n"), "SSH-2.0-OpenSSH_"},
		"escape sequence":  {[]byte("\x1b[2J\x1b]0;owned\x07aaaa"), `"\x1b[2J`},
		"100 MiB and one":  {binary.BigEndian.AppendUint32(nil, maxFrame+1), "104857601"},
		"4 GiB":            {[]byte{0xff, 0xff, 0xff, 0xff}, "4294967295"},
		"length 0":         {frame(), "only 0 bytes"},
		"length 9":         {frame(0, 3, 0, 1, 0, 0, 0, 1, 0), "only 9 bytes"},
		"unknown key":      {frame(0x30, 0x39, 0, 0, 0, 0, 0, 1, 0xff, 0xff), "unknown key 12345"},
		"negative key":     {frame(0xff, 0xff, 0, 0, 0, 0, 0, 1, 0xff, 0xff), "unknown key -1"},
		"negative version": {frame(0, 3, 0xff, 0xff, 0, 0, 0, 1, 0xff, 0xff), "version -1"},
		"no client id":     {frame(0, 3, 0, 1, 0, 0, 0, 1, 0x7f, 0xff), "head"},
		"cut body":         {frame(known[4 : len(known)-2]...), "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addrs, log := start(t)
			for _, addr := range addrs {
				conn := connect(t, addr)
				if _, err := conn.Write(c.sent); err != nil {
					t.Fatal(err)
				}
				closed(t, conn)
			}
			text := log.String()
			if !strings.Contains(text, c.says) || strings.Contains(text, "\x1b") {
				t.Errorf("%q is missing in the log:\n%s", c.says, text)
			}
			serves(t, addrs)
		})
	}
}

// closed fails the test unless the other side closes the connection.
func closed(t testing.TB, conn net.Conn) {
	t.Helper()
	_, err := io.Copy(io.Discard, conn)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		t.Error("the connection stays open")
	}
}

func TestGuardNamesPeers(t *testing.T) {
	t.Parallel()
	addrs, log := start(t)
	http.DefaultClient.Get("http://" + addrs[0]) //nolint:errcheck // it must fail
	text := log.String()
	if !strings.Contains(text, "127.0.0.1:") || !strings.Contains(text, `GET / HTTP`) {
		t.Errorf("the log does not name the peer and its words:\n%s", log)
	}
	conn, err := tls.Dial("tcp", addrs[1], &tls.Config{InsecureSkipVerify: true})
	if err == nil {
		conn.Close()
		t.Error("a TLS handshake has worked")
	}
}

// Frames that come byte by byte, or several in one packet, are frames.
func TestGuardTakesFramesAsTheyCome(t *testing.T) {
	t.Parallel()
	addrs, _ := start(t)
	conn := connect(t, addrs[0])
	one := request(kmsg.NewPtrMetadataRequest())
	for _, b := range one {
		if _, err := conn.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Write(bytes.Repeat(one, 3)); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		var size [4]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			t.Fatal(err)
		}
		body := int64(binary.BigEndian.Uint32(size[:]))
		if _, err := io.CopyN(io.Discard, conn, body); err != nil {
			t.Fatal(err)
		}
	}
}

// A length that is promised and does not come costs no memory.
func TestGuardAllocatesWhatComes(t *testing.T) {
	addrs, _ := start(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 50 {
		conn := connect(t, addrs[0])
		promise := append(binary.BigEndian.AppendUint32(nil, maxFrame), 0, 0, 0, 9)
		if _, err := conn.Write(promise); err != nil {
			t.Fatal(err)
		}
	}
	serves(t, addrs)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 50<<20 {
		t.Errorf("%d MiB were allocated", grown>>20)
	}
}

// Long requests that never end take their place from each other, and not from learners.
func TestGuardBoundsUnfinishedFrames(t *testing.T) {
	addrs, log := start(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	part := make([]byte, 1<<20)
	for i := range 3 {
		conn := connect(t, addrs[i%len(addrs)])
		_, err := conn.Write(append(binary.BigEndian.AppendUint32(nil, maxFrame), 0, 0, 0, 9))
		for n := 0; n < 99 && err == nil; n++ { // a connection that is cut takes no more
			_, err = conn.Write(part)
		}
		serves(t, addrs)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > maxHeld+40<<20 {
		t.Errorf("%d MiB are kept", grown>>20)
	}
	if text := log.String(); !strings.Contains(text, "the longest of them") {
		t.Errorf("the log does not say what was cut:\n%s", text)
	}
}

func TestFrames(t *testing.T) {
	f := newFrames()
	a, b, c := &guarded{}, &guarded{}, &guarded{}
	step := func(what string, got []*guarded, want ...*guarded) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d connections are crowded out, want %d", what, len(got), len(want))
		}
	}
	step("one alone", f.hold(a, maxFrame))
	step("a short one beside it", f.hold(b, maxHeld-maxFrame))
	step("a third one", f.hold(c, 1), a)
	step("as much again", f.hold(a, maxFrame-1))
	f.finish(a)
	step("against a whole one", f.hold(c, 2), b)
	step("the last unfinished one", f.hold(c, maxHeld), c)
	f.free(a)
	step("after that", f.hold(c, maxHeld))
	f.free(c)
	if f.total != 0 || len(f.held)+len(f.whole) != 0 {
		t.Errorf("%d bytes stay, %v", f.total, f.held)
	}
}

// A long request that is whole is answered.
func TestGuardTakesLongFrames(t *testing.T) {
	t.Parallel()
	addrs, _ := start(t)
	conn := connect(t, addrs[0])
	req := kmsg.NewPtrMetadataRequest()
	for i := range 300 {
		topic := kmsg.NewMetadataRequestTopic()
		topic.Topic = kmsg.StringPtr(fmt.Sprint(i, strings.Repeat("x", 30_000)))
		req.Topics = append(req.Topics, topic)
	}
	if _, err := conn.Write(request(req)); err != nil {
		t.Fatal(err)
	}
	var size [4]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil || binary.BigEndian.Uint32(size[:]) < 9e6 {
		t.Errorf("the answer has %d bytes (%v)", binary.BigEndian.Uint32(size[:]), err)
	}
}

func TestThousandIdleConnections(t *testing.T) {
	addrs, _ := start(t)
	for i := range 1000 {
		connect(t, addrs[i%len(addrs)])
	}
	serves(t, addrs)
}

func TestTopicsThatKafkaRefuses(t *testing.T) {
	t.Parallel()
	addrs, _ := start(t)
	cl, err := kgo.NewClient(kgo.SeedBrokers(addrs...))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	adm := kadm.NewClient(cl)
	long := strings.Repeat("x", 250)
	for _, name := range []string{"", ".", "..", "a b", "a/b", "кофе", "x\x1b[2J", long} {
		_, err := adm.CreateTopic(within(t), 1, 3, nil, name)
		if !errors.Is(err, kerr.InvalidTopicException) {
			t.Errorf("topic %q: %v", name, err)
		}
	}
	_, err = adm.CreateTopic(within(t), maxPartitions+1, 3, nil, "many")
	if !errors.Is(err, kerr.InvalidPartitions) {
		t.Errorf("too many partitions: %v", err)
	}
	if _, err := adm.CreateTopic(within(t), 1, 3, nil, long[:249]); err != nil {
		t.Errorf("the longest name: %v", err)
	}
	if _, err := adm.CreateTopic(within(t), 3, 3, nil, "more"); err != nil {
		t.Fatal(err)
	}
	r, err := adm.UpdatePartitions(within(t), maxPartitions+1, "more")
	if err == nil && r.Error() == nil {
		t.Error("partitions without end were added")
	}
	if r, err := adm.UpdatePartitions(within(t), 5, "more"); err != nil || r.Error() != nil {
		t.Errorf("two more partitions: %v, %v", err, r.Error())
	}
	serves(t, addrs)
}

// A producer to two topics that are deleted under it must not stop the stand.
func TestProduceToDeletedTopics(t *testing.T) {
	t.Parallel()
	addrs, _ := start(t)
	cl, err := kgo.NewClient(kgo.SeedBrokers(addrs...), kgo.ProducerLinger(50*time.Millisecond),
		kgo.RecordDeliveryTimeout(time.Second), kgo.UnknownTopicRetries(0))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	adm := kadm.NewClient(cl)
	topics := []string{"a", "b", "c", "d"}
	if _, err := adm.CreateTopics(within(t), 3, 3, nil, topics...); err != nil {
		t.Fatal(err)
	}
	write := func() {
		for range 100 {
			for _, topic := range topics {
				cl.Produce(within(t), &kgo.Record{Topic: topic, Value: []byte("x")}, nil)
			}
		}
	}
	write()
	if err := cl.Flush(within(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := adm.DeleteTopics(within(t), topics...); err != nil {
		t.Fatal(err)
	}
	write() // the client does not know yet
	if err := cl.Flush(within(t)); err != nil {
		t.Fatal(err)
	}
	serves(t, addrs)
}

func TestLogIsNotFlooded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := newLog(&out)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l.now = func() time.Time { return now }
	for i := range 1000 {
		l.write("disk", fmt.Sprintf("disk full %d", i))
		l.write("peer", fmt.Sprintf("peer %d", i))
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d lines at one moment:\n%s", n, out.String())
	}
	now = now.Add(logEvery)
	l.write("disk", "disk full again")
	if !strings.Contains(out.String(), "disk full again (and 999 lines like this") {
		t.Errorf("what was left out is not counted:\n%s", out.String())
	}
}

func TestStartLeavesNothingOpenOnFailure(t *testing.T) {
	t.Parallel()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	_, err = Start(Options{
		Data: t.TempDir(), Ports: []int{port, busy.Addr().(*net.TCPAddr).Port, 0},
		Bind: "127.0.0.1", Advertise: "localhost", Log: os.Stderr,
	})
	if err == nil {
		t.Fatal("started on a port that is taken")
	}
	again, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatalf("the first port stays open: %v", err)
	}
	again.Close()
}

// FuzzCheck feeds the guard's check with anything: it must tell, and never panic.
func FuzzCheck(f *testing.F) {
	for key := range int16(100) {
		if req := kmsg.RequestForKey(key); req != nil {
			f.Add(request(req)[4:])
		}
	}
	f.Add([]byte("GET / HTTP/1.1"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if reason := check(body); strings.ContainsAny(reason, "\n\x1b") {
			t.Errorf("unfit for a log line: %q", reason)
		}
	})
}
