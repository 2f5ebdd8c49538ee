package gridengine

import (
	"strconv"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/exporter"
)

// a job as it was expected, and as the master has it: -p, nurg, ntckts.
type drifted struct {
	job      string
	was, now Ranked
}

func TestADriftIsPutDownToTheTermThatMovedMost(t *testing.T) {
	ranked := func(p int, urgency, tickets float64) Ranked {
		return Ranked{P: p, Terms: exporter.Terms{Urgency: urgency, Tickets: tickets}}
	}
	for name, c := range map[string]struct {
		jobs []drifted // in the wanted order
		now  string
		want string
	}{
		"tickets": {[]drifted{{"1", ranked(0, 0.5, 0.9), ranked(0, 0.5, 0.1)},
			{"2", ranked(0, 0.5, 0.8), ranked(0, 0.51, 0.8)}}, "2 1",
			"1 because tickets moved; the prio distance of two neighboring jobs changed by up to 0.0090; --margin " +
				"0.0091 would have been enough"},
		"urgency": {[]drifted{{"1", ranked(0, 0.9, 0.5), ranked(0, 0.2, 0.5)},
			{"2", ranked(0, 0.8, 0.5), ranked(0, 0.7, 0.6)}}, "2 1",
			"1 because urgency moved; the prio distance of two neighboring jobs changed by up to 0.0610; --margin " +
				"0.0611 would have been enough"},
		"another -p": {[]drifted{{"1", ranked(200, 0.5, 0.5), ranked(0, 0.5, 0.5)},
			{"2", ranked(0, 0.5, 0.5), ranked(0, 0.5, 0.51)}}, "2 1",
			"1 because -p does not have the value of the push"},
		"one that nobody expected": {[]drifted{{"1", ranked(0, 0.5, 0.5), ranked(0, 0.5, 0.5)},
			{job: "2", now: ranked(0, 0.5, 0.5)}}, "2 1",
			"1 because of unknown causes"},
		"each for its own reason": {[]drifted{{"1", ranked(0, 0.5, 0.9), ranked(0, 0.5, 0.1)},
			{"2", ranked(0, 0.5, 0.5), ranked(0, 0.5, 0.5)},
			{"3", ranked(0, 0.5, 0.5), ranked(0, 0, 0.5)}, {"4", ranked(0, 0.5, 0.5), ranked(0, 0.5, 0.5)}}, "2 1 4 3",
			"1 because tickets moved, 1 because urgency moved; the prio distance of two neighboring jobs changed by up " +
				"to 0.0500; --margin 0.0501 would have been enough"},
	} {
		expected := map[string]Ranked{}
		live := &exporter.Live{Jobs: map[string]exporter.LiveJob{}}
		var wanted []string
		for _, j := range c.jobs {
			wanted = append(wanted, j.job)
			if j.was != (Ranked{}) {
				expected[j.job] = j.was
			}
			terms := j.now.Terms
			live.Jobs[j.job] = exporter.LiveJob{Values: map[string]string{Priority: strconv.Itoa(j.now.P)}, Terms: &terms}
		}
		order := strings.Fields(c.now)
		r := &exporter.Report{Push: &model.Push{Wanted: wanted}, Order: order, Live: live,
			Standing: exporter.StandingOf(wanted, order)}
		got := DriftOf(r, expected, Weights{Urgency: 0.1, Ticket: 0.01, Priority: 1}).String()
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}
