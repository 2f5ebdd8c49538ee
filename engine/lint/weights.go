package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"qprism/engine/gridengine/priority"
	"qprism/engine/model"
)

// A weight is that of one of the three policies.
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
		{"weight_urgency", "urgency", p.WeightUrgency, l.urgencyUsed(), func(j *priority.Job) float64 { return j.Urgency.Norm }},
		{"weight_ticket", "tickets", p.WeightTicket, len(l.ticketsUsed()) > 0, func(j *priority.Job) float64 { return tickets(j).NTckts }},
	}
	slices.SortStableFunc(list, func(a, b weight) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return 0
	})
	return list
}

// s is the ending of a verb behind the policy's name.
func (w weight) s() string {
	if w.name == "tickets" {
		return ""
	}
	return "s"
}

func (l *linter) posixUsed() bool {
	return slices.ContainsFunc(l.all(), func(j *priority.Job) bool { return j.Job.PosixPriority != 0 })
}

func (l *linter) urgencyUsed() bool {
	return l.policy.WeightWaitingTime != 0 || slices.ContainsFunc(l.Resources, func(r model.Resource) bool {
		u, err := model.ParseNumber(r.Urgency)
		return err == nil && u != 0
	})
}

// weightsTooNear finds weights of which one is greater, as if its policy came first, but less than ten times. Equal ones
// are meant to be weighed against each other.
func weightsTooNear(l *linter) []Trap {
	var used []weight
	for _, w := range l.weights() {
		if w.used && w.value > 0 {
			used = append(used, w)
		}
	}
	for i := 1; i < len(used); i++ {
		if a, b := used[i-1], used[i]; a.value > b.value && a.value < 9.999*b.value {
			return []Trap{l.tooNear(used, a, b)}
		}
	}
	return nil
}

func (l *linter) tooNear(used []weight, a, b weight) Trap {
	var pairs []string
	value := used[0].value
	mended := map[string]float64{}
	for _, w := range used[1:] {
		value = nearest(value / 10)
		if w.value > value {
			mended[w.key] = value
			pairs = append(pairs, w.key, number(value))
		} else {
			value = w.value
		}
	}
	return Trap{
		Name:  "weights-too-near",
		What:  fmt.Sprintf("%s is %s times %s: more, but not so much more that %s always come%s first, which takes a factor of ten", a.key, rounded(a.value/b.value), b.key, a.name, a.s()),
		Place: l.sched(b.key),
		Effect: l.overruled(a, b) + "; " + l.moved(func(s *model.Snapshot) {
			for key, value := range mended {
				setWeight(&s.Policy, key, value)
			}
		}),
		Fix: []string{setSched(pairs...)},
	}
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

// nearest cuts off what binary fractions leave behind.
func nearest(x float64) float64 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, 6-math.Ceil(math.Log10(x)))
	return math.Round(x*unit) / unit
}

// maxPairs is how many waiting jobs are compared with one another.
const maxPairs = 1500

// overruled counts the pairs of waiting jobs that the greater policy orders one way and the lesser turns round.
func (l *linter) overruled(a, b weight) string {
	jobs := l.waiting()
	among := ""
	if len(jobs) > maxPairs {
		jobs, among = jobs[:maxPairs], fmt.Sprintf(" among the first %d", maxPairs)
	}
	told, turned, example := 0, 0, ""
	for i, first := range jobs {
		for _, second := range jobs[i+1:] {
			if a.of(first) == a.of(second) {
				continue
			}
			told++
			if a.of(first) < a.of(second) && a.value*(a.of(second)-a.of(first)) < b.value*(b.of(first)-b.of(second)) {
				if turned++; turned == 1 {
					example = fmt.Sprintf(": job %d of %s comes before job %d of %s", first.Job.Number, first.Job.Owner, second.Job.Number, second.Job.Owner)
				}
			}
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%s turn%s round %d of the %s of waiting jobs that %s %s apart%s%s", b.name, b.s(), turned, many(told, "pair"), a.name, "tell"+a.s(), among, example))
}
