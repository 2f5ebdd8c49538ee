package search

import (
	"qprism/engine/model"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
)

// TryShrinking is Try for a job with min_walltime: if the job does not fit with its full walltime, it is
// shortened.
func (w Finder) TryShrinking(c *cluster.Claim, t Trial) ([]resource.Portion, reason.Failure) {
	place, why := w.Try(c, t)
	if place != nil || !c.Shrinks || why.Code == model.FailDedicatedTime || why.Code == model.FailPrimeOnly ||
		why.Code == model.FailNonPrimeOnly {
		return place, why
	}
	length := c.Length
	place, why = w.shrink(c, t, why)
	if place == nil {
		c.Length = length
	} else {
		c.Hard = c.Length
	}
	return place, why
}

// shrink shortens a job: to the boundary that it would cross, or to what starts before its end.
func (w Finder) shrink(c *cluster.Claim, t Trial, why reason.Failure) ([]resource.Portion, reason.Failure) {
	if why.Code == model.FailCrossPrime || why.Code == model.FailCrossDedicated {
		return w.shrinkToBoundary(c, t, why)
	}
	wanted := c.Length
	c.Length = c.Shortest
	least, why := w.Try(c, t)
	if least == nil {
		return nil, why
	}
	c.Length = wanted
	if place, _ := w.shrinkToStart(c, t); place != nil {
		return place, reason.Failure{}
	}
	c.Length = c.Shortest
	return least, reason.Failure{}
}

func (w Finder) shrinkToBoundary(c *cluster.Claim, t Trial, why reason.Failure) ([]resource.Portion, reason.Failure) {
	dedicated, prime := w.untilDedicated(c), w.untilPrime(c)
	if dedicated == clock.Never || prime == clock.Never {
		return nil, why
	}
	c.Length = min(dedicated, prime)
	return w.Try(c, t)
}

// untilDedicated is how long a job may be to end before dedicated time begins or ends, never if it is too long at its
// shortest.
func (w Finder) untilDedicated(c *cluster.Claim) clock.Seconds {
	from, to, ok := w.Hours.NextDedicated(w.Now)
	end, least := w.Now+w.Left(c, false), w.Now+w.leastLeft(c)
	switch {
	case !ok:
		return c.Length
	case w.Hours.IsDedicated(w.Now) && least > to:
		return clock.Never
	case w.Hours.IsDedicated(w.Now) && end > to:
		return to - w.Now
	case w.Hours.IsDedicated(w.Now) || end <= from:
		return c.Length
	case least >= from:
		return clock.Never
	}
	return from - w.Now
}

// untilPrime is the same for primetime.
func (w Finder) untilPrime(c *cluster.Claim) clock.Seconds {
	boundary := w.Policy.End + w.Policy.Spill
	switch {
	case w.Policy.End == clock.Forever || !w.Policy.BackfillPrime || w.Now+w.Left(c, false) < boundary:
		return c.Length
	case w.Now+w.leastLeft(c) < boundary:
		return boundary - w.Now
	}
	return clock.Never
}

func (w Finder) leastLeft(c *cluster.Claim) clock.Seconds {
	return max(0, c.Shortest-w.UsedWalltime(c))
}

// shrinkTries is how many starts are tried as the end of a job that is to be shortened.
const shrinkTries = 5

// shrinkToStart makes a job end when something starts that is planned, the last one first.
func (w Finder) shrinkToStart(c *cluster.Claim, t Trial) ([]resource.Portion, reason.Failure) {
	least, end := w.Now+c.Shortest, w.Now+c.Length
	var starts []clock.Seconds
	w.Calendar.Ahead(end, func(e *cluster.Event) bool {
		if e.Kind == cluster.StartEvent {
			starts = append(starts, e.At)
		}
		return true
	})
	n := len(starts)
	if n == 0 || starts[n-1] < least {
		return w.Try(c, t)
	}
	last, skipped, tries := clock.Never, -1, shrinkTries
	end = starts[n-1]
	for i := n - 1; tries > 0; i-- {
		if i < 0 {
			if skipped < 0 {
				break
			}
			i, skipped, tries = skipped, -1, 1
		} else if starts[i] < least {
			break
		} else if starts[i] > end || starts[i] == last {
			skipped = i
			continue
		}
		c.Length = starts[i] - w.Now
		if place, _ := w.Try(c, t); place != nil {
			return place, reason.Failure{}
		}
		skipped, last = -1, starts[i]
		end = least + (c.Length-c.Shortest)*clock.Seconds(tries-1)/clock.Seconds(tries)
		tries--
	}
	return nil, reason.Failure{}
}
