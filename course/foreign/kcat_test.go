//go:build unix

package foreign

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// kcat is librdkafka, the client under those of most other languages.
func TestKcat(t *testing.T) {
	needKafka(t)
	path, err := exec.LookPath("kcat")
	if err != nil {
		t.Skipf("left out: %v; install kcat", err)
	}
	t.Parallel()
	p := newPlace(t)
	p.course(0, "topic", "create", "orders", "--partitions", "3")
	kcat := func(stdin string, args ...string) result {
		t.Helper()
		cmd := exec.Command(path, append([]string{"-b", p.bootstrap()}, args...)...)
		cmd.Env = environ()
		return run(t, 0, stdin, cmd)
	}
	kcat("", "-L").has(t, " 3 brokers:", `topic "orders" with 3 partitions:`, "partition 2, leader ")
	var in strings.Builder
	var want []string
	for _, key := range strings.Fields("a b c d e f g h i j") {
		in.WriteString(key + "=order-" + key + "\n")
		want = append(want, key+" order-"+key)
	}
	kcat(in.String(), "-P", "-t", "orders", "-K=", "-X", "enable.idempotence=true")
	read := kcat("", "-C", "-t", "orders", "-o", "beginning", "-e", "-q", "-f", `%k %s\n`)
	sameLines(t, read, want)
	group := kcat("", "-G", "readers", "orders", "-c", "10", "-q", "-f", `%k %s\n`,
		"-X", "auto.offset.reset=earliest")
	sameLines(t, group, want)
	// It commits what it has read when it leaves.
	p.course(0, "group", "describe", "readers").has(t, "Empty  0         0")
	kcat("k=again\n", "-P", "-t", "orders", "-K=")
	again := kcat("", "-G", "readers", "orders", "-c", "1", "-q", "-f", `%k %s\n`)
	sameLines(t, again, []string{"k again"})
}

// sameLines checks the lines that a command printed, in any order.
func sameLines(t *testing.T, r result, want []string) {
	t.Helper()
	got := strings.Split(strings.TrimSpace(r.stdout), "\n")
	slices.Sort(got)
	if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		t.Errorf("it printed %q, want %q: %v", got, want, r)
	}
}
