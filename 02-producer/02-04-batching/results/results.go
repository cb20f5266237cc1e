// Package results is what bench writes and chart reads: one row for each run, with all that
// is needed to judge it.
package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"time"

	"github.com/jszwec/csvutil"

	"brew.example/02-producer/measure"
	"brew.example/internal/msg"
)

// Setting is what a cell of the bench's matrix differs in.
type Setting struct {
	Linger  string `json:"linger"`
	Codec   string `json:"codec"`
	Payload string `json:"payload"`
	Send    string `json:"send"`
}

// Run is one measured run.
type Run struct {
	Setting
	Repeat      int   `json:"repeat"`
	Partitions  int32 `json:"partitions"`
	RecordBytes int   `json:"record_bytes"`
	Records     int   `json:"records"`
	// RateWanted is the steady rate of the records, per second; 0: as fast as they went.
	RateWanted uint    `json:"rate_wanted"`
	Rate       float64 `json:"rate"`
	Batches    int64   `json:"batches"`
	// RawBytes are the records as they stand in a batch, WireBytes the same compressed.
	RawBytes  int64   `json:"raw_bytes"`
	WireBytes int64   `json:"wire_bytes"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	P999      float64 `json:"p99_9_ms"`
	Max       float64 `json:"max_ms"`
	Machine   string  `json:"machine"`
}

// SetLatency puts the percentiles into the run, in milliseconds.
func (r *Run) SetLatency(l measure.Latency) {
	r.P50, r.P99, r.P999, r.Max = ms(l.P50), ms(l.P99), ms(l.P999), ms(l.Max)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// PerBatch is the number of records in a batch.
func (r Run) PerBatch() float64 { return float64(r.Records) / float64(max(1, r.Batches)) }

// Size is what compression has left of the bytes, in percent.
func (r Run) Size() float64 { return 100 * float64(r.WireBytes) / float64(max(1, r.RawBytes)) }

// plausible says whether the numbers can be drawn.
func (r Run) plausible() bool {
	for _, v := range []float64{r.Rate, r.P50, r.P99, r.P999, r.Max, float64(r.Records),
		float64(r.Batches), float64(r.RawBytes), float64(r.WireBytes)} {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return false
		}
	}
	return true
}

// Group returns the runs of each setting, in the order in which the settings first come.
func Group(runs []Run) [][]Run {
	var groups [][]Run
	at := map[Setting]int{}
	for _, r := range runs {
		i, ok := at[r.Setting]
		if !ok {
			i = len(groups)
			at[r.Setting] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// Formats lists what Write can write.
var Formats = []string{"table", "csv", "json"}

// Write writes the runs in a format: a table of medians, or every run as CSV or JSON.
func Write(w io.Writer, format string, runs []Run) error {
	switch format {
	case "csv":
		return WriteCSV(w, runs)
	case "json":
		return WriteJSON(w, runs)
	}
	return WriteTable(w, runs)
}

// WriteJSON writes the runs as one JSON array.
func WriteJSON(w io.Writer, runs []Run) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(append([]Run{}, runs...)) // [] and not null when there are none
}

// WriteCSV writes the runs as CSV with a head.
func WriteCSV(w io.Writer, runs []Run) error {
	rows := csv.NewWriter(w)
	enc := csvutil.NewEncoder(rows)
	enc.Tag = "json" // one name for a column, whatever the format
	if err := enc.EncodeHeader(Run{}); err != nil {
		return err
	}
	if err := enc.Encode(runs); err != nil {
		return err
	}
	rows.Flush()
	return rows.Error()
}

// Read reads what WriteCSV or WriteJSON wrote.
func Read(r io.Reader) ([]Run, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var runs []Run
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		err = json.Unmarshal(data, &runs)
	} else {
		runs, err = readCSV(data)
	}
	for i, r := range runs {
		if err == nil && !r.plausible() {
			err = msg.Errorf("run %d has a number that no bench writes", i+1)
		}
	}
	if err != nil {
		return nil, msg.Errorf("neither CSV nor JSON of the bench (-o csv or json): %w", err)
	}
	return runs, nil
}

func readCSV(data []byte) (runs []Run, err error) {
	dec, err := csvutil.NewDecoder(csv.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	dec.Tag = "json"
	head, err := csvutil.Header(Run{}, dec.Tag)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(dec.Header(), head) {
		return nil, msg.Errorf("other columns")
	}
	if err = dec.Decode(&runs); errors.Is(err, io.EOF) {
		return nil, nil // a head and no rows
	}
	return runs, err
}
