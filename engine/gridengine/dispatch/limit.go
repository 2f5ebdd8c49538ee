package dispatch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

const (
	ahead    = 16               // so many jobs are bound to ends of others at most: each is a call of qalter
	soonEnds = 8 * time.Second  // ends before the next step or two: they go by the order exactly
	overdue  = 10 * time.Second // after its limit an end is expected no more
)

// limit lets as many tasks of a rule's jobs start as there is room for, in their order, and holds the
// others. Those of them that come next wait for the end of one that runs each: the master lets them go
// itself, before the run that sees the room, whether anybody makes a step or not.
//
// A place that one loses in a step another one gets in the next: until then it is not known that he did not
// start. Whose time has not come takes no place from those who could start.
func (d *decision) limit(r *Rule) {
	list, free := d.meant(r), d.room(r)
	slices.SortStableFunc(list, func(a, b *model.Job) int {
		return cmp.Compare(btoi(d.in.Later[a.Number]), btoi(d.in.Later[b.Number]))
	})
	gains := free
	for _, j := range list {
		if d.in.Later[j.Number] {
			d.Late = append(d.Late, j.Number)
		}
		gains -= len(d.in.Owned[j.Number].Without(d.in.Idle[j.Number]))
	}
	var next []uint32
	single := true
	for _, j := range list {
		waits, idle := d.in.Owned[j.Number], d.in.Idle[j.Number]
		lets := setOf(waits.Numbers()[:min(free, len(waits))])
		free -= len(lets)
		passed := len(lets) < len(waits)
		if gained := lets.And(idle).Numbers(); len(gained) > 0 {
			granted := min(len(gained), max(gains, 0))
			d.Again = d.Again || granted < len(gained)
			lets, gains = lets.Without(setOf(gained[granted:])), gains-granted
		}
		if held := waits.Without(lets); len(held) > 0 {
			d.hold(j.Number, held, fmt.Sprintf("at most %d at once of %s", r.AtMost, strings.Join(r.Jobs, " ")))
			d.wish(j.Number).Limited = true
		}
		if single = single && (!passed || followable(j)); passed && single {
			next = append(next, j.Number)
		}
	}
	if d.in.Chains {
		d.chains = append(d.chains, pairs(next, d.ends(r), d.in.After, d.in.Snapshot.TakenAt))
	}
}

// room is how many more tasks of the jobs of a rule may run.
func (d *decision) room(r *Rule) int {
	c, _ := Choose(r.Jobs)
	n := r.AtMost
	for i := range d.in.Snapshot.Jobs {
		if j := &d.in.Snapshot.Jobs[i]; c.Has(j) || len(r.Jobs) == 0 {
			for _, t := range j.Tasks {
				if !t.Started.IsZero() && t.Ended.IsZero() {
					n -= max(1, model.CountOf(t.IDs))
				}
			}
		}
	}
	return max(n, 0)
}

// followable reports whether a job can be bound to the end of another one and back: it is no array, and
// waits for none of its own.
func followable(j *model.Job) bool { return !j.Array && len(j.PredecessorNames) == 0 }

// An end is that of a job that runs, when its limit says so.
type end struct {
	job     uint32
	at      time.Time // zero where no limit says
	started time.Time
}

// ends are the jobs of a rule of which the last task runs, in the order in which they are expected to end.
func (d *decision) ends(r *Rule) (list []end) {
	c, _ := Choose(r.Jobs)
	for i := range d.in.Snapshot.Jobs {
		j := &d.in.Snapshot.Jobs[i]
		if !c.Has(j) && len(r.Jobs) > 0 || len(j.Tasks) != 1 || len(j.Tasks[0].IDs) > 0 &&
			model.CountOf(j.Tasks[0].IDs) != 1 {
			continue
		}
		if t := &j.Tasks[0]; !t.Started.IsZero() && t.Ended.IsZero() {
			list = append(list, end{j.Number, limitOf(j, d.in.Snapshot.TakenAt), t.Started})
		}
	}
	slices.SortFunc(list, func(a, b end) int {
		if a.at.IsZero() != b.at.IsZero() {
			return btoi(a.at.IsZero()) - btoi(b.at.IsZero())
		}
		return cmp.Or(a.at.Compare(b.at), a.started.Compare(b.started), cmp.Compare(a.job, b.job))
	})
	return list
}

func btoi(b bool) int { return map[bool]int{true: 1}[b] }

// limitOf is when a job ends at the latest, by its own request; zero where that is long ago or nothing says so.
func limitOf(j *model.Job, now time.Time) (at time.Time) {
	for _, q := range j.Hard {
		if q.Resource != "h_rt" && q.Resource != "s_rt" || q.Amount <= 0 || q.Amount > 1e9 {
			continue
		}
		if ends := j.Tasks[0].Started.Add(time.Duration(q.Amount) * time.Second); at.IsZero() || ends.Before(at) {
			at = ends
		}
	}
	if at.Before(now.Add(-overdue)) {
		return time.Time{}
	}
	return at
}

// pairs choose the running job whose end releases each of the next jobs. Ends that come soon are used in
// order. Other jobs keep their pair.
func pairs(next []uint32, ends []end, after map[uint32][]uint32, now time.Time) map[uint32]uint32 {
	next = next[:min(len(next), len(ends), ahead)]
	soon := 0
	for soon < len(next) && !ends[soon].at.IsZero() && ends[soon].at.Before(now.Add(soonEnds)) {
		soon++
	}
	by := map[uint32]uint32{}
	for i, job := range next[:soon] {
		by[job] = ends[i].job
	}
	taken := map[uint32]bool{}
	for _, job := range next[soon:] {
		for _, e := range ends[soon:] {
			if slices.Contains(after[job], e.job) && !taken[e.job] {
				by[job], taken[e.job] = e.job, true
				break
			}
		}
	}
	for _, job := range next[soon:] {
		for _, e := range ends[soon:] {
			if by[job] == 0 && !taken[e.job] {
				by[job], taken[e.job] = e.job, true
			}
		}
	}
	return by
}

// bindToEnds makes wishes of the pairs. Whom several rules hold only a step lets go. An end that was
// somebody else's is given away at the next step.
func (d *decision) bindToEnds() {
	for _, by := range d.chains {
		for job, at := range by {
			if w := d.wish(job); w.holds == 1 {
				w.After = at
			}
		}
	}
	for job, list := range d.in.After {
		for _, at := range list {
			w := d.Wishes[job]
			if w != nil && w.After == at {
				continue
			}
			for _, by := range d.chains {
				for other, its := range by {
					if o := d.Wishes[other]; its == at && other != job && o.After == at {
						o.After, d.Again = 0, true
					}
				}
			}
		}
	}
}
