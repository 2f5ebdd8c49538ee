package cluster

import (
	"qprism/engine/gridengine/calendar"
	"qprism/engine/gridengine/utilization"
	"qprism/engine/model"
)

// bookCalendars books the times in which calendars close queue instances. The scheduler knows the present state until
// it changes, and the next one.
func (r *Cluster) bookCalendars() {
	windows := map[string][]window{}
	for i := range r.Snapshot.Calendars {
		c := &r.Snapshot.Calendars[i]
		windows[c.Name] = r.closingTimes(c)
	}
	for _, list := range [][]*Instance{r.Queues, r.closed} {
		for _, q := range list {
			for _, w := range windows[q.Calendar] {
				r.closeAt(q, w)
			}
		}
	}
}

// A window is a time in which a queue is closed.
type window struct{ from, until seconds }

func (r *Cluster) closingTimes(c *model.Calendar) (list []window) {
	state, next := calendar.At(c, r.Plan.RunAt.In(r.Snapshot.Zone()))
	from := r.Now
	for i := 0; i <= len(next) && i < 2; i++ {
		until := utilization.AtEnd
		if i < len(next) {
			until = utilization.Unix(next[i].At)
		}
		if state != calendar.On {
			list = append(list, window{from, until})
		}
		if i < len(next) {
			from, state = until, next[i].State
		}
	}
	return list
}

// closeAt books all slots of an instance.
func (r *Cluster) closeAt(q *Instance, w window) {
	if w.from == r.Now {
		q.SlotsUse.Now = q.Total()
	}
	if r.Quirks.ClosingForgetsBookings {
		q.SlotsUse.Over.Block(w.from, w.until, q.Total())
	} else {
		q.SlotsUse.Over.Raise(w.from, w.until, q.Total())
	}
	r.draw(q.SlotsUse)
}
