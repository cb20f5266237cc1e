package kafkatest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestStart(t *testing.T) {
	for _, name := range []string{"KAFKA_BOOTSTRAP", "KAFKA_TLS", "KAFKA_SASL_PASSWORD"} {
		t.Setenv(name, "of the developer")
	}
	var addrs string
	t.Run("cluster", func(t *testing.T) {
		c := Start(t, kfake.SeedTopics(2, "orders"))
		addrs = strings.Join(c.ListenAddrs(), ",")
		if got := os.Getenv("KAFKA_BOOTSTRAP"); got != addrs {
			t.Errorf("KAFKA_BOOTSTRAP=%q, want %s", got, addrs)
		}
		if os.Getenv("KAFKA_TLS") != "" || os.Getenv("KAFKA_SASL_PASSWORD") != "" {
			t.Error("variables of the developer are left")
		}
		cl := Client(t, c, kgo.ClientID("test"))
		offsets := kadm.Offsets{}
		offsets.Add(kadm.Offset{Topic: "orders", Partition: 1, At: 5, LeaderEpoch: -1})
		if err := kadm.NewClient(cl).CommitAllOffsets(Context(t), "kitchen", offsets); err != nil {
			t.Fatal(err)
		}
		if got := Committed(t, cl, "kitchen", "orders"); fmt.Sprint(got) != "map[1:5]" {
			t.Errorf("committed %v", got)
		}
		if got := Committed(t, cl, "unknown", "orders"); len(got) != 0 {
			t.Errorf("committed %v by an unknown group", got)
		}
	})
	if got := os.Getenv("KAFKA_BOOTSTRAP"); got != "of the developer" {
		t.Errorf("KAFKA_BOOTSTRAP=%q is left", got)
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(addrs, ",")...))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if err := cl.Ping(Context(t)); err == nil {
		t.Error("the cluster still runs after its test")
	}
}

func TestBuffer(t *testing.T) {
	var b Buffer
	go func() {
		for i := range 100 {
			fmt.Fprintf(&b, "line %d\n", i)
		}
	}()
	b.Await(t, "line 99\n")
	if n := strings.Count(b.String(), "\n"); n != 100 {
		t.Errorf("%d lines", n)
	}
	n := 0
	Eventually(t, "three calls", func() bool { n++; return n == 3 })
	if n != 3 {
		t.Errorf("%d calls", n)
	}
}
