package lastrun

import (
	"slices"
	"strings"
	"time"

	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// withBegun adds to each moment the one in which an earlier run of its second started the tasks that run already. Where the
// scheduler's messages show runs (PROFILE=1), they have to show two in that second.
func withBegun(s *model.Snapshot, moments []Moment) []Moment {
	list := slices.Clip(moments)
	traced := slices.ContainsFunc(s.Trace, func(l model.TraceLine) bool { return split.EndsRun(l.Text) })
	for _, m := range moments {
		if m.Second || traced && split.RunsIn(s, m.At) < 2 || !startedByTwo(s, m.At) {
			continue
		}
		m.Begun = true
		m.Source += "; tasks in state r were started by an earlier run of that second"
		list = append(list, m)
	}
	return list
}

// startedByTwo reports whether tasks that started in the second of a moment differ in state: some run, others are sent.
func startedByTwo(s *model.Snapshot, at time.Time) bool {
	begun, sent := false, false
	for i := range s.Jobs {
		for k := range s.Jobs[i].Tasks {
			if t := &s.Jobs[i].Tasks[k]; startedIn(t, at) {
				sent = sent || strings.Contains(t.State, "t")
				begun = begun || !strings.Contains(t.State, "t")
			}
		}
	}
	return begun && sent
}

func startedIn(t *model.Task, at time.Time) bool {
	return !t.Started.IsZero() && t.Started.Unix() == at.Unix()
}

// Of is the snapshot with a correction for an earlier run in the same second: tasks that this earlier run
// started were already running.
func (m Moment) Of(s *model.Snapshot) *model.Snapshot {
	if !m.Begun {
		return s
	}
	own := *s
	own.Jobs = slices.Clone(s.Jobs)
	for i := range own.Jobs {
		j := &own.Jobs[i]
		if !slices.ContainsFunc(j.Tasks, func(t model.Task) bool { return startedIn(&t, m.At) }) {
			continue
		}
		j.Tasks = slices.Clone(j.Tasks)
		for k := range j.Tasks {
			if t := &j.Tasks[k]; startedIn(t, m.At) && !strings.Contains(t.State, "t") {
				t.Started = m.At.Add(-time.Second)
			}
		}
	}
	return &own
}
