package whatif

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/forecast"
	"qprism/engine/halves"
	"qprism/engine/model"
	"qprism/engine/order"
)

// A Report has the changes from one case to another.
type Report struct {
	At     time.Time
	TauB   float64 // of the two orders; NaN if one orders nothing
	Starts [2]int  // tasks that the run starts, in each case
	Jobs   []Job   // in the new order
	Groups []Group // users, projects, departments, sizes, each sorted by gain
	Ending [2]forecast.Ending
	Played bool // there are forecasts
}

// A Job is a waiting job in both cases, the present one first.
type Job struct {
	Job        *model.Job
	Size       int
	Rank       [2]int           // from 1
	Starts     [2]int           // tasks that the run starts
	Verdict    [2]model.Verdict // the best of its tasks
	Wait       [2]time.Duration // until its first task starts
	Never      [2]bool          // it does not start in the forecast
	WaitKnown  bool             // known in both
	ChangeWait time.Duration    // negative if it starts sooner
}

// Climbs is the number of places that a job moves forward.
func (j *Job) Climbs() int { return j.Rank[0] - j.Rank[1] }

// A Group is the sum over jobs of one user, project, department or size.
type Group struct {
	Kind, Name string
	Jobs       int
	Climbs     float64 // mean number of places forward
	Starts     [2]int
	Wait       [2]float64 // mean seconds, over jobs that start in both forecasts
	Waits      int        // number of these jobs
	Never      [2]int
}

// GainsWait is the mean number of seconds by which the group's jobs start sooner.
func (g *Group) GainsWait() float64 { return g.Wait[0] - g.Wait[1] }

// The kinds of groups.
const (
	ByUser       = "user"
	ByProject    = "project"
	ByDepartment = "department"
	BySize       = "size"
)

// Compare compares two cases with the same jobs: order and plan of a run, and, if play is not nil, forecasts.
func Compare(today, then *Case, at time.Time, play *forecast.Options) *Report {
	c := comparison{report: &Report{At: at}, byNumber: map[uint32]*Job{}}
	var first [2]*firstRun
	var played [2]*forecast.Forecast
	past := today.past(at)
	var both halves.Group // of cases that know nothing of each other
	for side, one := range []*Case{today, then} {
		both.Go(func() {
			first[side] = one.first(at, past)
			if play != nil {
				played[side] = first[side].forecast(*play)
			}
		})
	}
	both.Wait()
	c.rank(jobs(today.Snapshot), first[0].order, first[1].order)
	for side, f := range first {
		c.plan(side, f.plan)
	}
	if play != nil {
		c.report.Played = true
		for side, f := range played {
			c.play(side, f, play.At)
		}
	}
	c.finish()
	return c.report
}

type comparison struct {
	report   *Report
	byNumber map[uint32]*Job
}

// rank finds the places of jobs in both orders.
func (c *comparison) rank(known map[uint32]*model.Job, today, then []uint32) {
	a := places(today)
	for i, number := range then {
		if a[number] == 0 || known[number] == nil {
			continue
		}
		j := known[number]
		c.report.Jobs = append(c.report.Jobs, Job{Job: j, Size: j.LeastSlots(), Rank: [2]int{a[number], i + 1},
			Verdict: [2]model.Verdict{model.Never, model.Never}})
	}
	var x, y []int32
	for i := range c.report.Jobs {
		j := &c.report.Jobs[i]
		c.byNumber[j.Job.Number] = j
		x, y = append(x, int32(j.Rank[0])), append(y, int32(j.Rank[1]))
	}
	c.report.TauB = order.TauB(x, y)
}

func places(jobs []uint32) map[uint32]int {
	m := make(map[uint32]int, len(jobs))
	for i, number := range jobs {
		m[number] = i + 1
	}
	return m
}

// plan notes what a run starts.
func (c *comparison) plan(side int, p *model.Plan) {
	for i := range p.Decisions {
		d := &p.Decisions[i]
		j := c.byNumber[d.Job]
		if j == nil {
			continue
		}
		if d.Verdict == model.Now {
			j.Starts[side]++
			c.report.Starts[side]++
		}
		if weight(d.Verdict) > weight(j.Verdict[side]) {
			j.Verdict[side] = d.Verdict
		}
	}
}

func weight(v model.Verdict) int {
	return slices.Index([]model.Verdict{model.Never, model.Later, model.Now}, v)
}

// play notes when the first task of each job starts in a forecast.
func (c *comparison) play(side int, f *forecast.Forecast, at time.Time) {
	c.report.Ending[side] = f.Ending
	started := map[uint32]bool{}
	for _, s := range f.Starts {
		if j := c.byNumber[s.Job]; j != nil && !started[s.Job] {
			started[s.Job] = true
			j.Wait[side] = max(0, s.At.Sub(at.Truncate(time.Second)))
		}
	}
	for number, j := range c.byNumber {
		j.Never[side] = !started[number]
	}
}

// finish adds up groups.
func (c *comparison) finish() {
	groups := map[[2]string]*Group{}
	for i := range c.report.Jobs {
		j := &c.report.Jobs[i]
		if j.WaitKnown = c.report.Played && !j.Never[0] && !j.Never[1]; j.WaitKnown {
			j.ChangeWait = j.Wait[1] - j.Wait[0]
		}
		for _, key := range groupsOf(j) {
			g := groups[key]
			if g == nil {
				g = &Group{Kind: key[0], Name: key[1]}
				groups[key] = g
			}
			g.add(j)
		}
	}
	for _, g := range groups {
		g.Climbs /= float64(g.Jobs)
		for side := range g.Wait {
			if g.Waits > 0 {
				g.Wait[side] /= float64(g.Waits)
			}
		}
		c.report.Groups = append(c.report.Groups, *g)
	}
	slices.SortFunc(c.report.Groups, compareGroups)
}

// groupsOf are the groups of a job.
func groupsOf(j *Job) [][2]string {
	keys := [][2]string{{ByUser, j.Job.Owner}, {BySize, sizeClass(j.Size)}}
	if j.Job.Project != "" {
		keys = append(keys, [2]string{ByProject, j.Job.Project})
	}
	if j.Job.Department != "" {
		keys = append(keys, [2]string{ByDepartment, j.Job.Department})
	}
	return keys
}

func (g *Group) add(j *Job) {
	g.Jobs++
	g.Climbs += float64(j.Climbs())
	for side := range g.Starts {
		g.Starts[side] += j.Starts[side]
		if j.Never[side] {
			g.Never[side]++
		}
		if j.WaitKnown {
			g.Wait[side] += j.Wait[side].Seconds()
		}
	}
	if j.WaitKnown {
		g.Waits++
	}
}

// compareGroups sorts by kind, and then those that gain most first; sizes are in their own order.
func compareGroups(a, b Group) int {
	kinds := []string{ByUser, ByProject, ByDepartment, BySize}
	if c := cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)); c != 0 || a.Kind == BySize {
		return cmp.Or(c, compareSizes(a.Name, b.Name))
	}
	return cmp.Or(cmp.Compare(b.GainsWait(), a.GainsWait()), cmp.Compare(b.Climbs, a.Climbs),
		strings.Compare(a.Name, b.Name))
}

// Mean is the mean wait in seconds of the jobs that start in both forecasts, and their number; NaN without
// jobs.
func (r *Report) Mean() (mean [2]float64, jobs int) {
	for i := range r.Jobs {
		if j := &r.Jobs[i]; j.WaitKnown {
			jobs++
			for side := range mean {
				mean[side] += j.Wait[side].Seconds()
			}
		}
	}
	for side := range mean {
		if mean[side] /= float64(jobs); jobs == 0 {
			mean[side] = math.NaN()
		}
	}
	return mean, jobs
}
