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
	total                   float64 // capacity, 0 where it is not known
	blocks                  []block
	now                     time.Time // of the run, in the zone of the picture

	y, height float64 // place in the picture
	top       float64 // how high the blocks reach
	lanes     int     // how many of the smallest block fit
}

// A block is a booking.
type block struct {
	job, task uint32
	name      string // what is written into it
	class     string
	from, to  int64 // Unix seconds
	amount    float64
	low       float64 // amount below it
}

// endless is the end of a booking that has none.
const endless = math.MaxInt64

// pack gives every block the lowest place at which nothing else is while it lasts. Where there is none
// below the capacity because the free places are scattered, blocks reach above it.
func (r *row) pack() {
	slices.SortStableFunc(r.blocks, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	var open []*block // those that may still overlap, by place
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

// mostLanes is how many blocks side by side a row makes room for; more are drawn thinner.
const mostLanes = 16

// scale is the amount that the height of a row stands for. Of a resource of which never more than a quarter
// is in use, the lower part is enough.
func (r *row) scale() float64 {
	if r.cut() {
		return 2 * r.top
	}
	return max(r.total, r.top, 1e-9)
}

func (r *row) cut() bool { return r.top > 0 && r.total > 4*r.top && r.resource != slots }
