package diff

import (
	"cmp"
	"slices"
	"time"

	"qprism/engine/gridengine/record"
	"qprism/engine/model"
)

// A start is what is known of the start of a task.
type start struct {
	task   Task
	at     time.Time
	seq    int   // place among the starts of a run as a log tells it, from 1; 0 where none does
	cycle  int   // of the log, from 1; 0 where none tells
	rank   int32 // among those of the run
	id     string
	slots  []model.Grant
	pe     string
	placed string    // exec_vnode of PBS
	ended  time.Time // zero where it is not known, or it runs
}

// observe gathers what started between two snapshots, by time. The first source that tells of a task
// counts: the schedule file, the reporting file or the scheduler's log, which know the order; the later
// snapshot; accounting.
func observe(before, after *model.Snapshot, events []model.JobEvent) []start {
	o := observer{since: before.TakenAt.Truncate(time.Second), ran: map[Task]time.Time{}, place: map[Task]int{}}
	for t, at := range startsOf(before) {
		o.ran[t.task] = at
	}
	if after.PBS != nil {
		o.readPBS(after)
	} else {
		o.readGridEngine(after, events)
	}
	slices.SortStableFunc(o.list, func(a, b start) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.seq, b.seq)) })
	return o.list
}

type observer struct {
	since time.Time
	ran   map[Task]time.Time // in the earlier snapshot
	place map[Task]int       // in the list
	list  []start
}

// add notes a start, or what else is known of one.
func (o *observer) add(s start) {
	if at, ran := o.ran[s.task]; s.at.Before(o.since) || ran && !s.at.After(at.Add(time.Second)) {
		return
	}
	i, known := o.place[s.task]
	if !known {
		o.place[s.task] = len(o.list)
		o.list = append(o.list, s)
		return
	}
	have := &o.list[i]
	if len(have.slots) == 0 {
		have.slots, have.pe = s.slots, s.pe
	}
	have.placed, have.id = cmp.Or(have.placed, s.placed), cmp.Or(have.id, s.id)
	if have.ended.IsZero() {
		have.ended = s.ended
	}
}

func (o *observer) readGridEngine(after *model.Snapshot, events []model.JobEvent) {
	seq := 0
	for _, run := range after.Runs {
		for _, d := range record.Plan(run).Decisions {
			if d.Verdict == model.Now {
				seq++
				o.add(start{task: group(d.Job, d.Tasks).task, at: d.Start, seq: seq, slots: d.Slots, pe: d.PE})
			}
		}
	}
	for t, e := range reported(events, "sent", o.since, after.TakenAt) {
		seq++
		o.add(start{task: t, at: e.At, seq: seq})
	}
	for s, at := range startsOf(after) {
		s.at = at
		o.add(s)
	}
	for _, e := range after.Ended {
		if !e.Started.IsZero() {
			o.add(start{task: Task{e.Job, max(e.Task, 1)}, at: e.Started, ended: e.Ended, pe: e.PE,
				slots: []model.Grant{{Instance: e.Queue + "@" + e.Host, Slots: max(e.Slots, 1)}}})
		}
	}
}

// reported yields the events of one kind of a period, with their tasks. The master logs "sent" in the
// second that it notes as a task's start, one after the other as the scheduler decided them; "finished" and
// "deleted" tell of an end.
func reported(events []model.JobEvent, kind string, from,
	until time.Time) func(yield func(Task, *model.JobEvent) bool) {
	return func(yield func(Task, *model.JobEvent) bool) {
		for i := range events {
			e := &events[i]
			if e.Event == kind && e.Process == "" && !e.At.Before(from) && !e.At.After(until) &&
				!yield(Task{e.Job, max(e.Task, 1)}, e) {
				return
			}
		}
	}
}

func (o *observer) readPBS(after *model.Snapshot) {
	seq := 0
	for i := range after.PBS.Cycles {
		for _, e := range after.PBS.Cycles[i].Of(model.EventRun) {
			if t, ok := taskOf(e.Object); ok {
				seq++
				o.add(start{task: t, at: e.At, seq: seq, cycle: i + 1, id: e.Object})
			}
		}
	}
	for s, at := range startsOf(after) {
		s.at = at
		o.add(s)
	}
	for i := range after.PBS.Accounting {
		r := &after.PBS.Accounting[i]
		t, ok := taskOf(r.ID)
		switch {
		case ok && r.Type == "S":
			o.add(start{task: t, at: r.At, id: r.ID, placed: r.Value("exec_vnode")})
		case ok && r.Type == "E":
			if k, known := o.place[t]; known && !r.At.Before(o.list[k].at) {
				o.list[k].ended = r.At
			}
		}
	}
}

// startsOf yields the tasks of a snapshot that started, with the time.
func startsOf(s *model.Snapshot) func(yield func(start, time.Time) bool) {
	return func(yield func(start, time.Time) bool) {
		for i := range s.Jobs {
			j := &s.Jobs[i]
			if j.PBS != nil {
				if p := j.PBS; hasRun(p) &&
					!yield(start{task: Task{j.Number, max(p.Index, 1)}, id: p.ID, placed: p.ExecVnode, ended: p.Ended},
						p.Started) {
					return
				}
				continue
			}
			for k := range j.Tasks {
				t := &j.Tasks[k]
				if !t.Started.IsZero() &&
					!yield(start{task: group(j.Number, t.IDs).task, slots: t.Granted, pe: t.PE, ended: t.Ended}, t.Started) {
					return
				}
			}
		}
	}
}

// hasRun reports whether a job, no array, has started.
func hasRun(p *model.PBSJob) bool { return !p.Started.IsZero() && p.State != "B" }
