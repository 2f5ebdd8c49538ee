package calendar_test

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"qprism/engine/gridengine/calendar"
	"qprism/engine/model"
	"qprism/importer/gridengine"
)

// read reads calendars as qconf -scal prints them, one for each year and week line.
func read(t testing.TB, lines ...[2]string) []model.Calendar {
	t.Helper()
	bundle := fstest.MapFS{"qstat.xml": {Data: []byte(`<?xml version='1.0'?><job_info><queue_info></queue_info><job_info></job_info></job_info>`)}}
	for i, line := range lines {
		name := fmt.Sprintf("c%04d", i)
		bundle["calendars/"+name+".txt"] = &fstest.MapFile{Data: []byte("calendar_name " + name + "\nyear " + line[0] + "\nweek " + line[1] +
			"\n")}
	}
	s, err := gridengine.Read(bundle, gridengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Calendars) != len(lines) {
		t.Fatalf("%d of %d calendars were read", len(s.Calendars), len(lines))
	}
	return s.Calendars
}

// TestAt has Friday the 14th of June 2024 in its middle.
func TestAt(t *testing.T) {
	for name, tc := range map[string]struct {
		year, week string
		at         string // all in June 2024
		want       string
	}{
		"without entries queues are open for ever": {"NONE", "NONE", "14 12:00:00", "on"},
		"an entry closes them":                     {"NONE", "mon-fri=6-18", "14 12:00:00", "off, 14 18:00:00 on, 17 06:00:00 off"},
		"or suspends them": {"NONE", "6-18=suspended", "14 12:00:00",
			"suspended, 14 18:00:00 on, 15 06:00:00 suspended"},
		"outside of it they are open":                   {"NONE", "mon-fri=6-18", "14 20:00:00", "on, 17 06:00:00 off, 17 18:00:00 on"},
		"days alone are whole days":                     {"NONE", "sat,sun", "14 12:00:00", "on, 15 00:00:00 off, 17 00:00:00 on"},
		"a range over midnight is one closed time":      {"NONE", "20-6", "14 12:00:00", "on, 14 20:00:00 off, 15 06:00:00 on"},
		"the second in which an entry ends is its own":  {"NONE", "6-18", "14 18:00:00", "off, 14 18:00:00 on, 15 06:00:00 off"},
		"the second in which it begins is too":          {"NONE", "6-18", "14 06:00:00", "off, 14 18:00:00 on, 15 06:00:00 off"},
		"a week that is closed as a whole stays so":     {"NONE", "off", "14 12:00:00", "off"},
		"a day of the year comes before the week":       {"14.6.2024=on", "off", "14 12:00:00", "on, 15 00:00:00 off"},
		"a day of the year that is over does not count": {"13.6.2024=off", "NONE", "14 12:00:00", "on"},
		"days of the year in a row are one closed time": {"14.6.2024,15.6.2024-16.6.2024", "NONE", "13 12:00:00",
			"on, 14 00:00:00 off, 17 00:00:00 on"},
		"an entry that opens wins": {"NONE", "fri=off fri=8-16=on", "14 12:00:00", "on, 14 16:00:00 off, 15 00:00:00 on"},
		"one that suspends wins over one that closes": {"NONE", "fri=8-16 fri=8-16=suspended", "14 12:00:00",
			"suspended, 14 16:00:00 on, 21 08:00:00 suspended"},
		"one state after the other has no gap": {"NONE", "mon-fri=6-18=suspended mon-fri=18-22", "14 12:00:00",
			"suspended, 14 18:00:00 off, 14 22:00:00 on"},

		// what the master gets wrong
		"closed from midnight means closed all day":            {"NONE", "0-20", "14 21:00:00", "off, 14.8. 20:00:00 off, 15.8. 20:00:00 off"},
		"a year's entry from midnight is missed on its day":    {"15.6.2024=0-20", "NONE", "14 12:00:00", "on"},
		"a single day behind a single day in one list is lost": {"NONE", "thu,fri", "14 12:00:00", "on, 20 00:00:00 off, 21 00:00:00 on"},
		"a range behind a single day is not":                   {"NONE", "wed,thu-fri", "14 12:00:00", "off, 15 00:00:00 on, 19 00:00:00 off"},
		"from Friday to Monday is one closed time":             {"NONE", "fri-mon", "14 12:00:00", "off, 18 00:00:00 on, 21 00:00:00 off"},
		"a state that never changes has changes that are none": {"NONE", "fri=8-16=on", "14 12:00:00",
			"on, 10.1. 16:00:00 on, 17.1. 08:00:00 on"},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := time.Parse("02 15:04:05", tc.at)
			if err != nil {
				t.Fatal(err)
			}
			c := read(t, [2]string{tc.year, tc.week})[0]
			state, next := calendar.At(&c, time.Date(2024, time.June, at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC))
			got := state.String()
			for _, change := range next {
				day := change.At.Format("02")
				if change.At.Month() != time.June {
					day = change.At.Format("2.1.")
				}
				got += ", " + day + change.At.Format(" 15:04:05 ") + change.State.String()
			}
			if got != tc.want {
				t.Errorf("year %s, week %s: %s, want %s", tc.year, tc.week, got, tc.want)
			}
		})
	}
}

func TestDaysAreThoseOfTheLocation(t *testing.T) {
	c := read(t, [2]string{"NONE", "sat"})[0]
	at := time.Date(2024, time.June, 14, 23, 0, 0, 0, time.UTC)
	if state, _ := calendar.At(&c, at); state != calendar.On {
		t.Errorf("Friday in UTC: %v", state)
	}
	if state, _ := calendar.At(&c, at.In(time.FixedZone("", 7200))); state != calendar.Off {
		t.Errorf("Saturday east of it: %v", state)
	}
}

// masterVectors are calendars and what the calendar functions of the 8.1.9 master make of them in UTC: a line with year
// and week, then for some moments a line with the moment, the state, its end, the next state and its end, 0 for never.
//
//go:embed testdata/8.1.9.txt
var masterVectors string

func TestAtAgreesWithTheMaster(t *testing.T) {
	var lines [][2]string
	var moments [][]string
	for line := range strings.Lines(masterVectors) {
		line = strings.TrimSuffix(line, "\n")
		if year, week, isCalendar := strings.Cut(line, "\t"); isCalendar {
			lines, moments = append(lines, [2]string{year, week}), append(moments, nil)
		} else {
			moments[len(moments)-1] = append(moments[len(moments)-1], line)
		}
	}
	if len(lines) < 100 {
		t.Fatalf("only %d calendars", len(lines))
	}
	for i, c := range read(t, lines...) {
		for _, want := range moments[i] {
			text, _, _ := strings.Cut(want, " ")
			at, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := asMaster(&c, at); got != want {
				t.Errorf("year %s, week %s:\n%s, want\n%s", lines[i][0], lines[i][1], got, want)
			}
		}
	}
}

// asMaster is what At says, in the form of the vectors.
func asMaster(c *model.Calendar, at int64) string {
	state, next := calendar.At(c, time.Unix(at, 0).UTC())
	text := fmt.Sprint(at, int(state))
	for _, change := range next {
		text += fmt.Sprint(" ", change.At.Unix(), int(change.State))
	}
	if len(next) < 2 {
		return text + " 0"
	}
	return text[:strings.LastIndexByte(text, ' ')] // the master does not know what the second change leads to
}
