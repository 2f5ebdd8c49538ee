package order

import (
	"math"
	"slices"
)

// Quantile is the q-quantile of values, linear between the nearest two (type 7 of Hyndman and Fan); NaN
// without values.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := min(max(q, 0), 1) * float64(len(sorted)-1)
	lo := int(at)
	if lo == len(sorted)-1 {
		return sorted[lo]
	}
	return sorted[lo] + float64((at-float64(lo))*(sorted[lo+1]-sorted[lo]))
}
