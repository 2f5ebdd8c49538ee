package explain

import (
	"math"
	"slices"
	"time"
)

// A Sample is the order after a change by an amount.
type Sample struct {
	Amount int64
	Passes bool    // Second comes first
	Lead   float64 // how far Second is ahead, negative if behind; NaN if no number decides
}

// smallest finds an amount above the present one at which the second job passes and below which it does
// not: the smallest one where more of it never makes the job fall back, and else the end of some such
// range.
func smallest(d PairRules, t *Trial) (amount int64, ok bool) {
	try := func(amount int64) Sample { return d.After(Change{t.Kind, amount}) }
	low, high, ok := bracket(d, t, try)
	if !ok {
		return 0, false
	}
	return between(try, low, high), true
}

// bracket is a range that a flip point is in: at its lower end the job does not pass, and at its upper end it does.
func bracket(d PairRules, t *Trial, try func(int64) Sample) (low, high Sample, ok bool) {
	low = d.Present()
	low.Amount = t.From
	switch {
	case t.Most <= t.From:
		return low, low, false
	case !Many(d):
		return searchUp(try, low, t.Most, 2)
	case t.Guess > t.From && t.Guess < t.Most:
		near := try(t.Guess)
		if near.Passes {
			low, high = descend(try, low, near)
			return low, high, true
		}
		if high = try(t.Most); high.Passes {
			return searchUp(try, near, t.Most, 8)
		}
	default:
		high = try(t.Most)
	}
	return low, high, high.Passes
}

// searchUp goes up from an amount at which the job does not pass, by ever greater steps, until it does.
func searchUp(try func(int64) Sample, low Sample, most, faster int64) (Sample, Sample, bool) {
	for step := int64(1); low.Amount < most; step *= faster {
		high := try(min(low.Amount+step, most))
		if high.Passes {
			return low, high, true
		}
		low = high
	}
	return low, low, false
}

// descend goes down from an amount at which the job passes, by ever greater steps, until it does not.
func descend(try func(int64) Sample, low, high Sample) (Sample, Sample) {
	for step := int64(1); high.Amount-step > low.Amount; step *= 8 {
		s := try(high.Amount - step)
		if !s.Passes {
			return s, high
		}
		high = s
	}
	return low, high
}

// manyJobs is the number of jobs from which the search computes the order less often.
var manyJobs = 10_000

// Many reports whether the snapshot has more jobs than manyJobs.
func Many(d PairRules) bool { return len(d.About().Snapshot.Jobs) > manyJobs }

// between narrows a range, at whose lower end the job does not pass and at whose upper end it does, to the
// point where it begins to. It aims at where a line through both ends says that they are equal, as the
// Illinois algorithm does; every third time at the middle, so that no curve takes long.
func between(try func(int64) Sample, low, high Sample) int64 {
	last := 0 // the end that moved: -1 the lower one, 1 the upper one
	for n := 1; high.Amount-low.Amount > 1; n++ {
		s := try(aim(low, high, n%3 == 0))
		if s.Passes {
			if high = s; last > 0 {
				low.Lead /= 2
			}
			last = 1
		} else {
			if low = s; last < 0 {
				high.Lead /= 2
			}
			last = -1
		}
	}
	return high.Amount
}

// aim is an amount within a range to be tried next.
func aim(low, high Sample, halve bool) int64 {
	width := high.Amount - low.Amount
	if halve || !(low.Lead <= 0 && high.Lead >= 0 && low.Lead < high.Lead) || math.IsInf(high.Lead-low.Lead, 0) {
		return low.Amount + width/2
	}
	part := math.Ceil(float64(width) * (low.Lead / (low.Lead - high.Lead)))
	return low.Amount + min(max(int64(part), 1), width-1)
}

// overTime finds when the second job passes if nothing but time changes.
func overTime(d PairRules) (amount int64, ok bool) {
	try := func(amount int64) Sample { return d.After(Change{ByTime, amount}) }
	low := d.Present()
	for _, moment := range moments(d) {
		if moment <= low.Amount {
			continue
		}
		high := try(moment)
		if high.Passes {
			return between(try, low, high), true
		}
		low = high
	}
	return 0, false
}

// moments are the seconds after the next run at which the order is looked at: ever farther apart, and
// around each moment that lies ahead at which numbers leap.
func moments(d PairRules) []int64 {
	most := int64(Horizon / time.Second)
	var list []int64
	by := int64(2)
	if Many(d) {
		by = 1
	}
	for t := int64(1); t < most; t += max(1, t/by) {
		list = append(list, t)
	}
	list = append(list, most)
	for _, at := range d.ChangeTimes() {
		if after := at.Unix() - d.About().Next.Unix(); after > 0 && after < most {
			list = append(list, after-1, after)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// MostChangeTimes is the most further moments that are tried.
const MostChangeTimes = 30

// ChangeTimes are moments at which numbers jump: deadlines and start times.
func (d *Pair) ChangeTimes() (list []time.Time) {
	for i := range d.Snapshot.Jobs {
		for _, at := range []time.Time{d.Snapshot.Jobs[i].Deadline, d.Snapshot.Jobs[i].ExecutionTime} {
			if at.After(d.Next) && len(list) < MostChangeTimes {
				list = append(list, at)
			}
		}
	}
	return list
}
