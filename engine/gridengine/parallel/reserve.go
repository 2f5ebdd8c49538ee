package parallel

import (
	"slices"

	"qprism/engine/gridengine/resource"
	"qprism/engine/gridengine/utilization"
)

// findTime finds when a parallel task can start with the least number of slots. The master walks back from the end of
// all bookings until it cannot be placed (D11); else the first moment is taken at which it can.
func (a *search) findTime() resource.Result {
	probe := *a
	probe.Grants = nil
	if probe.Slots == 0 && len(a.Job.PERange) > 0 {
		probe.Slots = int(min(a.Job.PERange[0].Min, resource.Unlimited))
	}
	if a.PE.PerHost(probe.Slots) == 0 {
		return resource.NeverAny
	}
	times := []seconds{a.Start}
	var room *sweep
	if a.Start == utilization.AtEnd {
		times = a.times()
		room = probe.sweepOf()
	}
	if a.Run.Quirks.EarlierGapsIgnored {
		return a.walkBack(&probe, times, room)
	}
	return a.walkOn(&probe, times, room)
}

// walkBack takes the last of the moments, from the end of all bookings on, before one at which the task has no place.
func (a *search) walkBack(probe *search, times []seconds, room *sweep) resource.Result {
	if room != nil {
		n := 0
		for n < len(times) && probe.hasRoom(room, times[n]) {
			n++
		}
		times = times[max(n-1, 0):min(n+1, len(times))]
	}
	got := resource.NeverAny
	for _, t := range times {
		probe.Start = t
		if got = probe.place(); got != resource.Fits {
			break
		}
		a.keep(probe)
	}
	if a.Grants != nil {
		return resource.Fits
	}
	return got
}

// walkOn takes the first moment at which the task has a place.
func (a *search) walkOn(probe *search, times []seconds, room *sweep) resource.Result {
	got := resource.NeverAny
	for _, t := range times {
		if room != nil && !probe.hasRoom(room, t) {
			continue
		}
		probe.Start = t
		if r := probe.place(); r == resource.Fits {
			a.keep(probe)
			return resource.Fits
		} else {
			got = min(got, r)
		}
	}
	return got
}

// keep takes over what another attempt found. The master moves job_load_adjustments with it: if that finds
// more, it has none (D72).
func (a *search) keep(o *search) {
	quiet, careful := a.Quiet, a.Careful
	*a = *o
	a.Quiet = quiet
	if !a.Run.Quirks.RangeCheckStops {
		a.Careful = careful
	}
	o.Grants = nil
	o.Unadjusted = a.Run.Quirks.AdjustmentsLost
}

// times are the moments at which something that the job needs becomes free: the last one first, as the master tries
// them, or from now on in their order.
func (a *search) times() []seconds {
	list := make([]seconds, 0, a.Run.ManyTimes)
	a.eachPlaceUse(func(u *resource.Use) {
		for _, s := range u.Over {
			list = append(list, s.At)
		}
		if !a.Run.Quirks.EarlierGapsIgnored { // D12: what others must not share is not looked at
			for _, s := range u.Others {
				list = append(list, s.At)
			}
		}
	})
	a.Run.ManyTimes = max(a.Run.ManyTimes, len(list)+1)
	return a.inOrder(list)
}

// eachPlaceUse goes through what the job takes of the parallel environment and of all layers where it may run.
func (a *search) eachPlaceUse(note func(*resource.Use)) {
	note(a.PE.Use)
	a.eachUse(&a.Run.Global.Layer, note)
	seen := make([]bool, len(a.Run.Hosts))
	k := a.Run.CacheOf(a.Category, a.PE)
	a.Quiet++
	defer func() { a.Quiet-- }()
	for _, q := range a.Run.Queues {
		if !a.AllowsHost(q.ExecHost) || !a.AllowsInstance(k, q) {
			continue
		}
		if !seen[q.ExecHost.Id] {
			seen[q.ExecHost.Id] = true
			a.eachUse(&q.ExecHost.Layer, note)
		}
		a.eachUse(&q.Layer, note)
		if a.Run.Quirks.EarlierGapsIgnored {
			continue
		}
		for _, c := range a.QuotasOf(q) {
			a.eachUse(&c.Layer, note)
		}
	}
}

func (a *search) inOrder(list []seconds) []seconds {
	if a.Run.Quirks.EarlierGapsIgnored {
		slices.Sort(list)
		list = slices.Compact(list)
		slices.Reverse(list)
		// a booking at time 0 (D1) is where the master's walk ends
		if n := len(list); n > 0 && list[n-1] == utilization.RightNow {
			list = list[:n-1]
		}
		if len(list) == 0 {
			list = append(list, a.Run.Now)
		}
		return list
	}
	list = append(list, a.Run.Now)
	slices.Sort(list)
	list = slices.Compact(list)
	first, _ := slices.BinarySearch(list, a.Run.Now)
	return list[first:]
}

// eachUse goes through the uses of a layer that can decide the time: slots, and what the job asks for itself (D12).
func (a *search) eachUse(l *resource.Layer, note func(*resource.Use)) {
	for _, u := range l.Uses {
		_, _, takes := a.Category.Amount(u.Attr)
		if u.Attr.Name == resource.SlotsName || a.Category.AsksAnywhere(u.Attr) != nil || takes &&
			!a.Run.Quirks.EarlierGapsIgnored {
			note(u)
		}
	}
}
