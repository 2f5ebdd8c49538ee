package synthesis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
	"qprism/engine/pbs/simulate"
	"qprism/engine/whatif"
)

// The kinds of groups.
const (
	byAll     = "all"
	byOwner   = "user"
	byProject = "project"
	bySize    = "size"
)

// shortJob is the least run time that a slowdown is bounded by (Feitelson and others 1997).
const shortJob = 10 * time.Second

// Play makes two forecasts from the newest snapshot, one under Grid Engine and one under a candidate, without
// new jobs. Values set by a hook or periodic job stay the same.
func (c *Candidate) Play(h History, base Base, o forecast.Options) *Outcome {
	now := h.Present()
	x := now.Play("PBS", func(o forecast.Options) *forecast.Forecast { return c.Forecast(h, base, o) }, o)
	if every := now.Snapshot.Policy.ScheduleInterval; every > time.Minute {
		x.Notes = append(x.Notes,
			fmt.Sprintf("Grid Engine runs every %v (schedule_interval), PBS whenever a job ends. "+
				"This causes a part of the difference.", every))
	}
	return x
}

// Forecast forecasts from the newest snapshot under a candidate.
func (c *Candidate) Forecast(h History, base Base, o forecast.Options) *forecast.Forecast {
	return simulate.Forecast(c.translate(append(h[:len(h)-1:len(h)-1], h.Present()), base), o)
}

// Order is the order in which PBS tries the waiting jobs of the last run.
func (c *Candidate) Order(h History, base Base) []uint32 {
	return (&whatif.Case{Snapshot: c.translate(h, base)}).Order(h[len(h)-1].At)
}

// Present is the run at the moment of the newest snapshot.
func (h History) Present() Run {
	last := h[len(h)-1]
	now := Of(last.Snapshot, last.Snapshot.TakenAt, last.Quirks)
	now.Name = last.Name
	return now
}

// Of is the run at a moment.
func Of(s *model.Snapshot, at time.Time, q model.Quirks) Run {
	now := Run{Snapshot: s, At: at, Quirks: q}
	v := lastrun.Recompute(now.Snapshot, now.At, now.Quirks, split.Assumed{})
	now.Lists, now.Result = v.Lists, v.Result
	return now
}

// Play forecasts the waiting jobs of a Grid Engine run, under Grid Engine and under another system.
func (now Run) Play(system string, other func(forecast.Options) *forecast.Forecast, o forecast.Options) *Outcome {
	o.At = now.At
	if d := now.Snapshot.Policy.DefaultDuration; o.Estimate == 0 && d < model.Forever {
		o.Estimate = d // Grid Engine's own guess; PBS would take five years
	}
	today := &whatif.Case{Snapshot: now.Snapshot, Quirks: now.Quirks}
	var waiting []*model.Job
	for _, j := range now.Result.Pending {
		waiting = append(waiting, j.Job)
	}
	return compareForecasts(now.At, waiting, slots(now.Snapshot), [2]string{"Grid Engine", system},
		[2]*forecast.Forecast{today.Forecast(o), other(o)})
}

// compareForecasts compares the forecasts of two systems for the waiting jobs, with this number of slots.
func compareForecasts(at time.Time, waiting []*model.Job, slots int, systems [2]string,
	forecasts [2]*forecast.Forecast) *Outcome {
	x := &outcome{Outcome: &Outcome{At: at}, jobs: map[uint32]*played{}}
	for _, j := range waiting {
		x.jobs[j.Number] = &played{job: j}
	}
	for side, f := range forecasts {
		x.note(side, systems[side], f)
	}
	x.finish(slots)
	return x.Outcome
}

// slots are those of all hosts, each with the most that a queue instance there has.
func slots(s *model.Snapshot) (n int) {
	of := map[string]int{}
	for i := range s.Instances {
		of[s.Instances[i].Host] = max(of[s.Instances[i].Host], s.Instances[i].Slots)
	}
	for i := range s.Hosts {
		n += of[s.Hosts[i].Name]
	}
	return n
}

type outcome struct {
	*Outcome
	jobs map[uint32]*played
	last [2]time.Time // when the last job starts
	work [2][]forecast.Start
}

// A played job is a waiting job with its first start in both forecasts.
type played struct {
	job   *model.Job
	start [2]forecast.Start
	there [2]bool
}

// note keeps what a forecast starts.
func (x *outcome) note(side int, system string, f *forecast.Forecast) {
	x.work[side] = append(x.work[side], f.Running...)
	for _, s := range f.Starts {
		j := x.jobs[s.Job]
		if j == nil {
			continue
		}
		x.work[side] = append(x.work[side], s)
		if s.At.After(x.last[side]) {
			x.last[side] = s.At
		}
		if !j.there[side] {
			j.there[side], j.start[side] = true, s
		}
	}
	if f.Ending != forecast.AllStarted && f.Ending != forecast.OnlyHeld {
		x.Notes = append(x.Notes, fmt.Sprintf("The forecast of %s ended because %s.", system, f.Ending))
	}
}

// finish adds up groups.
func (x *outcome) finish(slots int) {
	groups := map[[2]string]*Group{}
	for _, number := range slices.Sorted(maps.Keys(x.jobs)) { // sums come out the same each time
		j := x.jobs[number]
		for side := range j.there {
			if !j.there[side] {
				x.Never[side]++
			}
		}
		if !j.there[0] || !j.there[1] {
			continue
		}
		x.Jobs++
		for _, key := range keysOf(j.job) {
			if groups[key] == nil {
				groups[key] = &Group{Kind: key[0], Name: key[1]}
			}
			groups[key].add(j)
		}
	}
	for _, g := range groups {
		for side := range g.Wait {
			g.Wait[side] /= float64(g.Jobs)
			g.Slowdown[side] /= float64(g.Jobs)
		}
		x.Groups = append(x.Groups, *g)
	}
	kinds := []string{byAll, byOwner, byProject, bySize}
	slices.SortFunc(x.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			cmp.Compare(len(a.Name), len(b.Name))*onlyIf(a.Kind == bySize), cmp.Compare(a.Name, b.Name))
	})
	x.utilise(slots)
}

func onlyIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// keysOf are the groups of a job.
func keysOf(j *model.Job) [][2]string {
	keys := [][2]string{{byAll, ""}, {byOwner, j.Owner}}
	if j.Project != "" {
		keys = append(keys, [2]string{byProject, j.Project})
	}
	return append(keys, [2]string{bySize, fmt.Sprint(j.LeastSlots())})
}

// add counts a job that starts in both forecasts.
func (g *Group) add(j *played) {
	g.Jobs++
	for side, s := range j.start {
		wait := max(0, s.At.Sub(j.job.Submitted))
		g.Wait[side] += wait.Seconds()
		run := shortJob
		if !s.End.IsZero() {
			run = max(run, s.End.Sub(s.At))
		}
		g.Slowdown[side] += max(1, (wait+run).Seconds()/run.Seconds())
	}
}

// utilise finds which part of the slots the running and started jobs use until the last one has started in both.
func (x *outcome) utilise(slots int) {
	until := x.last[0]
	if x.last[1].After(until) {
		until = x.last[1]
	}
	all := float64(slots) * until.Sub(x.At).Seconds()
	if all <= 0 {
		return
	}
	for side, starts := range x.work {
		for _, s := range starts {
			end := until
			if !s.End.IsZero() && s.End.Before(until) {
				end = s.End
			}
			n := 0
			for _, g := range s.Slots {
				n += g.Slots
			}
			from := s.At
			if from.Before(x.At) {
				from = x.At // it runs already
			}
			if d := end.Sub(from); d > 0 {
				x.Utilisation[side] += float64(max(n, 1)) * d.Seconds() / all
			}
		}
	}
}
