package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// maxPairs is how many waiting jobs are compared with one another.
const maxPairs = 1500

// A precedence is one policy that is meant to come before another one: pairs of waiting jobs that it tells
// apart, and what the lesser one makes of them.
type precedence struct {
	pairs, turned int    // pairs, and those that the lesser policy turns round
	apart, among  string // how the jobs of a pair differ, and of which jobs, where not of all
	first         [2]*priority.Job
	holds         float64 // up to this part of the greater weight the lesser one turns no pair round
}

// precedence looks at the waiting jobs of a result. Pairs are told apart by what their owners, projects and
// departments are entitled to: tickets of jobs of one and the same fall 1, 1/2, 1/3 …, which is no
// precedence that anybody meant.
func (l *linter) precedence(jobs []*priority.Job, a, b weight) (p precedence) {
	p.holds = math.Inf(1)
	if len(jobs) > maxPairs {
		jobs, p.among = jobs[:maxPairs], fmt.Sprintf(" among the first %d", maxPairs)
	}
	if a.key == "weight_ticket" {
		p.apart = " with different rights to tickets"
		if kinds := l.shareKinds(); kinds != "" && l.onlyFunctional() {
			p.apart = " with different " + kinds + " shares"
		}
	}
	class := l.classes(jobs, a)
	for i, first := range jobs {
		for k, second := range jobs[i+1:] {
			if a.of(first) == a.of(second) || class[i] != "" && class[i] == class[i+1+k] {
				continue
			}
			p.pairs++
			more, less := first, second
			if a.of(first) < a.of(second) {
				more, less = second, first
			}
			if b.of(less) <= b.of(more) {
				continue
			}
			part := (a.of(more) - a.of(less)) / (b.of(less) - b.of(more))
			p.holds = min(p.holds, part)
			if part*a.value < b.value {
				if p.turned++; p.turned == 1 {
					p.first = [2]*priority.Job{less, more}
				}
			}
		}
	}
	return p
}

// classes are what tickets tell jobs apart by, "" for other policies.
func (l *linter) classes(jobs []*priority.Job, a weight) []string {
	list := make([]string, len(jobs))
	if a.key != "weight_ticket" {
		return list
	}
	cats := slices.DeleteFunc(l.categories(), func(c category) bool { return c.weight <= 0 })
	for i, j := range jobs {
		var words []string
		if l.policy.FunctionalTickets > 0 {
			for _, c := range cats {
				words = append(words, fmt.Sprint(c.shares(j.Job)))
			}
		}
		if l.policy.ShareTreeTickets > 0 {
			words = append(words, "tree", j.Job.Project, j.Job.Owner)
		}
		list[i] = strings.Join(append(words, fmt.Sprint(j.First().Override)), "/")
	}
	return list
}

// says tells what the lesser policy does to the greater one's order.
func (p precedence) says(a, b weight) string {
	more := map[string]string{"weight_priority": "a higher -p", "weight_urgency": "more urgency", "weight_ticket": "more tickets"}[a.key]
	pairs := fmt.Sprintf("%s alone would order %s of waiting jobs%s%s", a.name, lint.Many(p.pairs, "pair"), p.apart,
		p.among)
	if p.turned == 0 {
		does := map[string]string{"s": "does", "": "do"}[b.s()]
		return lint.Sentences(pairs, fmt.Sprintf("%s %s not reverse the order of any of these pairs", b.name, does))
	}
	return lint.Sentences(pairs, fmt.Sprintf("%s reverse%s the order of %d of these pairs", b.name, b.s(), p.turned),
		fmt.Sprintf("for example, job %s comes before job %s, although job %d has %s",
			whose(p.first[0]), whose(p.first[1]), p.first[1].Job.Number, more))
}

// whose names a job by its owner, and by its department where it has one of its own.
func whose(j *priority.Job) string {
	if d := j.Job.Department; d != "" && d != "defaultdepartment" {
		return fmt.Sprintf("%d of %s (%s)", j.Job.Number, j.Job.Owner, d)
	}
	return fmt.Sprintf("%d of %s", j.Job.Number, j.Job.Owner)
}

// A remedy is other weights.
type remedy struct {
	pairs  []string // key, value, key, value …
	values map[string]float64
}

func (r *remedy) change(p *model.Policy) {
	for key, value := range r.values {
		setWeight(p, key, value)
	}
}

// verified reports whether the lesser policy turns no pair of waiting jobs round when the run is recomputed
// with the remedy.
func (l *linter) verified(r *remedy, a, b weight) bool {
	policy := *l.policy
	r.change(&policy)
	a.value, b.value = weightOf(&policy, a.key), weightOf(&policy, b.key)
	mended := l.under(func(s *model.Snapshot) { r.change(&s.Policy) })
	return l.precedence(mended.Pending, a, b).turned == 0
}

// jobsUntilTurned is the number of waiting jobs at which the order of two shares can reverse: a job of the
// greatest share falls behind a job of the smallest. Tickets fall with each waiting job, with
// share_functional_shares and without it (R25). It is 0 if several kinds of shares divide the tickets.
func (l *linter) jobsUntilTurned(a, b weight) int {
	shares := l.sharesAlone(a)
	if len(shares) < 2 {
		return 0
	}
	least, most := shares[0], shares[len(shares)-1]
	return int(most/(least+float64(most*b.value/a.value))) + 1
}

// partFor is the part of the greater weight that the lesser one may be for a number of waiting jobs: at
// most half of those with which the shares alone turn round.
func (l *linter) partFor(a weight, jobs int) (part float64, holds int) {
	shares := l.sharesAlone(a)
	if len(shares) < 2 {
		return math.Inf(1), 0
	}
	ratio := shares[0] / shares[len(shares)-1]
	n := min(float64(jobs), math.Floor(0.5/ratio))
	if n < 1 {
		return 0, 0
	}
	return 1/n - ratio, int(n)
}

// sharesAlone are the different functional shares of the jobs, the least first, where these alone make
// tickets and are of one kind.
func (l *linter) sharesAlone(a weight) (list []float64) {
	used := l.sharedBy()
	if a.key != "weight_ticket" || len(used) != 1 || !l.onlyFunctional() {
		return nil
	}
	for _, j := range l.all {
		list = append(list, float64(used[0].shares(j.Job)))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// onlyFunctional reports whether functional shares alone make tickets.
func (l *linter) onlyFunctional() bool { return slices.Equal(l.ticketsUsed(), []string{"functional"}) }

// sharedBy are the categories with a weight in which a job has shares.
func (l *linter) sharedBy() []category {
	return slices.DeleteFunc(l.categories(), func(c category) bool {
		return c.weight <= 0 || !slices.ContainsFunc(l.all, func(j *priority.Job) bool { return c.shares(j.Job) > 0 })
	})
}

// shareKinds names the kinds of shares that these categories have: "department", or "user or project".
func (l *linter) shareKinds() string {
	var kinds []string
	for _, c := range l.sharedBy() {
		kinds = append(kinds, strings.TrimPrefix(c.key, "weight_"))
	}
	return strings.Join(kinds, " or ")
}

func weightOf(p *model.Policy, key string) float64 {
	switch key {
	case "weight_priority":
		return p.WeightPriority
	case "weight_urgency":
		return p.WeightUrgency
	}
	return p.WeightTicket
}

func setWeight(p *model.Policy, key string, value float64) {
	switch key {
	case "weight_priority":
		p.WeightPriority = value
	case "weight_urgency":
		p.WeightUrgency = value
	case "weight_ticket":
		p.WeightTicket = value
	}
}
