package record

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// An Outcome compares the planned and the recorded decision for a task.
type Outcome string

// The outcomes. If several apply, the first in this list counts.
const (
	OnlyPlanned  Outcome = "only planned"
	OnlyRecorded Outcome = "only recorded" // the plan lets the task wait, or does not have it
	OtherVerdict Outcome = "other verdict" // one side starts the task, the other reserves for it
	OtherTime    Outcome = "other time"    // another start or duration
	OtherSlots   Outcome = "other slots"   // another number of slots or another parallel environment
	OtherHost    Outcome = "other host"    // as many slots, on another host or with another master host
	// Tie is neither agreement nor difference: other queue instances were as good, and no bundle shows their
	// order.
	Tie  Outcome = "tie"
	Same Outcome = "same"
)

// Outcomes are all outcomes, agreement first.
var Outcomes = []Outcome{Same, Tie, OtherHost, OtherSlots, OtherTime, OtherVerdict, OnlyPlanned, OnlyRecorded}

// Differs reports whether an outcome is a difference.
func (o Outcome) Differs() bool { return o != Same && o != Tie }

// A Row compares one task that at least one side starts or reserves for. The other side may be nil.
type Row struct {
	Job, Task         uint32
	Outcome           Outcome
	Planned, Recorded *model.Decision
}

// ID is the job id of PBS; empty for Grid Engine.
func (r *Row) ID() string {
	if r.Planned != nil {
		return r.Planned.ID
	}
	return r.Recorded.ID
}

// Compare compares two plans task by task, sorted by job and task. There is no row if both sides let the task
// wait.
func Compare(computed, actual *model.Plan) []Row {
	planned, recorded := byTask(computed), byTask(actual)
	tasks := map[task]bool{}
	for t := range planned {
		tasks[t] = true
	}
	for t := range recorded {
		tasks[t] = true
	}
	var rows []Row
	for _, t := range slices.SortedFunc(maps.Keys(tasks), compareTasks) {
		rows = append(rows, pair(t, planned[t], recorded[t])...)
	}
	return rows
}

// A task is one task of a job.
type task struct{ job, number uint32 }

func compareTasks(a, b task) int {
	return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.number, b.number))
}

// byTask finds the decisions about each task that is started or reserved for, in their order.
func byTask(p *model.Plan) map[task][]*model.Decision {
	m := map[task][]*model.Decision{}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if d.Verdict == model.Now || d.Verdict == model.Later {
			t := task{d.Job, 1}
			if len(d.Tasks) > 0 {
				t.number = d.Tasks[0].Min
			}
			m[t] = append(m[t], d)
		}
	}
	return m
}

// pair compares the decisions about one task: the first of the one side with the first of the other, and so on.
func pair(t task, planned, recorded []*model.Decision) []Row {
	rows := make([]Row, max(len(planned), len(recorded)))
	for i := range rows {
		r := Row{Job: t.job, Task: t.number}
		if i < len(planned) {
			r.Planned = planned[i]
		}
		if i < len(recorded) {
			r.Recorded = recorded[i]
		}
		r.Outcome = compare(r.Planned, r.Recorded)
		rows[i] = r
	}
	return rows
}

func compare(planned, recorded *model.Decision) Outcome {
	switch {
	case recorded == nil:
		return OnlyPlanned
	case planned == nil:
		return OnlyRecorded
	case planned.Verdict != recorded.Verdict:
		return OtherVerdict
	case !sameTime(planned, recorded):
		return OtherTime
	case !sameSlots(planned, recorded):
		return OtherSlots
	case len(planned.Tied) > 0 && tied(planned, recorded):
		return Tie
	case !sameInstances(planned.Slots, recorded.Slots):
		return OtherHost
	}
	return Same
}

// sameTime compares starts, which agree if they are less than a second apart: releases from 9 on count
// microseconds, plans count seconds. It compares durations; one of zero is not known.
func sameTime(a, b *model.Decision) bool {
	known := a.Duration != 0 && b.Duration != 0
	return a.Start.Sub(b.Start).Abs() < time.Second && (!known || a.Duration == b.Duration)
}

// sameSlots compares how many slots are granted, and by which parallel environment, as far as both sides know.
func sameSlots(a, b *model.Decision) bool {
	x, knownX := total(a.Slots)
	y, knownY := total(b.Slots)
	return (a.PE == b.PE || a.PE == "" || b.PE == "") && (!knownX || !knownY || x == y)
}

// total adds up slots; known says whether all of them are.
func total(grants []model.Grant) (sum int, known bool) {
	for _, g := range grants {
		if g.Slots == 0 {
			return 0, false
		}
		sum += g.Slots
	}
	return sum, len(grants) > 0
}

// sameInstances compares the instances granted: the master's first, the order of the others does not
// matter. Where a side does not know how the slots are spread, it does not know all instances either.
func sameInstances(a, b []model.Grant) bool {
	_, knownA := total(a)
	_, knownB := total(b)
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) == len(b)
	case !knownA || !knownB:
		return a[0].Instance == b[0].Instance
	}
	return a[0] == b[0] && slices.Equal(sorted(a), sorted(b))
}

// tied reports whether the recorded instances differ from the planned ones only by such as were as good.
func tied(planned, recorded *model.Decision) bool {
	mine := map[string]bool{}
	for _, g := range planned.Slots {
		mine[g.Instance] = true
	}
	for _, g := range recorded.Slots {
		if !mine[g.Instance] && !slices.Contains(planned.Tied, g.Instance) {
			return false
		}
	}
	return len(recorded.Slots) > 0
}

func sorted(grants []model.Grant) []model.Grant {
	return slices.SortedFunc(slices.Values(grants), func(a, b model.Grant) int {
		return cmp.Or(strings.Compare(a.Instance, b.Instance), cmp.Compare(a.Slots, b.Slots))
	})
}

// Count counts the rows by outcome.
func Count(rows []Row) map[Outcome]int {
	count := map[Outcome]int{}
	for _, r := range rows {
		count[r.Outcome]++
	}
	return count
}

// SameLines counts the lines that two plans share in any order. all reports that all are equal, in the same
// order. Times count in whole seconds, although newer releases print more digits.
func SameLines(a, b []model.ScheduleLine) (common int, all bool) {
	left := map[model.ScheduleLine]int{}
	for _, l := range a {
		left[plain(l)]++
	}
	for _, l := range b {
		if l = plain(l); left[l] > 0 {
			left[l]--
			common++
		}
	}
	return common, slices.EqualFunc(a, b, func(x, y model.ScheduleLine) bool { return plain(x) == plain(y) })
}

// plain is a line that equals another one where the same is printed of both.
func plain(l model.ScheduleLine) model.ScheduleLine {
	l.Start, l.Duration = time.Unix(l.Start.Unix(), 0).UTC(), duration(l)
	return l
}
