package intend

import (
	"strconv"

	"qprism/engine/model"
)

// A rule reports whether one waiting job is to come before another one.
type rule func(a, b *ranked) bool

// ruleOf is the rule of a sentence about the order of jobs; nil for other sentences.
func ruleOf(i *Intention, s *model.Snapshot) rule {
	switch i.Kind {
	case Before:
		return func(a, b *ranked) bool {
			return i.First.Selects(a.job) && i.Second.Selects(b.job) && !i.First.Selects(b.job) && !i.Second.Selects(a.job)
		}
	case Within:
		return func(a, b *ranked) bool {
			return whose(i.Each, a.job) == whose(i.Each, b.job) && compareBy(i.By[0], a, b) > 0
		}
	case Policies:
		return func(a, b *ranked) bool {
			return compareBy(i.By[0], a, b) > 0 && compareBy(i.third(), a, b) >= 0 && i.entitled(s, a.job) != i.entitled(s, b.job)
		}
	}
	return nil
}

// third is the policy that a sentence about two does not speak of.
func (i *Intention) third() string {
	for _, p := range []string{byUrgency, byTickets} {
		if p != i.By[0] && p != i.By[1] {
			return p
		}
	}
	return byPosix
}

// entitled is by what tickets tell a job from others: its tickets fall with each job of the same entitlement, which is no precedence that
// anybody means. For other policies each job is one of its own.
func (i *Intention) entitled(s *model.Snapshot, j *model.Job) (by [4]string) {
	if i.By[0] != byTickets {
		return [4]string{strconv.FormatUint(uint64(j.Number), 10)}
	}
	p := &s.Policy
	if p.ShareTreeTickets > 0 {
		return [4]string{j.Owner, j.Project}
	}
	for k, c := range []struct {
		weight float64
		name   string
	}{{p.WeightUser, j.Owner}, {p.WeightProject, j.Project}, {p.WeightDepartment, j.Department}} {
		if c.weight > 0 {
			by[k] = c.name
		}
	}
	return by
}

// whose is the user, project or department of a job.
func whose(each string, j *model.Job) string {
	switch each {
	case ofUser:
		return j.Owner
	case ofProject:
		return j.Project
	case ofDepartment:
		return j.Department
	}
	return ""
}

// mostRanked is how many waiting jobs are compared with one another.
const mostRanked = 1500

// A tally is what becomes of a rule in an order: the pairs that it speaks of, and those that stand the other way round.
type tally struct {
	pairs, broken int
	first, behind *ranked // of the first pair that is broken: the one that comes first, and the one that is to
}

func count(list []ranked, r rule) (t tally) {
	list = list[:min(len(list), mostRanked)]
	for i := range list {
		for k := i + 1; k < len(list); k++ {
			switch a, b := &list[i], &list[k]; {
			case r(b, a):
				t.pairs++
				if t.broken++; t.broken == 1 {
					t.first, t.behind = a, b
				}
			case r(a, b):
				t.pairs++
			}
		}
	}
	return t
}
