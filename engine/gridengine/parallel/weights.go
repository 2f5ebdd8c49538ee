package parallel

import (
	"fmt"
	"regexp"
	"time"

	"qprism/engine/gridengine/place"
	"qprism/engine/model"
)

// rangeWeights is the end of the line in which a scheduler with PROFILE=1 tells what its searches of ranges
// have taught it (D15): the weights of a search from the least number, from the middle, and from the
// greatest.
var rangeWeights = regexp.MustCompile(`pre-send, (-?\d{1,9})/(-?\d{1,9})/(-?\d{1,9}) pe-alg`)

// RecallWeights infers the weights of the ways through a range from the last run in the messages file, if no
// earlier run was planned.
func RecallWeights(r *place.Run) {
	now := r.Plan.RunAt.Truncate(time.Second)
	for i := len(r.Snapshot.Trace) - 1; i >= 0; i-- {
		l := &r.Snapshot.Trace[i]
		if f := rangeWeights.FindStringSubmatch(l.Text); f != nil && l.At.Before(now) && !l.At.After(r.Snapshot.TakenAt) {
			w := r.Weights
			fmt.Sscan(f[1]+" "+f[2]+" "+f[3], &w[lowFirst], &w[binary], &w[highFirst])
			return
		}
	}
}

// A searchAlgorithm is a way through a range of slots, sched_conf(5) PE_RANGE_ALG.
type searchAlgorithm int

const (
	binary searchAlgorithm = iota
	lowFirst
	highFirst
)

// algorithm is the way through ranges that params asks for, or the one that was cheapest so far (D15).
func (a *search) algorithm() searchAlgorithm {
	text, _ := model.Text(a.Run.Snapshot.Policy.Params, "PE_RANGE_ALG")
	switch text {
	case "least":
		return lowFirst
	case "bin":
		return binary
	case "highest":
		return highFirst
	}
	w := a.Run.Weights
	switch {
	case !a.Run.Quirks.AdaptiveRange:
		return highFirst
	case w[binary] >= w[lowFirst] && w[binary] >= w[highFirst]:
		return binary
	case w[highFirst] >= w[lowFirst]:
		return highFirst
	}
	return lowFirst
}

// learnRange notes what each way through the range would have cost, as the master reckons it.
func (a *search) learnRange(t *tries, used searchAlgorithm) {
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
	w := a.Run.Weights
	for i, cost := range [3]int{runs, t.match + 1, n - t.match + 1} {
		w[i] = w[i]*66/100 - 100*cost*34/100
	}
}
