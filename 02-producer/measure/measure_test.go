package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"brew.example/internal/stand"
)

// upTo returns 1 ns, 2 ns … n ns, not in their order.
func upTo(n int) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[(i*7919)%n] = time.Duration(i + 1)
	}
	return all
}

func TestLatency(t *testing.T) {
	for _, tt := range []struct {
		all  []time.Duration
		want Latency
	}{
		{nil, Latency{}},
		{upTo(1), Latency{1, 1, 1, 1}},
		{upTo(2), Latency{1, 2, 2, 2}},
		{upTo(3), Latency{2, 3, 3, 3}},
		{upTo(99), Latency{50, 99, 99, 99}},
		{upTo(100), Latency{50, 99, 100, 100}},
		{upTo(999), Latency{500, 990, 999, 999}},
		{upTo(1000), Latency{500, 990, 999, 1000}},
		{upTo(10_000), Latency{5000, 9900, 9990, 10_000}},
	} {
		before := fmt.Sprint(tt.all)
		if got := LatencyOf(tt.all); got != tt.want {
			t.Errorf("of %d values: %v, want %v", len(tt.all), got, tt.want)
		}
		if fmt.Sprint(tt.all) != before {
			t.Errorf("the %d values were put in another order", len(tt.all))
		}
	}
}

// TestPercentile holds the definition: the smallest value that p percent are not above.
func TestPercentile(t *testing.T) {
	for n := 1; n <= 1200; n += 13 {
		all := make([]time.Duration, n)
		for i := range all {
			all[i] = time.Duration(i + 1)
		}
		for _, tenths := range []int{0, 1, 250, 500, 990, 999, 1000} {
			got := Percentile(all, float64(tenths)/10)
			// With whole numbers: the first k with k/n >= tenths/1000.
			want := max(1, (tenths*n+999)/1000)
			if int(got) != want {
				t.Errorf("%d of 1000, n=%d: the value number %d, want %d", tenths, n, got, want)
			}
		}
	}
}

func TestCells(t *testing.T) {
	got := LatencyOf([]time.Duration{1234567 * time.Nanosecond, 98765 * time.Microsecond}).Cells()
	if want := []string{"1.23ms", "98.8ms", "98.8ms", "98.8ms"}; !reflect.DeepEqual(got, want) {
		t.Errorf("cells %q, want %q", got, want)
	}
	if got := (Latency{}).Cells(); strings.Join(got, "") != "----" || len(got) != len(LatencyHead) {
		t.Errorf("nothing measured: %q", got)
	}
}

func TestRound(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 999: "999ns", 1004: "1µs", 123456: "123µs", 12345678: "12.3ms",
		1999999999: "2s", 61234 * time.Millisecond: "1m1.2s", -123456: "-123µs",
	} {
		if got := Round(d); got != want {
			t.Errorf("Round(%d) is %s, want %s", d, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   Spread[float64]
	}{
		{nil, Spread[float64]{}},
		{[]float64{3}, Spread[float64]{3, 3, 3}},
		{[]float64{9, 1, 4}, Spread[float64]{4, 1, 9}},
		{[]float64{9, 1, 4, 3}, Spread[float64]{3, 1, 9}},
	} {
		if got := SpreadOf(tt.values); got != tt.want {
			t.Errorf("of %v: %v, want %v", tt.values, got, tt.want)
		}
	}
	lengths := Each([]string{"a", "bbb", "cc"}, func(s string) int { return len(s) })
	if got := SpreadOf(lengths); got != (Spread[int]{2, 1, 3}) {
		t.Errorf("of lengths: %v", got)
	}
}

func TestAlternate(t *testing.T) {
	var order strings.Builder
	results, err := Alternate(t.Context(), 2, []string{"A", "B", "C"},
		func(_ context.Context, v string) (int, error) {
			order.WriteString(v)
			return order.Len(), nil
		})
	if err != nil || order.String() != "CBA"+"ABC"+"CBA" {
		t.Errorf("the order was %s, error %v", &order, err)
	}
	if want := [][]int{{4, 9}, {5, 8}, {6, 7}}; !reflect.DeepEqual(results, want) {
		t.Errorf("results %v, want %v", results, want)
	}
}

// What was measured before an error, or before Ctrl+C, is handed over.
func TestAlternateEndsInMidRun(t *testing.T) {
	broken := errors.New("broken")
	for _, stop := range []string{"error", "cancel"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		runs := 0
		results, err := Alternate(ctx, 5, []string{"A", "B"},
			func(context.Context, string) (int, error) {
				runs++
				if runs == 6 && stop == "cancel" {
					cancel(broken)
				} else if runs == 7 {
					return 0, broken
				}
				return runs, nil
			})
		if want := [][]int{{3, 6}, {4, 5}}; err != broken || !reflect.DeepEqual(results, want) {
			t.Errorf("%s: results %v, want %v; error %v", stop, results, want, err)
		}
		cancel(nil)
	}
}

// Calls come in their rate, and a call that takes long does not move the times at which
// the next ones should have been.
func TestSteady(t *testing.T) {
	var dues []time.Time
	start := time.Now()
	n := Steady(t.Context(), 1000, 50, func(i int, due time.Time) {
		if i != len(dues) {
			t.Errorf("call %d has the number %d", len(dues), i)
		}
		if time.Now().Before(due) {
			t.Errorf("call %d came before its time", i)
		}
		dues = append(dues, due)
		if i == 10 {
			time.Sleep(20 * time.Millisecond) // what is measured: a send that blocks
		}
	})
	if n != 50 || len(dues) != 50 {
		t.Fatalf("%d calls, %d reported", len(dues), n)
	}
	if took := time.Since(start); took < 49*time.Millisecond {
		t.Errorf("50 calls at 1000 a second took %s", took)
	}
	for i, due := range dues {
		if want := dues[0].Add(time.Duration(i) * time.Millisecond); due.Sub(want).Abs() > 2 {
			t.Errorf("call %d was due at %s, want %s", i, due, want)
		}
	}
}

func TestSteadyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := Steady(ctx, 1, math.MaxInt32, func(int, time.Time) { cancel() })
	if n != 1 {
		t.Errorf("%d calls, want 1: the second is due a second later", n)
	}
}

func TestMachine(t *testing.T) {
	home := t.TempDir()
	t.Setenv("COURSE_HOME", home)
	t.Setenv("KAFKA_BOOTSTRAP", "")
	has := func(part string) {
		t.Helper()
		if got := Machine(); !strings.HasPrefix(got, "machine: ") || !strings.Contains(got, part) ||
			!strings.Contains(got, " cores=") || !strings.Contains(got, " go=go1.") {
			t.Errorf("no %q in %q", part, got)
		}
	}
	has(" stand=unknown")
	err := stand.Write(home, stand.State{
		Kind: stand.Embedded, Software: "kfake", Bootstrap: []string{"127.0.0.1:1"},
		Ports: []int{1, 2, 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	has(` stand=embedded brokers="kfake"`)
	t.Setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1")
	has(" stand=other")
}
