package synthesis

import (
	"maps"
	"math"
	"slices"
	"strings"

	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// ticketRules give out functional and override tickets as sge_priority(5) says, to the jobs of a
// population.
//
// It differs from Grid Engine's scheduler in what a hook of PBS cannot know: an array counts as one task,
// and the jobs of a category are served in the order of their submission, whatever the share tree gave them
// before.
type ticketRules struct {
	policy *model.Policy
	parts  [4]float64               // functional tickets of each category
	frozen map[ticket.Party]float64 // what shares add up to, where that is not counted anew; nil where it is

	served  *round // the last time that tickets were given out
	version int    // of the population
}

func newTicketRules(s *model.Snapshot) *ticketRules {
	p := &s.Policy
	t := &ticketRules{policy: p}
	weights := [4]float64{p.WeightUser, p.WeightProject, p.WeightDepartment, p.WeightJob}
	if all := weights[0] + weights[1] + weights[2] + weights[3]; all > 0 {
		for i, w := range weights {
			t.parts[i] = float64(p.FunctionalTickets) * w / all
		}
	}
	return t
}

// freeze lets the functional shares of all users, projects and departments that take part in a run stand
// for those of any.
func (t *ticketRules) freeze(run Run, a accounts) {
	t.frozen = map[ticket.Party]float64{}
	seen := [3]map[string]bool{{}, {}, {}}
	for j := range run.Result.All() {
		for p, name := range [3]string{j.Job.Owner, j.Job.Project, j.Job.Department} {
			if !seen[p][name] {
				seen[p][name] = true
				t.frozen[parties[p]] += float64(a.of[p][name].shares) // whole numbers: the order does not matter
			}
		}
	}
}

// key ranks a job among those of its node of the share tree: by the tickets that it has by then where
// policy_hierarchy says so, with its job share as a small change.
func (t *ticketRules) key(r *resident) float64 {
	key := float64(r.jobShare)
	if strings.Contains(t.policy.Hierarchy, "S") {
		key = 0.01*key + t.had(r, "S")
	}
	return math.RoundToEven(thousandth * key)
}

// had are the tickets of earlier policies that a policy of the hierarchy ranks a job by: override tickets
// that are shared count always, others and functional ones where the hierarchy names them. Those of the
// share tree are not known here.
func (t *ticketRules) had(r *resident, policy string) (sum float64) {
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

// override are the override tickets of a job's user, project and department, divided by the tasks that
// these have already.
func (t *ticketRules) override(r *resident, tasks [3]map[string]float64) (sum float64) {
	for p := range parties {
		n := tasks[p][r.names[p]] + 1
		if !t.policy.ShareOverrideTickets {
			n = 1
		}
		sum += float64(r.given[p]) / n
	}
	return sum
}

// share gives all waiting jobs of a population their part of the override tickets, in the order of their submission.
func (t *ticketRules) share(met *population) {
	var tasks [3]map[string]float64
	for p := range parties {
		tasks[p] = maps.Clone(met.active[p])
	}
	for _, r := range met.waiting {
		r.shared = t.override(r, tasks)
		for p, name := range r.names {
			tasks[p][name]++
		}
	}
}

// stale is by what part a population may have changed before tickets are given out anew.
const stale = 0.01

// functional are the functional tickets of a waiting job of a population.
func (t *ticketRules) functional(r *resident, met *population) float64 {
	k, any := r.category()
	if !any || t.policy.FunctionalTickets == 0 {
		return 0
	}
	if t.served == nil || float64(met.version-t.version) > stale*float64(len(met.waiting)) || met.version < t.version {
		t.served, t.version = t.serve(met), met.version
	}
	q := t.served.sharer(k, r)
	if first := *met.categories[k]; len(q.picks) > 0 {
		if i := slices.Index(first[:min(len(first), len(q.picks))], r); i >= 0 {
			return q.picks[i]
		}
	}
	if q.was {
		return q.tried
	}
	return t.served.trial(q)
}

// A round is functional tickets given out to a population, one task after the other, each time to the one
// that would get most.
type round struct {
	*ticketRules
	met     *population
	sums    [4]float64 // of the shares of running tasks and those served, by category
	tasks   [3]map[string]*float64
	sharers map[category]*sharer
}

// A sharer is what the jobs of a category have in common.
type sharer struct {
	shares [4]float64
	tasks  [3]*float64 // running and served ones of the user, project and department
	queue  []*resident // that are not served yet
	picks  []float64   // what those got that were
	tried  float64     // what those who were not served are left with: the last trial
	was    bool        // there was one
}

// serve gives out functional tickets, up to max_functional_jobs_to_schedule.
func (t *ticketRules) serve(met *population) *round {
	t.share(met)
	s := &round{ticketRules: t, met: met, sums: met.running, tasks: [3]map[string]*float64{{}, {}, {}},
		sharers: map[category]*sharer{}}
	if t.policy.ShareFunctionalShares {
		s.sumOnce(met)
	}
	var queues []*sharer
	for k, l := range met.categories {
		if len(*l) > 0 {
			sharer := s.sharer(k, (*l)[0])
			sharer.queue = *l
			queues = append(queues, sharer)
		}
	}
	slices.SortFunc(queues, func(a, b *sharer) int { return bySubmission(a.queue[0], b.queue[0]) })
	for range t.policy.MaxFunctionalJobs {
		var best *sharer
		most := 0.0
		for _, q := range queues {
			if len(q.queue) == 0 {
				continue
			}
			q.tried, q.was = s.trial(q), true
			f := q.tried + t.before(q.queue[0])
			if best == nil || f > most || f == most && bySubmission(q.queue[0], best.queue[0]) < 0 {
				best, most = q, f
			}
		}
		if best == nil {
			break
		}
		s.pick(best)
	}
	return s
}

// sharer is that of a category, with the shares and tasks of one of its jobs.
func (s *round) sharer(k category, r *resident) *sharer {
	if known := s.sharers[k]; known != nil {
		return known
	}
	one := &sharer{}
	for p := range categories {
		one.shares[p] = float64(r.sharesOf(p))
	}
	for p, name := range r.names {
		if s.tasks[p][name] == nil {
			running := s.met.active[p][name]
			s.tasks[p][name] = &running
		}
		one.tasks[p] = s.tasks[p][name]
	}
	s.sharers[k] = one
	return one
}

// before are tickets that a job has already when functional ones are given out.
func (t *ticketRules) before(r *resident) float64 {
	if !strings.Contains(t.policy.Hierarchy, "F") {
		return 0
	}
	return t.had(r, "F")
}

// sumOnce adds up the shares of running users, projects and departments, each once.
func (s *round) sumOnce(met *population) {
	for p := range parties {
		if t, fixed := s.frozen[parties[p]]; fixed {
			s.sums[p] = t
		} else {
			s.sums[p] = met.sharesOnce(p)
		}
	}
}

// sharesOnce adds up the shares of those of a party who run tasks.
func (c *population) sharesOnce(p int) (sum float64) {
	for name, tasks := range c.active[p] {
		if tasks > 0 {
			sum += float64(c.shares[p][name]) // whole numbers: the order does not matter
		}
	}
	return sum
}

// nearly is what the master adds to sums while it tries.
const nearly = 0.001

// trial is what a job of a sharer is tried with: the one that would get most is served next.
func (s *round) trial(q *sharer) (sum float64) {
	for i, shares := range q.shares {
		switch {
		case s.parts[i] == 0 || shares == 0:
		case s.divided(i):
			sum += s.parts[i] * (shares / (*q.tasks[i] + 1)) / (s.sums[i] + nearly)
		default:
			sum += s.parts[i] * shares / (s.sums[i] + nearly + shares)
		}
	}
	return sum
}

// divided says whether the tasks of a party divide its shares; those of a job are its own.
func (s *round) divided(i int) bool { return i < len(parties) && s.policy.ShareFunctionalShares }

// pick serves the first job of a sharer.
func (s *round) pick(q *sharer) {
	got := 0.0
	for i, shares := range q.shares {
		if i < len(parties) {
			*q.tasks[i]++
		}
		if s.divided(i) {
			shares /= *q.tasks[i]
		}
		if !s.divided(i) || *q.tasks[i] <= 1 && s.frozen == nil {
			s.sums[i] += shares
		}
		if s.parts[i] != 0 && shares != 0 {
			got += s.parts[i] * shares / s.sums[i]
		}
	}
	q.picks, q.queue = append(q.picks, got), q.queue[1:]
}
