package qconf

import (
	"testing"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/expect"
)

func TestEveryFormOfAYearLine(t *testing.T) {
	day := func(d, m, y int) model.Date { return model.Date{Day: d, Month: m, Year: y} }
	times := []model.Daytime{{From: 12 * time.Hour, To: 13 * time.Hour}}
	for text, want := range map[string][]model.YearEntry{
		"NONE": nil,
		"1.1.1999,6.1.1999,30.3.1999-31.3.1999=on": {
			{From: day(1, 1, 1999), To: day(1, 1, 1999), State: "on"},
			{From: day(6, 1, 1999), To: day(6, 1, 1999), State: "on"},
			{From: day(30, 3, 1999), To: day(31, 3, 1999), State: "on"},
		},
		"24.dec.2024":            {{From: day(24, 12, 2024), To: day(24, 12, 2024), State: "off"}},
		"1.September.2024=12-13": {{From: day(1, 9, 2024), To: day(1, 9, 2024), Times: times, State: "off"}},
		"1.1.2030-5.1.2030=12:00-13:00:00=suspended 7.1.2030=ON": {
			{From: day(1, 1, 2030), To: day(5, 1, 2030), Times: times, State: "suspended"},
			{From: day(7, 1, 2030), To: day(7, 1, 2030), State: "on"},
		},
		"12.03.2004=12-11=off": {{From: day(12, 3, 2004), To: day(12, 3, 2004),
			Times: []model.Daytime{{From: 12 * time.Hour, To: 24 * time.Hour}, {From: 0, To: 11 * time.Hour}}, State: "off"}},
		"suspended": {{State: "suspended"}},
	} {
		s := mustRead(t, readCalendars, "calendars.txt", "calendar_name c\nyear "+text+"\nweek NONE\n")
		expect.Same(t, text, s.Calendars[0].Year, want)
	}
}

func TestEveryFormOfAWeekLine(t *testing.T) {
	days := func(pairs ...time.Weekday) (list []model.WeekdayRange) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, model.WeekdayRange{From: pairs[i], To: pairs[i+1]})
		}
		return list
	}
	hours := func(h ...time.Duration) (list []model.Daytime) {
		for i := 0; i < len(h); i += 2 {
			list = append(list, model.Daytime{From: h[i] * time.Hour, To: h[i+1] * time.Hour})
		}
		return list
	}
	for text, want := range map[string][]model.WeekEntry{
		"NONE":              nil,
		"none":              nil,
		"mon-fri=6-20":      {{Days: days(1, 5), Times: hours(6, 20), State: "off"}},
		"sat-sun=suspended": {{Days: days(6, 6, 0, 0), State: "suspended"}},
		"fri-mon":           {{Days: days(5, 6, 0, 1), State: "off"}},
		"mon-fri=20-6 sat-sun": {{Days: days(1, 5), Times: hours(20, 24, 0, 6), State: "off"},
			{Days: days(6, 6, 0, 0), State: "off"}},
		"12-18 tue=13-17=on": {{Times: hours(12, 18), State: "off"}, {Days: days(2, 2), Times: hours(13, 17), State: "on"}},
		"off":                {{State: "off"}},
		"sus":                {{State: "suspended"}},
		"0-24=on":            {{Times: hours(0, 24), State: "on"}},
		"wednesday,fri=20:30-21:45:10,22-23=suspended sun=off": {
			{Days: days(3, 3, 5, 5), State: "suspended", Times: []model.Daytime{
				{From: 20*time.Hour + 30*time.Minute, To: 21*time.Hour + 45*time.Minute + 10*time.Second},
				{From: 22 * time.Hour, To: 23 * time.Hour}}},
			{Days: days(0, 0), State: "off"},
		},
		"monday-Tuesday=24-6": {{Days: days(1, 2), Times: hours(0, 6), State: "off"}},
		"thu=22-0":            {{Days: days(4, 4), Times: hours(22, 24), State: "off"}},
	} {
		s := mustRead(t, readCalendars, "calendars.txt", "calendar_name c\nyear NONE\nweek "+text+"\n")
		expect.Same(t, text, s.Calendars[0].Week, want)
	}
}

func TestTheCalendarsOfARealMasterAreRead(t *testing.T) {
	if all := mustRead(t, readCalendars, "calendars.txt", readFile(t, "odd/calendars.txt")).Calendars; len(all) != 9 {
		t.Error(expect.Show(all))
	}
}
