package lastrun

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// mostTraced is how many of the last runs that the messages file tells are tried: it is copied after the listings, so that runs may lie
// between.
const mostTraced = 4

// tracedMoments are the last runs of a release whose messages count microseconds, the latest first: the line about urgencies is written
// within a millisecond of the clock that they were computed by. (Quirk O9.)
func tracedMoments(s *model.Snapshot) []Moment {
	var list []Moment
	for _, l := range slices.Backward(s.Trace) {
		if len(list) < mostTraced && strings.HasPrefix(l.Text, "PROF: static urgency took") {
			list = append(list, Moment{At: l.At, Source: "the scheduler's message about urgencies"})
		}
	}
	return list
}

// startMoments are just before and just after the tasks that started last, those of one run: the master notes each start by itself, a few
// milliseconds after the scheduler chose it, and a run may follow another one within milliseconds. (Rule O11.)
func startMoments(s *model.Snapshot) []Moment {
	starts := startTimes(s)
	if len(starts) == 0 {
		return nil
	}
	const together = 100 * time.Millisecond
	last := starts[len(starts)-1]
	first := last
	for _, at := range slices.Backward(starts) {
		if last.Sub(at) <= together {
			first = at
		}
	}
	return []Moment{{At: first.Add(-time.Microsecond), Source: "the starts of that run"},
		{At: last.Add(time.Microsecond), Source: "the starts of the run just before it"}}
}

// startTimes are those of all tasks, in order.
func startTimes(s *model.Snapshot) (list []time.Time) {
	for i := range s.Jobs {
		for k := range s.Jobs[i].Tasks {
			if t := &s.Jobs[i].Tasks[k]; !t.Started.IsZero() {
				list = append(list, t.Started)
			}
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	return list
}
