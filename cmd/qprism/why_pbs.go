package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"qprism/engine/cycle"
	"qprism/engine/model"
)

// why finds why a job of PBS does not start; subjobs are jobs there.
func (s openPBS) why(p *model.Plan, j *model.Job, _ uint32) *delay {
	r := &delay{job: j, id: j.PBS.ID, asks: selectAsked(j), at: p.RunAt, taken: map[string]int{}}
	first := s.decide(r, p)
	if p := j.PBS; p.State == "R" && !j.Array {
		r.state = fmt.Sprintf("It runs since %s UTC on %s.", p.Started.UTC().Format("2006-01-02 15:04:05"), p.ExecVnode)
	}
	if r.decision == nil {
		return r
	}
	r.general = groupReasons(r.decision.Why)
	r.advice = s.advise(r)
	if aside(r.decision) {
		return r
	}
	r.ahead = s.workAhead(p, first)
	if nowhere(r.decision) {
		return r
	}
	fits := cycle.Fits(s.asTried(p, first), p.RunAt, r.decision.ID)
	r.hosts = vnodeGroups(fits, r.decision)
	r.holders = s.holders(p, first, fits)
	return r
}

// decide finds the decisions about a job or, of an array, its subjobs: where the first that waits stands in the plan.
func (s openPBS) decide(r *delay, p *model.Plan) (first int) {
	j := r.job
	for i := range s.Jobs {
		o := &s.Jobs[i]
		if o.PBS != nil && o.PBS.State == "R" && (o == j || j.Array && o.PBS.Array == j.PBS.ID) {
			r.running++
		}
	}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		switch {
		case d.ID != j.PBS.ID && (!j.Array || model.PBSArrayOf(d.ID) != j.PBS.ID):
		case d.Verdict == model.Now:
			r.starts = append(r.starts, d)
		case r.decision == nil:
			r.decision, first = d, i
		}
	}
	return first
}

// aside reports whether the scheduler does not look at the job at all.
func aside(d *model.Decision) bool {
	return slices.ContainsFunc(d.Why, func(r model.Reason) bool { return r.Kind == model.ReasonJobState })
}

// nowhere reports whether the job waits for something that no vnode has: shares, another time, or a queue that runs jobs.
func nowhere(d *model.Decision) bool {
	return slices.ContainsFunc(d.Why, func(r model.Reason) bool {
		return slices.Contains([]model.ReasonKind{model.ReasonShares, model.ReasonThreshold, model.ReasonPrime, model.ReasonDedicated, model.ReasonQueueState}, r.Kind)
	})
}

// selectAsked is what a job asks for: its select and place, and its walltime.
func selectAsked(j *model.Job) string {
	parts := []string{"queue " + j.PBS.Queue}
	if text := cmp.Or(j.PBS.Select, j.PBS.SchedSelect); text != "" {
		parts = append(parts, "select="+text)
	}
	if j.PBS.Place != "" {
		parts = append(parts, "place="+j.PBS.Place)
	}
	if length := cycle.Length(j); length != model.Forever {
		parts = append(parts, "walltime="+spanText(length))
	} else {
		parts = append(parts, "no walltime")
	}
	return strings.Join(parts, ", ")
}

// vnodeGroups joins vnodes that do not take the job for the same reason, those that come nearest first.
func vnodeGroups(fits []cycle.Fit, d *model.Decision) []hostGroup {
	reserved := slices.ContainsFunc(d.Why, func(r model.Reason) bool { return r.Kind == model.ReasonReserved })
	reasons := map[string]hostGroup{}
	var order []string
	for _, f := range fits {
		g := hostGroup{candidate: f.Room || f.Why.Later, text: vnodeText(&f.Why), rank: 2}
		switch {
		case f.Room && reserved:
			g.text, g.rank = "has room now, which a reservation or a top job needs before the job would end", 0
		case f.Room:
			g.text, g.rank = "has room for a part of it", 0
		case f.Why.Later:
			g.rank = 1
		}
		order = append(order, f.Vnode)
		reasons[f.Vnode] = g
	}
	return groupHosts(order, reasons)
}

// vnodeText says why a vnode has no room.
func vnodeText(r *model.Reason) string {
	switch {
	case r.Kind == model.ReasonQueueState && r.Later:
		return "is full (" + r.Offered + ")"
	case r.Kind == model.ReasonQueueState:
		return "is " + strings.ReplaceAll(r.Offered, ",", ", ")
	case r.Kind == model.ReasonResource && r.Later:
		return "has too little " + r.Resource + " free" + askedOffered(r)
	case r.Kind == model.ReasonResource && r.Object != "" && strings.Contains(r.Text, "!="):
		return strings.TrimPrefix(r.Text, "Insufficient amount of resource: ")
	case r.Kind == model.ReasonResource:
		return "has too little " + r.Resource + " even if nothing ran" + askedOffered(r)
	}
	return reasonText(r)
}

// holders are the jobs on vnodes that time can free, those first that end first, and top jobs before the job.
func (s openPBS) holders(p *model.Plan, decision int, fits []cycle.Fit) []holder {
	wanted := map[[3]string]bool{}
	for _, f := range fits {
		wanted[[3]string{"H", f.Vnode, "ncpus"}] = f.Room || f.Why.Later
	}
	full := s.pictured(p)
	full.Lines = slices.DeleteFunc(full.Lines, func(l model.ScheduleLine) bool { return l.State != "RUNNING" && !before(p, decision, &l) })
	list, ids := holdersOf(s.Snapshot, full, wanted), s.ids(p)
	for i := range list {
		list[i].id = ids[[2]uint32{list[i].job, list[i].task}]
	}
	return list
}

// before reports whether a line books what starts, or is planned for a job, before a decision.
func before(p *model.Plan, decision int, l *model.ScheduleLine) bool {
	return slices.ContainsFunc(p.Decisions[:decision], func(d model.Decision) bool { return d.Verdict != model.Never && d.Job == l.Job })
}

// asTried is the cluster as it was when the cycle came to a decision: with what it started before.
func (s openPBS) asTried(p *model.Plan, decision int) *model.Snapshot {
	c, earlier := cycle.NewCluster(s.Snapshot), *p
	earlier.Decisions = p.Decisions[:decision]
	c.Apply(&earlier)
	return c.Snapshot
}

// ids are the ids of jobs and subjobs that run, start or are planned for.
func (s openPBS) ids(p *model.Plan) map[[2]uint32]string {
	ids := map[[2]uint32]string{}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil {
			ids[[2]uint32{j.Number, max(1, j.PBS.Index)}] = j.PBS.ID
		}
	}
	for i := range p.Decisions {
		if d := &p.Decisions[i]; d.Verdict != model.Never {
			ids[[2]uint32{d.Job, firstTask(&model.Task{IDs: d.Tasks})}] = d.ID
		}
	}
	return ids
}

// workAhead adds up the processor-hours of what is tried before a decision, and of what runs.
func (s openPBS) workAhead(p *model.Plan, decision int) ahead {
	a := ahead{known: true, unit: "cpu-hours"}
	jobs := jobsOf(s.Snapshot)
	seen := map[string]bool{}
	for i := range p.Decisions[:decision] {
		d := &p.Decisions[i]
		j := jobs[d.Job]
		if j == nil || !d.Tried || d.Job == p.Decisions[decision].Job || seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		a.jobs++
		a.add(j, cycle.Length(j))
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.PBS != nil && j.PBS.State == "R" {
			a.addRunningJob(j, p.RunAt)
		}
	}
	return a
}

func (a *ahead) add(j *model.Job, length time.Duration) {
	if length == model.Forever {
		a.endless++
		return
	}
	a.hours += cpus(j) * length.Hours()
}

func (a *ahead) addRunningJob(j *model.Job, at time.Time) {
	if length := cycle.Length(j); length == model.Forever {
		a.runningEndless++
	} else {
		a.running += cpus(j) * max(j.PBS.Started.Add(length).Sub(at), 0).Hours()
	}
}

// cpus is how many processors a job asks for.
func cpus(j *model.Job) float64 {
	for _, r := range j.Hard {
		if n, ok := model.PBSAmount(r.Value); ok && r.Resource == "ncpus" {
			return n
		}
	}
	return 1
}

// advise is the command that helps on.
func (s openPBS) advise(r *delay) string {
	forecast := "qprism forecast says when it is likely to start"
	if len(r.decision.Why) == 0 {
		return forecast
	}
	why, id := &r.decision.Why[0], r.id
	switch {
	case why.Kind == model.ReasonJobState:
		return s.adviseAside(why, id)
	case why.Kind == model.ReasonShares:
		return "qprism shares shows the fairshare tree; qprism lint has the line of resource_group that gives it shares"
	case why.Never:
		return fmt.Sprintf("qalter -l %s changes what it asks for: with what is configured it can never run", id)
	case why.Kind == model.ReasonThreshold:
		return "qprism priorities shows the value of each job; qmgr -c 'list sched' the threshold"
	case why.Kind == model.ReasonLimit:
		return "qmgr -c 'list server' and 'list queue' show limits; " + forecast
	}
	return forecast
}

func (openPBS) adviseAside(why *model.Reason, id string) string {
	switch {
	case why.Resource == "depend":
		return fmt.Sprintf("qstat -f %s shows what it waits for (depend)", id)
	case why.Offered == "H":
		return fmt.Sprintf("qrls -h %s %s lets it go", cmp.Or(why.Asked, "u"), id)
	case why.Offered == "S":
		return fmt.Sprintf("qsig -s resume %s lets it go on", id)
	case why.Offered == "W":
		return fmt.Sprintf("qalter -a with another time lets %s start sooner", id)
	}
	return fmt.Sprintf("qmove QUEUE %s puts it into another queue", id)
}
