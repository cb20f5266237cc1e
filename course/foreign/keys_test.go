//go:build unix

package foreign

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// keyTable runs the program of lecture 02-01 and returns its rows: the partitions of each key
// in topics of 3, 4 and 6, and that of librdkafka in one of 3.
func keyTable(t *testing.T, keys []string) [][]string {
	t.Helper()
	args := []string{"run", "brew.example/02-producer/02-01-keys/cmd/key-table"}
	for _, key := range keys {
		args = append(args, "--key="+key)
	}
	cmd := exec.Command("go", args...)
	cmd.Env = environ("COURSE_LANG=en")
	lines := strings.Split(strings.TrimSpace(run(t, 0, "", cmd).stdout), "\n")
	if len(lines) != len(keys)+1 {
		t.Fatalf("%d rows for %d keys", len(lines)-1, len(keys))
	}
	var rows [][]string
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		rows = append(rows, fields[len(fields)-4:])
	}
	return rows
}

// oddKeys are those of the lecture and many more, of all lengths and bytes that the console
// tools can be given.
func oddKeys() []string {
	keys := []string{"user-1", "User-1", "user-1 ", "user-01", "caf\u00e9-1", "cafe\u0301-1", "1", ""}
	random := rand.New(rand.NewPCG(2, 1)) // the same keys each time
	for i := range 200 {
		keys = append(keys, fmt.Sprintf("user-%d", i))
		odd := make([]rune, 1+i%40)
		for j := range odd {
			odd[j] = '>' + rune(random.IntN(0x2000)) // behind the separator, '='
		}
		keys = append(keys, string(odd))
	}
	return keys
}

// written returns the partition of each record of a topic; the values are the keys' numbers.
func (p *place) written(topic string, n int) []int32 {
	p.t.Helper()
	log, partitions := p.log(topic), make([]int32, n)
	for i := range partitions {
		at := log[strconv.Itoa(i)]
		if len(at) != 1 {
			p.t.Fatalf("record %d is at %v", i, at)
		}
		partitions[i] = at[0].Partition
	}
	return partitions
}

// lines are the keys as the tools read them, each with its number for a value.
func lines(keys []string) string {
	var in strings.Builder
	for i, key := range keys {
		fmt.Fprintf(&in, "%s=%d\n", key, i)
	}
	return in.String()
}

// The table of lecture 02-01 is right: Kafka's own client puts each key where it says. One
// topic of 12 partitions tells of all columns, since 12 is a multiple of 3, 4 and 6.
func TestKeysInJava(t *testing.T) {
	needKafka(t)
	t.Parallel()
	p, keys := newPlace(t), oddKeys()
	p.course(0, "topic", "create", "keys", "--partitions", "12")
	p.java(0, lines(keys), producerTool, "--topic", "keys", "--reader-property", "parse.key=true",
		"--reader-property", "key.separator==")
	written, table := p.written("keys", len(keys)), keyTable(t, keys)
	for i, key := range keys {
		for column, partitions := range []int32{3, 4, 6} {
			if java := fmt.Sprint(written[i] % partitions); java != table[i][column] {
				t.Errorf("%q of %d: partition %s, the table says %s", key, partitions, java,
					table[i][column])
			}
		}
	}
}

// And librdkafka, kcat here, puts it where the last column says: elsewhere. A key of no bytes
// it spreads as if there were none.
func TestKeysInLibrdkafka(t *testing.T) {
	needKafka(t)
	path, err := exec.LookPath("kcat")
	if err != nil {
		t.Skipf("left out: %v; install kcat", err)
	}
	t.Parallel()
	p, keys := newPlace(t), oddKeys()
	table := keyTable(t, keys)
	kcat := func(topic, stdin string, args ...string) {
		t.Helper()
		args = append([]string{"-b", p.bootstrap(), "-P", "-t", topic, "-K="}, args...)
		cmd := exec.Command(path, args...)
		cmd.Env = environ()
		run(t, 0, stdin, cmd)
	}
	p.course(0, "topic", "create", "keys", "--partitions", "3")
	kcat("keys", lines(keys))
	elsewhere := 0
	for i, partition := range p.written("keys", len(keys)) {
		if want := table[i][3]; want != "-" && fmt.Sprint(partition) != want {
			t.Errorf("%q: partition %d, the table says %s", keys[i], partition, want)
		}
		if fmt.Sprint(partition) != table[i][0] {
			elsewhere++
		}
	}
	t.Logf("%d of %d keys are elsewhere than in Java", elsewhere, len(keys))
	if elsewhere < len(keys)/2 {
		t.Errorf("%d of %d keys are elsewhere than in Java", elsewhere, len(keys))
	}
	// One setting, and it does as Java does, for a key of no bytes as well.
	p.course(0, "topic", "create", "alike", "--partitions", "3")
	kcat("alike", lines(keys), "-X", "partitioner=murmur2_random")
	for i, partition := range p.written("alike", len(keys)) {
		if fmt.Sprint(partition) != table[i][0] {
			t.Errorf("%q: partition %d, Java's is %s", keys[i], partition, table[i][0])
		}
	}
	// The hash of no bytes is 0: another partition than 0 tells that nothing was hashed.
	p.course(0, "topic", "create", "empty", "--partitions", "3")
	for n := 1; ; n++ {
		kcat("empty", fmt.Sprintf("=%d\n", n))
		if p.log("empty")[strconv.Itoa(n)][0].Partition != 0 {
			return
		}
		if n == 40 {
			t.Fatal("40 empty keys are all in partition 0")
		}
	}
}
