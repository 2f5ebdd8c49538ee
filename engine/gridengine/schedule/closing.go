package schedule

import (
	"qprism/engine/gridengine/calendar"
	"qprism/engine/model"
)

// bookCalendars books the times in which calendars close queue instances. The scheduler knows the present state until
// it changes, and the next one.
func (r *run) bookCalendars() {
	windows := map[string][]window{}
	for i := range r.snapshot.Calendars {
		c := &r.snapshot.Calendars[i]
		windows[c.Name] = r.closingTimes(c)
	}
	for _, list := range [][]*instance{r.world.queues, r.world.closed} {
		for _, q := range list {
			for _, w := range windows[q.Calendar] {
				r.closeAt(q, w)
			}
		}
	}
}

// A window is a time in which a queue is closed.
type window struct{ from, until seconds }

func (r *run) closingTimes(c *model.Calendar) (list []window) {
	state, next := calendar.At(c, r.plan.RunAt.In(r.snapshot.Zone()))
	from := r.now
	for i := 0; i <= len(next) && i < 2; i++ {
		until := atEnd
		if i < len(next) {
			until = unix(next[i].At)
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
func (r *run) closeAt(q *instance, w window) {
	if w.from == r.now {
		q.slotsUse.now = q.total()
	}
	if r.quirks.ClosingForgets {
		q.slotsUse.over.block(w.from, w.until, q.total())
	} else {
		q.slotsUse.over.raise(w.from, w.until, q.total())
	}
	r.draw(q.slotsUse)
}
