package calendar_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qprism/engine/gridengine/calendar"
	"qprism/engine/model"
)

// TestAtAgreesWithLookingEveryMinute has calendars that the master gets right: one entry that does not begin at midnight
// and end before the next.
func TestAtAgreesWithLookingEveryMinute(t *testing.T) {
	monday := time.Date(2024, time.June, 10, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		c := drawCalendar(t)
		at := monday.Add(time.Duration(rapid.IntRange(1, 7*24*60-1).Draw(t, "minute"))*time.Minute + time.Second)
		state, next := calendar.At(&c, at)
		wantState, want := everyMinute(&c, at)
		if state != wantState || !slices.Equal(next, want) {
			t.Errorf("at %v: %v, then %v; want %v, then %v", at, state, next, wantState, want)
		}
	})
}

func drawCalendar(t *rapid.T) model.Calendar {
	state := rapid.SampledFrom([]string{"off", "suspended"}).Draw(t, "state")
	var times []model.Daytime
	if rapid.Bool().Draw(t, "times") {
		from := rapid.IntRange(1, 1438).Draw(t, "from")
		to := rapid.IntRange(from+1, 1440).Draw(t, "to")
		times = []model.Daytime{{From: time.Duration(from) * time.Minute, To: time.Duration(to) * time.Minute}}
	}
	if rapid.Bool().Draw(t, "yearly") {
		from := rapid.IntRange(8, 20).Draw(t, "first day")
		to := rapid.IntRange(from, 20).Draw(t, "last day")
		day := func(d int) model.Date { return model.Date{Day: d, Month: 6, Year: 2024} }
		return model.Calendar{Year: []model.YearEntry{{From: day(from), To: day(to), Times: times, State: state}}}
	}
	from := rapid.IntRange(0, 6).Draw(t, "first weekday")
	to := rapid.IntRange(from, 6).Draw(t, "last weekday")
	days := []model.WeekdayRange{{From: time.Weekday(from), To: time.Weekday(to)}}
	return model.Calendar{Week: []model.WeekEntry{{Days: days, Times: times, State: state}}}
}

// everyMinute looks at every full minute of the two weeks after a moment, in which all changes are.
func everyMinute(c *model.Calendar, at time.Time) (calendar.State, []calendar.Change) {
	now := manual(c, at)
	state := now
	var next []calendar.Change
	for m := at.Truncate(time.Minute).Add(time.Minute); len(next) < 2 && m.Before(at.AddDate(0, 0, 15)); m = m.Add(time.Minute) {
		if s := manual(c, m); s != state {
			next = append(next, calendar.Change{At: m, State: s})
			state = s
		}
	}
	return now, next
}

// manual is the state at a moment, as calendar_conf(5) has it.
func manual(c *model.Calendar, at time.Time) calendar.State {
	clock := at.Sub(at.Truncate(24 * time.Hour))
	inTimes := func(times []model.Daytime) bool {
		return len(times) == 0 || slices.ContainsFunc(times, func(d model.Daytime) bool { return d.From <= clock && clock < d.To })
	}
	states := map[string]calendar.State{"off": calendar.Off, "suspended": calendar.Suspended}
	for _, e := range c.Year {
		if day := at.Day(); e.From.Day <= day && day <= e.To.Day && at.Month() == time.June && inTimes(e.Times) {
			return states[e.State]
		}
	}
	for _, e := range c.Week {
		if day := at.Weekday(); e.Days[0].From <= day && day <= e.Days[0].To && inTimes(e.Times) {
			return states[e.State]
		}
	}
	return calendar.On
}

func FuzzAt(f *testing.F) {
	f.Add(int64(1718366400), uint8(5), int16(360), int16(1080), "off", 14, 6, 2024)
	f.Fuzz(func(t *testing.T, at int64, days uint8, from, to int16, state string, day, month, year int) {
		times := []model.Daytime{{From: time.Duration(from) * time.Minute, To: time.Duration(to) * time.Minute}}
		weekdays := []model.WeekdayRange{{From: time.Weekday(days & 15), To: time.Weekday(days >> 4)}}
		date := model.Date{Day: day, Month: month, Year: year}
		c := model.Calendar{
			Year: []model.YearEntry{{From: date, To: date, Times: times, State: state}, {From: date, To: model.Date{Year: 9999}}},
			Week: []model.WeekEntry{{Days: weekdays, Times: times, State: state}, {Times: times}},
		}
		moment := time.Unix(at%(1<<34), 0).UTC()
		_, next := calendar.At(&c, moment)
		isDate := 1 <= day && day <= 31 && 1 <= month && month <= 12
		for _, change := range next {
			if isDate && change.At.Before(moment) {
				t.Errorf("a change at %v, before %v", change.At, moment)
			}
		}
	})
}
