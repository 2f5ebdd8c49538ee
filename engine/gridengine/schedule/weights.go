package schedule

import (
	"fmt"
	"regexp"
	"time"

	"qprism/engine/model"
)

// rangeWeights is the end of the line in which a scheduler with PROFILE=1 tells what its searches of ranges have taught it (D15):
// the weights of a search from the least number, from the middle, and from the greatest.
var rangeWeights = regexp.MustCompile(`pre-send, (-?\d{1,9})/(-?\d{1,9})/(-?\d{1,9}) pe-alg`)

// recallWeights takes over the weights of a scheduler of which no earlier run was planned, from the last run that the messages file
// tells of. known says whether it does.
func (r *run) recallWeights() (known bool) {
	now := r.plan.RunAt.Truncate(time.Second)
	for i := len(r.snapshot.Trace) - 1; i >= 0; i-- {
		l := &r.snapshot.Trace[i]
		if f := rangeWeights.FindStringSubmatch(l.Text); f != nil && l.At.Before(now) && !l.At.After(r.snapshot.TakenAt) {
			w := &r.memory.weights
			fmt.Sscan(f[1]+" "+f[2]+" "+f[3], &w[lowFirst], &w[binary], &w[highFirst])
			return true
		}
	}
	_, set := model.Text(r.snapshot.Policy.Params, "PE_RANGE_ALG")
	return set
}
