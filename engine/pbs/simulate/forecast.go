package simulate

import (
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/model"
	"qprism/engine/pbs/accounting"
	"qprism/engine/pbs/cycle"
	"qprism/engine/pbs/cycle/clock"
	"qprism/engine/pbs/cycle/cluster"
)

// Forecast simulates cycles in virtual time. A started job ends after its walltime and frees its vnodes. A
// cycle takes place when a job ends, and when a reservation, primetime or dedicated time begins or ends. The
// option Plan is ignored: Forecast plans the cycles itself and passes on the scheduler's memory.
func Forecast(s *model.Snapshot, o forecast.Options) *forecast.Forecast {
	p := &simulation{Options: o, cluster: NewCluster(s), memory: &cycle.Memory{}, now: o.At}
	if p.MostRuns == 0 {
		p.MostRuns = forecast.DefaultRuns
	}
	for i := range p.cluster.Jobs {
		if j := &p.cluster.Jobs[i]; j.PBS.State == "R" {
			p.forecast.Running = append(p.forecast.Running,
				started(j, j.PBS.Started, p.expect(j), accounting.Grants(j.PBS.ExecVnode)))
		}
	}
	for p.continues() {
		p.run()
		if !p.advance() {
			break
		}
	}
	return &p.forecast
}

// A play is a forecast that is being made.
type simulation struct {
	forecast.Options
	cluster  *Cluster
	memory   *cycle.Memory
	now      time.Time
	ends     []expected // by time
	forecast forecast.Forecast
}

// An expected end of a job.
type expected struct {
	at time.Time
	id string
}

// continues reports whether another cycle is made.
func (p *simulation) continues() bool {
	switch {
	case p.Stop != nil && p.Stop():
		p.forecast.Ending = forecast.Stopped
	case p.forecast.Runs >= p.MostRuns:
		p.forecast.Ending = forecast.Bounded
	case p.Found(&p.forecast):
		p.forecast.Ending = forecast.Stopped
	default:
		return true
	}
	return false
}

// run makes a cycle, and carries out what it decides.
func (p *simulation) run() {
	p.cluster.Compact()
	p.settleReservations()
	p.settleJobs()
	plan := cycle.Run(p.cluster.Snapshot, cycle.Options{At: p.now, Memory: p.memory})
	p.forecast.Runs++
	p.forecast.Last = p.now
	p.forecast.Waits = slices.DeleteFunc(slices.Clone(plan.Decisions), func(d model.Decision) bool {
		return d.Verdict == model.Now
	})
	for i := range plan.Preempted {
		v := &plan.Preempted[i]
		if j := p.cluster.of(v.Job, v.Tasks); j != nil {
			p.ends = slices.DeleteFunc(p.ends, func(e expected) bool { return e.id == j.PBS.ID })
		}
	}
	slots := map[string][]model.Grant{}
	for _, d := range plan.Decisions {
		if d.Verdict == model.Now {
			slots[d.Placed] = d.Slots
		}
	}
	for _, j := range p.cluster.Apply(plan) {
		p.forecast.Starts = append(p.forecast.Starts, started(j, p.now, p.expect(j), slots[j.PBS.ExecVnode]))
	}
	slices.SortStableFunc(p.ends, func(a, b expected) int { return a.at.Compare(b.at) })
}

func started(j *model.Job, at, end time.Time, slots []model.Grant) forecast.Start {
	return forecast.Start{Job: j.Number, Task: max(1, j.PBS.Index), ID: j.PBS.ID, At: at, End: end, Slots: slots}
}

// expect notes when a running job ends; zero for one that nothing ends.
func (p *simulation) expect(j *model.Job) time.Time {
	length, ok := p.length(j)
	if p.History != nil {
		if d, known := p.History.Runtime(j, p.now.Sub(j.PBS.Started)); known && (!ok || d < length) {
			length, ok = d, true
		}
	}
	if !ok {
		return time.Time{}
	}
	end := j.PBS.Started.Add(length)
	if !end.After(p.now) {
		end = p.now.Add(time.Second)
	}
	p.ends = append(p.ends, expected{end, j.PBS.ID})
	return end
}

// length is how long a job runs: its walltime, else the estimate asked for.
func (p *simulation) length(j *model.Job) (time.Duration, bool) {
	if length := Length(j); length != model.Forever {
		return length, true
	}
	return p.Estimate, p.Estimate > 0
}

// Length is how long a job may run, Forever without an end. The scheduler treats a walltime of five years as
// no walltime.
func Length(j *model.Job) time.Duration {
	for _, name := range []string{"walltime", "max_walltime"} {
		for _, r := range j.Hard {
			if amount, ok := model.PBSAmount(r.Value); ok && r.Resource == name && amount < float64(clock.FiveYears) {
				return time.Duration(amount) * time.Second
			}
		}
	}
	return model.Forever
}

// settleJobs lets jobs wait whose execution time (qsub -a) has come.
func (p *simulation) settleJobs() {
	for i := range p.cluster.Jobs {
		j := &p.cluster.Jobs[i]
		if j.PBS.State == "W" && !j.ExecutionTime.IsZero() && !j.ExecutionTime.After(p.now) {
			j.PBS.State, j.PBS.Substate = "Q", 10
		}
	}
}

// settleReservations lets reservations begin and end.
func (p *simulation) settleReservations() {
	for i := range p.cluster.PBS.Reservations {
		r := &p.cluster.PBS.Reservations[i]
		runs := !r.Start.After(p.now) && r.End.After(p.now)
		switch {
		case r.State == cluster.Confirmed && runs:
			r.State = cluster.InForceNow
			p.open(r.Queue, true)
		case r.State == cluster.InForceNow && !r.End.After(p.now):
			r.State = cluster.BeingDeleted
			p.open(r.Queue, false)
		}
	}
	p.cluster.PBS.Reservations = slices.DeleteFunc(p.cluster.PBS.Reservations, func(r model.PBSReservation) bool {
		return r.State == cluster.BeingDeleted && !r.End.After(p.now)
	})
}

func (p *simulation) open(queue string, started bool) {
	for i := range p.cluster.Queues {
		if q := &p.cluster.Queues[i]; q.Name == queue {
			q.PBS.Started = started
		}
	}
}

// advance goes to the moment of the next cycle, and ends the jobs that are over by then.
func (p *simulation) advance() bool {
	if !p.anyWaits() {
		return false
	}
	next, ok := p.nextChange()
	if !ok {
		p.forecast.Ending = forecast.NothingEnds
		return false
	}
	p.now = next
	for len(p.ends) > 0 && !p.ends[0].at.After(p.now) {
		p.cluster.End(p.ends[0].id)
		p.ends = p.ends[1:]
	}
	return true
}

// anyWaits reports whether a job waits that can start some time.
func (p *simulation) anyWaits() bool {
	held := false
	for i := range p.cluster.Jobs {
		j := p.cluster.Jobs[i].PBS
		switch j.State {
		case "Q":
			return true
		case "S":
			if j.Substate == cluster.SuspendedByScheduler {
				return true
			}
		case "B":
			if len(j.ArrayRemaining) > 0 {
				return true
			}
		case "W":
			if !p.cluster.Jobs[i].ExecutionTime.IsZero() {
				return true
			}
			held = true
		case "H":
			held = true
		}
	}
	if len(p.ends) > 0 && held {
		return true // an end may let it go
	}
	if p.forecast.Ending = forecast.AllStarted; held {
		p.forecast.Ending = forecast.OnlyHeld
	}
	return false
}

// nextChange is when something happens next that can let a job start.
func (p *simulation) nextChange() (time.Time, bool) {
	var next time.Time
	earlier := func(t time.Time) {
		if t.After(p.now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, e := range p.ends {
		earlier(e.at)
	}
	for i := range p.cluster.Jobs {
		if j := &p.cluster.Jobs[i]; j.PBS.State == "W" {
			earlier(j.ExecutionTime)
		}
	}
	for _, r := range p.cluster.PBS.Reservations {
		earlier(r.Start)
		earlier(r.End)
	}
	for _, d := range p.cluster.PBS.Dedicated {
		earlier(d.Start)
		earlier(d.End)
	}
	return p.primetime(next)
}

// primetime is the time given, or the end of the present state of primetime if that is sooner. Without anything else to
// come it counts for a week: after that all is as before.
func (p *simulation) primetime(next time.Time) (time.Time, bool) {
	k := clock.New(p.cluster.Snapshot, p.now)
	end := k.Ends(p.now.Unix())
	if end == clock.Forever {
		return next, !next.IsZero()
	}
	boundary := time.Unix(max(end, p.now.Unix()+1), 0).UTC()
	quiet := boundary.Sub(p.lastStart()) > 8*24*time.Hour
	if next.IsZero() && quiet {
		return next, false
	}
	if next.IsZero() || boundary.Before(next) {
		return boundary, true
	}
	return next, true
}

// lastStart is when a job last started, or the forecast began.
func (p *simulation) lastStart() time.Time {
	if n := len(p.forecast.Starts); n > 0 {
		return p.forecast.Starts[n-1].At
	}
	return p.At
}
