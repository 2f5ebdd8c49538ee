package synthesis

import "math"

// Off is the bound on the error of a policy's term over all runs of a history, held out or not; ok is false where terms are on
// another scale than Grid Engine's.
func (p *Proof) Off(policy Policy) (most float64, ok bool) {
	for i := range p.Runs {
		if off, known := p.Runs[i].Off[policy]; known {
			most, ok = max(most, off), true
		}
	}
	return most, ok
}

// off finds it for one run. What all jobs have in common orders nothing, and is no error.
func (x *comparison) off(c *Candidate) map[Policy]float64 {
	if !c.toScale() || len(x.jobs) == 0 {
		return nil
	}
	off := map[Policy]float64{}
	for _, p := range c.on.counting() {
		low, high := math.Inf(1), math.Inf(-1)
		for _, j := range x.jobs {
			if s := x.stands[j.Job.Number]; s != nil {
				e := x.run.prioOf(p, j) - x.valueOf(p, s)
				low, high = min(low, e), max(high, e)
			}
		}
		off[p] = max(0, high-low)
	}
	return off
}

// toScale says whether the terms of a formula add up to a priority, but for what all jobs have in common.
func (c *Candidate) toScale() bool {
	return len(c.Terms) > 0 && c.Name != fittedName && len(c.on.counting()) > 1
}
