package steer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"qprism/engine/assign"
	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
)

// Least and most that qalter -p sets.
const (
	minPriority = -1024
	maxPriority = 1023
)

// ErrNoneWaits says that no job waits, so there is nothing to steer.
var ErrNoneWaits = errors.New("no job waits")

// NewPriorities is the cycle at a moment, to be steered by -p. job_sort_formula must rise by the same amount
// with each step of job_priority, for every job. The other terms of the formula stay the same.
func NewPriorities(s *model.Snapshot, at time.Time) (*Cycle, error) {
	own := *s
	c := &Cycle{snapshot: &own, at: at, scale: assign.Scale{Weight: 1, Min: minPriority, Max: maxPriority}}
	zero, least, most := c.values(0), c.values(minPriority), c.values(maxPriority)
	if len(zero) == 0 {
		return nil, ErrNoneWaits
	}
	step, widest, first := 0.0, 0.0, true
	for job, v := range zero {
		rise, below := (most[job]-v)/maxPriority, (least[job]-v)/minPriority
		if first {
			step, first = rise, false
		}
		off := max(math.Abs(rise-step), math.Abs(below-step)) * maxPriority
		if rise <= 0 || off > 8*max(math.Abs(most[job]), math.Abs(least[job]))/(1<<24) { // values have 24 bits
			return nil, fmt.Errorf("job_sort_formula is %q; it does not grow evenly with job_priority, "+
				"so qprism cannot steer it with -p", s.PBS.Formula)
		}
		widest = max(widest, math.Abs(v))
	}
	c.scale.Weight = 2048 * step
	if t, ok := s.PBS.Scheduler().FormulaThreshold(); ok {
		for _, v := range zero { // at the threshold and below a job is not considered
			c.scale.Min = max(c.scale.Min, int(math.Floor((float64(t)-v)/step))+1)
		}
	}
	c.snapshot = s.WithFormula("job_priority") // what comes before a formula does so before any
	c.survey(2 * (widest + 2048*step))
	c.snapshot = &own
	for i := range own.Jobs {
		c.now[own.Jobs[i].Number] = own.Jobs[i].PosixPriority
	}
	c.terms = zero
	return c, nil
}

// AboveDefault keeps all priorities above 0, the default. So new jobs come after the jobs with a priority.
func (c *Cycle) AboveDefault() {
	c.scale.Min, c.scale.Strict, c.scale.Rest = max(c.scale.Min, 1), true, maxPriority/2
}

// values are those of the formula where all jobs have a priority.
func (c *Cycle) values(priority int) map[uint32]float64 {
	own := *c.snapshot
	own.Jobs = slices.Clone(own.Jobs)
	for i := range own.Jobs {
		own.Jobs[i].PosixPriority = priority
	}
	number := map[string]uint32{}
	for i := range own.Jobs {
		if p := own.Jobs[i].PBS; p != nil {
			number[p.ID] = own.Jobs[i].Number
		}
	}
	waits := map[uint32]bool{}
	for _, d := range cycle.Order(&own, cycle.Options{At: c.at}) {
		waits[d.Job] = true
	}
	m := map[uint32]float64{}
	for _, r := range cycle.Run(&own, cycle.Options{At: c.at}).Ratings {
		if job := number[r.ID]; waits[job] {
			m[job] = float64(r.Formula)
		}
	}
	return m
}
