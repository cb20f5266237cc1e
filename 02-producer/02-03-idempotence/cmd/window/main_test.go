package main

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"brew.example/internal/cli"
	"brew.example/internal/kafkatest"
)

const topic = "brew.window.v1"

// squeezed runs the program and returns what it printed, with one space between two cells.
func squeezed(t *testing.T, batches uint16) string {
	t.Helper()
	var out kafkatest.Buffer
	if err := run(kafkatest.Context(t), config{topic, batches}, &out); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// The last five are known. "The same number or a lower one is a duplicate" holds for them only.
func TestFiveBatchesAreKnown(t *testing.T) {
	c := kafkatest.Start(t)
	want := `acknowledged=80 failed=0 unknown=0
BATCH SEQUENCE OFFSET ANSWER-TO-A-REPEAT ITS-OFFSET
8 70 70 OK 70
7 60 60 OK 60
6 50 50 OK 50
5 40 40 OK 40
4 30 30 OK 30
3 20 20 OUT_OF_ORDER_SEQUENCE_NUMBER -
2 10 10 OUT_OF_ORDER_SEQUENCE_NUMBER -
1 0 0 OUT_OF_ORDER_SEQUENCE_NUMBER -
gap 90 - OUT_OF_ORDER_SEQUENCE_NUMBER -`
	if got := squeezed(t, 8); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := c.PartitionInfo(topic, 0).HighWatermark; got != 80 {
		t.Errorf("%d records in the log, want 80: none of the repeats is stored", got)
	}
}

// The window counts batches and not records, and is not filled by another producer's.
func TestWindowOfASecondRun(t *testing.T) {
	kafkatest.Start(t)
	squeezed(t, 8)
	want := "6 50 130 OK 130\n5 40 120 OK 120\n4 30 110 OK 110\n3 20 100 OK 100\n2 10 90 OK 90\n" +
		"1 0 80 OUT_OF_ORDER_SEQUENCE_NUMBER -\n"
	if got := squeezed(t, 6); strings.Count(got, "OK") != 5 ||
		!strings.Contains(got, "2 10 90 OK 90\n1 0 80 OUT_OF_ORDER_SEQUENCE_NUMBER -\n") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestOtherPartitionCountIsRefused(t *testing.T) {
	kafkatest.Start(t, kfake.SeedTopics(3, topic))
	var out kafkatest.Buffer
	err := run(kafkatest.Context(t), config{topic, 8}, &out)
	if err == nil || !strings.Contains(err.Error(), "partitions: 3, wanted 1") {
		t.Errorf("error %v", err)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, batches := range []uint16{0, 1001} {
		cfg := config{topic, batches}
		err := cfg.check()
		if _, ok := err.(cli.UsageError); !ok || !strings.Contains(err.Error(), "--batches") {
			t.Errorf("%d: error %v", batches, err)
		}
	}
}
