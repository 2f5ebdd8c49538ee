package synthesis

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"qprism/engine/model"
	"qprism/engine/split"
	"qprism/engine/urgency"
	"qprism/engine/whatif"
)

// A Base is a cluster of PBS with the jobs of a Grid Engine snapshot: what a translation of everything but the order makes of it.
type Base func(s *model.Snapshot) *model.Snapshot

// Translate is the last run of a history as PBS would see it if the candidate had been installed before the history began:
// the same jobs wait, with the values that hook and periodic job would have given their resources. A nil base makes a cluster
// that has nothing but hosts with processors, and one queue.
func (c *Candidate) Translate(h History, base Base) *model.Snapshot {
	run := h[len(h)-1]
	if base == nil {
		base = func(s *model.Snapshot) *model.Snapshot { return plainCluster(run) }
	}
	s := base(run.Snapshot)
	own := *s
	p := *s.PBS
	own.PBS = &p
	c.install(&own, run)
	own.Jobs = c.jobs(&own, h)
	return &own
}

// install sets up formula, resources and tree.
func (c *Candidate) install(s *model.Snapshot, run Run) {
	p := s.PBS
	p.Formula, p.Server.Formula = c.formulaOf(run), c.formulaOf(run)
	p.Schedulers = slices.Clone(p.Schedulers)
	for i := range p.Schedulers {
		p.Schedulers[i].Formula, p.Schedulers[i].Threshold = p.Formula, ""
	}
	p.Server.EligibleTimeEnable = true
	s.Resources = slices.Clone(s.Resources)
	for _, r := range c.Resources {
		s.Resources = append(s.Resources, model.Resource{Name: r.Name, Type: r.Type, Flags: r.Flags})
	}
	if !c.tree {
		return
	}
	p.SchedConfig.Prime.FairShare, p.SchedConfig.NonPrime.FairShare = true, true
	tree := whatif.NewTree(run.Snapshot)
	p.Fairshare.Groups, p.Fairshare.Usage = tree.Files().Groups, tree.Files().Usage
	p.Fairshare.Usage.Records = inUnits(p.Fairshare.Usage.Records, c.usage)
	p.Fairshare.Policy = model.DefaultFairsharePolicy()
	p.Fairshare.Policy.Entity = entityAttribute(c.Entities)
	p.Fairshare.Policy.EnforceNoShares = false
}

// formulaOf is the formula that is in force in a run: the periodic job has just renewed its constants.
func (c *Candidate) formulaOf(run Run) string {
	if c.Needs != NeedsJob {
		return c.Formula
	}
	return c.renewed(run).Formula
}

// renewed is the candidate with the constants of a run.
func (c *Candidate) renewed(run Run) *Candidate {
	b := *c.on
	b.history, b.last = History{run}, run
	b.scales = []scale{scaleOf(run, takeCensus(b.history))}
	return b.frozen(NeedsJob)
}

// jobs gives each job that waits in Grid Engine's run its resources, and lets no other one wait.
func (c *Candidate) jobs(s *model.Snapshot, h History) []model.Job {
	run := h[len(h)-1]
	values, since := amounts(c, h), eligibleSince(h)
	tree := whatif.NewTree(run.Snapshot)
	var list []model.Job
	for _, j := range s.Jobs {
		own := *j.PBS
		j.PBS = &own
		v, waits := values[j.Number]
		if !waits {
			if own.State != "Q" {
				list = append(list, j)
			}
			continue
		}
		own.State = "Q"
		own.AccrueType, own.EligibleTime = eligible, s.TakenAt.Sub(since[j.Number])-s.TakenAt.Sub(run.At)
		own.QueueRank = j.Submitted.UnixMicro()
		j.Hard = slices.Clone(j.Hard)
		for _, r := range c.Resources {
			if x, has := v[r.Name]; has {
				j.Hard = append(j.Hard, model.Request{Resource: r.Name, Value: strconv.FormatFloat(x, 'f', -1, 64), Amount: x})
			}
		}
		if g := run.Result.Jobs[j.Number]; len(c.Entities) > 0 && g != nil {
			j.Account = tree.Entity(g.Job)
		}
		list = append(list, j)
	}
	return list
}

// eligible is the accrue_type of a job whose eligible time grows.
const eligible = 2

// eligibleSince is from when on each waiting job counts as eligible: its submission, or the last run in which it was held.
func eligibleSince(h History) map[uint32]time.Time {
	since := map[uint32]time.Time{}
	for _, j := range h[len(h)-1].Result.Pending {
		since[j.Job.Number] = j.Job.Submitted
	}
	for _, r := range h[:len(h)-1] {
		for i := range r.Lists.Aside {
			if n := r.Lists.Aside[i].Job.Number; r.Result.Jobs[n] == nil && !since[n].IsZero() {
				since[n] = r.At
			}
		}
	}
	return since
}

// plainCluster is a cluster of PBS with hosts, processors, and the jobs of a run.
func plainCluster(run Run) *model.Snapshot {
	conf := model.SchedConfig{Present: true, PrimetimePrefix: "p_", NonprimetimePrefix: "np_", DedicatedPrefix: "ded"}
	conf.Prime.Backfill, conf.NonPrime.Backfill = true, true
	s := &model.Snapshot{System: model.PBSSystem, TakenAt: run.At, Location: run.Snapshot.Location, Resources: standardResources(), PBS: &model.PBS{
		Server:      model.PBSServer{Name: "pbs", Scheduling: true, DefaultQueue: "workq"},
		Schedulers:  []model.PBSScheduler{{Name: "default", PreemptQueuePrio: 150, PreemptPrio: "express_queue, normal_jobs", PreemptOrder: "SCR"}},
		SchedConfig: conf,
	}}
	s.Queues = []model.Queue{{Name: "workq", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true}}}
	s.Hosts = vnodes(run.Snapshot)
	for i := range run.Lists.Pending {
		s.Jobs = append(s.Jobs, plainJob(&run, run.Lists.Pending[i]))
	}
	return s
}

// standardResources are those that every server knows, as far as jobs here ask for them.
func standardResources() []model.Resource {
	return []model.Resource{
		{Name: "ncpus", Type: model.TypePBSLong, Flags: "hnq", BuiltIn: true}, {Name: "mem", Type: model.TypePBSSize, Flags: "hnq", BuiltIn: true},
		{Name: "walltime", Type: model.TypePBSTime, BuiltIn: true}, {Name: "nodect", Type: model.TypePBSLong, BuiltIn: true},
		{Name: "host", Type: model.TypePBSString, Flags: "h", BuiltIn: true}, {Name: "vnode", Type: model.TypePBSString, Flags: "h", BuiltIn: true},
	}
}

// vnodes are the hosts with the slots of all queue instances on them.
func vnodes(s *model.Snapshot) (list []model.Host) {
	slots := map[string]int{}
	for i := range s.Instances {
		slots[s.Instances[i].Host] = max(slots[s.Instances[i].Host], s.Instances[i].Slots)
	}
	for i := range s.Hosts {
		if name := s.Hosts[i].Name; slots[name] > 0 {
			list = append(list, model.Host{Name: name, Capacity: []model.Setting{{Name: "ncpus", Value: strconv.Itoa(slots[name])},
				{Name: "host", Value: name}, {Name: "vnode", Value: name}}, PBS: &model.PBSHost{State: []string{"free"}, Sharing: "default_shared"}})
		}
	}
	return list
}

// plainJob is a waiting job; an array is one job.
func plainJob(run *Run, e split.Entry) model.Job {
	g := e.Job
	slots := max(1, urgency.RequestedSlots(g, run.Snapshot.PEs))
	spec := fmt.Sprintf("1:ncpus=%d", slots)
	j := model.Job{Number: g.Number, Name: g.Name, Owner: g.Owner, Group: "users", Project: g.Project, Submitted: g.Submitted, PosixPriority: min(g.PosixPriority, 1023),
		Hard: []model.Request{{Resource: "ncpus", Value: strconv.Itoa(slots), Amount: float64(slots)}}}
	j.PBS = &model.PBSJob{ID: fmt.Sprintf("%d.pbs", g.Number), State: "Q", Queue: "workq", Select: spec, SchedSelect: spec, Place: "free"}
	return j
}
