package retrace

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
)

// withPriorities gives jobs that accounting alone tells of the priority by which the formula has the value of the log.
func (t *trial) withPriorities(x *state, _ *model.Snapshot) []*state {
	if len(x.came) == 0 || !strings.Contains(x.PBS.Formula, "job_priority") {
		return nil
	}
	f, err := formula.ParseJob(x.PBS.Formula, formula.NamesOf(x.Resources))
	if err != nil || f.UsesFairshare() {
		return nil
	}
	found := map[string]int{}
	for _, id := range x.came {
		if j := x.jobs[id]; j != nil {
			if p, ok := x.priorityOf(f, j, t.master.facts[key{Formula, id}]); ok {
				found[id] = p
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return []*state{x.variant("the priorities of newer jobs, from their formula values", func(v *state) {
		for id, p := range found {
			v.job(id).PosixPriority = p
		}
	})}
}

// priorityOf is the priority with which the formula gives the value in the log.
func (x *state) priorityOf(f *formula.Job, j *model.Job, printed string) (priority int, ok bool) {
	in := formula.InputOf(j, x.queuePriority(j.PBS.Queue), 0)
	for distance := 0; distance <= 1024; distance++ {
		for _, p := range []int{distance, -distance} {
			if in.JobPriority = p; formula.Print(f.Evaluate(in).Value()) == printed {
				return p, true
			}
		}
	}
	return 0, false
}

func (x *state) queuePriority(name string) int {
	for i := range x.Queues {
		if q := &x.Queues[i]; q.Name == name && q.PBS != nil {
			return q.PBS.Priority
		}
	}
	return 0
}

// withValues takes the values of the log where a formula was set since the bundle was taken.
func (t *trial) withValues(x *state, _ *model.Snapshot) []*state {
	values, some := map[string]float32{}, false
	for _, e := range t.cycle.Of(model.EventFormula) {
		if n, err := strconv.ParseFloat(e.Text, 32); err == nil {
			values[e.Object], some = float32(n), some || n != 0
		}
	}
	if x.PBS.Formula != "" || !some {
		return nil
	}
	return []*state{x.variant("the values of a formula that was set later, from the log", func(v *state) {
		v.values = values
	})}
}

// withReservation adds the reservation that the cycle tried to confirm, where no file tells that it waits
// for that: altering one leaves no record. Such a cycle looks at nothing else, so that what the reservation
// asks for does not matter.
func (t *trial) withReservation(x *state, _ *model.Snapshot) []*state {
	events := t.cycle.Of(model.EventReservation)
	if len(events) == 0 {
		return nil
	}
	return []*state{x.variant("reservation "+events[0].Object+", which was requested or altered later", func(v *state) {
		if r := v.reservation(events[0].Object); r != nil {
			r.State = "RESV_UNCONFIRMED"
			return
		}
		v.PBS.Reservations = append(v.PBS.Reservations, model.PBSReservation{ID: events[0].Object, State: "RESV_UNCONFIRMED",
			Start: t.cycle.Start.Add(time.Hour), End: t.cycle.Start.Add(2 * time.Hour), Duration: time.Hour,
			Select: "1:ncpus=1", Place: "free", User: "nobody", Group: "nobody"})
	})}
}

// withAnswers has the hosts of jobs that were started in the second of the cycle say that they run: each alone, and
// all. No file tells whether the cycle began before or after that.
func (t *trial) withAnswers(x *state, _ *model.Snapshot) (list []*state) {
	ids := slices.Sorted(maps.Keys(x.onWay))
	answered := func(ids ...string) {
		list = append(list, x.variant(strings.Join(ids, ", ")+" ran when the cycle began", func(v *state) {
			for _, id := range ids {
				if j := v.job(id); j != nil {
					j.PBS.Started, j.PBS.Substate = x.onWay[id], runs
				}
			}
		}))
	}
	allAndEach(ids, answered)
	return list
}

// mostAlone bounds the jobs that are tried one by one.
const mostAlone = 8

// allAndEach tries several jobs together, and each alone.
func allAndEach(ids []string, try func(ids ...string)) {
	if len(ids) > 1 {
		try(ids...)
	}
	for _, id := range ids[:min(len(ids), mostAlone)] {
		try(id)
	}
}

// withEnded lets jobs still run that were gone in the second in which the cycle began: each alone, and all.
func (t *trial) withEnded(x *state, _ *model.Snapshot) (list []*state) {
	if x.again == nil || len(x.ended) == 0 {
		return nil
	}
	late := func(ids ...string) {
		v := x.again(ids)
		v.from += "; " + strings.Join(ids, ", ") + " ended after the cycle began"
		v.doubts = x.doubts
		list = append(list, v)
	}
	allAndEach(x.ended, late)
	return list
}
