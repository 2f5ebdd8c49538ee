package cycle

import (
	"fmt"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// A Certainty says how much the order of two neighboring jobs depends on the charges of running jobs.
type Certainty string

// Certain: the order is the same for all charges within their bounds. Likely: it follows from the estimate.
// Tied: the estimate does not decide.
const (
	Certain Certainty = "certain"
	Likely  Certainty = "likely"
	Tied    Certainty = "tied"
)

// A Doubt has the possible charges of fairshare entities at the start of a cycle, and the effect of these
// charges on the order of jobs.
type Doubt struct {
	Charges             []Charge
	least, likely, most *chargedCycle
}

// A charged cycle is the tree, and the formula's value of each job, with one choice of charges.
type chargedCycle struct {
	tree   *fairshare.Memory
	values map[string]float32
}

// DoubtOf is the doubt about the cycle at a moment; nil if the order is certain.
func DoubtOf(s *model.Snapshot, at time.Time) *Doubt {
	d := &Doubt{Charges: Charges(s, at)}
	least, likely, most := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, c := range d.Charges {
		least[c.Entity], likely[c.Entity], most[c.Entity] = c.Least, c.Likely, c.Most
	}
	if !d.matters() {
		return nil
	}
	d.least, d.likely, d.most = chargedWith(s, at, least), chargedWith(s, at, likely), chargedWith(s, at, most)
	return d
}

func (d *Doubt) matters() bool {
	for _, c := range d.Charges {
		if c.Most > c.Least {
			return true
		}
	}
	return false
}

func chargedWith(s *model.Snapshot, at time.Time, charges map[string]float64) *chargedCycle {
	r := newRun(s, Options{At: at, Charged: charges})
	r.passOver()
	r.accrue()
	r.rate()
	x := &chargedCycle{tree: r.world.Tree, values: map[string]float32{}}
	for _, c := range r.world.Jobs {
		x.values[c.ID] = c.Formula
	}
	return x
}

// Between says how certain it is that a comes before b, if no criterion before fairshare decides.
func (d *Doubt) Between(a, b model.Rating) Certainty {
	if d == nil || a.Entity == b.Entity {
		return Certain
	}
	if a.Formula != b.Formula {
		return d.byFormula(a, b)
	}
	worst := fairshare.Compare2(d.most.tree.Entity(a.Entity), d.least.tree.Entity(b.Entity))
	best := fairshare.Compare2(d.least.tree.Entity(a.Entity), d.most.tree.Entity(b.Entity))
	switch {
	case worst < 0 || best == 0 && worst == 0:
		return Certain
	case fairshare.Compare(d.likely.tree.Entity(a.Entity), d.likely.tree.Entity(b.Entity)) == 0:
		return Tied
	}
	return Likely
}

// byFormula is Between for jobs that the formula tells apart.
func (d *Doubt) byFormula(a, b model.Rating) Certainty {
	low := min(d.least.values[a.ID], d.likely.values[a.ID], d.most.values[a.ID])
	high := max(d.least.values[b.ID], d.likely.values[b.ID], d.most.values[b.ID])
	if low > high {
		return Certain
	}
	return Likely
}

// noteCharges says what running jobs are charged by estimate, and how wide that is.
func (r *run) noteCharges() {
	var parts []string
	for _, c := range r.charges {
		if c.Most > c.Least {
			parts = append(parts, fmt.Sprintf("%s %.0f (%.0f to %.0f)", c.Entity, c.Likely, c.Least, c.Most))
		}
	}
	if more := len(parts) - mostCharges; more > 0 {
		parts = append(parts[:mostCharges], fmt.Sprintf("and %d more", more))
	}
	if len(parts) > 0 {
		r.note("fairshare charges running jobs at the start of the cycle; no file says how much, so this is an estimate: " +
			strings.Join(parts, ", "))
	}
}

// mostCharges bounds the entities that a note names.
const mostCharges = 8
