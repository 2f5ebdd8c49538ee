package cycle

import (
	"time"

	"qprism/engine/model"
)

// decision is a decision about a job, or the subjobs of an array that have not started.
func (r *run) decision(c *claim) model.Decision {
	d := model.Decision{Job: c.number, ID: c.id}
	switch {
	case c.isArray:
		d.Tasks = c.subjobs
	case c.array != nil || c.arrayID != "":
		d.Tasks = oneTask(c.task)
		if c.array != nil && !c.preempted {
			d.Array = c.array.id
		}
	}
	return d
}

func oneTask(n uint32) []model.Range { return []model.Range{{Min: n, Max: n, Step: 1}} }

func (r *run) add(d model.Decision) { r.plan.Decisions = append(r.plan.Decisions, d) }

// recordStart notes that a job starts; place is nil for one that is resumed where it was.
func (r *run) recordStart(c *claim, place []portion) {
	d := r.decision(c)
	d.Verdict, d.Tried, d.Start = model.Now, true, r.world.clock.local(r.world.now).UTC()
	d.Duration = time.Duration(r.world.left(c, false)) * time.Second
	if place == nil {
		place = c.given
	}
	d.Placed, d.Slots = r.world.execVnode(place), r.world.grants(place)
	r.add(d)
}

// recordTop notes that vnodes are kept for a job from some time on. It belongs to the decision that follows.
func (r *run) recordTop(f planned) {
	d := r.decision(f.claim)
	d.Verdict, d.Tried, d.Start = model.Later, true, r.world.clock.local(f.at).UTC()
	d.Duration = time.Duration(f.claim.length) * time.Second
	d.Placed, d.Slots = r.world.execVnode(combine(f.found)), r.world.grants(f.found)
	r.add(d)
}

// recordWait notes why a job waits. Where vnodes are kept for it, this is the decision made before.
func (r *run) recordWait(c *claim, why failure) {
	reasons := r.reasons(why)
	if n := len(r.plan.Decisions) - 1; n >= 0 {
		if d := &r.plan.Decisions[n]; d.Verdict == model.Later && d.Why == nil && d.Job == c.number {
			d.Why = reasons
			return
		}
	}
	d := r.decision(c)
	d.Verdict, d.Tried, d.Why = model.Never, true, reasons
	r.add(d)
}

// recordPassedOver notes why a job is not considered.
func (r *run) recordPassedOver(c *claim, why failure) {
	d := r.decision(c)
	d.Verdict, d.Why = model.Never, r.reasons(why)
	r.add(d)
}

func (r *run) recordPreemption(victim, c *claim, method string) {
	d := r.decision(victim)
	r.plan.Preempted = append(r.plan.Preempted, model.Preemption{Job: d.Job, Tasks: d.Tasks, ID: d.ID, For: c.id, Method: method})
}

// recordRatings notes what jobs are sorted by.
func (r *run) recordRatings() {
	r.plan.Ratings = make([]model.Rating, 0, len(r.world.jobs))
	for _, c := range r.world.jobs {
		r.plan.Ratings = append(r.plan.Ratings, r.rating(c))
	}
}

// rating is what a job is sorted by, but for what its queue and the sort keys say.
func (r *run) rating(c *claim) model.Rating {
	t := model.Rating{ID: c.id, Formula: c.formula, Error: r.errors[c.id], Level: c.level}
	if n := c.entity; n != nil {
		t.Entity, t.Perc, t.TreeUsage, t.Factor, t.Usage = n.Name, n.Perc, n.TreeUsage, n.Factor(), n.Usage
	}
	return t
}

// reasons is a failure as data, shared by the jobs that fail alike.
func (r *run) reasons(f failure) []model.Reason {
	list, known := r.whys[f]
	if !known {
		list = []model.Reason{r.reason(f)}
		r.whys[f] = list
	}
	return list
}

// reason is a failure as data.
func (r *run) reason(f failure) model.Reason {
	return f.reason(r.world.res.list[f.res].name)
}
