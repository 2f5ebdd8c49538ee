package calendar

import "qprism/engine/model"

// limit is when an entry begins or ceases to hold, never if it does neither. With nextDay it is the coming midnight,
// and the entry does not begin to hold before.
func (w *watch) limit(e entry, now wall, today, active bool) (end int64, nextDay bool) {
	switch {
	case e.yearly && len(e.dates) == 0:
		return never, false
	case active && e.allDay():
		return w.lastDay(e, now), false
	case active:
		return w.unix(now.date, e.timeOf(now.clock).To), false
	case !today:
		day, ok := e.nextDay(now)
		if !ok {
			return never, false
		}
		if e.allDay() {
			return w.unix(day, 0), false
		}
		now = wall{date: day}
	}
	if begin, ok := e.nextTime(now.clock); ok {
		return w.unix(now.date, begin), false
	}
	return w.unix(now.date, midnight), true
}

// allDay reports whether the entry holds from midnight to midnight.
func (e entry) allDay() bool {
	return e.times[0] == model.Daytime{From: 0, To: midnight}
}

// lastDay is the midnight at the end of the days on which an entry holds; never for a week without end.
func (w *watch) lastDay(e entry, now wall) int64 {
	if e.yearly {
		return w.unix(e.datesOf(now.date).to, midnight)
	}
	d := *e.daysOf(now.weekday)
	if e.wholeWeek(now.weekday) {
		return never
	}
	last := now.date
	last.Day += d.to - now.weekday
	return w.unix(last, midnight)
}

// wholeWeek reports whether all ranges of days up to the one of a weekday are seven days long.
func (e entry) wholeWeek(weekday int) bool {
	for _, d := range e.days {
		if d.to-d.from != 6 {
			return false
		}
		if d.from <= weekday && weekday <= d.to {
			break
		}
	}
	return true
}

// nextDay is the first day after today on which a range of days begins; it may have a number beyond its month's last.
func (e entry) nextDay(now wall) (day model.Date, ok bool) {
	if e.yearly {
		return e.nextDate(now.date)
	}
	ahead := 8
	for _, d := range e.days {
		wait := d.from - now.weekday
		if wait <= 0 {
			wait += 7
		}
		ahead = min(ahead, wait)
	}
	day = now.date
	day.Day += ahead
	return day, true
}

func (e entry) nextDate(today model.Date) (day model.Date, ok bool) {
	for _, d := range e.dates {
		if compareDates(today, d.from) < 0 && (!ok || compareDates(d.from, day) < 0) {
			day, ok = d.from, true
		}
	}
	return day, ok
}

// nextTime is when the entry begins to hold next on a day: of a year's entry after a time, of a week's at it or after.
// So an entry of the year that begins at midnight is missed on its first day, which is a fault of the master.
func (e entry) nextTime(clock model.Clock) (begin model.Clock, ok bool) {
	for _, t := range e.times {
		if late := t.From < clock || e.yearly && t.From == clock; !late && (!ok || t.From < begin) {
			begin, ok = t.From, true
		}
	}
	return begin, ok
}
