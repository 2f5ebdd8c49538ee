package check

import (
	"fmt"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
)

// survive reports results that are no number and exceptions. The scheduler dies of the first always, and of
// an exception where it is that of the first job after it starts.
func (r *Report) survive(jobs []Job) {
	byType := groups(jobs, func(j *Job) string { return j.Result.NoType })
	for _, g := range byType {
		r.add(noNumber(g))
	}
	raised := groups(jobs, func(j *Job) string {
		if j.Result.Err == nil {
			return ""
		}
		return j.Result.Err.Message
	})
	for _, g := range raised {
		r.add(exception(g, &jobs[0]))
	}
}

// A group are the jobs that have something in common.
type group struct {
	key   string
	jobs  []string
	first *Job
}

// groups sorts jobs by a key, in the order in which keys come first; jobs with an empty one are left out.
func groups(jobs []Job, key func(*Job) string) []*group {
	var list []*group
	by := map[string]*group{}
	for i := range jobs {
		j := &jobs[i]
		k := key(j)
		if k == "" {
			continue
		}
		if by[k] == nil {
			by[k] = &group{key: k, first: j}
			list = append(list, by[k])
		}
		by[k].jobs = append(by[k].jobs, j.ID())
	}
	return list
}

func (g *group) madeUp() bool { return g.first.madeUp != "" }

// ids are the jobs of a cluster, none of made-up ones.
func (g *group) ids() []string {
	if g.madeUp() {
		return nil
	}
	return g.jobs
}

// String names a few of the jobs.
func (g *group) String() string {
	if g.madeUp() {
		return "for " + strings.Join(g.jobs, ", and ")
	}
	return forJobs(g.jobs)
}

// noNumber reports results that are no number.
func noNumber(g *group) Problem {
	what := map[string]string{"int": "a whole number that is too large for a float", "complex": "a complex number"}[g.key]
	p := Problem{Severity: Error, Kind: NoNumber, Jobs: g.ids(),
		Text: fmt.Sprintf("the scheduler dies: the result is %s, not a number, %s", what, g)}
	switch g.key {
	case "complex":
		p.Hint = "a negative number has no real power with a fraction; use max(x, 0)**0.5"
	case "int":
		p.Hint = "compute with floats: they end at 1.8e308"
	}
	return p
}

// exception reports what some jobs raise.
func exception(g *group, first *Job) Problem {
	err := g.first.Result.Err
	p := of(err, Exception, "")
	p.Jobs, p.Hint = g.ids(), hint(err)
	switch err.Class {
	case python.Limit:
		p.Kind, p.Text = Hangs, fmt.Sprintf("the scheduler hangs %s: %s", g, err.Message)
		return p
	case python.Unsupported:
		p.Kind, p.Text = Unsupported, fmt.Sprintf("qprism cannot compute the value %s: %s", g, err.Message)
		return p
	}
	p.Text = fmt.Sprintf("%s: the value is 0 %s", err.Message, g)
	if g.first == first && !g.madeUp() {
		p.Text = fmt.Sprintf("the scheduler dies when it starts: the first job, %s, raises %q; once it "+
			"runs, the value is 0 %s", first.ID(),
			err.Message, g)
		return p
	}
	p.Severity = Warning
	p.Text += "; the scheduler dies if such a job is the first one that it evaluates after a start"
	return p
}

// hint is how to keep an exception away.
func hint(err *python.Error) string {
	switch {
	case err.Hint != "":
		return err.Hint
	case err.Class == python.ZeroDivisionError:
		return "guard the division: x/max(y, 1e-6)"
	case strings.Contains(err.Message, "math domain error"):
		return "guard the argument: log(max(x, 1e-6)), sqrt(max(x, 0))"
	case err.Class == python.OverflowError:
		return "bound the argument: exp(min(x, 700))"
	}
	return ""
}

// forJobs names a few jobs.
func forJobs(jobs []string) string {
	const few = 3
	switch n := len(jobs); {
	case n == 1:
		return "for job " + jobs[0]
	case n <= few:
		return "for jobs " + strings.Join(jobs, ", ")
	default:
		return fmt.Sprintf("for %d jobs (%s …)", n, strings.Join(jobs[:few], ", "))
	}
}

// tryMadeUp evaluates jobs that any cluster may have: one where every number is 1, and one that asks for
// nothing and whose entity has no shares.
func (r *Report) tryMadeUp(f *formula.Job) {
	ones := formula.Input{EligibleTime: 1, QueuePriority: 1, JobPriority: 1, Perc: 1, TreeUsage: 1, AccrueType: 1}
	for _, name := range r.Reads {
		ones.Amounts = append(ones.Amounts, model.Amount{Name: name, Value: 1})
	}
	jobs := []Job{{madeUp: "a job where every number is 1", input: ones},
		{madeUp: "a job that asks for nothing, of an entity without shares"}}
	for i := range jobs {
		jobs[i].Result = f.Evaluate(jobs[i].input)
	}
	r.survive(jobs)
	r.compareShares(f, ones)
}
