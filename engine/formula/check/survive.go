package check

import (
	"fmt"
	"strings"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
)

// survive reports results that are no number and exceptions. The scheduler dies of the first always, and of an exception
// where it is that of the first job after it starts.
func (r *Report) survive() {
	byType := groups(r.Jobs, func(j *Job) string { return j.Result.NoType })
	for _, g := range byType {
		p := noNumber(g.key, forJobs(g.jobs))
		p.Jobs = g.jobs
		r.add(p)
	}
	raised := groups(r.Jobs, func(j *Job) string {
		if j.Result.Err == nil {
			return ""
		}
		return j.Result.Err.Message
	})
	for _, g := range raised {
		r.add(exception(g, &r.Jobs[0]))
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

func noNumber(kind, who string) Problem {
	what := map[string]string{"int": "a whole number that no float holds", "complex": "a complex number"}[kind]
	p := Problem{Severity: Error, Kind: NoNumber, Text: fmt.Sprintf("the scheduler dies: the result is %s, not a number, %s", what, who)}
	switch kind {
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
	p.Jobs, p.Hint = g.jobs, hint(err)
	switch err.Class {
	case python.Limit:
		p.Kind, p.Text = Hangs, fmt.Sprintf("the scheduler hangs %s: %s", forJobs(g.jobs), err.Message)
		return p
	case python.Unsupported:
		p.Kind, p.Text = Unsupported, fmt.Sprintf("not known here %s: %s", forJobs(g.jobs), err.Message)
		return p
	}
	p.Text = fmt.Sprintf("%s: the value is 0 %s", err.Message, forJobs(g.jobs))
	if g.first == first {
		p.Text = fmt.Sprintf("the scheduler dies when it starts: the first job, %s, raises %q; once it runs, the value is 0 %s", first.ID(),
			err.Message, forJobs(g.jobs))
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

// tryMadeUp evaluates jobs that any cluster may have: one that asks for nothing and whose entity has no shares, and one
// where every number is 1.
func (r *Report) tryMadeUp(f *formula.Job) {
	ones := formula.Input{EligibleTime: 1, QueuePriority: 1, JobPriority: 1, Perc: 1, TreeUsage: 1, AccrueType: 1}
	for _, name := range r.Reads {
		ones.Amounts = append(ones.Amounts, amountOf(name, 1))
	}
	for _, c := range []struct {
		input formula.Input
		job   string
	}{{ones, "a job where every number is 1"}, {formula.Input{}, "a job that asks for nothing, of an entity without shares"}} {
		result := f.Evaluate(c.input)
		if p, bad := madeUp(result, c.job); bad && !r.has(p.Kind) {
			r.add(p)
		}
	}
	r.compareShares(f, []formula.Input{ones})
}

func madeUp(result formula.Result, job string) (p Problem, bad bool) {
	switch err := result.Err; {
	case result.NoType != "":
		return noNumber(result.NoType, "for "+job), true
	case err == nil:
		return p, false
	case err.Class == python.Limit:
		return of(err, Hangs, "the scheduler hangs for "+job+": "), true
	case err.Class == python.Unsupported:
		return of(err, Unsupported, "not known here for "+job+": "), true
	default:
		p = of(err, Exception, "")
		p.Severity, p.Hint = Warning, hint(err)
		p.Text = fmt.Sprintf("%s for %s: its value is 0, and the scheduler dies if it is the first one that it evaluates after a start",
			err.Message, job)
		return p, true
	}
}
