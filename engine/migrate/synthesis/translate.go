package synthesis

import (
	"slices"
	"strconv"
	"time"

	"qprism/engine/model"
	"qprism/engine/whatif"
)

// A Base makes a PBS cluster with the jobs of a Grid Engine snapshot: a translation of everything except the
// job order.
type Base func(s *model.Snapshot) *model.Snapshot

// Resources is a function that returns the PBS resource for an entry of the complex. ok is false if PBS has
// none.
type Resources func(entry string) (r model.Resource, ok bool)

// translate is the last run of a history as PBS would see it if the candidate had been installed before the
// history began: the same jobs wait, with the values that hook and periodic job would have given their
// resources.
func (c *Candidate) translate(h History, base Base) *model.Snapshot {
	run := h[len(h)-1]
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
		own.AccrueType, own.EligibleTime = model.Eligible, s.TakenAt.Sub(since[j.Number])-s.TakenAt.Sub(run.At)
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

// eligibleSince is from when on each waiting job counts as eligible: its submission, or the last run in
// which it was held.
func eligibleSince(h History) map[uint32]time.Time {
	since := map[uint32]time.Time{}
	for _, j := range h[len(h)-1].Result.Pending {
		since[j.Job.Number] = j.Job.Submitted
	}
	for _, r := range h[:len(h)-1] {
		for i := range r.Lists.Blocked {
			if n := r.Lists.Blocked[i].Job.Number; r.Result.Job(n) == nil && !since[n].IsZero() {
				since[n] = r.At
			}
		}
	}
	return since
}
