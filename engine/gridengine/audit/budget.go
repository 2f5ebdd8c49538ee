package audit

import (
	"qprism/engine/batch"
)

// mostInAll is how many jobs an audit recomputes at the most while it tries what no file tells: a few seconds of work. One assumption is
// bounded by mostWork; but there are many, and they are tried for many states in which the run may have found the cluster.
const mostInAll = 300_000

// A budget is what is left of the work that an audit may do.
type budget struct {
	left int
	stop func() bool
}

func newBudget(opts Options) *budget {
	b := &budget{left: opts.Work, stop: opts.Stop}
	if b.left == 0 {
		b.left = mostInAll
	}
	return b
}

// spend notes that so many jobs are recomputed.
func (b *budget) spend(jobs int) {
	b.left -= jobs
	if b.stop != nil && b.stop() {
		b.left = 0
	}
}

func (b *budget) spent() bool { return b.left <= 0 }

// admit says of numbers that are left unexplained that the search for what explains them was not finished.
func (r *Report) admit() {
	if !r.budget.spent() {
		return
	}
	for i := range r.Disagreements {
		if d := &r.Disagreements[i]; d.Class == batch.Unexplained && d.Why == "" {
			d.Why = "not all was tried that may explain it: too many jobs came and went"
		}
	}
}
