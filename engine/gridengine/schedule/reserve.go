package schedule

import "slices"

// findTime finds when a parallel task can start with the least number of slots. The master walks back from the end of
// all bookings until it cannot be placed (D11); else the first moment is taken at which it can.
func (a *attempt) findTime() result {
	probe := *a
	probe.grants = nil
	if probe.slots == 0 && len(a.job.PERange) > 0 {
		probe.slots = int(min(a.job.PERange[0].Min, unlimited))
	}
	if a.pe.perHost(probe.slots) == 0 {
		return neverAny
	}
	times := []seconds{a.start}
	var room *sweep
	if a.start == atEnd {
		times = a.times()
		room = probe.sweepOf()
	}
	if a.run.quirks.LastCrossing {
		return a.walkBack(&probe, times, room)
	}
	return a.walkOn(&probe, times, room)
}

// walkBack takes the last of the moments, from the end of all bookings on, before one at which the task has no place.
func (a *attempt) walkBack(probe *attempt, times []seconds, room *sweep) result {
	if room != nil {
		n := 0
		for n < len(times) && probe.hasRoom(room, times[n]) {
			n++
		}
		times = times[max(n-1, 0):min(n+1, len(times))]
	}
	got := neverAny
	for _, t := range times {
		probe.start = t
		if got = probe.place(); got != fits {
			break
		}
		a.keep(probe)
	}
	if a.grants != nil {
		return fits
	}
	return got
}

// walkOn takes the first moment at which the task has a place.
func (a *attempt) walkOn(probe *attempt, times []seconds, room *sweep) result {
	got := neverAny
	for _, t := range times {
		if room != nil && !probe.hasRoom(room, t) {
			continue
		}
		probe.start = t
		if r := probe.place(); r == fits {
			a.keep(probe)
			return fits
		} else {
			got = min(got, r)
		}
	}
	return got
}

// keep takes over what another attempt found. The master moves job_load_adjustments with it: if that finds more, it has none (D72).
func (a *attempt) keep(o *attempt) {
	quiet, careful := a.quiet, a.careful
	*a = *o
	a.quiet = quiet
	if !a.run.quirks.CareLost {
		a.careful = careful
	}
	o.grants = nil
	o.unadjusted = a.run.quirks.AdjustmentsLost
}

// times are the moments at which something that the job needs becomes free: the last one first, as the master tries
// them, or from now on in their order.
func (a *attempt) times() []seconds {
	list := make([]seconds, 0, a.run.manyTimes)
	a.eachPlaceUse(func(u *use) {
		for _, s := range u.over {
			list = append(list, s.at)
		}
		if !a.run.quirks.LastCrossing { // D12: what others must not share is not looked at
			for _, s := range u.other {
				list = append(list, s.at)
			}
		}
	})
	a.run.manyTimes = max(a.run.manyTimes, len(list)+1)
	return a.inOrder(list)
}

// eachPlaceUse goes through what the job takes of the parallel environment and of all layers where it may run.
func (a *attempt) eachPlaceUse(note func(*use)) {
	note(a.pe.use)
	a.eachUse(&a.run.world.global.layer, note)
	seen := make([]bool, len(a.run.world.hosts))
	k := a.run.cacheOf(a.cat, a.pe)
	a.quiet++
	defer func() { a.quiet-- }()
	for _, q := range a.run.world.queues {
		if !a.allowsHost(q.host) || !a.allowsInstance(k, q) {
			continue
		}
		if !seen[q.host.id] {
			seen[q.host.id] = true
			a.eachUse(&q.host.layer, note)
		}
		a.eachUse(&q.layer, note)
		if a.run.quirks.LastCrossing {
			continue
		}
		for _, c := range a.quotasOf(q) {
			a.eachUse(&c.layer, note)
		}
	}
}

func (a *attempt) inOrder(list []seconds) []seconds {
	if a.run.quirks.LastCrossing {
		slices.Sort(list)
		list = slices.Compact(list)
		slices.Reverse(list)
		if n := len(list); n > 0 && list[n-1] == rightNow { // a booking at time 0 (D1) is where the master's walk ends
			list = list[:n-1]
		}
		if len(list) == 0 {
			list = append(list, a.run.now)
		}
		return list
	}
	list = append(list, a.run.now)
	slices.Sort(list)
	list = slices.Compact(list)
	first, _ := slices.BinarySearch(list, a.run.now)
	return list[first:]
}

// eachUse goes through the uses of a layer that can decide the time: slots, and what the job asks for itself (D12).
func (a *attempt) eachUse(l *layer, note func(*use)) {
	for _, u := range l.uses {
		_, _, takes := a.cat.amount(u.attr)
		if u.attr.Name == slotsName || a.cat.asksAnywhere(u.attr) != nil || takes && !a.run.quirks.LastCrossing {
			note(u)
		}
	}
}
