package calendar

import (
	"time"

	"qprism/engine/model"
)

// look is the state at a moment and when the master looks at the calendar again, which need not be a change.
func (w *watch) look(at int64) (State, int64) {
	state, end := w.lookAtYear(at)
	if state == nothing {
		state, end = w.lookAtWeek(at, end)
	}
	return state.strongest(), end
}

// lookAtYear takes the earliest end of entries that add a state, and the latest of those that add none.
func (w *watch) lookAtYear(at int64) (state bits, end int64) {
	for _, e := range w.year {
		s := w.holds(e, w.wall(at))
		adds := state == nothing || state != s.state
		if adds {
			state |= s.state
		}
		if end == never || s.end != never && (s.end < end) == adds && s.end != end {
			end = s.end
		}
	}
	return state, end
}

// lookAtWeek takes the earliest end of the entries. An entry that only goes on with the state another one ends is
// looked at from the other one's end.
func (w *watch) lookAtWeek(at, end int64) (bits, int64) {
	var state bits
	now := w.wall(at)
	visited := make([]bool, len(w.week))
	for again := true; again; {
		again = false
		for i, e := range w.week {
			s := w.holds(e, now)
			state |= s.state
			if s.end != never && state == s.next && end >= s.end {
				if visited[i] {
					end, again = never, false
					break
				}
				visited[i], again = true, true
				now, end = w.wall(end+1), never
				s = w.holds(e, now)
				state |= s.state
			}
			if state != s.next && (end == never || s.end != never && end > s.end) {
				end = s.end
			}
		}
	}
	return state, end
}

// A span is what an entry says of a moment: its state if it holds, until when that is so, and its state after that if
// it does not hold.
type span struct {
	state, next bits
	end         int64
}

// mostNights bounds the days after which an entry has to hold again.
const mostNights = 1000

// holds asks an entry about a moment. If the entry does not hold for the rest of the day, the master asks
// it about the first second of the next day. It uses that answer for the moment, too.
func (w *watch) holds(e entry, now wall) span {
	for range mostNights {
		today := e.onDay(now)
		active := today && e.timeOf(now.clock) != nil
		s := span{next: e.state}
		if active {
			s = span{state: e.state}
		}
		var nextDay bool
		s.end, nextDay = w.limit(e, now, today, active)
		if !nextDay {
			if s.end == never {
				s.next = nothing
			}
			return s
		}
		now = w.wall(s.end + 1)
	}
	return span{}
}

func (e entry) onDay(now wall) bool {
	if !e.yearly {
		return e.daysOf(now.weekday) != nil
	}
	return len(e.dates) == 0 || e.datesOf(now.date) != nil
}

func (e entry) datesOf(day model.Date) *dates {
	for i, d := range e.dates {
		if compareDates(d.from, day) <= 0 && compareDates(day, d.to) <= 0 {
			return &e.dates[i]
		}
	}
	return nil
}

func (e entry) daysOf(weekday int) *days {
	for i, d := range e.days {
		if d.from <= weekday && weekday <= d.to {
			return &e.days[i]
		}
	}
	return nil
}

// timeOf is the range of the day that has a time, its last second included.
func (e entry) timeOf(clock model.Clock) *model.Daytime {
	for i, t := range e.times {
		if t.From <= clock && clock <= t.To {
			return &e.times[i]
		}
	}
	return nil
}

// A wall is what a clock on the wall shows.
type wall struct {
	date    model.Date
	weekday int
	clock   model.Clock
}

func (w *watch) wall(at int64) wall {
	t := w.time(at)
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return wall{
		date:    model.Date{Day: day, Month: int(month), Year: year},
		weekday: int(t.Weekday()),
		clock:   time.Duration(hour*3600+minute*60+second) * time.Second,
	}
}

// unix is the moment when the clock on the wall shows a time of a day.
func (w *watch) unix(day model.Date, clock model.Clock) int64 {
	return time.Date(day.Year, time.Month(day.Month), day.Day, 0, 0, int(clock/time.Second), 0, w.location).Unix()
}
