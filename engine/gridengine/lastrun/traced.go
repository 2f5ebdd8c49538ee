package lastrun

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// mostTraced is the number of last runs in the messages file that are tried. The file is copied after the
// listings, so runs may lie between.
const mostTraced = 4

// tracedMoments are the last runs of a release whose messages count microseconds, the latest first. The line
// about urgencies is written within a millisecond of the clock that they use. (Quirk O9.)
func tracedMoments(s *model.Snapshot) []Moment {
	var list []Moment
	for _, l := range slices.Backward(s.Trace) {
		if len(list) < mostTraced && strings.HasPrefix(l.Text, "PROF: static urgency took") {
			list = append(list, Moment{At: l.At, Source: "the scheduler's message about urgencies"})
		}
	}
	return list
}

// clockReadings are when runs read their clocks, by the messages file: each run does so after it wrote what
// events it took in, and before it writes of urgencies, or of tickets where urgency weighs nothing.
func clockReadings(s *model.Snapshot) (list []interval) {
	var events int64
	for _, l := range s.Trace {
		switch {
		case strings.HasPrefix(l.Text, "PROF: sge_mirror processed"):
			events = l.At.Unix()
		case events > 0 && ranking(l.Text):
			list, events = append(list, interval{events, l.At.Unix()}), 0
		}
	}
	return list
}

// heard are the moments in which a run read its clock. A second run of a second takes two. Moments before
// the first of these messages stay, and all where none is left.
func heard(list []Moment, s *model.Snapshot) []Moment {
	spans := clockReadings(s)
	kept := slices.DeleteFunc(slices.Clone(list), func(m Moment) bool {
		runs := 0
		for _, c := range spans {
			if c.from <= m.At.Unix() && m.At.Unix() <= c.to {
				runs++
			}
		}
		return len(spans) > 0 && m.At.Unix() >= spans[0].from && (runs == 0 || m.Second && runs == 1)
	})
	if len(kept) == 0 {
		return list
	}
	return kept
}

// ranking reports whether a run writes this message after it has read its clock.
func ranking(text string) bool {
	return strings.HasPrefix(text, "PROF: static urgency took") ||
		strings.HasPrefix(text, "PROF: job ticket calculation") || split.IsRun(text)
}

// startMoments are just before and just after the tasks that started last, those of one run: the master
// notes each start by itself, a few milliseconds after the scheduler chose it, and a run may follow another
// one within milliseconds. (Rule O11.)
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
