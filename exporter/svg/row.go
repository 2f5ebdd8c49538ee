package svg

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Words of the schedule file.
const (
	starting  = "STARTING"
	reserving = "RESERVING"
	suspended = "SUSPENDED"
	slots     = "slots"
)

// Predicted is the state of a start in a forecast. No schedule file has this state.
const Predicted = "PREDICTED"

// classes are the kinds of blocks, with their names in the legend.
var classes = []struct {
	name, words string
	always      bool
}{
	{"running", "running", true},
	{"starting", "starts now", true},
	{"reserving", "reserved", true},
	{"predicted", "predicted to start", false},
	{"suspended", "suspended", false},
	{"other", "closed or otherwise booked", false},
}

func words(class string) string {
	for _, c := range classes {
		if c.name == class {
			return c.words
		}
	}
	return class
}

// A row is one resource at one place.
type row struct {
	level, object, resource string
	total                   float64 // capacity; 0 if unknown
	blocks                  []block
	now                     time.Time // moment of the run, in the zone of the picture

	y, height float64 // place in the picture
	top       float64 // height of the blocks together
	lanes     int     // how many of the smallest block fit above each other
}

// A block is a booking.
type block struct {
	job, task uint32
	name      string // text in the block
	class     string
	from, to  int64 // Unix seconds
	amount    float64
	low       float64 // amount of the blocks below it
}

// endless is the end of a booking without an end.
const endless = math.MaxInt64

// pack gives every block the lowest place that is free while the block lasts. If the free places below the
// capacity are scattered, a block may reach above the capacity.
func (r *row) pack() {
	slices.SortStableFunc(r.blocks, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	var open []*block // blocks that may still overlap, by place
	least := math.Inf(1)
	for i := range r.blocks {
		b := &r.blocks[i]
		open = slices.DeleteFunc(open, func(o *block) bool { return o.to <= b.from })
		place := 0
		for ; place < len(open) && open[place].low < b.low+b.amount*(1-1e-9); place++ {
			b.low = max(b.low, open[place].low+open[place].amount)
		}
		open = slices.Insert(open, place, b)
		r.top, least = max(r.top, b.low+b.amount), min(least, b.amount)
	}
	r.lanes = int(min(max(r.scale()/least, 1), mostLanes))
}

// mostLanes is the most blocks side by side for which a row makes room. If there are more, they are thinner.
const mostLanes = 16

// scale returns the amount for the full height of a row. If no more than a quarter of a resource is ever in
// use, the row shows only the lower part.
func (r *row) scale() float64 {
	if r.cut() {
		return 2 * r.top
	}
	return max(r.total, r.top, 1e-9)
}

func (r *row) cut() bool { return r.top > 0 && r.total > 4*r.top && r.resource != slots }
