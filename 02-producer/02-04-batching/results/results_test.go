package results

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"brew.example/02-producer/measure"
)

func some() []Run {
	a := Setting{"0s", "none", "json", "async"}
	b := Setting{"5ms", "zstd", `odd "quotes", commas`, "async"}
	machine := `machine: cpu="x, y" cores=2`
	return []Run{
		{Setting: a, Repeat: 1, Partitions: 3, RecordBytes: 1024, Records: 500, Rate: 123456.789,
			Batches: 7, RawBytes: 100, WireBytes: 50, Machine: machine},
		{Setting: b, Repeat: 1, RateWanted: 1000, P50: 1.5, P99: 2, P999: 3, Max: 4},
		{Setting: a, Repeat: 2, Records: 500},
	}
}

func TestWriteAndRead(t *testing.T) {
	for name, write := range map[string]func(io.Writer, []Run) error{
		"csv": WriteCSV, "json": WriteJSON,
	} {
		for _, runs := range [][]Run{some(), {}} {
			var b bytes.Buffer
			if err := write(&b, runs); err != nil {
				t.Fatal(err)
			}
			written := b.String()
			got, err := Read(&b)
			if err != nil || len(got)+len(runs) > 0 && !reflect.DeepEqual(got, runs) {
				t.Errorf("%s: read %v, %v; written\n%s", name, got, err, written)
			}
			if len(runs) == 0 && !strings.Contains(written, "p99_9_ms") && written != "[]\n" {
				t.Errorf("%s without runs:\n%s", name, written)
			}
		}
	}
}

func TestOtherFiles(t *testing.T) {
	for _, text := range []string{"", "a,b\n1,2\n", "[1]", "<svg/>", "{}", "linger\nx\n"} {
		if runs, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read as %v", text, runs)
		}
	}
}

func TestNumbersThatNoBenchWrites(t *testing.T) {
	for _, p50 := range []float64{math.NaN(), math.Inf(1), -1} {
		runs := some()
		runs[1].P50 = p50
		var b bytes.Buffer
		if err := WriteCSV(&b, runs); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&b); err == nil || !strings.Contains(err.Error(), "run 2 has") {
			t.Errorf("%v: error %v", p50, err)
		}
	}
}

func TestGroup(t *testing.T) {
	groups := Group(some())
	if len(groups) != 2 || len(groups[0]) != 2 || groups[0][1].Repeat != 2 ||
		groups[1][0].Codec != "zstd" {
		t.Errorf("groups %v", groups)
	}
}

func TestFigures(t *testing.T) {
	r := Run{Records: 30, Batches: 4, RawBytes: 200, WireBytes: 90}
	if r.PerBatch() != 7.5 || r.Size() != 45 {
		t.Errorf("%v records in a batch, size %v%%", r.PerBatch(), r.Size())
	}
	r.SetLatency(measure.Latency{P50: 1500 * time.Microsecond, Max: time.Second})
	if r.P50 != 1.5 || r.Max != 1000 {
		t.Errorf("latency %v, %v", r.P50, r.Max)
	}
	if (Run{}).PerBatch() != 0 || (Run{}).Size() != 0 {
		t.Error("a run without records has figures")
	}
}
