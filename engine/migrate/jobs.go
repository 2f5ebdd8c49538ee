package migrate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// Jobs is the translated cluster with the jobs of a snapshot, as users would have submitted them: requests,
// select and place, priority, queue, and the vnodes of running jobs. Proofs of formulas and forecasts use it.
// The snapshot may be any one of the history. Tasks that started at the moment or later wait. The zero moment
// is that of the snapshot.
func (t *Translation) Jobs(s *model.Snapshot, at time.Time) *model.Snapshot {
	if at.IsZero() {
		at = s.TakenAt.Add(time.Hour)
	}
	to := *t.To
	p := *t.To.PBS
	to.PBS, to.TakenAt, to.Location = &p, s.TakenAt, s.Location
	p.Server.Name = serverName // forecasts find jobs by their ids
	to.Hosts = slices.Clone(t.To.Hosts)
	for i := range to.Hosts {
		own := *to.Hosts[i].PBS
		own.State, own.Sharing = []string{"free"}, "default_shared"
		to.Hosts[i].PBS = &own
		to.Hosts[i].Capacity = append(slices.Clip(to.Hosts[i].Capacity), model.Setting{Name: "host", Value: to.Hosts[i].Name},
			model.Setting{Name: "vnode", Value: to.Hosts[i].Name})
	}
	to.Queues = slices.Clone(t.To.Queues)
	for i := range to.Queues {
		own := *to.Queues[i].PBS
		to.Queues[i].PBS = &own
	}
	x := &mover{Translation: t, from: s, to: &to, at: at}
	for i := range s.Jobs {
		x.job(&s.Jobs[i])
	}
	x.bookAll()
	return &to
}

// serverName ends the ids of translated jobs.
const serverName = "pbs"

// A mover moves jobs of one snapshot.
type mover struct {
	*Translation
	from, to *model.Snapshot
	at       time.Time // what started then or later still waits
}

// runs reports whether a task has started.
func (x *mover) runs(task *model.Task) bool {
	return len(task.Granted) > 0 && task.Started.Before(x.at)
}

// A shape is what a job asks for, in PBS's words.
type shape struct {
	queue string
	count int // chunks
	cpus  int // of each
	place string
	chunk []model.Setting // besides ncpus, of each chunk
	first []model.Setting // of the first chunk alone
	whole []model.Request // of the job
	slots int
}

// job moves one job: an array, or a job of one task. An array that waits is in state Q, whether subjobs of
// it run or not, since the scheduler makes no difference.
func (x *mover) job(j *model.Job) {
	s := x.shapeOf(j)
	base := x.base(j, s)
	var waiting []model.Range
	waits := len(j.Tasks) == 0
	for i := range j.Tasks {
		task := &j.Tasks[i]
		if !x.runs(task) {
			waits, waiting = true, append(waiting, task.IDs...)
			continue
		}
		x.to.Jobs = append(x.to.Jobs, x.running(base, j, task, s))
	}
	switch {
	case j.Array && len(waiting) > 0:
		array := clone(base)
		array.Array = true
		array.PBS.ID = fmt.Sprintf("%d[].%s", j.Number, serverName)
		array.PBS.ArrayRemaining = waiting
		x.to.Jobs = append(x.to.Jobs, array)
	case waits:
		x.to.Jobs = append(x.to.Jobs, base)
	}
}

func clone(j model.Job) model.Job {
	own := *j.PBS
	j.PBS = &own
	j.Hard = slices.Clone(j.Hard)
	return j
}

// base is a job that waits.
func (x *mover) base(j *model.Job, s shape) model.Job {
	group := j.Group
	if group == "" {
		group = "users"
	}
	b := model.Job{
		Number: j.Number, Name: j.Name, Owner: j.Owner, Group: group, Project: x.projectOf(j),
		Department: j.Department, Account: j.Account,
		Submitted: j.Submitted, PosixPriority: min(max(j.PosixPriority, -1024), 1023), ExecutionTime: j.ExecutionTime,
		Structure: j.Structure, MaxRunningTasks: j.MaxRunningTasks, Reserve: j.Reserve, Hard: s.whole,
	}
	b.PBS = &model.PBSJob{
		ID: fmt.Sprintf("%d.%s", j.Number, serverName), State: "Q", Queue: s.queue, Server: serverName,
		User:   j.Owner + "@" + serverName,
		Select: s.text(), SchedSelect: s.text(), Place: s.place, QueueRank: j.Submitted.UnixMicro(), AccrueType: -1,
		Queued: j.Submitted, NoTopJob: x.Submit.NoTop && !j.Reserve,
	}
	switch {
	case x.held(j):
		b.PBS.State, b.PBS.Holds = "H", "s"
	case j.ExecutionTime.After(x.from.TakenAt):
		b.PBS.State = "W"
	}
	if len(j.Predecessors) > 0 {
		ids := make([]string, len(j.Predecessors))
		for i, n := range j.Predecessors {
			ids[i] = fmt.Sprintf("%d.%s@%s", n, serverName, serverName)
		}
		b.PBS.Depend = "afterany:" + strings.Join(ids, ":")
	}
	return b
}

// projectOf is a job's project, or the default one of its owner.
func (x *mover) projectOf(j *model.Job) string {
	if j.Project != "" {
		return j.Project
	}
	for _, m := range x.Submit.Defaults {
		if m.User == j.Owner {
			return m.Project
		}
	}
	return ""
}

// held reports whether a job's waiting tasks may not start: by a hold, an error, or a job before it.
func (x *mover) held(j *model.Job) bool {
	if len(j.Predecessors) > 0 || len(j.ArrayPredecessor) > 0 {
		return true
	}
	for i := range j.Tasks {
		if task := &j.Tasks[i]; !x.runs(task) && !strings.ContainsAny(task.State, "hE") {
			return false
		}
	}
	return len(j.Tasks) > 0
}

// running is a task that runs, on the nodes of its queue instances.
func (x *mover) running(base model.Job, j *model.Job, task *model.Task, s shape) model.Job {
	r := clone(base)
	p := r.PBS
	p.State, p.Substate, p.Started, p.Holds = "R", 42, task.Started, ""
	if strings.ContainsAny(task.State, "sST") {
		p.State, p.Substate, p.Preempted = "S", 45, task.Started
	}
	if j.Array && len(task.IDs) > 0 {
		p.Array, p.Index = fmt.Sprintf("%d[].%s", j.Number, serverName), task.IDs[0].Min
		p.ID = fmt.Sprintf("%d[%d].%s", j.Number, p.Index, serverName)
	}
	var parts []string
	for i, g := range task.Granted {
		_, host, _ := strings.Cut(g.Instance, "@")
		slots := g.Slots
		if slots == 0 {
			slots = max(1, task.Slots/len(task.Granted))
		}
		parts = append(parts, "("+host+s.amounts(slots, i == 0)+")")
	}
	p.ExecVnode = strings.Join(parts, "+")
	return r
}

// amounts are what some slots of a job take on a node, ":ncpus=2:mem=4194304kb".
func (s shape) amounts(slots int, first bool) string {
	text := fmt.Sprintf(":ncpus=%d", slots)
	list := s.chunk
	if first {
		list = append(slices.Clip(list), s.first...)
	}
	for _, c := range list {
		n, ok := model.PBSAmount(c.Value)
		if !ok || strings.EqualFold(c.Value, "true") || strings.EqualFold(c.Value, "false") {
			continue
		}
		if slices.Contains(s.chunk, c) {
			n = n / float64(s.cpus) * float64(slots)
		}
		text += ":" + c.Name + "=" + whole(n, c.Value)
	}
	return text
}

// whole writes an amount in the unit of another: kilobytes of a size.
func whole(n float64, like string) string {
	text := strconv.FormatFloat(math.Ceil(n), 'f', -1, 64)
	if like != "" && strings.HasSuffix(like, "b") {
		return text + "kb"
	}
	return text
}

// text is the select of a job, its first chunk apart where it asks for more.
func (s shape) text() string {
	chunk := func(count int, more []model.Setting) string {
		text := fmt.Sprintf("%d:ncpus=%d", count, s.cpus)
		for _, c := range append(slices.Clip(s.chunk), more...) {
			text += ":" + c.Name + "=" + c.Value
		}
		return text
	}
	switch {
	case len(s.first) == 0:
		return chunk(s.count, nil)
	case s.count == 1:
		return chunk(1, s.first)
	}
	return chunk(1, s.first) + "+" + chunk(s.count-1, nil)
}
