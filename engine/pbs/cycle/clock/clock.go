package clock

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// Hours has primetime and dedicated time, from the files holidays and dedicated_time.
type Hours struct {
	holidays  model.Holidays
	Dedicated []model.Period
	zone      *time.Location
}

// New reads the files of a snapshot. It skips dedicated time that has passed.
func New(s *model.Snapshot, at time.Time) Hours {
	over := func(p model.Period) bool { return p.End.Before(at) }
	return Hours{s.PBS.Holidays, slices.DeleteFunc(slices.Clone(s.PBS.Dedicated), over), s.Zone()}
}

// Local is a moment in the time zone of the server.
func (k *Hours) Local(at Seconds) time.Time { return time.Unix(at, 0).In(k.zone) }

// Prime reports whether it is primetime.
func (k *Hours) Prime(at Seconds) bool {
	t := k.Local(at)
	switch {
	case k.holidays.Year == 0:
		return true
	case k.holiday(t):
		return false
	}
	return k.day(t).primeAt(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
}

func (k *Hours) holiday(t time.Time) bool {
	for _, d := range k.holidays.Dates {
		if d == t.YearDay() {
			return true
		}
	}
	return false
}

// A weekday is when primetime begins and ends on a day of the week.
type weekday model.PrimeDay

// day is the day of the week; one that the file does not mention is prime.
func (k *Hours) day(t time.Time) weekday {
	none := weekday{}
	if d := int(t.Weekday()); d < len(k.holidays.Days) {
		if w := weekday(k.holidays.Days[d]); w != none {
			return w
		}
	}
	return weekday{Prime: model.DayStart{All: true}, NonPrime: model.DayStart{None: true}}
}

func (d weekday) primeAt(at time.Duration) bool {
	from, to := d.Prime.At, d.NonPrime.At
	switch {
	case d.Prime.All:
		return true
	case d.NonPrime.All, d.Prime.None:
		return false
	case d.NonPrime.None:
		return true
	case to > from:
		return from <= at && at < to
	case to < from:
		return at < to || from <= at
	}
	return false
}

// Ends is when the primetime or non-primetime of a moment ends; Forever if not within a week.
func (k *Hours) Ends(at Seconds) Seconds {
	prime := k.Prime(at)
	if prime && k.holidays.Year == 0 {
		return Forever
	}
	for limit, from := at+7*86400, at; from <= limit; {
		t := k.Local(from)
		day := k.day(t)
		next, allDay := day.NonPrime, day.NonPrime.All || k.holiday(t)
		skip := day.NonPrime.None
		if !prime {
			next, allDay = day.Prime, day.Prime.All
			skip = day.Prime.None || k.holiday(t)
		}
		hour, minute := int(next.At/time.Hour), int(next.At%time.Hour/time.Minute)
		switch {
		case skip || !next.All && (hour < t.Hour() || hour == t.Hour() && minute < t.Minute()):
			from += restOfDay(t)
		case allDay:
			return from
		default:
			return from + Seconds(hour-t.Hour())*3600 + Seconds(minute-t.Minute())*60 - Seconds(t.Second())
		}
	}
	return Forever
}

// restOfDay is the time until midnight.
func restOfDay(t time.Time) Seconds {
	return Seconds(24*3600 - t.Hour()*3600 - t.Minute()*60 - t.Second())
}

// NextDedicated is the present or next dedicated time; ok is false for none.
func (k *Hours) NextDedicated(at Seconds) (from, to Seconds, ok bool) {
	for _, p := range k.Dedicated {
		if p.End.Unix() >= at {
			return p.Start.Unix(), p.End.Unix(), true
		}
	}
	return 0, 0, false
}

// IsDedicated reports whether it is dedicated time.
func (k *Hours) IsDedicated(at Seconds) bool {
	from, to, ok := k.NextDedicated(at)
	return ok && from <= at && at < to
}

// PolicyAt is the policy of sched_config in force at a moment, in primetime or outside it.
func PolicyAt(s *model.Snapshot, at time.Time) model.CyclePolicy {
	k := New(s, at)
	if k.Prime(at.Unix()) {
		return s.PBS.SchedConfig.Prime
	}
	return s.PBS.SchedConfig.NonPrime
}

// Seconds are a Unix time or a duration in seconds. Unset ones are never.
type Seconds = int64

const (
	Never     Seconds = -1
	Forever   Seconds = -2                     // the end of a primetime that never ends
	FiveYears Seconds = 5 * 365 * 24 * 60 * 60 // the length of a job without walltime
)
