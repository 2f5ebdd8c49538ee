package svg

import (
	"slices"
	"time"
)

// An axis is the period that a picture shows, in Unix seconds.
type axis struct {
	from, to int64
	zone     *time.Location
}

// newAxis covers the ends of bookings. It ignores ends that are more than three times as far away as the
// first three quarters of the ends. Otherwise one job of a month would compress all others. It includes a
// short time before now, to show running jobs.
func newAxis(present time.Time, rows []*row) axis {
	now := second(present)
	var ends []int64 // seconds from now
	for _, r := range rows {
		for i := range r.blocks {
			if d := r.blocks[i].shown() - now; d > 0 {
				ends = append(ends, d)
			}
		}
	}
	span := int64(3600)
	if len(ends) > 0 {
		slices.Sort(ends)
		most := ends[(len(ends)*3-1)/4] * 3
		far, _ := slices.BinarySearch(ends, most+1)
		span = ends[far-1]
	}
	return axis{from: now - max(span/16, 1), to: now + max(span+span/50, 10), zone: present.Location()}
}

// shown returns until when the picture should show a block. For a block without an end this is its beginning.
func (b *block) shown() int64 {
	if b.to == endless {
		return b.from
	}
	return b.to
}

// A mark is a tick of the axis.
type mark struct {
	at         int64
	text, date string // the first mark of a day has the date below it
}

const day = 24 * 3600

// steps are the round distances between marks, in seconds.
var steps = []int64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600,
	day, 2 * day, 7 * day, 14 * day, 30 * day, 90 * day, 180 * day, 365 * day}

const mostMarks = 12

func (a axis) marks() (list []mark) {
	step := a.step()
	before := ""
	_, east := time.Unix(a.from, 0).In(a.zone).Zone()
	for at := a.from - (a.from+int64(east))%step + step; at <= a.to-(a.to-a.from)/200; at += step {
		t := time.Unix(at, 0).In(a.zone)
		m := mark{at: at, text: t.Format("15:04")}
		switch {
		case step < 60:
			m.text = t.Format("15:04:05")
		case step >= 365*day:
			m.text = t.Format("2006")
		case step >= day:
			m.text = t.Format("2 Jan")
		}
		if date := t.Format(time.DateOnly); step < day && date != before {
			m.date, before = date, date
		} else if year := t.Format("2006"); step >= day && step < 365*day && year != before {
			m.date, before = year, year
		}
		list = append(list, m)
	}
	return list
}

// step returns the smallest round distance that does not give too many marks.
func (a axis) step() int64 {
	span := a.to - a.from
	for _, s := range steps {
		if span/s <= mostMarks {
			return s
		}
	}
	return (span/mostMarks/(365*day) + 1) * 365 * day
}
