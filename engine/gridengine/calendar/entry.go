package calendar

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/model"
)

// An entry is one of a year or week line: a state at some times of some days.
type entry struct {
	yearly bool
	dates  []dates // of a yearly entry; nil for all days
	days   []days  // of a weekly one
	times  []model.Daytime
	state  bits
}

// bits are states that hold together.
type bits uint

const (
	nothing bits = 0
	enable  bits = 1 << (iota - 1)
	suspend
	disable
)

// strongest is the state that wins: an entry that opens over one that suspends, and that over one that closes.
func (b bits) strongest() State {
	switch {
	case b&enable != 0:
		return On
	case b&suspend != 0:
		return Suspended
	case b&disable != 0:
		return Off
	}
	return On
}

func bitsOf(state string) bits {
	switch state {
	case "on":
		return enable
	case "suspended":
		return suspend
	}
	return disable
}

type (
	dates struct{ from, to model.Date }
	days  struct{ from, to int } // of the week; a range over Saturday night ends at 7 and more
)

// mostWeekly bounds the entries of a week line that count, since the work grows with the square of their number.
const mostWeekly = 200

func newWatch(c *model.Calendar, location *time.Location) *watch {
	w := &watch{location: location}
	for i, e := range c.Year {
		if i > 0 && sameEntry(c.Year[i-1], e) {
			last := &w.year[len(w.year)-1]
			last.dates = append(last.dates, dates{e.From, e.To})
			continue
		}
		w.year = append(w.year, newYearly(e))
	}
	for _, e := range c.Week[:min(len(c.Week), mostWeekly)] {
		w.week = append(w.week, newWeekly(e))
	}
	return w
}

// sameEntry reports whether two entries can be of one: "1.1.2024,6.1.2024=off" is two in the model.
func sameEntry(a, b model.YearEntry) bool {
	everyDay := model.Date{}
	return a.From != everyDay && b.From != everyDay && a.State == b.State && slices.Equal(a.Times, b.Times)
}

func newYearly(e model.YearEntry) entry {
	y := entry{yearly: true, times: joinTimes(e.Times), state: bitsOf(e.State)}
	if everyDay := (model.Date{}); e.From != everyDay {
		y.dates = []dates{{e.From, e.To}}
	}
	return y
}

func newWeekly(e model.WeekEntry) entry {
	w := entry{days: []days{{int(time.Sunday), int(time.Saturday)}}, times: joinTimes(e.Times), state: bitsOf(e.State)}
	if len(e.Days) > 0 {
		w.days = joinDays(e.Days)
	}
	return w
}

const midnight = 24 * time.Hour

// joinTimes makes one of ranges that overlap or touch, each at the place of its first; no ranges are the whole day.
func joinTimes(times []model.Daytime) []model.Daytime {
	if len(times) == 0 {
		return []model.Daytime{{From: 0, To: midnight}}
	}
	var joined []model.Daytime
	for _, t := range times {
		joined = addTime(joined, t)
	}
	return joined
}

// addTime adds a range, which takes up what it overlaps.
func addTime(joined []model.Daytime, t model.Daytime) []model.Daytime {
	at := -1
	kept := joined[:0]
	for _, j := range joined {
		if j.To < t.From || t.To < j.From {
			kept = append(kept, j)
			continue
		}
		t.From, t.To = min(t.From, j.From), max(t.To, j.To)
		if at < 0 {
			at = len(kept)
		}
	}
	if at < 0 {
		at = len(kept)
	}
	return slices.Insert(kept, at, t)
}

// joinDays joins ranges of days if one begins in the other, or on the day after its end. A range that ends
// on Saturday is joined with one that begins on Sunday. The master compares with the original end of a
// range, and forgets a single day behind a single day: it reads "Mon,Tue" as Monday. joinDays does the
// same.
func joinDays(ranges []model.WeekdayRange) []days {
	var all []days
	for _, r := range ranges {
		all = append(all, days{int(r.From), int(r.To)})
	}
	for i := 0; i < len(all); i++ {
		first := all[i]
		for k := 0; k < len(all); k++ {
			other := all[k]
			if k == i || other.from < first.from || other.from > first.to+1 {
				continue
			}
			if other.to > first.to {
				all[i].to = joinedEnd(first, other)
			}
			all = slices.Delete(all, k, k+1)
			if k < i {
				i--
			}
			k--
		}
	}
	lengthen(all)
	return all
}

func joinedEnd(first, other days) int {
	if first.from == first.to && other.from == other.to {
		return first.to
	}
	return other.to
}

func lengthen(all []days) {
	for i := range all {
		end := all[i].to
		for k, other := range all {
			if k != i && end == int(time.Saturday) && other.from == int(time.Sunday) {
				all[i].to = end + 1 + other.to
			}
		}
	}
}

func compareDates(a, b model.Date) int {
	return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Month, b.Month), cmp.Compare(a.Day, b.Day))
}
