// Package measure holds what the benches of this module do alike: percentiles of
// latencies, medians with their spread, runs that alternate, a steady rate of sending,
// and the line that tells on which machine a figure was taken.
package measure

import (
	"context"
	"math"
	"slices"
	"time"
)

// Latency says how long single records took.
type Latency struct{ P50, P99, P999, Max time.Duration }

// LatencyHead names the columns of Latency.Cells.
var LatencyHead = []string{"P50", "P99", "P99.9", "MAX"}

// LatencyOf returns the percentiles of all. Each is a duration that was measured, none is
// made up between two: of fewer than 1,000 the P99.9 is the longest, of fewer than 100 the
// P99 is. Nothing measured gives zeros.
func LatencyOf(all []time.Duration) Latency {
	sorted := slices.Sorted(slices.Values(all))
	return Latency{
		Percentile(sorted, 50), Percentile(sorted, 99), Percentile(sorted, 99.9),
		Percentile(sorted, 100),
	}
}

// Percentile returns the smallest value of sorted that p percent are not above (the
// nearest rank).
func Percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	// 99.9% of 1,000 is 999.0000000000001 to a computer; that is no reason to take the 1,000th.
	rank := int(math.Ceil(p/100*float64(len(sorted)) - 1e-9))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Cells returns the percentiles for a table; hyphens when nothing was measured.
func (l Latency) Cells() []string {
	if l == (Latency{}) {
		return []string{"-", "-", "-", "-"}
	}
	return []string{Round(l.P50), Round(l.P99), Round(l.P999), Round(l.Max)}
}

// Round gives d with three digits: more of them differ in the next run anyway.
func Round(d time.Duration) string {
	unit := time.Duration(1)
	for abs := max(d, -d); abs/unit >= 1000; {
		unit *= 10
	}
	return d.Round(unit).String()
}

// Spread is what repeated runs of one thing gave.
type Spread[T Number] struct{ Median, Min, Max T }

// Number is what a Spread is taken of.
type Number interface {
	~int | ~int64 | ~uint64 | ~float64
}

// SpreadOf returns the median of values, of an even number the lower of the two in the
// middle, with the smallest and the largest. No values give zeros.
func SpreadOf[T Number](values []T) Spread[T] {
	if len(values) == 0 {
		return Spread[T]{}
	}
	sorted := slices.Sorted(slices.Values(values))
	return Spread[T]{sorted[(len(sorted)-1)/2], sorted[0], sorted[len(sorted)-1]}
}

// Each returns pick of each result, for SpreadOf.
func Each[R any, T Number](results []R, pick func(R) T) []T {
	values := make([]T, len(results))
	for i, r := range results {
		values[i] = pick(r)
	}
	return values
}

// Alternate runs once for each variant, and all of that repeats times: A B C, C B A, A B C.
// Whatever the machine does beside it hits all of them, and a machine that becomes slower
// from run to run favours none. Before that comes a round whose results are dropped:
// connections, caches and the processor's clock have to get warm.
//
// It returns the results of each variant in the order of the variants. After an error they
// are what was measured before it.
func Alternate[V, R any](
	ctx context.Context, repeats int, variants []V, once func(context.Context, V) (R, error),
) ([][]R, error) {
	results := make([][]R, len(variants))
	for round := range repeats + 1 {
		for i := range variants {
			if round%2 == 0 {
				i = len(variants) - 1 - i
			}
			if err := context.Cause(ctx); err != nil {
				return results, err
			}
			r, err := once(ctx, variants[i])
			if err != nil {
				return results, err
			}
			if round > 0 {
				results[i] = append(results[i], r)
			}
		}
	}
	return results, nil
}

// Steady calls send n times, perSecond times a second, and returns how often it did: less
// than n when ctx ended. due is when the call should have been. Count a latency from there:
// a send that blocks holds up the next ones, and measured from their own start they would
// look fast although each of them came late.
func Steady(ctx context.Context, perSecond float64, n int, send func(i int, due time.Time)) int {
	start := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for i := range n {
		due := start.Add(time.Duration(float64(i) / perSecond * float64(time.Second)))
		if wait := time.Until(due); wait > 0 {
			timer.Reset(wait)
			select {
			case <-ctx.Done():
			case <-timer.C:
			}
		}
		if ctx.Err() != nil {
			return i
		}
		send(i, due)
	}
	return n
}
