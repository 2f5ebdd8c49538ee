package slurm

import (
	"strings"

	"qprism/engine/migrate/synthesis"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

// Choose takes the fair-share algorithm that keeps the job order best in the first seen runs. If both are
// equal it takes the fair tree, Slurm's default. It returns the agreement of both on all runs, the fair tree
// first.
func (t *Translation) Choose(h synthesis.History, seen int) [2][]synthesis.Agreement {
	var all [2][]synthesis.Agreement
	var sums [2]float64
	for i, fair := range []bool{true, false} {
		t.Policy.FairTree = fair
		for k, run := range h {
			a := t.prove(run)
			a.HeldOut = k >= seen
			all[i] = append(all[i], a)
			if !a.HeldOut && a.TauB == a.TauB {
				sums[i] += a.TauB
			}
		}
	}
	t.Policy.FairTree = sums[0] >= sums[1]
	return all
}

// prove compares the order of the waiting jobs of a run with the one that Slurm's multifactor plugin would have.
func (t *Translation) prove(run synthesis.Run) synthesis.Agreement {
	g := t.grow(run.Snapshot, run.At, false)
	factors := t.Policy.Fair(g.root, 1)
	var from []synthesis.Placed
	var jobs []multifactor.Job
	for _, j := range run.Result.Pending {
		if m, taken := t.job(j.Job, g, factors); taken {
			from = append(from, synthesis.Placed{Job: j.Job.Number, Value: j.Prio})
			jobs = append(jobs, m)
		}
	}
	var to []synthesis.Placed
	for _, r := range t.Policy.Order(jobs, run.At) {
		to = append(to, synthesis.Placed{Job: r.Number, Value: float64(r.Priority)})
	}
	a := synthesis.Agree(run.Name, run.At, from, to, synthesis.Detail{Tops: []int{1, 3, 10, 30, 100}})
	byNumber := map[uint32]*multifactor.Job{}
	for i := range jobs {
		byNumber[jobs[i].Number] = &jobs[i]
	}
	for i := range a.Worst {
		t.explain(&a.Worst[i], run, byNumber)
	}
	return a
}

// Refused are the waiting jobs of a run that Slurm refuses: they ask for more licenses than exist, or
// sacctmgr cannot write their owner's name.
func (t *Translation) Refused(run synthesis.Run) (jobs []uint32) {
	g := t.grow(run.Snapshot, run.At, false)
	for _, j := range run.Result.Pending {
		if _, taken := t.job(j.Job, g, nil); !taken {
			jobs = append(jobs, j.Job.Number)
		}
	}
	return jobs
}

// job is a job as it would have been submitted to Slurm, and whether it would have been taken.
func (t *Translation) job(j *model.Job, g *grower, factors map[*multifactor.Assoc]float64) (
	out multifactor.Job, taken bool) {
	out = multifactor.Job{Number: j.Number, Accrued: j.Submitted, Nodes: 1, CPUs: j.LeastSlots(),
		Nice: -int64(j.PosixPriority)}
	out.Site, taken = t.factor(j, out.CPUs)
	a := g.association(j)
	if a == nil {
		return out, false
	}
	out.Fairshare, out.Assoc = factors[a], float64(a.Priority)/mostPriority
	return out, taken
}

// explain says which policy puts the second job of a pair first: the one whose part of the priority differs
// most from Grid Engine's.
func (t *Translation) explain(v *synthesis.Inversion, run synthesis.Run, jobs map[uint32]*multifactor.Job) {
	a, b := run.Result.Job(v.First), run.Result.Job(v.Second)
	x, y := jobs[v.First], jobs[v.Second]
	switch {
	case a.Prio == b.Prio:
		v.Cause, v.Why = synthesis.ByTie, "equal in Grid Engine, where the one that was submitted first comes first"
		return
	case v.Value[0] == v.Value[1] && (a.Prio-b.Prio)*t.scale < 1:
		v.Cause, v.Why = synthesis.ByResolution, "equal in Slurm, as whole numbers"
		return
	}
	parts := func(j *multifactor.Job) [3]float64 {
		p := t.Policy.Parts(j, run.At)
		posix := -t.Config.Site.Step * float64(j.Nice)
		return [3]float64{posix, p.Age + float64(p.Site-p.Nice) - posix, p.Fairshare + p.Assoc}
	}
	px, py := parts(x), parts(y)
	v.Cause = synthesis.ByTerm
	worst := 0.0
	for i, policy := range []synthesis.Policy{synthesis.Posix, synthesis.Urgency, synthesis.Tickets} {
		ahead := run.Part(policy, a) - run.Part(policy, b)
		if off := ahead*t.scale - (px[i] - py[i]); off > worst {
			worst, v.Policy = off, policy
		}
	}
	v.Why = reasons[v.Policy]
	if v.Policy == synthesis.Urgency && !a.Job.Deadline.IsZero() {
		v.Why = "the first has a deadline, and Slurm has no factor for deadlines"
	}
}

var reasons = map[synthesis.Policy]string{
	synthesis.Posix:   "-p is kept to the unit: the others outweigh it otherwise",
	synthesis.Urgency: "Slurm divides urgency by a frozen range, and knows only one number of a range of slots",
	synthesis.Tickets: "Grid Engine divides tickets among the jobs of a user, and Slurm does not",
}

// Formula is the weights in one line.
func (t *Translation) Formula() string {
	w := &t.Policy
	var parts []string
	add := func(n uint32, name string) {
		if n > 0 {
			parts = append(parts, itoa(n)+"*"+name)
		}
	}
	add(w.Age, "age")
	add(w.Fairshare, "fairshare")
	add(w.Assoc, "assoc")
	if t.scale > 0 {
		parts = append(parts, "site")
	}
	if t.Config.Site.Step > 0 {
		parts = append(parts, "- nice")
	}
	return strings.ReplaceAll(strings.Join(parts, " + "), "+ - ", "- ")
}

// Resolution is the smallest difference of Grid Engine priorities that Slurm's whole numbers still show; 0 if
// nothing is ordered.
func (t *Translation) Resolution() float64 {
	if t.scale == 0 {
		return 0
	}
	return 1 / t.scale
}
