package retrace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/cycle/clock"
)

// withCharges finds what running jobs may have been charged when the cycle began, so that its order is that
// of the log: within the bounds of cycle.Charges, and changed no further than it takes. Of usage that is
// known from after the cycle, less may have been charged by then.
func (t *trial) withCharges(x *state, later *model.Snapshot) []*state {
	bounds := x.chargeBounds(t.cycle, later)
	if len(bounds) == 0 {
		return nil
	}
	f := &chargeSearch{trial: t, state: x, bounds: bounds}
	now := map[string]float64{}
	for name, b := range bounds {
		now[name] = b.Likely
	}
	o := f.with(now)
	for at := f.agreesUntil(o); at < len(t.master.order) && at < len(o.side.order) && t.budget > 0; at = f.agreesUntil(o) {
		better := f.improve(now, o, at)
		if better == nil {
			break
		}
		o = better
	}
	return []*state{o.state}
}

// chargeBounds are the charges that can be missing in the files, by entity; none without fair_share.
func (x *state) chargeBounds(c *model.SchedCycle, later *model.Snapshot) map[string]cycle.Charge {
	if !clock.PolicyAt(x.Snapshot, c.Start).FairShare {
		return nil
	}
	s, at := x.Snapshot, c.Start
	if x.charged {
		since, pbs := *later, *later.PBS
		pbs.Cycles, since.PBS = []model.SchedCycle{*c}, &pbs
		s, at = &since, later.TakenAt
	}
	bounds := map[string]cycle.Charge{}
	for _, b := range cycle.Charges(s, at) {
		if x.charged {
			b = cycle.Charge{Entity: b.Entity, Least: -b.Most}
		}
		if b.Most > b.Least {
			bounds[b.Entity] = b
		}
	}
	if x.charged && len(bounds) > 0 {
		x.boundGroups(bounds)
	}
	return bounds
}

// boundGroups adds how much more the groups of the scheduler's tree may have than those that are read from
// the usage file: each node below counts for one unit while nobody has used anything, and groups are
// charged on their own from then on.
func (x *state) boundGroups(bounds map[string]cycle.Charge) {
	for _, g := range x.PBS.Fairshare.Groups {
		for _, name := range x.groupsAbove(g.Name) {
			b := bounds[name]
			bounds[name] = cycle.Charge{Entity: name, Most: b.Most + 1}
		}
	}
}

// groupsAbove are the groups that a node of the tree is in, the nearest first.
func (x *state) groupsAbove(name string) (list []string) {
	for range x.PBS.Fairshare.Groups { // as deep as it can be
		i := slices.IndexFunc(x.PBS.Fairshare.Groups, func(g model.ResourceGroup) bool { return g.Name == name })
		if i < 0 || x.PBS.Fairshare.Groups[i].Parent == "root" {
			break
		}
		name = x.PBS.Fairshare.Groups[i].Parent
		list = append(list, name)
	}
	return list
}

// A chargeSearch looks for charges within bounds that give the order of the log.
type chargeSearch struct {
	*trial
	state  *state
	bounds map[string]cycle.Charge
}

// with is the outcome with these charges.
func (f *chargeSearch) with(charges map[string]float64) *outcome {
	return f.run(f.state.variant(f.words(charges), func(v *state) {
		v.charges = maps.Clone(charges)
		if !v.charged {
			return
		}
		usage := &v.PBS.Fairshare.Usage
		usage.Records = slices.Clone(usage.Records)
		for i := range usage.Records {
			r := &usage.Records[i]
			r.Usage = max(1, r.Usage+charges[r.Name])
			delete(v.charges, r.Name)
		}
	}))
}

func (f *chargeSearch) words(charges map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(charges)) {
		b := f.bounds[name]
		parts = append(parts, fmt.Sprintf("%s %.0f (%.0f to %.0f)", name, charges[name], b.Least, b.Most))
	}
	return "charges within the possible range: " + strings.Join(parts, ", ")
}

// agreesUntil is the first place at which the orders differ.
func (f *chargeSearch) agreesUntil(o *outcome) int {
	a, b := f.master.order, o.side.order
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// improve changes the charges of the two entities whose jobs stand at a place, as little as makes the order
// agree beyond it; nil where no charge within the bounds does. now is changed.
func (f *chargeSearch) improve(now map[string]float64, o *outcome, at int) *outcome {
	ahead, behind := entityOf(o.plan, f.master.order[at]), entityOf(o.plan, o.side.order[at])
	if ahead == behind {
		return nil
	}
	for _, name := range append([]string{behind}, f.state.groupsAbove(behind)...) {
		if better := f.nearest(now, name, f.bounds[name].Most, at); better != nil {
			return better
		}
	}
	return f.nearest(now, ahead, f.bounds[ahead].Least, at)
}

// nearest is the outcome with the charge of an entity nearest to its own that makes the order agree beyond
// a place; nil for none up to a bound.
func (f *chargeSearch) nearest(now map[string]float64, entity string, bound float64, at int) (best *outcome) {
	bad, good := now[entity], bound
	if f.bounds[entity].Entity == "" || bad == good {
		return nil
	}
	charges := maps.Clone(now)
	charges[entity] = bound
	if o := f.with(charges); f.agreesUntil(o) > at {
		best = o
	} else {
		return nil
	}
	for range 12 {
		charges[entity] = (bad + good) / 2
		if o := f.with(charges); f.agreesUntil(o) > at {
			best, good = o, charges[entity]
		} else {
			bad = charges[entity]
		}
	}
	now[entity] = good
	return best
}

// entityOf is whom a plan charges a job to.
func entityOf(p *model.Plan, job string) string {
	for i := range p.Ratings {
		if model.PBSArrayOf(p.Ratings[i].ID) == job || p.Ratings[i].ID == job {
			return p.Ratings[i].Entity
		}
	}
	return ""
}
