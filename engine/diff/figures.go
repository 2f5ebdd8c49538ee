package diff

import (
	"math"
	"time"

	"qprism/engine/order"
)

// Figures compare two orders in numbers.
type Figures struct {
	Tasks      int // compared tasks
	Started    int // started tasks among them
	Pairs      int64
	Inversions int64
	TauB       float64 // NaN if one of the orders orders nothing
	Footrule   float64 // as a fraction of that of the reverse order
	TopK       int     // number of started tasks
	Overlap    float64 // of the first k
	Divergence int     // place of the first overtaken task, from 1; 0 for none
	By         Task    // the first task that overtook it
	Errors     Errors
}

// Errors are errors of expected start times in seconds: actual minus expected.
type Errors struct {
	Known        int     // tasks with both times
	P50, P90     float64 // of absolute values; NaN if none is known
	Late, Missed int     // later than expected; expected, but not started by the last snapshot
	Median       float64 // with sign
}

func figures(items []Item, rank, actual []int32) Figures {
	p := order.Count(rank, actual)
	f := Figures{Tasks: len(items), Pairs: p.All, Inversions: p.Discordant, TauB: p.TauB(), Errors: errorsOf(items)}
	for i := range items {
		if !items[i].Started.IsZero() {
			f.Started++
		}
	}
	if len(items) > 1 {
		f.Footrule = order.Footrule(rank, actual) / order.MostFootrule(len(items))
	}
	f.TopK = f.Started
	f.Overlap = order.Overlap(rank, actual, f.TopK)
	if first, ok := order.Divergence(rank, actual); ok {
		f.Divergence, f.By = first.Late+1, items[first.Early].Task
	}
	return f
}

// errorsOf looks at the tasks that were expected to start at some time.
func errorsOf(items []Item) Errors {
	var e Errors
	var signed, size []float64
	for _, it := range items {
		switch {
		case it.Expected.IsZero():
		case it.Started.IsZero():
			e.Missed++
		default:
			by := it.Started.Sub(it.Expected).Seconds()
			signed, size = append(signed, by), append(size, math.Abs(by))
			if by > 0 {
				e.Late++
			}
		}
	}
	e.Known = len(size)
	e.P50, e.P90, e.Median = order.Quantile(size, 0.5), order.Quantile(size, 0.9), order.Quantile(signed, 0.5)
	return e
}

// A Horizon has the errors of starts that the forecast expected after one time, and within another one.
type Horizon struct {
	After, Within time.Duration // After is 0 for the first horizon
	Errors
}

// horizons are the times within which starts are expected, for their trend: what is farther is harder to foresee.
var horizons = []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour,
	7 * 24 * time.Hour}

// Horizons are the errors by how far ahead the starts were expected, the nearest first; only those with
// errors.
func Horizons(items []Item, from time.Time) (list []Horizon) {
	least, after := -time.Hour, time.Duration(0)
	for _, within := range horizons {
		var some []Item
		for _, it := range items {
			if away := it.Expected.Sub(from); !it.Expected.IsZero() && away > least && away <= within {
				some = append(some, it)
			}
		}
		if h := (Horizon{after, within, errorsOf(some)}); h.Known > 0 {
			list = append(list, h)
		}
		least, after = within, within
	}
	return list
}
