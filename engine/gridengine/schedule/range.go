package schedule

import (
	"slices"

	"qprism/engine/model"
)

// mostNumbers bounds the numbers of slots that are looked at for one job.
const mostNumbers = 1_000_000

// A searchAlgorithm is a way through a range of slots, sched_conf(5) PE_RANGE_ALG.
type searchAlgorithm int

const (
	binary searchAlgorithm = iota
	lowFirst
	highFirst
)

// mostSlots finds the most slots of a range that can be placed at the attempt's start.
func (a *attempt) mostSlots() result {
	if a.grants != nil && a.slots == a.pe.Slots {
		return fits
	}
	numbers := a.numbers()
	switch {
	case len(numbers) == 0:
		a.found, a.least = 0, 0
		return neverAny
	case a.grants != nil && len(numbers) == 1 && numbers[0] == a.slots && !a.run.mastersLowered:
		return fits // these are what it has
	}
	t := tries{attempt: a, numbers: numbers, probe: *a, care: a.careful, last: neverAny, best: neverAny}
	t.probe.grants, t.probe.learns = nil, true
	algorithm := a.run.algorithm()
	t.search(algorithm)
	a.why, a.found, a.least = t.probe.why, t.probe.found, numbers[0]
	a.run.learnRange(&t, algorithm)
	switch {
	case a.grants != nil:
		return fits
	case a.run.quirks.CareLost:
		return t.last
	}
	return t.best
}

// numbers are the numbers of slots to be tried, in ascending order.
func (a *attempt) numbers() []int {
	least, most := a.slots, 0
	for _, r := range a.job.PERange {
		if least == 0 {
			least = int(min(r.Min, unlimited))
		}
		most = max(most, int(min(r.Max, unlimited)))
	}
	if most = min(most, a.pe.Slots); most < least {
		return nil
	}
	k := a.run.cacheOf(a.cat, a.pe)
	if k.slots != nil && a.run.quirks.SlotsRemembered {
		return k.slots
	}
	k.slots = a.spreadable(least, most)
	return k.slots
}

// spreadable are the numbers of slots of the job's ranges, within bounds, that the parallel environment can spread.
func (a *attempt) spreadable(least, most int) []int {
	list, looked := []int{}, 0
	for _, r := range a.job.PERange {
		for n := range r.All() {
			if looked++; int64(n) > int64(most) || looked > mostNumbers {
				break
			}
			if int(n) >= least && a.pe.perHost(int(n)) != 0 {
				list = append(list, int(n))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Tries are the numbers of slots of one search.
type tries struct {
	*attempt
	numbers    []int
	probe      attempt
	care       bool // each of them also looks whether it could run at last
	runs       int
	match      int // index of the last number that could be placed
	last, best result
}

// try tries one number of slots, and keeps what it gets.
func (t *tries) try(i int) bool {
	p := &t.probe
	if !t.attempt.run.quirks.CareLost {
		p.careful = t.care
	}
	p.slots = t.numbers[i]
	t.runs++
	p.quiet, p.learns = t.attempt.quiet, t.runs == 1
	if t.runs > 1 && i > 0 { // the first and the least number tell all that there is to say
		p.quiet++
	}
	t.last = p.place()
	t.best = min(t.best, t.last)
	if t.last != fits {
		return false
	}
	t.attempt.keep(p)
	t.match = i
	return true
}

// search tries numbers until there can be no better one.
func (t *tries) search(algorithm searchAlgorithm) {
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

// algorithm is the way through ranges that params asks for, or the one that was cheapest so far (D15).
func (r *run) algorithm() searchAlgorithm {
	text, _ := model.Text(r.snapshot.Policy.Params, "PE_RANGE_ALG")
	switch text {
	case "least":
		return lowFirst
	case "bin":
		return binary
	case "highest":
		return highFirst
	}
	w := r.memory.weights
	switch {
	case !r.quirks.AdaptiveRange:
		return highFirst
	case w[binary] >= w[lowFirst] && w[binary] >= w[highFirst]:
		return binary
	case w[highFirst] >= w[lowFirst]:
		return highFirst
	}
	return lowFirst
}

// learnRange notes what each way through the range would have cost, as the master reckons it.
func (r *run) learnRange(t *tries, used searchAlgorithm) {
	n := len(t.numbers)
	if n <= 1 {
		return
	}
	runs := t.runs
	if used != binary {
		end := n
		for runs = 1; runs < end; runs++ {
			end -= runs
		}
		runs--
	}
	w := &r.memory.weights
	for i, cost := range [3]int{runs, t.match + 1, n - t.match + 1} {
		w[i] = w[i]*66/100 - 100*cost*34/100
	}
}
