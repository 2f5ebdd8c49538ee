package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What is asked of a job or a snapshot whatever its system is. The answers differ, the questions do not.

// ServerID is the id of a PBS job, "12.server"; empty for Grid Engine, whose jobs have only numbers.
func (j *Job) ServerID() string {
	if j.PBS == nil {
		return ""
	}
	return j.PBS.ID
}

// KnownAs is the job's name in its system: a number for Grid Engine, an id for PBS.
func (j *Job) KnownAs() string {
	if id := j.ServerID(); id != "" {
		return id
	}
	return strconv.FormatUint(uint64(j.Number), 10)
}

// HoldsTasks reports whether the job has the tasks of an array. Subjobs of PBS are jobs of their own.
func (j *Job) HoldsTasks() bool { return j.PBS == nil }

// IsWaitingSubjob reports whether a job is a subjob that has not started. The scheduler considers only its
// array.
func (j *Job) IsWaitingSubjob() bool {
	return j.PBS != nil && j.PBS.Array != "" && !strings.Contains("RESUX", j.PBS.State)
}

// Waits reports whether a job or one of its tasks waits.
func (j *Job) Waits() bool {
	if j.PBS != nil {
		return strings.Contains("QHWT", j.PBS.State) || j.PBS.State == "B" && len(j.PBS.ArrayRemaining) > 0
	}
	return slices.ContainsFunc(j.Tasks, func(t Task) bool { return t.Pending() })
}

// States are the states of a job as its system prints them. If tasks of an array have several states, each
// has its number, "3 qw, 1 r".
func (j *Job) States() string {
	if j.PBS != nil {
		return j.PBS.State
	}
	var states []string
	count := map[string]int{}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if count[t.State] == 0 {
			states = append(states, t.State)
		}
		count[t.State] += max(CountOf(t.IDs), 1)
	}
	if len(states) == 1 {
		return states[0]
	}
	for i, s := range states {
		states[i] = fmt.Sprintf("%d %s", count[s], s)
	}
	return strings.Join(states, ", ")
}

// LeastSlots is the number of slots or processors of a job; the least of a range.
func (j *Job) LeastSlots() int {
	if j.PBS == nil {
		n, _ := First(j.PERange)
		return int(max(n, 1))
	}
	for _, r := range j.Hard {
		if r.Resource == "ncpus" {
			return int(min(max(r.Amount, 1), 1<<30))
		}
	}
	return 1
}

// SchedulerMessages are the scheduler's messages about a job: messages of Grid Engine, the comment of PBS.
func (j *Job) SchedulerMessages() (list []string) {
	for _, m := range j.Messages {
		list = append(list, m.Text)
	}
	if j.PBS != nil && j.PBS.Comment != "" {
		list = append(list, j.PBS.Comment)
	}
	return list
}

// HasQuirks reports whether releases of the system differ in quirks. For PBS, qprism follows one release.
func (s *Snapshot) HasQuirks() bool { return s.PBS == nil }

// KeepsCycleLog reports whether the scheduler has a log of its cycles, like that of PBS. Grid Engine has the
// reporting and schedule files instead.
func (s *Snapshot) KeepsCycleLog() bool { return s.PBS != nil }

// LacksCycles reports whether the scheduler keeps a log of its cycles, but the snapshot has no cycle from
// this log.
func (s *Snapshot) LacksCycles() bool { return s.KeepsCycleLog() && len(s.PBS.Cycles) == 0 }

// HasFunctionalShares reports whether users, projects and departments can have functional shares.
func (s *Snapshot) HasFunctionalShares() bool { return s.PBS == nil }

// TakesQconf reports whether qconf(1) changes the policy.
func (s *Snapshot) TakesQconf() bool { return s.PBS == nil }

// HasUrgency reports whether requested resources can raise a job's urgency.
func (s *Snapshot) HasUrgency() bool { return s.PBS == nil }

// SortFormula is the job_sort_formula of PBS; empty for none.
func (s *Snapshot) SortFormula() string {
	if s.PBS == nil {
		return ""
	}
	return s.PBS.Formula
}

// HasSortFormula reports whether the server accepts a job_sort_formula; Torque's does not.
func (s *Snapshot) HasSortFormula() bool { return s.PBS != nil && s.System != Torque }

// WithFormula is a snapshot of PBS with another job_sort_formula. Fairshare counts if the formula uses it.
func (s *Snapshot) WithFormula(text string) *Snapshot {
	own := *s
	p := *s.PBS
	p.SetFormula(text)
	p.SetThreshold("") // it was chosen for the values of the other formula
	own.PBS = &p
	return &own
}

// Repairs are values that commands print wrong, and their corrections or guesses.
func (s *Snapshot) Repairs() []Repair {
	if s.PBS == nil {
		return s.Repaired
	}
	return s.PBS.Repairs
}

// Apart is a copy of the snapshot to which jobs can be added without changing the original.
func (s *Snapshot) Apart() *Snapshot {
	c := *s
	if s.PBS != nil {
		pbs := *s.PBS
		c.PBS = &pbs
	}
	return &c
}

// OwnerOnlyLowers reports whether only managers and operators may raise a job's -p. In PBS, the owner of the
// job may raise it too.
func (j *Job) OwnerOnlyLowers() bool { return j.PBS == nil }

// Names are the names that identify a job: the names of its owner, and its own name.
func (j *Job) Names() []string {
	list := []string{j.Owner, j.Name, j.Group, j.Account}
	if j.PBS != nil {
		list = append(list, j.PBS.User, j.PBS.Comment)
	}
	return list
}

// TreeUsers are the users in the share tree: its leaves, except projects. For PBS, all with usage are added.
func (s *Snapshot) TreeUsers() (list []string) {
	var leaves func(*ShareNode)
	leaves = func(n *ShareNode) {
		if len(n.Children) == 0 && !n.Project {
			list = append(list, n.Name)
		}
		for _, child := range n.Children {
			leaves(child)
		}
	}
	if s.ShareTree != nil {
		leaves(s.ShareTree)
	}
	if s.PBS == nil {
		return list
	}
	f, parents := &s.PBS.Fairshare, map[string]bool{"TREEROOT": true, "root": true, "unknown": true}
	for i := range f.Groups {
		parents[f.Groups[i].Parent] = true
	}
	for i := range f.Groups {
		list = append(list, f.Groups[i].Name)
	}
	for i := range f.Usage.Records {
		list = append(list, f.Usage.Records[i].Name)
	}
	return slices.DeleteFunc(list, func(name string) bool { return parents[name] })
}
