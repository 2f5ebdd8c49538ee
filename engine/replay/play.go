package replay

import (
	"maps"
	"math"
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/history"
	"qprism/engine/model"
	"qprism/engine/whatif"
)

// A play is a period under a policy.
type play struct {
	*common
	policy  *whatif.Case
	cluster *forecast.Cluster
	clock   forecast.Clock
	plan    forecast.Planner
	charged time.Time // up to which usage counts
	lives   []*life
	running []*life
	waited  map[model.Cause]time.Duration
}

// A common is what all plays of a record have in common.
type common struct {
	*Record
	started map[uint32][]uint32 // the tasks of each job that started, in the record
	history *forecast.History
	every   int // so many runs, of which one says why jobs wait
}

// mostAsked is how many runs of a period are asked why jobs wait: that costs more than the run.
const mostAsked = 50

func (r *Record) common() *common {
	g := &common{Record: r, started: map[uint32][]uint32{}, every: (len(r.moments) + mostAsked - 1) / mostAsked}
	list := r.lives()
	for _, l := range list {
		g.started[l.job.Number] = append(g.started[l.job.Number], l.task)
	}
	g.history = forecast.Learn(ended(list, r.Last.TakenAt))
	return g
}

// play plays the period under a policy; nil where it was stopped.
func (g *common) play(c *whatif.Case, stop func() bool) *Outcome {
	p := g.begin(c)
	for i := range g.moments {
		if stop() {
			return nil
		}
		p.step(i)
	}
	return p.outcome()
}

func (g *common) begin(c *whatif.Case) *play {
	p := &play{common: g, policy: c, cluster: forecast.NewCluster(c.Snapshot),
		clock:   forecast.NewClock(&c.Snapshot.Policy, 0),
		charged: g.moments[0].at, waited: map[model.Cause]time.Duration{}}
	p.clock.History = g.history
	p.plan = c.Runs()
	ticket.OwnUsage(p.cluster.Snapshot)
	p.cluster.EachRunning(func(j *model.Job, t *model.Task) {
		t.Usage = nil // it counts by slots and time
		p.start(forecast.Started{Job: j, Task: t.IDs[0].Min, At: t.Started, Slots: t.Granted})
	})
	return p
}

// step brings the cluster to a moment, and makes a run.
func (p *play) step(i int) {
	m := &p.moments[i]
	p.charge(m.at)
	p.end(m.at)
	p.cluster.Come(slices.Concat(m.come, p.alterable(m.altered)))
	for _, number := range m.gone {
		p.cluster.Withdraw(number, p.started[number])
	}
	for _, name := range slices.Sorted(maps.Keys(m.states)) {
		p.cluster.Switch(name, m.states[name])
	}
	p.cluster.Settle(m.at)
	reasons := i%p.every == 0
	plan := p.plan(p.cluster.Snapshot, m.at, reasons)
	if until := min(i+p.every, len(p.moments)-1); reasons {
		p.tally(plan, p.moments[until].at.Sub(m.at))
	}
	for _, s := range p.cluster.Apply(plan) {
		p.start(s)
	}
}

// alterable are the jobs of which nothing has started here either.
func (p *play) alterable(jobs []*model.Job) []*model.Job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j *model.Job) bool {
		own := p.cluster.Job(j.Number)
		return own == nil || !waitsWhole(own)
	})
}

// start notes a task that starts, and when it ends: after the time that it took in the record, else one
// like those before.
func (p *play) start(s forecast.Started) {
	l := &life{job: s.Job, task: s.Task, start: s.At}
	own := *s.Job
	l.job = &own
	for _, g := range s.Slots {
		l.slots += g.Slots
	}
	if d := p.length(s); d != model.Forever {
		l.end = s.At.Add(d)
	}
	p.lives, p.running = append(p.lives, l), append(p.running, l)
}

func (p *play) length(s forecast.Started) time.Duration {
	was := p.tasks[taskID{s.Job.Number, s.Task}]
	if was == nil {
		return p.clock.Length(s.Job, s.On)
	}
	if d, ok := was.length(); ok {
		return d
	}
	return p.clock.LengthAfter(s.Job, s.On, p.Last.TakenAt.Sub(was.start))
}

// end ends what is over.
func (p *play) end(at time.Time) {
	p.running = slices.DeleteFunc(p.running, func(l *life) bool {
		over := !l.end.IsZero() && !l.end.After(at)
		if over {
			p.cluster.End(l.job.Number, l.task)
		}
		return over
	})
}

// charge adds what has run since the moment before to the usage of its users and projects.
func (p *play) charge(at time.Time) {
	used := ticket.Used{}
	for _, l := range p.running {
		until := at
		if !l.end.IsZero() && l.end.Before(at) {
			until = l.end
		}
		seconds := math.Max(until.Sub(model.Latest(l.start, p.charged)).Seconds(), 0)
		used.Add(ticket.ChargedFor(l.job), ticket.PerSlot, seconds*float64(l.slots))
	}
	ticket.Charge(p.cluster.Snapshot, at, p.policy.Quirks, used)
	p.charged = at
}

// tally adds up for what jobs wait until a run is asked again.
func (p *play) tally(plan *model.Plan, pass time.Duration) {
	for _, n := range history.LoadOf(p.cluster.Snapshot, history.Standings(p.cluster.Snapshot, plan, nil)).Waiting {
		if n.Cause != model.CauseStarts {
			p.waited[n.Cause] += time.Duration(n.Tasks) * pass
		}
	}
}
