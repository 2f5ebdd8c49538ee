package intend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// On PBS jobs are made up as far as its order has knobs: owners of the fairshare tree, what a
// job_sort_formula or a job_sort_key reads, queues where these count, and how long a job has waited.

// ncpus is the resource of PBS that counts processors.
const ncpus = "ncpus"

// readsPBS are the names that a formula or a key of a PBS policy reads.
func readsPBS(s *model.Snapshot) (names []string) {
	if f, err := formula.ParseJob(s.PBS.Formula, formula.NamesOf(s.Resources)); err == nil {
		names = f.Names()
	}
	p := &s.PBS.SchedConfig.Prime
	for _, k := range slices.Concat(p.JobSortKeys, s.PBS.SchedConfig.NonPrime.JobSortKeys) {
		names = append(names, k.Resource)
	}
	if p.ByQueue || p.RoundRobin {
		names = append(names, "queue_priority")
	}
	return names
}

func reads(names []string, any ...string) bool {
	return slices.ContainsFunc(any, func(name string) bool { return slices.Contains(names, name) })
}

// ownersPBS are owners of jobs that the sentence names, then others at hand; of each entity of the fairshare tree one.
func ownersPBS(i *Intention, s *model.Snapshot) (list []kind) {
	add := func(k kind) {
		if len(list) < mostOwners && !slices.ContainsFunc(list, func(o kind) bool {
			return o.owner == k.owner && o.project == k.project
		}) {
			list = append(list, k)
		}
	}
	for _, sel := range []Selector{i.First, i.Second} {
		added := len(list)
		for _, o := range likeThose(s, sel) {
			if add(o); len(list) > added {
				break
			}
		}
		if o, named := ownerNamed(sel, s); named && len(list) == added {
			add(o)
		}
	}
	all := likeThose(s, nil)
	for k := range all { // the first and the last first
		add(all[[2]int{k / 2, len(all) - 1 - k/2}[k%2]])
	}
	if len(list) == 0 {
		add(kind{owner: "somebody"})
	}
	return list
}

// likeThose are owners of the jobs that a selector means, but for what they ask for, by the names of their entities.
func likeThose(s *model.Snapshot, sel Selector) (list []kind) {
	sel = slices.DeleteFunc(slices.Clone(sel), func(t Term) bool {
		return t.Kind == asking || t.Kind == atLeast || t.Kind == atMost
	})
	known := map[string]bool{}
	for k := range s.Jobs {
		j := &s.Jobs[k]
		if entity := fairshare.EntityOf(s.PBS.Fairshare.Policy, j); sel.Selects(j) && !known[entity+" "+j.Project] {
			known[entity+" "+j.Project] = true
			list = append(list, kind{owner: j.Owner, project: j.Project, like: j})
		}
	}
	slices.SortFunc(list, func(a, b kind) int { return strings.Compare(a.owner+" "+a.project, b.owner+" "+b.project) })
	return list
}

// shapesPBS are what jobs are tried with: one processor, what the sentence names, what formula and keys read.
func shapesPBS(i *Intention, s *model.Snapshot, names []string) []shape {
	list := []shape{{}}
	add := func(sh shape) {
		if len(list) < mostShapes {
			list = append(list, sh)
		}
	}
	for _, t := range slices.Concat(i.First, i.Second) {
		switch t.Kind {
		case asking:
			add(shape{hard: []model.Request{{Resource: t.Name, Value: "1", Amount: 1}}})
		case atLeast:
			add(shape{slots: uint32(max(t.Number, 1))})
		}
	}
	if reads(names, ncpus) || i.By[0] == bySlots {
		add(shape{slots: widestPBS(s)})
	}
	if reads(names, "job_priority", "sort_priority") || i.By[0] == byPosix {
		add(shape{posix: -100})
	}
	if reads(names, "walltime") {
		add(shape{hard: []model.Request{{Resource: "walltime", Value: "24:00:00", Amount: longWait.Seconds()}}})
	}
	for _, name := range names {
		if r, ok := resource(s, name); ok && !r.BuiltIn && name != ncpus {
			add(shape{hard: []model.Request{{Resource: name, Value: "1", Amount: 1}}})
		}
	}
	if reads(names, "queue_priority") {
		for _, q := range s.Queues {
			if q.PBS != nil && q.PBS.Type == "Execution" && q.PBS.Priority != 0 {
				add(shape{queue: q.Name})
			}
		}
	}
	return list
}

// widestPBS is how many processors the widest job at hand asks for, or two.
func widestPBS(s *model.Snapshot) uint32 {
	widest := 2
	for k := range s.Jobs {
		widest = max(widest, s.Jobs[k].LeastSlots())
	}
	return uint32(min(widest, 10_000))
}

// madePBS is a waiting job of a kind, like the one of its owner at hand where there is one.
func (k *kind) madePBS(number uint32, at time.Time, s *model.Snapshot) *model.Job {
	server, queue, user := s.PBS.Server.Name, s.PBS.Server.DefaultQueue, k.owner
	j := &model.Job{Number: number, Name: "job.sh", Owner: k.owner, Project: k.project, Group: "users",
		PosixPriority: k.posix,
		Submitted:     at.Add(-k.age - time.Second), Detailed: true}
	if k.like != nil {
		j.Group, j.Account, queue, user, server = k.like.Group, k.like.Account, k.like.PBS.Queue,
			k.like.PBS.User, k.like.PBS.Server
	}
	if k.queue != "" {
		queue = k.queue
	}
	processors := strconv.FormatUint(uint64(max(k.slots, 1)), 10)
	j.Hard = append([]model.Request{{Resource: ncpus, Value: processors, Amount: float64(max(k.slots, 1))}}, k.hard...)
	j.PBS = &model.PBSJob{ID: fmt.Sprintf("%d.%s", number, server), State: "Q", Queue: queue,
		Server: server, User: user, Place: "free",
		Select: "1:ncpus=" + processors, SchedSelect: "1:ncpus=" + processors,
		QueueRank: j.Submitted.UnixMicro() + int64(number),
		Queued:    j.Submitted, AccrueType: -1}
	if s.PBS.Server.EligibleTimeEnable {
		j.PBS.AccrueType, j.PBS.EligibleTime = model.Eligible, k.age
	}
	return j
}

// noProject is the project of jobs that name none.
const noProject = "_pbs_project_default"

// linePBS is a job as somebody submits it to PBS.
func linePBS(j *model.Job) (words []string) {
	words = []string{"qsub"}
	if j.PBS.Queue != "" {
		words = append(words, "-q", j.PBS.Queue)
	}
	if j.Project != "" && j.Project != noProject {
		words = append(words, "-P", j.Project)
	}
	if j.PosixPriority != 0 {
		words = append(words, "-p", fmt.Sprint(j.PosixPriority))
	}
	if j.PBS.Select != "" {
		words = append(words, "-l", "select="+j.PBS.Select)
	}
	for _, r := range j.Hard {
		if r.Resource != ncpus && r.Resource != "nodect" && r.Resource != "select" && r.Resource != "place" {
			words = append(words, "-l", r.Resource+"="+r.Value)
		}
	}
	return words
}
