package calendar

import (
	"time"

	"qprism/engine/model"
)

// A State is the effect of a calendar on its queues.
type State int

// The states of a calendar.
const (
	On State = iota
	Off
	Suspended
)

func (s State) String() string {
	return [...]string{"on", "off", "suspended"}[s]
}

// A Change is the moment from which a calendar has a state.
type Change struct {
	At    time.Time
	State State
}

// At is the state at a moment, with the next changes that the master knows: at most two, and none if the
// state lasts for ever. Days and times are in the time zone of the moment.
//
// The master gives its scheduler two states, the present one and the next, each with its end. So the
// scheduler knows when the second change comes, but not the state after it. An entry still applies in the
// second in which it ends. The first change is then at the moment itself.
func At(c *model.Calendar, at time.Time) (State, []Change) {
	w := newWatch(c, at.Location())
	now, end := w.look(at.Unix())
	if end == never {
		return now, nil
	}
	next, first, end := w.skip(now, end)
	if first == never {
		return now, nil
	}
	changes := []Change{{w.time(first), next}}
	if end == never {
		return now, changes
	}
	last, second, _ := w.skip(next, end)
	if second == never {
		return now, changes
	}
	return now, append(changes, Change{w.time(second), last})
}

// A watch follows a calendar in a location. Its moments are in seconds of Unix time.
type watch struct {
	location   *time.Location
	year, week []entry
	looks      int
}

// never is the end of a state that lasts for ever.
const never = 0

func (w *watch) time(at int64) time.Time { return time.Unix(at, 0).In(w.location) }

// mostLooks bounds the search for a change of the state; the master stops at 60.
const mostLooks = 60

// skip goes from one end to the next until the state differs: to that state, when it begins and when it ends. The
// beginning is never if no other state was found; but where the looks are used up, it is where they ended.
func (w *watch) skip(from State, end int64) (to State, begin, newEnd int64) {
	newEnd = end
	for {
		begin = newEnd
		to, newEnd = w.look(begin + 1)
		w.looks++
		if newEnd == never || to != from || w.looks >= mostLooks {
			break
		}
	}
	if to == from {
		begin = newEnd
	}
	return to, begin, newEnd
}
