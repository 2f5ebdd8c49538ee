package calendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qprism/engine/gridengine/calendar"
	"qprism/engine/model"
	"qprism/fixtures/master"
)

// TestRealMasterClosesTheSameQueues gives queues of a real 8.1.9 master calendars and looks at their states. What the
// calendars say depends on the hour, and so does what the test finds out.
func TestRealMasterClosesTheSameQueues(t *testing.T) {
	m := master.Start(t, master.Options{})
	before := time.Now()
	lines := linesAround(before)
	s := master.Scenario{Hosts: []master.Object{{"name": "n1"}}}
	for i, line := range lines {
		name := master.Value(fmt.Sprintf("c%d", i))
		s.Calendars = append(s.Calendars, master.Object{"calendar_name": name, "year": master.Value(line[0]), "week": master.Value(line[1])})
		s.Queues = append(s.Queues, master.Object{"qname": name})
	}
	if err := m.Apply(s); err != nil {
		t.Fatal(err)
	}
	for _, q := range s.Queues { // a queue that has its calendar from the first confuses the scheduler for good
		if _, err := m.Run("qconf", "-mattr", "queue", "calendar", string(q["qname"]), string(q["qname"])); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := m.Run("qstat", "-f")
	if err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	for i, c := range read(t, lines...) {
		compareState(t, &c, lines[i], printedState(t, printed, fmt.Sprintf("c%d@n1", i)), before, after)
	}
}

// compareState compares a state with those before and after the master was asked.
func compareState(t *testing.T, c *model.Calendar, line [2]string, printed calendar.State, before, after time.Time) {
	first, _ := calendar.At(c, before)
	last, _ := calendar.At(c, after)
	if printed != first && printed != last {
		t.Errorf("year %s, week %s at %v: %v, the master says %v", line[0], line[1], before, first, printed)
	}
}

// printedState reads the letters of qstat -f: D closed, C suspended by the calendar.
func printedState(t *testing.T, text, instance string) calendar.State {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) < 5 || f[0] != instance:
		case len(f) > 5 && strings.Contains(f[5], "D"):
			return calendar.Off
		case len(f) > 5 && strings.Contains(f[5], "C"):
			return calendar.Suspended
		default:
			return calendar.On
		}
	}
	t.Fatalf("no %s in\n%s", instance, text)
	return calendar.On
}

// linesAround are years and weeks that begin and end around a moment, in all forms, those that the master gets wrong too.
func linesAround(at time.Time) (lines [][2]string) {
	day := func(ahead int) string { return at.AddDate(0, 0, ahead).Format("2.1.2006") }
	weekday := func(ahead int) string { return strings.ToLower(at.AddDate(0, 0, ahead).Weekday().String()[:3]) }
	hour := at.Hour()
	early, late := fmt.Sprintf("0-%d", max(hour, 1)), fmt.Sprintf("%d-24", hour+1) // before and after this hour
	here, open := fmt.Sprintf("%d-%d", hour, hour+1), ""
	if hour > 0 && hour < 23 {
		open = fmt.Sprintf("%d-%d", hour+1, hour)
	}
	for _, week := range []string{"NONE", "off", "suspended", "on", here, early, here + "=suspended",
		weekday(0), weekday(1), weekday(0) + "=" + here, weekday(1) + "=" + here,
		weekday(-1) + "," + weekday(0), weekday(0) + "," + weekday(1),
		weekday(-2) + "-" + weekday(0) + "=suspended", weekday(1) + "-" + weekday(-1),
		weekday(0) + "=" + early, "off " + here + "=on", here + " " + here + "=suspended",
		weekday(0) + "=" + here + "=suspended off", weekday(0) + "," + weekday(2) + "=" + here} {
		lines = append(lines, [2]string{"NONE", week})
	}
	if hour < 23 {
		lines = append(lines, [2]string{"NONE", late}, [2]string{"NONE", early + "," + late}, [2]string{day(0) + "=" + late, "off"})
	}
	if open != "" {
		lines = append(lines, [2]string{"NONE", open}, [2]string{"NONE", weekday(0) + "=" + open}, [2]string{day(0) + "=" + open, "NONE"})
	}
	for _, year := range []string{"off", "suspended", day(0), day(1), day(-1) + "-" + day(1) + "=suspended",
		day(-1) + "," + day(0), day(-2) + "-" + day(-1), day(0) + "=" + here, day(0) + "=" + early,
		day(-1) + "-" + day(0) + "=" + here + "=on", day(0) + " " + day(0) + "=" + here + "=on",
		day(0) + "=on"} {
		lines = append(lines, [2]string{year, "NONE"}, [2]string{year, "suspended"})
	}
	return lines
}
