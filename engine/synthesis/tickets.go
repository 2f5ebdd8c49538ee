package synthesis

import (
	"maps"
	"math"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/ticket"
)

// A till gives out functional and override tickets as sge_priority(5) says, to the jobs of a crowd.
//
// It differs from Grid Engine's scheduler in what a hook of PBS cannot know: an array counts as one task, and the jobs of a
// category are served in the order of their submission, whatever the share tree gave them before.
type till struct {
	policy *model.Policy
	parts  map[ticket.Party]float64 // functional tickets of each category
	frozen map[ticket.Party]float64 // what shares add up to, where that is not counted anew; nil where it is

	served  *round // the last time that tickets were given out
	version int    // of the crowd
}

func newTill(s *model.Snapshot) *till {
	p := &s.Policy
	t := &till{policy: p, parts: map[ticket.Party]float64{}}
	all := p.WeightUser + p.WeightProject + p.WeightDepartment + p.WeightJob
	if all > 0 {
		for party, w := range map[ticket.Party]float64{ticket.ByUser: p.WeightUser, ticket.ByProject: p.WeightProject,
			ticket.ByDepartment: p.WeightDepartment, ticket.ByJob: p.WeightJob} {
			t.parts[party] = float64(p.FunctionalTickets) * w / all
		}
	}
	return t
}

// freeze lets the functional shares of all users, projects and departments that take part in a run stand for those of any.
func (t *till) freeze(run Run, a accounts) {
	t.frozen = map[ticket.Party]float64{}
	seen := map[string]bool{}
	for _, j := range run.Result.Jobs {
		for p, name := range map[ticket.Party]string{ticket.ByUser: j.Job.Owner, ticket.ByProject: j.Job.Project, ticket.ByDepartment: j.Job.Department} {
			if key := string(p) + "/" + name; !seen[key] {
				seen[key] = true
				t.frozen[p] += float64(a.of[p][name].shares) // whole numbers: the order does not matter
			}
		}
	}
}

// key ranks a job among those of its node of the share tree: by the tickets that it has by then where policy_hierarchy says
// so, with its job share as a small change.
func (t *till) key(r *resident) float64 {
	key := float64(r.jobShare)
	if strings.Contains(t.policy.Hierarchy, "S") {
		key = 0.01*key + t.had(r, "S")
	}
	return math.RoundToEven(thousandth * key)
}

// had are the tickets of earlier policies that a policy of the hierarchy ranks a job by: override tickets that are shared
// count always, others and functional ones where the hierarchy names them. Those of the share tree are not known here.
func (t *till) had(r *resident, policy string) (sum float64) {
	h := t.policy.Hierarchy
	for _, p := range "OFS" {
		if !strings.ContainsRune(h, p) {
			h += string(p)
		}
	}
	before, _, _ := strings.Cut(h, policy)
	if strings.Contains(before, "O") && (t.policy.ShareOverrideTickets || strings.Contains(t.policy.Hierarchy, "O")) {
		sum += r.shared + float64(r.override)
	}
	if strings.Contains(before, "F") && strings.Contains(t.policy.Hierarchy, "F") {
		sum += r.functioned
	}
	return sum
}

// override are the override tickets of a job's user, project and department, divided by the tasks that these have already.
func (t *till) override(r *resident, tasks map[ticket.Party]map[string]float64) (sum float64) {
	for _, p := range parties {
		n := tasks[p][r.names[p]] + 1
		if !t.policy.ShareOverrideTickets {
			n = 1
		}
		sum += float64(r.given[p]) / n
	}
	return sum
}

// share gives all waiting jobs of a crowd their part of the override tickets, in the order of their submission.
func (t *till) share(met *crowd) {
	tasks := map[ticket.Party]map[string]float64{}
	for _, p := range parties {
		tasks[p] = maps.Clone(met.active[p])
	}
	for _, r := range met.waiting {
		r.shared = t.override(r, tasks)
		for _, p := range parties {
			tasks[p][r.names[p]]++
		}
	}
}

// stale is by what part a crowd may have changed before tickets are given out anew.
const stale = 0.01

// functional are the functional tickets of a waiting job of a crowd.
func (t *till) functional(r *resident, met *crowd) float64 {
	k, any := r.category()
	if !any || t.policy.FunctionalTickets == 0 {
		return 0
	}
	if t.served == nil || float64(met.version-t.version) > stale*float64(len(met.waiting)) || met.version < t.version {
		t.served, t.version = t.serve(met), met.version
	}
	if i := slices.Index(*met.categories[k], r); i < len(t.served.picks[k]) {
		return t.served.picks[k][i]
	}
	if f, tried := t.served.tried[k]; tried {
		return f
	}
	return t.served.trial(r)
}

// A round is functional tickets given out to a crowd, one task after the other, each time to the one that would get most.
type round struct {
	*till
	tasks map[ticket.Party]map[string]float64 // running ones, and those served
	sums  map[ticket.Party]float64            // of the shares of all of these
	picks map[category][]float64
	tried map[category]float64 // what those who were not served are left with: the last trial of their category
}

// serve gives out functional tickets, up to max_functional_jobs_to_schedule.
func (t *till) serve(met *crowd) *round {
	t.share(met)
	s := &round{till: t, tasks: map[ticket.Party]map[string]float64{}, sums: maps.Clone(met.running), picks: map[category][]float64{}, tried: map[category]float64{}}
	for _, p := range parties {
		s.tasks[p] = maps.Clone(met.active[p])
	}
	if t.policy.ShareFunctionalShares {
		s.sumOnce(met)
	}
	var queues [][]*resident
	for _, l := range met.categories {
		if len(*l) > 0 {
			queues = append(queues, *l)
		}
	}
	slices.SortFunc(queues, func(a, b []*resident) int {
		return bySubmission(a[0].submitted, a[0].number, b[0].submitted, b[0].number)
	})
	for range t.policy.MaxFunctionalJobs {
		best, most := -1, 0.0
		for i, q := range queues {
			if len(q) == 0 {
				continue
			}
			trial := s.trial(q[0])
			k, _ := q[0].category()
			s.tried[k] = trial
			if f := trial + t.before(q[0]); best < 0 || f > most || f == most && sooner(q[0], queues[best][0]) {
				best, most = i, f
			}
		}
		if best < 0 {
			break
		}
		s.pick(queues[best][0])
		queues[best] = queues[best][1:]
	}
	return s
}

// sooner says which of two jobs was submitted first.
func sooner(a, b *resident) bool {
	return bySubmission(a.submitted, a.number, b.submitted, b.number) < 0
}

// before are tickets that a job has already when functional ones are given out.
func (t *till) before(r *resident) float64 {
	if !strings.Contains(t.policy.Hierarchy, "F") {
		return 0
	}
	return t.had(r, "F")
}

// sumOnce adds up the shares of running users, projects and departments, each once.
func (s *round) sumOnce(met *crowd) {
	for _, p := range parties {
		if t, fixed := s.frozen[p]; fixed {
			s.sums[p] = t
			continue
		}
		s.sums[p] = 0
		for name, tasks := range met.active[p] {
			if tasks > 0 {
				s.sums[p] += float64(met.shares[p][name]) // whole numbers: the order does not matter
			}
		}
	}
}

// nearly is what the master adds to sums while it tries.
const nearly = 0.001

// trial is what a job is tried with: the one that would get most is served next.
func (s *round) trial(r *resident) (sum float64) {
	for _, p := range categories {
		shares := float64(r.sharesOf(p))
		if s.parts[p] == 0 || shares == 0 {
			continue
		}
		if s.divided(p) {
			sum += s.parts[p] * (shares / (s.tasks[p][r.names[p]] + 1)) / (s.sums[p] + nearly)
		} else {
			sum += s.parts[p] * shares / (s.sums[p] + nearly + shares)
		}
	}
	return sum
}

// divided says whether the tasks of a party divide its shares.
func (s *round) divided(p ticket.Party) bool {
	return p != ticket.ByJob && s.policy.ShareFunctionalShares
}

// pick serves a job.
func (s *round) pick(r *resident) {
	got := 0.0
	for _, p := range categories {
		shares := float64(r.sharesOf(p))
		if p != ticket.ByJob {
			s.tasks[p][r.names[p]]++
		}
		if s.divided(p) {
			shares /= s.tasks[p][r.names[p]]
		}
		if !s.divided(p) || s.tasks[p][r.names[p]] <= 1 && s.frozen == nil {
			s.sums[p] += shares
		}
		if s.parts[p] != 0 && shares != 0 {
			got += s.parts[p] * shares / s.sums[p]
		}
	}
	k, _ := r.category()
	s.picks[k] = append(s.picks[k], got)
}
