package utilization

import (
	"slices"

	"qprism/engine/model"
)

// A Diagram is the amount in use over time. Each step applies from its moment until the next step. Before the
// first step, the amount is 0. The diagram adds amounts in the order of the bookings, as the master does.
type Diagram []step

type step struct {
	At     seconds
	Amount float64
}

// Add books an amount from a start for a duration.
func (d *Diagram) Add(start, duration seconds, amount float64) {
	end := Later(start, duration)
	from := d.cut(start)
	to := d.cut(end)
	for i := from; i < to; i++ {
		(*d)[i].Amount += amount
	}
	d.normalise(from, to)
}

// cut makes sure that a step begins at the moment, and says where.
func (d *Diagram) cut(at seconds) int {
	i, found := d.find(at)
	if !found {
		before := 0.0
		if i > 0 {
			before = (*d)[i-1].Amount
		}
		*d = slices.Insert(*d, i, step{at, before})
	}
	return i
}

// find is the first step at a moment or behind it, and whether it is at that moment.
func (d Diagram) find(at seconds) (int, bool) {
	low, high := 0, len(d)
	for low < high {
		if middle := (low + high) / 2; d[middle].At < at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(d) && d[low].At == at
}

// normalise drops the steps at the ends of a changed stretch that change nothing, and what leads with nothing in use.
func (d *Diagram) normalise(from, to int) {
	for _, i := range []int{to, from} {
		if i > 0 && i < len(*d) && (*d)[i].Amount == (*d)[i-1].Amount {
			*d = slices.Delete(*d, i, i+1)
		}
	}
	leading := 0
	for leading < len(*d) && (*d)[leading].Amount == 0 {
		leading++
	}
	*d = slices.Delete(*d, 0, leading)
}

// At is the amount in use at a moment.
func (d Diagram) At(t seconds) float64 {
	i, found := d.find(t)
	if found {
		return d[i].Amount
	}
	if i == 0 {
		return 0
	}
	return d[i-1].Amount
}

// Max is the greatest amount in use from a start for a duration.
func (d Diagram) Max(start, duration seconds) float64 {
	i, found := d.find(start)
	greatest := 0.0
	if found {
		greatest = d[i].Amount
		i++
	} else if i > 0 {
		greatest = d[i-1].Amount
	}
	for end := Later(start, duration); i < len(d) && d[i].At < end; i++ {
		greatest = max(greatest, d[i].Amount)
	}
	return greatest
}

// AtLast is the amount that stays in use for ever.
func (d Diagram) AtLast() float64 {
	if d = d.UntilForever(); len(d) == 0 {
		return 0
	}
	return d[len(d)-1].Amount
}

// UntilForever is the diagram without its end of time: amounts in use for ever stay in use.
func (d Diagram) UntilForever() Diagram {
	if n := len(d); n > 0 && d[n-1].At == Forever {
		return d[:n-1]
	}
	return d
}

// Below is the moment from which at most the limit is in use, 0 if it always is.
func (d Diagram) Below(limit float64) seconds {
	for i := len(d) - 1; i > 0; i-- {
		if d[i].Amount <= limit && d[i-1].Amount > limit {
			return d[i].At
		}
	}
	return 0
}

// Gap is the earliest moment, not before from, at which at most the limit is in use for the whole duration.
func (d Diagram) Gap(from, duration seconds, limit float64) seconds {
	i, found := d.find(from)
	if !found && i > 0 {
		i--
	}
	for ; i < len(d); i++ {
		switch {
		case d[i].Amount <= limit:
			continue
		case d[i].At >= Later(from, duration) && d[i].At > from:
			return from
		case i+1 == len(d):
			return Forever
		}
		from = max(from, d[i+1].At)
	}
	return from
}

// Block replaces the bookings in a window by one amount, as the master does when a calendar closes a queue
// instance. A booking that begins before the window and ends after it is lost after the window (D28). If a
// booking changes in the first second of the window, the amount before it continues instead. So the boundary
// of two adjacent windows is not a moment to try.
func (d *Diagram) Block(from, until seconds, amount float64) {
	first, begins := d.find(from)
	last := first
	for last < len(*d) && (*d)[last].At < until {
		last++
	}
	after, ends := 0.0, last < len(*d) && (*d)[last].At == until
	switch {
	case last > first:
		after = (*d)[last-1].Amount
	case last < len(*d):
		after = (*d)[last].Amount
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

// Raise raises the amount in a window to at least the given amount.
func (d *Diagram) Raise(from, until seconds, amount float64) {
	first := d.cut(from)
	last := d.cut(until)
	for i := first; i < last; i++ {
		(*d)[i].Amount = max((*d)[i].Amount, amount)
	}
}

// Steps are the steps in the form of the plan.
func (d Diagram) Steps() []model.Step {
	list := make([]model.Step, len(d))
	for i, s := range d {
		list[i] = model.Step{At: Moment(s.At), Amount: s.Amount}
	}
	return list
}
