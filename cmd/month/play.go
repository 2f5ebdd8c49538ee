package main

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/cmd/qprism/subject"
	"qprism/compat"
	"qprism/engine/forecast"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
	"qprism/engine/whatif"
	"qprism/fixtures/gridengine"
	"qprism/importer"
	"qprism/importer/lab"
)

// interval is from one scheduler run to the next.
const interval = 15 * time.Second

// A play is the cluster from one moment to the next.
type play struct {
	recorded fs.FS // the configuration
	quirks   model.Quirks
	cluster  *forecast.Cluster
	plan     forecast.Planner

	at      time.Time // of the last run, up to which usage counts
	newJobs []newJob  // the job of number 1 first
	jobs    []*model.Job
	come    int // number of jobs that were submitted so far
	running []life
	ended   []life // in that order
	total   map[string]float64
}

// A life is a job from its start to its end.
type life struct {
	job        *model.Job
	slots      int
	host       string
	start, end time.Time
}

func newPlay() (*play, error) {
	p := &play{at: begin, total: map[string]float64{}}
	pattern, err := readPattern(hpc2n)
	if err != nil {
		return nil, err
	}
	if p.recorded, err = configuration(); err != nil {
		return nil, err
	}
	p.newJobs = jobsOfMonth(pattern)
	s, err := p.whole()
	if err != nil {
		return nil, err
	}
	for i := range s.Jobs {
		p.jobs = append(p.jobs, &s.Jobs[i])
	}
	s.Jobs, s.TakenAt = nil, begin
	_, p.quirks = compat.For(s.Release)
	ticket.OwnUsage(s)
	p.cluster = forecast.NewCluster(s)
	p.plan = (&whatif.Case{Snapshot: s, Quirks: p.quirks}).Runs()
	return p, nil
}

// configuration are the files of the recording that say how the cluster is configured.
func configuration() (fs.FS, error) {
	scenario, err := gridengine.Scenario("n1ge-usecase2-resources")
	if err != nil {
		return nil, err
	}
	recording, err := fs.Sub(scenario, "run2/after")
	if err != nil {
		return nil, err
	}
	files, err := filesOf(recording)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(files, func(name string, _ []byte) bool {
		return strings.HasPrefix(name, "q") && !strings.HasPrefix(name, "queues/") || changing[name]
	})
	return importer.InMemory(files)
}

// changing are files that differ at each moment, in addition to the output of qstat, qhost and qrstat.
var changing = map[string]bool{"MANIFEST": true, "messages": true, "schedule": true, "accounting": true,
	"sge_share_mon.txt": true,
	"event_clients.txt": true}

// whole is the cluster with all jobs of the month waiting.
func (p *play) whole() (*model.Snapshot, error) {
	var b strings.Builder
	b.WriteString(cluster())
	for i := range p.newJobs {
		b.WriteString(p.newJobs[i].line() + "\n")
	}
	bundle, err := lab.Read("month", []byte(b.String()), p.recorded, nil)
	if err != nil {
		return nil, err
	}
	return subject.ReadBundle(bundle, false)
}

// until simulates up to a moment, and makes a run at this moment.
func (p *play) until(moment time.Time) {
	for next := p.next(); next.Before(moment); next = p.next() {
		p.run(next)
	}
	p.run(moment)
}

// next is the first run at which something has changed.
func (p *play) next() time.Time {
	first := begin.Add(2 * length)
	if p.come < len(p.newJobs) {
		first = p.newJobs[p.come].at
	}
	for _, l := range p.running {
		if l.end.Before(first) {
			first = l.end
		}
	}
	since := first.Sub(begin)
	return begin.Add((since + interval - 1) / interval * interval)
}

// run brings the cluster to a moment, and makes a scheduler run.
func (p *play) run(at time.Time) {
	p.charge(at)
	p.end(at)
	var come []*model.Job
	for ; p.come < len(p.newJobs) && !p.newJobs[p.come].at.After(at); p.come++ {
		come = append(come, p.jobs[p.come])
	}
	p.cluster.Come(come)
	p.cluster.Settle(at)
	for _, s := range p.cluster.Apply(p.plan(p.cluster.Snapshot, at, false)) {
		l := life{job: s.Job, start: at, end: at.Add(p.newJobs[s.Job.Number-1].runs)}
		own := *s.Job
		l.job = &own
		for _, g := range s.Slots {
			l.slots += g.Slots
			_, l.host, _ = strings.Cut(g.Instance, "@")
		}
		p.running = append(p.running, l)
	}
	p.at = at
}

// charge adds the usage since the last run.
func (p *play) charge(at time.Time) {
	used := ticket.Used{}
	for _, l := range p.running {
		seconds := min(at.Sub(p.at), l.end.Sub(p.at)).Seconds() * float64(l.slots)
		used.Add(ticket.ChargedFor(l.job), ticket.PerSlot, seconds)
		p.total[l.job.Project] += seconds
	}
	ticket.Charge(p.cluster.Snapshot, at, p.quirks, used)
}

// end ends jobs whose time is over.
func (p *play) end(at time.Time) {
	over := func(l life) bool { return !l.end.After(at) }
	first := len(p.ended)
	for _, l := range p.running {
		if over(l) {
			p.cluster.End(l.job.Number, 1)
			p.ended = append(p.ended, l)
		}
	}
	slices.SortStableFunc(p.ended[first:], func(a, b life) int { return a.end.Compare(b.end) })
	p.running = slices.DeleteFunc(p.running, over)
}

// endedSince returns the jobs that ended after a moment.
func (p *play) endedSince(at time.Time) []life {
	i := slices.IndexFunc(p.ended, func(l life) bool { return l.end.After(at) })
	if i < 0 {
		return nil
	}
	return p.ended[i:]
}
