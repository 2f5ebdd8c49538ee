package lint

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// A weight is the weight of one of the three policies.
type weight struct {
	key, name string
	value     float64
	used      bool // something is configured that the policy can tell jobs apart by
	of        func(*priority.Job) float64
}

// weights are those of the three policies, the greatest first.
func (l *linter) weights() []weight {
	p := l.policy
	list := []weight{
		{"weight_priority", "-p", p.WeightPriority, l.posixUsed(), func(j *priority.Job) float64 { return j.NPPrior }},
		{"weight_urgency", "urgency", p.WeightUrgency, l.urgencyUsed(), func(j *priority.Job) float64 {
			return j.Urgency.Norm
		}},
		{"weight_ticket", "tickets", p.WeightTicket, len(l.ticketsUsed()) > 0, func(j *priority.Job) float64 {
			return j.First().NTckts
		}},
	}
	slices.SortStableFunc(list, func(a, b weight) int { return cmp.Compare(b.value, a.value) })
	return list
}

// s is the ending of a verb behind the policy's name.
func (w weight) s() string {
	if w.name == "tickets" {
		return ""
	}
	return "s"
}

// An urgentResource has an urgency.
type urgentResource struct {
	*model.Resource
	urgency float64
}

// urgent are the resources with an urgency, in the order of the complex.
func (l *linter) urgent() (list []urgentResource) {
	for i := range l.Resources {
		if u, err := model.ParseNumber(l.Resources[i].Urgency); err == nil && u != 0 {
			list = append(list, urgentResource{&l.Resources[i], u})
		}
	}
	return list
}

func (l *linter) posixUsed() bool {
	return slices.ContainsFunc(l.all, func(j *priority.Job) bool { return j.Job.PosixPriority != 0 })
}

func (l *linter) urgencyUsed() bool {
	return l.policy.WeightWaitingTime != 0 || len(l.urgent()) > 0
}

// weightsTooNear finds weights of which one is greater, as if its policy came first, but the lesser one can
// turn its order round: because it is more than a tenth, or because tickets, which nobody chooses job by
// job, are turned round at hand. Equal weights are meant to be weighed against each other.
func weightsTooNear(l *linter) []lint.Trap {
	var used []weight
	for _, w := range l.weights() {
		if w.used && w.value > 0 {
			used = append(used, w)
		}
	}
	for i := 1; i < len(used); i++ {
		a, b := used[i-1], used[i]
		if a.value == b.value {
			continue
		}
		if p := l.precedence(l.waiting(), a, b); a.value < 9.999*b.value || a.key == "weight_ticket" && p.turned > 0 {
			return []lint.Trap{l.tooNear(used[i:], a, p)}
		}
	}
	return nil
}

// tooNear says how far a precedence goes, and what makes it hold: only what does so when the run is recomputed.
func (l *linter) tooNear(lesser []weight, a weight, p precedence) lint.Trap {
	b := lesser[0]
	what := fmt.Sprintf("%s is only %s times %s, so %s %s always decide first", a.key,
		lint.Rounded(a.value/b.value), b.key, a.name,
		doNot(a))
	if n := l.jobsUntilTurned(a, b); n > 0 {
		what += fmt.Sprintf(". An owner's second job gets 1/2 of the first job's tickets, and the third job gets "+
			"1/3. So an owner's %s waiting job can come after jobs of other owners, even if this owner has the most shares", ordinal(n))
	}
	trap := lint.Trap{Name: "weights-too-near", What: what, Place: l.Sched(b.key), Effect: p.says(a, b)}
	r, holds := l.lesserWeights(lesser, a, p)
	if r == nil || !l.verified(r, a, b) {
		trap.Effect += fmt.Sprintf(". No weight of %s corrects this", b.name)
		return trap
	}
	trap.Effect = lint.Sentences(trap.Effect, l.moved(func(s *model.Snapshot) { r.change(&s.Policy) }))
	if holds > 0 {
		trap.Effect += fmt.Sprintf(". The fix is enough for up to %d waiting jobs. After the fix, if jobs have "+
			"equal shares, the oldest job gets the most tickets and comes first", holds)
	}
	trap.Fix = []string{setSched(r.pairs...)}
	return trap
}

// mostWaiting is for how many waiting jobs a remedy is made at the least.
const mostWaiting = 100

// lesserWeights are weights that are small enough for the present jobs and for ten times as many; nil if
// there are none. With tickets it returns the number of jobs.
func (l *linter) lesserWeights(lesser []weight, a weight, p precedence) (r *remedy, holds int) {
	part, holds := l.partFor(a, max(10*len(l.waiting()), mostWaiting))
	part = min(0.1, 0.9*p.holds, part)
	factor := oneDigit(a.value*part) / lesser[0].value
	if !(factor > 0) || factor >= 1 {
		return nil, 0
	}
	r = &remedy{values: map[string]float64{}}
	for _, w := range lesser {
		r.values[w.key] = lint.Nearest(w.value * factor)
		r.pairs = append(r.pairs, w.key, lint.Number(r.values[w.key]))
	}
	return r, holds
}

func doNot(w weight) string {
	if w.s() == "s" {
		return "does not"
	}
	return "do not"
}

// ordinal is a place in words, "31st".
func ordinal(n int) string {
	switch {
	case n%100/10 == 1:
		return fmt.Sprintf("%dth", n)
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// oneDigit cuts a number off behind its first digit that counts.
func oneDigit(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x*1.0000001)))
	return lint.Nearest(math.Floor(x/unit+1e-6) * unit)
}
