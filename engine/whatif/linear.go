package whatif

import (
	"fmt"
	"math"
	"time"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// Linear ranks jobs by simple sums that anybody can follow. Critics of the built-in policy have asked for
// it:
//
//   - posix priority is -p/1024, so the default 0 adds nothing, and negative values subtract;
//   - urgency is divided by the greatest urgency, tickets by the most tickets, of waiting jobs only:
//     running jobs do not change these numbers;
//   - functional tickets of a user, project, department or job are shared equally by all its waiting tasks,
//     so the sum of all tickets is as configured.
//
// Weights, override tickets and share-tree tickets stay the same.
func Linear(in Input) map[uint32]float64 {
	terms := linearTerms(in)
	values := make(map[uint32]float64, len(terms))
	for n, t := range terms {
		values[n] = t.Value
	}
	return values
}

// A LinearTerm has the parts of a job's value in the linear scheme.
type LinearTerm struct {
	Urgency, MostUrgency float64 // of the job, and the greatest of all waiting jobs
	Tickets, MostTickets float64
	Posix                int // -p
	Weights              priority.Weights
	Value                float64
}

// Parts are the three terms of the value.
func (t *LinearTerm) Parts() (urgency, tickets, posix float64) {
	return t.Weights.Urgency * part(t.Urgency, t.MostUrgency), t.Weights.Ticket * part(t.Tickets, t.MostTickets),
		t.Weights.Priority * float64(t.Posix) / 1024
}

func linearTerms(in Input) map[uint32]LinearTerm {
	p := &in.Snapshot.Policy
	tickets := linearTickets(in)
	most, urgent := 0.0, 0.0
	for _, j := range in.Result.Pending {
		most, urgent = max(most, tickets[j.Job.Number]), max(urgent, math.Abs(j.Urgency.Total))
	}
	terms := make(map[uint32]LinearTerm, len(in.Result.Pending))
	for _, j := range in.Result.Pending {
		t := LinearTerm{Urgency: j.Urgency.Total, MostUrgency: urgent, Tickets: tickets[j.Job.Number], MostTickets: most,
			Posix: j.Job.PosixPriority, Weights: priority.Weights{Urgency: p.WeightUrgency,
				Ticket: p.WeightTicket, Priority: p.WeightPriority}}
		u, k, x := t.Parts()
		t.Value = u + k + x
		terms[j.Job.Number] = t
	}
	return terms
}

// LinearTerms are the parts for each waiting Grid Engine job at a moment.
func (c *Case) LinearTerms(at time.Time) map[uint32]LinearTerm {
	own := Case{Snapshot: c.Snapshot, Quirks: c.Quirks}
	return linearTerms(own.rank(split.WithEndedTasks(c.Snapshot, at), at))
}

// part is v as a part of the greatest, 0 where that is 0.
func part(v, greatest float64) float64 {
	if greatest == 0 {
		return 0
	}
	return v / greatest
}

// linearTickets are the tickets of one task of each waiting job.
func linearTickets(in Input) map[uint32]float64 {
	tickets := map[uint32]float64{}
	for _, c := range categories(in.Snapshot) {
		c.share(in, tickets)
	}
	for _, j := range in.Result.Pending {
		t := j.First()
		tickets[j.Job.Number] += t.Override + t.ShareTree
	}
	return tickets
}

// A category is one of the four by which functional tickets are given out.
type category struct {
	total  float64                   // tickets
	of     func(j *model.Job) string // who the job belongs to, empty for nobody
	shares func(j *model.Job) float64
}

// categories are those that have a weight. Weights are parts of their sum.
func categories(s *model.Snapshot) (list []category) {
	p := &s.Policy
	sum := p.WeightUser + p.WeightProject + p.WeightDepartment + p.WeightJob
	if sum == 0 {
		return nil
	}
	users, projects, departments := map[string]uint32{}, map[string]uint32{}, map[string]uint32{}
	for _, u := range s.Users {
		users[u.Name] = u.FunctionalShares
	}
	for _, q := range s.Projects {
		projects[q.Name] = q.FunctionalShares
	}
	for _, d := range s.Usersets {
		departments[d.Name] = d.FunctionalShares
	}
	all := float64(p.FunctionalTickets) / sum
	named := func(weight float64, of func(j *model.Job) string, shares map[string]uint32) category {
		return category{weight * all, of, func(j *model.Job) float64 { return float64(shares[of(j)]) }}
	}
	return []category{
		named(p.WeightUser, func(j *model.Job) string { return j.Owner }, users),
		named(p.WeightProject, func(j *model.Job) string { return j.Project }, projects),
		named(p.WeightDepartment, func(j *model.Job) string { return j.Department }, departments),
		{p.WeightJob * all, func(j *model.Job) string {
			return fmt.Sprint(j.Number)
		}, func(j *model.Job) float64 { return float64(j.JobShare) }},
	}
}

// share gives out the tickets of a category among those that have waiting tasks, by their shares, and of
// each equally among its tasks.
func (c *category) share(in Input, tickets map[uint32]float64) {
	if c.total == 0 {
		return
	}
	tasks, sum := map[string]float64{}, 0.0
	for i := range in.Lists.Pending {
		e := &in.Lists.Pending[i]
		name := c.of(e.Job)
		if name == "" {
			continue
		}
		if tasks[name] == 0 {
			sum += c.shares(e.Job)
		}
		tasks[name] += float64(waiting(e))
	}
	for i := range in.Lists.Pending {
		if j := in.Lists.Pending[i].Job; sum > 0 && tasks[c.of(j)] > 0 {
			tickets[j.Number] += c.total * c.shares(j) / sum / tasks[c.of(j)]
		}
	}
}
