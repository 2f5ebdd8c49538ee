package lint

import (
	"fmt"
	"math"
	"strconv"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
)

// notFinite finds weights that are infinite, or with which sums are: priorities are then no numbers, and
// whatever is computed from them is none either. A job without a known submission has no number for another
// reason.
func notFinite(l *linter) []lint.Trap {
	jobs := those(l.all, func(j *priority.Job) bool {
		u := j.Urgency
		return !j.Job.Submitted.IsZero() && !finite(u.Total, u.Norm, l.blend(j))
	})
	key, value, fix := l.greatest()
	if len(jobs) == 0 && finite(value) {
		return nil
	}
	effect := "there is no job now"
	if len(jobs) > 0 {
		effect = fmt.Sprintf("the priority of %s is not a number: %s", lint.Many(len(jobs), "job"), numbers(jobs))
	}
	return []lint.Trap{{
		Name: "weight-too-great",
		What: fmt.Sprintf("%s %s is too large: priorities become infinite or not a number, so the order "+
			"of jobs is arbitrary", key, text(value)),
		Place:  l.place(key),
		Effect: effect + ". qprism checks nothing else until this is corrected",
		Fix:    []string{fix},
	}}
}

// blend is the priority of a job.
func (l *linter) blend(j *priority.Job) float64 {
	return l.view.Result.Weights.Blend(j.Urgency.Norm, j.First().NTckts, j.NPPrior)
}

func finite(numbers ...float64) bool {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// text is the shortest form of a number that people read; great ones have an exponent.
func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// greatest is the weight or the urgency of a resource that is farthest from 0. The command sets it to the
// default of sched_conf(5) or complex(5).
func (l *linter) greatest() (key string, value float64, fix string) {
	p := l.policy
	for _, w := range []struct {
		key   string
		value float64
		stock string
	}{
		{"weight_waiting_time", p.WeightWaitingTime, "0"}, {"weight_deadline", p.WeightDeadline, "3600000"},
		{"weight_urgency", p.WeightUrgency, "0.1"},
		{"weight_ticket", p.WeightTicket, "0.01"}, {"weight_priority", p.WeightPriority, "1"},
	} {
		if math.Abs(w.value) > math.Abs(value) {
			key, value, fix = w.key, w.value, setSched(w.key, w.stock)
		}
	}
	for _, r := range l.urgent() {
		if math.Abs(r.urgency) > math.Abs(value) {
			key, value, fix = r.Name, r.urgency, setUrgency(r.Name, "0")
		}
	}
	return key, value, fix
}

// place is the line of a weight, or of a resource.
func (l *linter) place(key string) lint.Place {
	for _, r := range l.Resources {
		if r.Name == key {
			return l.First("complex.txt", key)
		}
	}
	return l.Sched(key)
}
