package synthesis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/split"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// A Base is a cluster of PBS with the jobs of a Grid Engine snapshot: what a translation of everything but the order makes of it.
type Base func(s *model.Snapshot) *model.Snapshot

// translate is the last run of a history as PBS would see it if the candidate had been installed before the history began:
// the same jobs wait, with the values that hook and periodic job would have given their resources. A nil base makes a cluster
// that has nothing but hosts with processors, and one queue.
func (c *Candidate) translate(h History, base Base) *model.Snapshot {
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
	p.SetFormula(c.formulaOf(run))
	p.SetThreshold("")
	p.Server.EligibleTimeEnable = true
	s.Resources = slices.Clone(s.Resources)
	for _, r := range c.Resources {
		if !slices.ContainsFunc(s.Resources, func(own model.Resource) bool { return own.Name == r.Name }) {
			s.Resources = append(s.Resources, model.Resource{Name: r.Name, Type: r.Type, Flags: r.Flags})
		}
	}
	if _, keyed := model.Text(c.Sched, "job_sort_key"); keyed {
		keys := []model.SortKey{{Resource: urgencyResource, Descending: true}}
		p.SchedConfig.Prime.JobSortKeys, p.SchedConfig.NonPrime.JobSortKeys = keys, keys
	}
	if !c.tree {
		return
	}
	p.SchedConfig.Prime.FairShare, p.SchedConfig.NonPrime.FairShare = true, true
	f := filesOf(whatif.NewTree(run.Snapshot), c.usage)
	p.Fairshare.Groups, p.Fairshare.Usage = f.Groups, f.Usage
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
	census := takeCensus(History{run})
	now := scaleOf(run, census)
	now.tickets = census.mostTickets(run, now)
	b.history = append(b.history[:len(b.history):len(b.history)], run)
	b.last = run
	b.scales = append(b.scales[:len(b.scales):len(b.scales)], now)
	return b.frozen(NeedsJob)
}

// jobs gives each job that waits in Grid Engine's run its resources, and lets no other one wait.
func (c *Candidate) jobs(s *model.Snapshot, h History) []model.Job {
	run := h[len(h)-1]
	values, since := amounts(c, h), eligibleSince(h)
	tree := whatif.NewTree(run.Snapshot)
	queued := map[uint32]bool{}
	for i := range s.Jobs {
		queued[s.Jobs[i].Number] = queued[s.Jobs[i].Number] || mayStart(s.Jobs[i].PBS)
	}
	var list []model.Job
	for _, j := range s.Jobs {
		own := *j.PBS
		j.PBS = &own
		v, waits := values[j.Number]
		switch {
		case !mayStart(&own) && (!waits || queued[j.Number]):
			list = append(list, j)
			continue
		case !waits:
			continue
		case !mayStart(&own): // the run itself started it
			own.State, own.ExecVnode, own.Started = "Q", "", time.Time{}
		}
		own.AccrueType, own.EligibleTime = eligible, s.TakenAt.Sub(since[j.Number])-s.TakenAt.Sub(run.At)
		own.QueueRank = j.Submitted.UnixMicro()
		j.Hard = slices.Clone(j.Hard)
		for _, r := range c.Resources {
			if x, has := v[r.Name]; has {
				j.Hard = append(j.Hard, model.Request{Resource: r.Name, Value: strconv.FormatFloat(x, 'f', -1, 64), Amount: x})
			}
		}
		if g := run.Result.Job(j.Number); len(c.Entities) > 0 && g != nil {
			j.Account = tree.Entity(g.Job)
		}
		list = append(list, j)
	}
	return list
}

// mayStart says whether a job waits: an array also when some of its subjobs have begun.
func mayStart(p *model.PBSJob) bool { return p.State == "Q" || p.State == "B" }

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
			if n := r.Lists.Aside[i].Job.Number; r.Result.Job(n) == nil && !since[n].IsZero() {
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
	s := &model.Snapshot{System: model.PBSSystem, TakenAt: run.At, Location: run.Snapshot.Location, Resources: standardResources(),
		PBS: &model.PBS{
			Server: model.PBSServer{Name: "pbs", Scheduling: true, DefaultQueue: "workq"},
			Schedulers: []model.PBSScheduler{{Name: "default", PreemptQueuePrio: 150, PreemptPrio: "express_queue, normal_jobs",
				PreemptOrder: "SCR"}},
			SchedConfig: conf,
		}}
	for _, r := range run.Snapshot.Resources {
		if t, known := typesOf[r.Type]; known && !slices.ContainsFunc(s.Resources, func(own model.Resource) bool { return own.Name == r.Name }) {
			s.Resources = append(s.Resources, model.Resource{Name: r.Name, Type: t, Flags: "nh"})
		}
	}
	s.Queues = []model.Queue{{Name: "workq", PBS: &model.PBSQueue{Type: "Execution", Enabled: true, Started: true}}}
	s.Hosts = vnodes(run.Snapshot)
	for i := range run.Lists.Running {
		s.Jobs = append(s.Jobs, runningJobs(&run, run.Lists.Running[i])...)
	}
	for i := range run.Lists.Pending {
		s.Jobs = append(s.Jobs, waitingJob(&run, run.Lists.Pending[i]))
	}
	return s
}

// standardResources are those that every server knows, as far as jobs here ask for them.
func standardResources() []model.Resource {
	return []model.Resource{
		{Name: "ncpus", Type: model.TypePBSLong, Flags: "hnq", BuiltIn: true},
		{Name: "mem", Type: model.TypePBSSize, Flags: "hnq", BuiltIn: true},
		{Name: "walltime", Type: model.TypePBSTime, BuiltIn: true}, {Name: "nodect", Type: model.TypePBSLong, BuiltIn: true},
		{Name: "host", Type: model.TypePBSString, Flags: "h", BuiltIn: true},
		{Name: "vnode", Type: model.TypePBSString, Flags: "h", BuiltIn: true},
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

// waitingJob is a job that waits; an array is one job.
func waitingJob(run *Run, e split.Entry) model.Job {
	g := e.Job
	j := plainJob(run, g, max(1, urgency.RequestedSlots(g, run.Snapshot.PEs)))
	if !g.Array {
		return j
	}
	j.Array, j.PBS.ID = true, fmt.Sprintf("%d[].pbs", g.Number)
	for _, t := range e.Tasks {
		j.PBS.ArrayRemaining = append(j.PBS.ArrayRemaining, model.Range{Min: t.Number, Max: t.Number, Step: 1})
	}
	j.PBS.ArrayRemaining = append(j.PBS.ArrayRemaining, e.Waiting...)
	return j
}

// runningJobs are the tasks of a job that run, where it is known on which hosts. Tasks of an array are jobs of their own.
func runningJobs(run *Run, e split.Entry) (list []model.Job) {
	for i := range e.Job.Tasks {
		t := &e.Job.Tasks[i]
		if t.Started.IsZero() || split.StartedAt(t, run.At) || len(t.Granted) == 0 || len(t.IDs) == 0 {
			continue
		}
		j := plainJob(run, e.Job, max(1, t.Slots))
		var on []string
		for _, g := range t.Granted {
			_, host, _ := strings.Cut(g.Instance, "@")
			on = append(on, fmt.Sprintf("(%s:ncpus=%d)", host, max(1, g.Slots)))
		}
		j.PBS.ID = fmt.Sprintf("%d.%d.pbs", e.Job.Number, t.IDs[0].Min)
		j.PBS.State, j.PBS.Started, j.PBS.ExecVnode = "R", t.Started, strings.Join(on, "+")
		list = append(list, j)
	}
	return list
}

// plainJob is a job with its requests.
func plainJob(run *Run, g *model.Job, slots int) model.Job {
	spec := fmt.Sprintf("%d:ncpus=1", slots)
	j := model.Job{Number: g.Number, Name: g.Name, Owner: g.Owner, Group: "users", Project: g.Project, Submitted: g.Submitted,
		PosixPriority: min(g.PosixPriority, 1023),
		Hard:          []model.Request{{Resource: "ncpus", Value: strconv.Itoa(slots), Amount: float64(slots)}}}
	for _, r := range g.Hard {
		j.Hard = append(j.Hard, plainRequest(run.Snapshot, r, slots)...)
	}
	if t := forecast.NewClock(&run.Snapshot.Policy, 0).Length(g, nil); t < model.Forever {
		j.Hard = append(j.Hard, model.Request{Resource: "walltime", Value: clock(t), Amount: t.Seconds()})
	}
	j.PBS = &model.PBSJob{ID: fmt.Sprintf("%d.pbs", g.Number), State: "Q", Queue: "workq", Select: spec, SchedSelect: spec, Place: "free"}
	return j
}

// typesOf are the types of PBS for those of Grid Engine that are numbers.
var typesOf = map[model.ResourceType]model.ResourceType{model.TypeInt: model.TypePBSLong, model.TypeDouble: model.TypePBSFloat,
	model.TypeTime: model.TypePBSTime, model.TypeMemory: model.TypePBSSize}

// plainRequest is what a job asks for in all: of consumables as often as it has slots.
func plainRequest(s *model.Snapshot, r model.Request, slots int) []model.Request {
	for i := range s.Resources {
		d := &s.Resources[i]
		if d.Name != r.Resource && d.Shortcut != r.Resource || typesOf[d.Type] == "" {
			continue
		}
		x, unit := r.Amount, ""
		if d.Consumable == model.ConsumeYes {
			x *= float64(slots)
		}
		if d.Type == model.TypeMemory {
			x, unit = math.Ceil(x/1024), "kb"
		}
		return []model.Request{{Resource: d.Name, Value: strconv.FormatFloat(x, 'f', -1, 64) + unit, Amount: x}}
	}
	return nil
}
