package cycle

import "qprism/engine/model"

// tryShrinking is try for a job that may be: one with min_walltime is shortened if it does not fit as long as it wants.
func (w *world) tryShrinking(c *claim, t trial) ([]portion, failure) {
	place, why := w.try(c, t)
	if place != nil || !c.shrinks || why.code == model.FailDedicatedTime || why.code == model.FailPrimeOnly ||
		why.code == model.FailNonPrimeOnly {
		return place, why
	}
	length := c.length
	place, why = w.shrink(c, t, why)
	if place == nil {
		c.length = length
	} else {
		c.hard = c.length
	}
	return place, why
}

// shrink shortens a job: to the boundary that it would cross, or to what starts before its end.
func (w *world) shrink(c *claim, t trial, why failure) ([]portion, failure) {
	if why.code == model.FailCrossPrime || why.code == model.FailCrossDedicated {
		return w.shrinkToBoundary(c, t, why)
	}
	wanted := c.length
	c.length = c.shortest
	least, why := w.try(c, t)
	if least == nil {
		return nil, why
	}
	c.length = wanted
	if place, _ := w.shrinkToStart(c, t); place != nil {
		return place, failure{}
	}
	c.length = c.shortest
	return least, failure{}
}

func (w *world) shrinkToBoundary(c *claim, t trial, why failure) ([]portion, failure) {
	dedicated, prime := w.untilDedicated(c), w.untilPrime(c)
	if dedicated == never || prime == never {
		return nil, why
	}
	c.length = min(dedicated, prime)
	return w.try(c, t)
}

// untilDedicated is how long a job may be to end before dedicated time begins or ends, never if it is too long at its
// shortest.
func (w *world) untilDedicated(c *claim) seconds {
	from, to, ok := w.clock.nextDedicated(w.now)
	end, least := w.now+w.left(c, false), w.now+w.leastLeft(c)
	switch {
	case !ok:
		return c.length
	case w.clock.isDedicated(w.now) && least > to:
		return never
	case w.clock.isDedicated(w.now) && end > to:
		return to - w.now
	case w.clock.isDedicated(w.now) || end <= from:
		return c.length
	case least >= from:
		return never
	}
	return from - w.now
}

// untilPrime is the same for primetime.
func (w *world) untilPrime(c *claim) seconds {
	boundary := w.policy.end + w.policy.spill
	switch {
	case w.policy.end == forever || !w.policy.BackfillPrime || w.now+w.left(c, false) < boundary:
		return c.length
	case w.now+w.leastLeft(c) < boundary:
		return boundary - w.now
	}
	return never
}

func (w *world) leastLeft(c *claim) seconds { return max(0, c.shortest-w.usedWalltime(c)) }

// shrinkTries is how many starts are tried as the end of a job that is to be shortened.
const shrinkTries = 5

// shrinkToStart makes a job end when something starts that is planned, the last one first.
func (w *world) shrinkToStart(c *claim, t trial) ([]portion, failure) {
	least, end := w.now+c.shortest, w.now+c.length
	var starts []seconds
	w.calendar.ahead(end, func(e *event) bool {
		if e.kind == startEvent {
			starts = append(starts, e.at)
		}
		return true
	})
	n := len(starts)
	if n == 0 || starts[n-1] < least {
		return w.try(c, t)
	}
	last, skipped, tries := never, -1, shrinkTries
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
		c.length = starts[i] - w.now
		if place, _ := w.try(c, t); place != nil {
			return place, failure{}
		}
		skipped, last = -1, starts[i]
		end = least + (c.length-c.shortest)*seconds(tries-1)/seconds(tries)
		tries--
	}
	return nil, failure{}
}
