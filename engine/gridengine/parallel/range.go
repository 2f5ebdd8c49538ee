package parallel

import (
	"slices"

	"qprism/engine/gridengine/resource"
)

// mostNumbers bounds the numbers of slots that are looked at for one job.
const mostNumbers = 1_000_000

// mostSlots finds the most slots of a range that can be placed at the attempt's start.
func (a *search) mostSlots() resource.Result {
	if a.Grants != nil && a.Slots == a.PE.Slots {
		return resource.Fits
	}
	numbers := a.numbers()
	switch {
	case len(numbers) == 0:
		a.found, a.least = 0, 0
		return resource.NeverAny
	case a.Grants != nil && len(numbers) == 1 && numbers[0] == a.Slots && !a.Run.MastersLowered:
		return resource.Fits // these are what it has
	}
	t := tries{search: a, numbers: numbers, probe: *a, care: a.Careful, last: resource.NeverAny, best: resource.NeverAny}
	t.probe.Grants, t.probe.learns = nil, true
	algorithm := a.algorithm()
	t.walk(algorithm)
	a.Why, a.found, a.least = t.probe.Why, t.probe.found, numbers[0]
	a.learnRange(&t, algorithm)
	switch {
	case a.Grants != nil:
		return resource.Fits
	case a.Run.Quirks.RangeCheckStops:
		return t.last
	}
	return t.best
}

// numbers are the numbers of slots to be tried, in ascending order.
func (a *search) numbers() []int {
	least, most := a.Slots, 0
	for _, r := range a.Job.PERange {
		if least == 0 {
			least = int(min(r.Min, resource.Unlimited))
		}
		most = max(most, int(min(r.Max, resource.Unlimited)))
	}
	if most = min(most, a.PE.Slots); most < least {
		return nil
	}
	k := a.Run.CacheOf(a.Category, a.PE)
	if k.Slots != nil && a.Run.Quirks.SlotsRemembered {
		return k.Slots
	}
	k.Slots = a.spreadable(least, most)
	return k.Slots
}

// spreadable are the numbers of slots of the job's ranges, within bounds, that the parallel environment can spread.
func (a *search) spreadable(least, most int) []int {
	list, looked := []int{}, 0
	for _, r := range a.Job.PERange {
		for n := range r.All() {
			if looked++; int64(n) > int64(most) || looked > mostNumbers {
				break
			}
			if int(n) >= least && a.PE.PerHost(int(n)) != 0 {
				list = append(list, int(n))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Tries are the numbers of slots of one search.
type tries struct {
	*search
	numbers    []int
	probe      search
	care       bool // each of them also looks whether it could run at last
	runs       int
	match      int // index of the last number that could be placed
	last, best resource.Result
}

// try tries one number of slots, and keeps what it gets.
func (t *tries) try(i int) bool {
	p := &t.probe
	if !t.search.Run.Quirks.RangeCheckStops {
		p.Careful = t.care
	}
	p.Slots = t.numbers[i]
	t.runs++
	p.Quiet, p.learns = t.search.Quiet, t.runs == 1
	if t.runs > 1 && i > 0 { // the first and the least number tell all that there is to say
		p.Quiet++
	}
	t.last = p.place()
	t.best = min(t.best, t.last)
	if t.last != resource.Fits {
		return false
	}
	t.search.keep(p)
	t.match = i
	return true
}

// walk tries numbers until there can be no better one.
func (t *tries) walk(algorithm searchAlgorithm) {
	switch n := len(t.numbers); algorithm {
	case binary:
		t.binary()
	case lowFirst:
		for i := 0; i < n && t.try(i); i++ {
		}
	case highFirst:
		for i := n - 1; i >= 0 && !t.try(i); i-- {
		}
	}
}

func (t *tries) binary() {
	low, high := 0, len(t.numbers)-1
	for low <= high {
		middle := (low + high) / 2
		if t.try(middle) {
			low = middle + 1
		} else {
			high = middle - 1
		}
	}
}
