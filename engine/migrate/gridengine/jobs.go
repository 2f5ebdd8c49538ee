package gridengine

import (
	"time"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// counts says whether a job takes part in priorities: it waits or runs, and is no subjob, for which its array stands.
func counts(j *model.Job) bool {
	switch j.PBS.State {
	case "Q", "R", "B", "T":
		return j.PBS.Array == ""
	}
	return false
}

// Jobs is the translated cluster with the jobs of a snapshot, as they would have been submitted to it.
func (t *Translation) Jobs(s *model.Snapshot) *model.Snapshot {
	to := *t.To
	to.TakenAt = s.TakenAt
	to.Jobs = nil
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && counts(j) {
			to.Jobs = append(to.Jobs, t.job(j))
		}
	}
	return &to
}

// job is one job of PBS as it would have been submitted to Grid Engine.
func (t *Translation) job(j *model.Job) model.Job {
	to := model.Job{Number: j.Number, Name: j.Name, Owner: j.Owner, Project: j.Project, Submitted: j.Submitted, PosixPriority: max(-1023, j.PosixPriority), Detailed: true}
	slots := uint32(max(1, min(amountOf(j, "ncpus"), 1<<20)))
	if slots > 1 {
		to.PE, to.PERange = ParallelEnvironment, []model.Range{{Min: slots, Max: slots, Step: 1}}
	}
	for _, term := range t.Terms {
		if r, asked := t.request(j, term, float64(slots)); asked {
			to.Hard = append(to.Hard, r)
		}
	}
	t.entity(j, &to)
	to.Tasks = []model.Task{taskOf(j, int(slots))}
	return to
}

// request is what a job asks for because of a term.
func (t *Translation) request(j *model.Job, term Term, slots float64) (model.Request, bool) {
	if term.Name == "queue_priority" {
		name := "queue_" + j.PBS.Queue
		return model.Request{Resource: name, Value: "yes"}, t.queues[j.PBS.Queue] != 0
	}
	amount := amountOf(j, term.Name)
	if term.Policy != urgency || term.Name == "eligible_time" || term.Name == "ncpus" || amount == 0 {
		return model.Request{}, false
	}
	name := term.Name
	if r, known := requests[name]; known {
		name = r.name
	}
	amount *= unitOf(term.Name)
	if term.Name != "walltime" && term.Name != "cput" {
		amount /= slots
	}
	return model.Request{Resource: name, Value: number(amount), Amount: amount}, true
}

// entity gives a job the user or project that its usage counts for.
func (t *Translation) entity(j *model.Job, to *model.Job) {
	name := fairshare.EntityOf(t.From.PBS.Fairshare.Policy, j)
	if t.From.PBS.Fairshare.Policy.Entity == "project" {
		to.Project = name
	}
}

func taskOf(j *model.Job, slots int) model.Task {
	task := model.Task{IDs: []model.Range{{Min: 1, Max: 1, Step: 1}}, State: "qw", Slots: slots}
	if j.PBS.State == "R" {
		task.State, task.Enrolled, task.Started = "r", true, started(j)
		task.Granted = []model.Grant{{Instance: "all.q@host", Slots: slots}}
	}
	return task
}

func started(j *model.Job) time.Time {
	if !j.PBS.Started.IsZero() {
		return j.PBS.Started
	}
	return j.Submitted
}
