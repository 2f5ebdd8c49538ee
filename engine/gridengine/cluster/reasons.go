package cluster

import (
	"fmt"
	"slices"

	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// MostReasons is the most reasons that are kept for one category.
const MostReasons = 10_000

// Distinct drops repeated reasons. The run can look at a place several times.
func Distinct(why []model.Reason) []model.Reason {
	seen := make(map[model.Reason]bool, len(why))
	return slices.DeleteFunc(why, func(r model.Reason) bool {
		again := seen[r]
		seen[r] = true
		return again
	})
}

// Remember keeps the reasons that a task met before it found a place. The run does not look at those places
// again for this category.
func (c *Category) Remember(why []model.Reason) {
	for _, r := range why {
		if (r.Level == resource.LevelHost || r.Level == resource.LevelQueue) && !c.met[r.Object] &&
			len(c.earlier) < MostReasons {
			if c.met == nil {
				c.met = map[string]bool{}
			}
			c.met[r.Object] = true
			c.earlier = append(c.earlier, r)
		}
	}
}

// MetBefore are the remembered reasons of places that a task did not look at again.
func (c *Category) MetBefore(why []model.Reason) (list []model.Reason) {
	if len(c.earlier) == 0 {
		return nil
	}
	seen := make(map[string]bool, len(why))
	for _, r := range why {
		seen[r.Object] = true
	}
	for _, r := range c.earlier {
		if !seen[r.Object] {
			list = append(list, r)
		}
	}
	return list
}

// Also is the list of the known reasons of a category plus one more reason. Also makes this list only once.
func (c *Category) Also(made *[]model.Reason, more model.Reason) []model.Reason {
	if *made == nil {
		*made = append(c.Why[:len(c.Why):len(c.Why)], more)
	}
	return *made
}

// ClosedNow gives, for each queue instance that cannot start jobs now, the reason.
func (r *Cluster) ClosedNow() (list []model.Reason) {
	for _, q := range r.Instances {
		if why, closed := q.closedBecause(); closed && len(list) < MostReasons {
			list = append(list, why)
		}
	}
	return list
}

// closedBecause says why no job can start in an instance.
func (q *Instance) closedBecause() (model.Reason, bool) {
	why := model.Reason{Level: resource.LevelQueue, Object: q.Name, Offered: q.State}
	switch {
	case q.Suspended || q.broken || q.Disabled:
		why.Kind = model.ReasonQueueState
	case q.Subordinated:
		why.Kind, why.Offered, why.Later = model.ReasonQueueState, "S", true
		why.Asked = fmt.Sprintf("job %d", q.SuspendedBy)
	case q.CalendarOff || q.CalendarSuspended:
		why.Kind, why.Asked, why.Later = model.ReasonCalendar, q.Calendar, true
	case q.Excluded.Kind != "":
		why = q.Excluded
		why.Later = true // load passes
	case q.IsFull():
		why.Kind, why.Resource, why.Offered, why.Later = model.ReasonFull, resource.SlotsName,
			resource.FormatAmount(q.Total()), true
	default:
		return why, false
	}
	return why, true
}
