package whatif

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/gridengine/priority"
	"qprism/engine/model"
)

// scores are the names that a formula can use for what a Grid Engine computes of a job, with their meaning.
var scores = []struct {
	name string
	of   func(j *priority.Job) float64
}{
	{"prio", func(j *priority.Job) float64 { return j.Prio }},
	{"npprior", func(j *priority.Job) float64 { return j.NPPrior }},
	{"nurg", func(j *priority.Job) float64 { return j.Urgency.Norm }},
	{"ntckts", func(j *priority.Job) float64 { return j.First().NTckts }},
	{"urg", func(j *priority.Job) float64 { return j.Urgency.Total }},
	{"rrcontr", func(j *priority.Job) float64 { return j.Urgency.Resource }},
	{"wtcontr", func(j *priority.Job) float64 { return j.Urgency.Waiting }},
	{"dlcontr", func(j *priority.Job) float64 { return j.Urgency.Deadline }},
	{"tckts", func(j *priority.Job) float64 { return j.First().Total }},
	{"otckt", func(j *priority.Job) float64 { return j.First().Override }},
	{"ftckt", func(j *priority.Job) float64 { return j.First().Function }},
	{"stckt", func(j *priority.Job) float64 { return j.First().ShareTree }},
}

// names are the names that a formula can use with a snapshot of Grid Engine: what qstat prints (prio, nurg,
// urg, tckts …), slots and ncpus (the slots asked for, the least of a range), walltime (the run time asked
// for), resources with numbers, and those of a job_sort_formula: job_priority (-p), eligible_time (seconds
// since submission), fairshare_factor and the like.
func names(s *model.Snapshot) formula.Names {
	n := formula.Names{Numeric: []string{"slots", "ncpus", "walltime"}}
	for _, k := range scores {
		n.Numeric = append(n.Numeric, k.name)
	}
	for _, r := range s.Resources {
		if !r.Type.Numeric() {
			n.Other = append(n.Other, r.Name)
		} else if !slices.Contains(n.Numeric, r.Name) {
			n.Numeric = append(n.Numeric, r.Name)
		}
	}
	return n
}

// Formula ranks jobs by a job_sort_formula, as PBS evaluates it. The error says that it cannot be evaluated
// for any job. If it fails for one job, that job has the value 0.
func Formula(s *model.Snapshot, text string) (Variant, error) {
	f, err := formula.ParseJob(text, names(s))
	if err != nil {
		return nil, fmt.Errorf("formula %q: %w", text, err)
	}
	return func(in Input) map[uint32]float64 {
		var tree *Tree
		if f.UsesFairshare() {
			tree = NewTree(in.Snapshot)
		}
		values := make(map[uint32]float64, len(in.Result.Pending))
		for _, j := range in.Result.Pending {
			v := float64(f.Evaluate(inputOf(j, in.At, tree)).Value())
			if math.IsNaN(v) {
				v = 0
			}
			values[j.Job.Number] = v
		}
		return values
	}, nil
}

// inputOf is what a formula knows of a job.
func inputOf(j *priority.Job, at time.Time, tree *Tree) formula.Input {
	in := formula.Input{JobPriority: j.Job.PosixPriority, AccrueType: model.Eligible,
		EligibleTime: max(0, at.Unix()-j.Job.Submitted.Unix())}
	slots := float64(j.Job.LeastSlots())
	in.Amounts = []model.Amount{{Name: "slots", Value: slots}, {Name: "ncpus", Value: slots},
		{Name: "walltime", Value: runTime(j.Job)}}
	for _, k := range scores {
		in.Amounts = append(in.Amounts, model.Amount{Name: k.name, Value: k.of(j)})
	}
	for _, r := range j.Job.Hard {
		in.Amounts = append(in.Amounts, model.Amount{Name: r.Resource, Value: r.Amount})
	}
	if tree != nil {
		n := tree.Node(j.Job)
		in.Perc, in.TreeUsage = n.Perc, n.TreeUsage
	}
	return in
}

// runTime is what a job asks for as h_rt, else as s_rt, in seconds; 0 for neither.
func runTime(j *model.Job) float64 {
	for _, name := range []string{"h_rt", "s_rt"} {
		for _, r := range j.Hard {
			if strings.EqualFold(r.Resource, name) {
				return r.Amount
			}
		}
	}
	return 0
}
