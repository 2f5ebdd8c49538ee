package schedule

import (
	"math"
	"slices"
	"time"

	"qprism/engine/model"
)

// The scheduler counts whole seconds since 1970; that of 8.1.9 in 32 bits without a sign.
type seconds = int64

const (
	forever  seconds = 1 << 40        // no end; also the time of what never comes
	endOf32  seconds = math.MaxUint32 // the last second of 32 bits; for newer releases what INFINITY lasts (O12)
	rightNow seconds = 0              // a start: as soon as the run is over
	atEnd    seconds = math.MaxInt32  // a start: to be found; also the end of a calendar's last state
)

// later adds a duration, or an offset to a duration.
func later(d, offset seconds) seconds {
	if d == forever || offset == forever || d+offset > forever {
		return forever
	}
	return d + offset
}

// bounded is a run time as the scheduler counts it: it has no end where that is beyond 32 bits, or ends all the same.
func (r *run) bounded(d seconds) seconds {
	switch {
	case r.quirks.InfinityEnds:
		return min(d, endOf32)
	case r.now+d > endOf32:
		return forever
	}
	return d
}

// unix is a moment in the scheduler's seconds.
func unix(t time.Time) seconds {
	if t.IsZero() {
		return 0
	}
	return min(max(t.Unix(), 0), forever)
}

// whole is a duration in the scheduler's seconds.
func whole(d time.Duration) seconds {
	if d == model.Forever {
		return forever
	}
	return min(max(int64(d/time.Second), 0), forever)
}

// A diagram is the amount of a resource in use over time: each step holds from its moment until the next one, and
// nothing is in use before the first. Amounts are sums in the order of the bookings, as in the master.
type diagram []step

type step struct {
	at     seconds
	amount float64
}

// add books an amount from a start for a duration.
func (d *diagram) add(start, duration seconds, amount float64) {
	end := later(start, duration)
	from := d.cut(start)
	to := d.cut(end)
	for i := from; i < to; i++ {
		(*d)[i].amount += amount
	}
	d.normalise(from, to)
}

// cut makes sure that a step begins at the moment, and says where.
func (d *diagram) cut(at seconds) int {
	i, found := d.find(at)
	if !found {
		before := 0.0
		if i > 0 {
			before = (*d)[i-1].amount
		}
		*d = slices.Insert(*d, i, step{at, before})
	}
	return i
}

// find is the first step at a moment or behind it, and whether it is at that moment.
func (d diagram) find(at seconds) (int, bool) {
	low, high := 0, len(d)
	for low < high {
		if middle := (low + high) / 2; d[middle].at < at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(d) && d[low].at == at
}

// normalise drops the steps at the ends of a changed stretch that change nothing, and what leads with nothing in use.
func (d *diagram) normalise(from, to int) {
	for _, i := range []int{to, from} {
		if i > 0 && i < len(*d) && (*d)[i].amount == (*d)[i-1].amount {
			*d = slices.Delete(*d, i, i+1)
		}
	}
	leading := 0
	for leading < len(*d) && (*d)[leading].amount == 0 {
		leading++
	}
	*d = slices.Delete(*d, 0, leading)
}

// at is the amount in use at a moment.
func (d diagram) at(t seconds) float64 {
	i, found := d.find(t)
	if found {
		return d[i].amount
	}
	if i == 0 {
		return 0
	}
	return d[i-1].amount
}

// max is the greatest amount in use from a start for a duration.
func (d diagram) max(start, duration seconds) float64 {
	i, found := d.find(start)
	greatest := 0.0
	if found {
		greatest = d[i].amount
		i++
	} else if i > 0 {
		greatest = d[i-1].amount
	}
	for end := later(start, duration); i < len(d) && d[i].at < end; i++ {
		greatest = max(greatest, d[i].amount)
	}
	return greatest
}

// atLast is the amount that stays in use for ever.
func (d diagram) atLast() float64 {
	if d = d.untilForever(); len(d) == 0 {
		return 0
	}
	return d[len(d)-1].amount
}

// untilForever is the diagram without its end of time: what is in use for ever is so then too.
func (d diagram) untilForever() diagram {
	if n := len(d); n > 0 && d[n-1].at == forever {
		return d[:n-1]
	}
	return d
}

// below is the moment after which no more than a limit is in use, 0 where that is all the time.
func (d diagram) below(limit float64) seconds {
	for i := len(d) - 1; i > 0; i-- {
		if d[i].amount <= limit && d[i-1].amount > limit {
			return d[i].at
		}
	}
	return 0
}

// gap is the earliest moment, not before from, at which no more than a limit is in use for the whole duration.
func (d diagram) gap(from, duration seconds, limit float64) seconds {
	i, found := d.find(from)
	if !found && i > 0 {
		i--
	}
	for ; i < len(d); i++ {
		switch {
		case d[i].amount <= limit:
			continue
		case d[i].at >= later(from, duration) && d[i].at > from:
			return from
		case i+1 == len(d):
			return forever
		}
		from = max(from, d[i+1].at)
	}
	return from
}

// block replaces what is booked in a window by one amount, as the master closes an instance by its calendar: bookings
// that begin before the window and end behind it are lost behind it (D28). Where something changes in the very second in which the window
// begins, what there was before it goes on instead, so that of two windows that follow each other the bound is no moment to try.
func (d *diagram) block(from, until seconds, amount float64) {
	first, begins := d.find(from)
	last := first
	for last < len(*d) && (*d)[last].at < until {
		last++
	}
	after, ends := 0.0, last < len(*d) && (*d)[last].at == until
	switch {
	case last > first:
		after = (*d)[last-1].amount
	case last < len(*d):
		after = (*d)[last].amount
	}
	window := []step{{from, amount}}
	if begins {
		window = nil
		if last == first+1 {
			after = amount
		}
	}
	if last == len(*d) {
		after = 0
	}
	if !ends {
		window = append(window, step{until, after})
	}
	*d = slices.Replace(*d, first, last, window...)
}

// raise makes at least an amount be in use in a window.
func (d *diagram) raise(from, until seconds, amount float64) {
	first := d.cut(from)
	last := d.cut(until)
	for i := first; i < last; i++ {
		(*d)[i].amount = max((*d)[i].amount, amount)
	}
}

// steps are those of a picture.
func (d diagram) steps() []model.Step {
	list := make([]model.Step, len(d))
	for i, s := range d {
		list[i] = model.Step{At: moment(s.at), Amount: s.amount}
	}
	return list
}

// moment is a time of the scheduler's seconds.
func moment(at seconds) time.Time {
	if at == forever {
		at = endOf32
	}
	return time.Unix(at, 0)
}
