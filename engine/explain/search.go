package explain

import (
	"math"
	"slices"
	"time"
)

// A sample is the order after a change by some amount.
type sample struct {
	amount int64
	passes bool    // the second job comes first
	lead   float64 // by how much it is ahead, below 0 where it is behind; NaN where no number decides
}

// smallest finds an amount above the present one at which the second job passes and below which it does not: the smallest
// one where more of it never makes the job fall back, and else the end of some such range.
func smallest(d contest, t *trial) (amount int64, ok bool) {
	try := func(amount int64) sample { return d.after(Change{t.kind, amount}) }
	low, high, ok := bracket(d, t, try)
	if !ok {
		return 0, false
	}
	return between(try, low, high), true
}

// bracket is a range that a flip point is in: at its lower end the job does not pass, and at its upper end it does.
func bracket(d contest, t *trial, try func(int64) sample) (low, high sample, ok bool) {
	low = d.present()
	low.amount = t.from
	switch {
	case t.most <= t.from:
		return low, low, false
	case !many(d):
		return climb(try, low, t.most, 2)
	case t.guess > t.from && t.guess < t.most:
		near := try(t.guess)
		if near.passes {
			low, high = descend(try, low, near)
			return low, high, true
		}
		if high = try(t.most); high.passes {
			return climb(try, near, t.most, 8)
		}
	default:
		high = try(t.most)
	}
	return low, high, high.passes
}

// climb goes up from an amount at which the job does not pass, by ever greater steps, until it does.
func climb(try func(int64) sample, low sample, most, faster int64) (sample, sample, bool) {
	for step := int64(1); low.amount < most; step *= faster {
		high := try(min(low.amount+step, most))
		if high.passes {
			return low, high, true
		}
		low = high
	}
	return low, low, false
}

// descend goes down from an amount at which the job passes, by ever greater steps, until it does not.
func descend(try func(int64) sample, low, high sample) (sample, sample) {
	for step := int64(1); high.amount-step > low.amount; step *= 8 {
		s := try(high.amount - step)
		if !s.passes {
			return s, high
		}
		high = s
	}
	return low, high
}

// manyJobs are so many that the order is looked at less often.
var manyJobs = 10_000

func many(d contest) bool { return len(d.about().s.Jobs) > manyJobs }

// between narrows a range, at whose lower end the job does not pass and at whose upper end it does, to the point where it
// begins to. It aims at where a line through both ends says that they are equal, as the Illinois algorithm does; every third
// time at the middle, so that no curve takes long.
func between(try func(int64) sample, low, high sample) int64 {
	last := 0 // the end that moved: -1 the lower one, 1 the upper one
	for n := 1; high.amount-low.amount > 1; n++ {
		s := try(aim(low, high, n%3 == 0))
		if s.passes {
			if high = s; last > 0 {
				low.lead /= 2
			}
			last = 1
		} else {
			if low = s; last < 0 {
				high.lead /= 2
			}
			last = -1
		}
	}
	return high.amount
}

// aim is an amount within a range to be tried next.
func aim(low, high sample, halve bool) int64 {
	width := high.amount - low.amount
	if halve || !(low.lead <= 0 && high.lead >= 0 && low.lead < high.lead) || math.IsInf(high.lead-low.lead, 0) {
		return low.amount + width/2
	}
	part := math.Ceil(float64(width) * (low.lead / (low.lead - high.lead)))
	return low.amount + min(max(int64(part), 1), width-1)
}

// overTime finds when the second job passes if nothing but time changes.
func overTime(d contest) (amount int64, ok bool) {
	try := func(amount int64) sample { return d.after(Change{ByTime, amount}) }
	low := d.present()
	for _, moment := range moments(d) {
		if moment <= low.amount {
			continue
		}
		high := try(moment)
		if high.passes {
			return between(try, low, high), true
		}
		low = high
	}
	return 0, false
}

// moments are the seconds after the next run at which the order is looked at: ever farther apart, and around each moment
// that lies ahead at which numbers leap.
func moments(d contest) []int64 {
	most := int64(horizon / time.Second)
	var list []int64
	by := int64(2)
	if many(d) {
		by = 1
	}
	for t := int64(1); t < most; t += max(1, t/by) {
		list = append(list, t)
	}
	list = append(list, most)
	for _, at := range d.about().leaps() {
		if after := at.Unix() - d.about().next.Unix(); after > 0 && after < most {
			list = append(list, after-1, after)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// mostLeaps bounds the moments that are looked at besides.
const mostLeaps = 30

// leaps are moments at which numbers do not change evenly: deadlines, start times, and when usage decays in PBS.
func (d *duel) leaps() (list []time.Time) {
	for i := range d.s.Jobs {
		for _, at := range []time.Time{d.s.Jobs[i].Deadline, d.s.Jobs[i].ExecutionTime} {
			if at.After(d.next) && len(list) < mostLeaps {
				list = append(list, at)
			}
		}
	}
	if d.s.PBS == nil {
		return list
	}
	f := &d.s.PBS.Fairshare
	last, every := f.Usage.LastDecay, f.Policy.DecayTime
	if last.IsZero() {
		last = d.next
	}
	for n := time.Duration(1); every >= time.Second && n <= mostLeaps; n++ {
		list = append(list, last.Add(n*every))
	}
	return list
}
