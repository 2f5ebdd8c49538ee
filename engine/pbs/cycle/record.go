package cycle

import (
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/cycle/reason"
	"qprism/engine/pbs/cycle/resource"
	"qprism/engine/pbs/cycle/search"
)

// decision is a decision about a job, or the subjobs of an array that have not started.
func (r *run) decision(c *cluster.Claim) model.Decision {
	d := model.Decision{Job: c.Number, ID: c.ID}
	switch {
	case c.IsArray:
		d.Tasks = c.Subjobs
	case c.Array != nil || c.ArrayID != "":
		d.Tasks = oneTask(c.Task)
		if c.Array != nil && !c.Preempted {
			d.Array = c.Array.ID
		}
	}
	return d
}

func oneTask(n uint32) []model.Range { return []model.Range{{Min: n, Max: n, Step: 1}} }

func (r *run) add(d model.Decision) { r.plan.Decisions = append(r.plan.Decisions, d) }

// recordStart notes that a job starts; place is nil for one that is resumed where it was.
func (r *run) recordStart(c *cluster.Claim, place []resource.Portion) {
	d := r.decision(c)
	d.Verdict, d.Tried, d.Start = model.Now, true, r.world.Hours.Local(r.world.Now).UTC()
	d.Duration = time.Duration(r.world.Left(c, false)) * time.Second
	if place == nil {
		place = c.Given
	}
	d.Placed, d.Slots = r.world.ExecVnode(place), r.world.Grants(place)
	r.add(d)
}

// recordTop notes that vnodes are kept for a job from some time on. It belongs to the decision that follows.
func (r *run) recordTop(f search.TopJob) {
	d := r.decision(f.Claim)
	d.Verdict, d.Tried, d.Start = model.Later, true, r.world.Hours.Local(f.At).UTC()
	d.Duration = time.Duration(f.Claim.Length) * time.Second
	d.Placed, d.Slots = r.world.ExecVnode(resource.Combine(f.Found)), r.world.Grants(f.Found)
	r.add(d)
}

// recordWait notes why a job waits. Where vnodes are kept for it, this is the decision made before.
func (r *run) recordWait(c *cluster.Claim, why reason.Failure) {
	reasons := r.reasons(why)
	if n := len(r.plan.Decisions) - 1; n >= 0 {
		if d := &r.plan.Decisions[n]; d.Verdict == model.Later && d.Why == nil && d.Job == c.Number {
			d.Why = reasons
			return
		}
	}
	d := r.decision(c)
	d.Verdict, d.Tried, d.Why = model.Never, true, reasons
	r.add(d)
}

// recordPassedOver notes why a job is not considered.
func (r *run) recordPassedOver(c *cluster.Claim, why reason.Failure) {
	d := r.decision(c)
	d.Verdict, d.Why = model.Never, r.reasons(why)
	r.add(d)
}

func (r *run) recordPreemption(victim, c *cluster.Claim, method string) {
	d := r.decision(victim)
	r.plan.Preempted = append(r.plan.Preempted, model.Preemption{Job: d.Job, Tasks: d.Tasks,
		ID: d.ID, For: c.ID, Method: method})
}

// recordRatings notes what jobs are sorted by.
func (r *run) recordRatings() {
	r.plan.Ratings = make([]model.Rating, 0, len(r.world.Jobs))
	for _, c := range r.world.Jobs {
		r.plan.Ratings = append(r.plan.Ratings, r.rating(c))
	}
}

// rating is what a job is sorted by, but for what its queue and the sort keys say.
func (r *run) rating(c *cluster.Claim) model.Rating {
	t := model.Rating{ID: c.ID, Formula: c.Formula, Error: r.errors[c.ID], Level: c.Level}
	if n := c.Entity; n != nil {
		t.Entity, t.Perc, t.TreeUsage, t.Factor, t.Usage = n.Name, n.Perc, n.TreeUsage, n.Factor(), n.Usage
	}
	return t
}

// reasons is a failure as data, shared by the jobs that fail alike.
func (r *run) reasons(f reason.Failure) []model.Reason {
	list, known := r.whys[f]
	if !known {
		list = []model.Reason{r.world.Reason(&f)}
		r.whys[f] = list
	}
	return list
}
