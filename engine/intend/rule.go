package intend

import (
	"strconv"

	"qprism/engine/model"
)

// A rule says which of two waiting jobs is to come before the other one, by a sentence about the order of jobs.
type rule struct {
	*Intention
	s *model.Snapshot
}

func ruleOf(i *Intention, s *model.Snapshot) rule { return rule{i, s} }

// A subject is all that a rule asks of a job.
type subject struct {
	first, second bool   // of Before: the sentence speaks of it in its first half; or in its second one alone
	group         string // of Within
	// of Within and Policies: by what decides, and by the policy of which the sentence does not speak
	values   [2]float64
	entitled [4]string // of Policies
}

func (r rule) subject(j *ranked) (s subject) {
	switch r.Kind {
	case Before:
		s.first = r.First.Selects(j.job)
		s.second = !s.first && r.Second.Selects(j.job) // before all jobs is before all others
	case Within:
		s.group, s.values[0] = whose(r.Each, j.job), j.value(r.By[0])
	case Policies:
		s.values, s.entitled = [2]float64{j.value(r.By[0]), j.value(r.third())}, r.entitled(r.s, j.job)
	}
	return s
}

// ahead reports whether one job is to come before another one.
func (r rule) ahead(a, b *subject) bool {
	switch r.Kind {
	case Before:
		return a.first && b.second
	case Within:
		return a.values[0] > b.values[0] && a.group == b.group
	}
	return a.values[0] > b.values[0] && a.values[1] >= b.values[1] && a.entitled != b.entitled
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

// entitled is by what tickets tell a job from others: its tickets fall with each job of the same
// entitlement, which is no precedence that anybody means. For other policies each job is one of its own.
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

// pair is the first pair that is broken.
func (t *tally) pair() *Counterexample {
	return &Counterexample{Jobs: []*model.Job{t.first.job, t.behind.job}, First: t.first.job, Behind: t.behind.job,
		Prio: [2]float64{t.first.prio, t.behind.prio}}
}

func count(list []ranked, r rule) (t tally) {
	list = list[:min(len(list), mostRanked)]
	subjects := make([]subject, len(list))
	for i := range list {
		subjects[i] = r.subject(&list[i])
	}
	for i := range list {
		for k := i + 1; k < len(list); k++ {
			switch a, b := &subjects[i], &subjects[k]; {
			case r.ahead(b, a):
				t.pairs++
				if t.broken++; t.broken == 1 {
					t.first, t.behind = &list[i], &list[k]
				}
			case r.ahead(a, b):
				t.pairs++
			}
		}
	}
	return t
}
