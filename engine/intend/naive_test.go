package intend

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"qprism/compat"
	"qprism/engine/model"
)

// A naivePolicy is one of departments with functional shares, urgencies of two resources and of slots, and
// nothing else: small enough to be computed by hand, by the words of sge_priority(5) and the rules R25, Q4
// and Q6.
type naivePolicy struct {
	ticket, urgency float64
	shares          []uint32 // of departments A, B …
	high, low, slot float64
}

// A naiveJob is a waiting job.
type naiveJob struct {
	department int
	request    string // "", high or low
	slots      int
}

// naiveOrder are the jobs in their order, each by its number, from 0; tied reports whether two of them are
// so near that rounding decides.
func (p *naivePolicy) naiveOrder(jobs []naiveJob) (order []int, tied bool) {
	urgency, tickets := make([]float64, len(jobs)), p.naiveTickets(jobs)
	least, greatest, most := 1e300, 5e-324, slices.Max(tickets)
	for i, j := range jobs {
		urgency[i] = p.slot*float64(j.slots) + map[string]float64{"high": p.high, "low": p.low}[j.request]
		least, greatest = min(least, urgency[i]), max(greatest, urgency[i])
	}
	prio := make([]float64, len(jobs))
	for i := range jobs {
		if greatest != least {
			prio[i] += p.urgency * (urgency[i] - least) / (greatest - least)
		}
		if most > 0 {
			prio[i] += p.ticket * tickets[i] / most
		}
		order = append(order, i)
	}
	for i := range prio {
		for k := range prio[:i] {
			if d := prio[i] - prio[k]; jobs[i] != jobs[k] && d < 1e-7 && d > -1e-7 {
				tied = true
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(prio[b], prio[a]) })
	return order, tied
}

// naiveTickets are parts of all functional tickets: job after job is picked that would get most, and its
// department joins those among whom shares are divided (R25); to choose, their sum is that before, and
// 0.001 (Q4).
func (p *naivePolicy) naiveTickets(jobs []naiveJob) []float64 {
	tickets, picked, sum := make([]float64, len(jobs)), make([]float64, len(p.shares)), 0.0
	for range jobs {
		best, tried, gets, with := -1, -1.0, 0.0, 0.0
		for i, j := range jobs {
			shares, all := float64(p.shares[j.department]), sum
			if picked[j.department] == 0 {
				all += shares
			}
			part := shares / (picked[j.department] + 1)
			if trial := part / (sum + 0.001); tickets[i] == 0 && trial > tried {
				best, tried, gets, with = i, trial, part/all, all
			}
		}
		tickets[best], sum = gets, with
		picked[jobs[best].department]++
	}
	return tickets
}

// naiveBroken reports whether a job of B comes before one of A.
func (p *naivePolicy) naiveBroken(jobs []naiveJob) (broken, tied bool) {
	order, tied := p.naiveOrder(jobs)
	behind := false
	for _, i := range order {
		switch jobs[i].department {
		case 1:
			behind = true
		case 0:
			broken = broken || behind
		}
	}
	return broken, tied
}

// naiveSmallest is how many jobs it takes to break the rule, up to a number; 0 for more. It tries every sequence.
func (p *naivePolicy) naiveSmallest(all []naiveJob, most int) (size int, tied bool) {
	for size := 2; size <= most; size++ {
		if broken, near := p.naiveAll(all, nil, size); broken {
			return size, tied || near
		} else {
			tied = tied || near
		}
	}
	return 0, tied
}

func (p *naivePolicy) naiveAll(all, begun []naiveJob, size int) (broken, tied bool) {
	if len(begun) == size {
		return p.naiveBroken(begun)
	}
	for _, j := range all {
		b, near := p.naiveAll(all, append(slices.Clone(begun), j), size)
		broken, tied = broken || b, tied || near
	}
	return broken, tied
}

// snapshot is the policy as a cluster has it.
func (p *naivePolicy) snapshot() *model.Snapshot {
	s := &model.Snapshot{TakenAt: time.Unix(1_700_000_000, 0)}
	s.Policy = model.Policy{WeightTicket: p.ticket, WeightUrgency: p.urgency, WeightDepartment: 1,
		FunctionalTickets:     1_000_000,
		ShareFunctionalShares: true, ShareOverrideTickets: true, MaxFunctionalJobs: 200, MaxPendingTasks: 50,
		ReportPendingTickets: true, Hierarchy: "OFS"}
	s.Resources = []model.Resource{
		{Name: "slots", Shortcut: "s", Type: model.TypeInt, Urgency: fmt.Sprint(p.slot)},
		{Name: "high", Shortcut: "hi", Type: model.TypeBool, Urgency: fmt.Sprint(p.high)},
		{Name: "low", Shortcut: "lo", Type: model.TypeBool, Urgency: fmt.Sprint(p.low)}}
	s.PEs = []model.PE{{Name: "mpi", Slots: 100}}
	for i, shares := range p.shares {
		name := string(rune('A' + i))
		s.Usersets = append(s.Usersets, model.Userset{Name: name, Department: true, FunctionalShares: shares,
			Entries: []string{"u" + name}})
		s.Users = append(s.Users, model.User{Name: "u" + name})
	}
	return s
}

// naiveJobs are those of a set that intend has made up.
func naiveJobs(jobs []*model.Job) (list []naiveJob) {
	for _, j := range jobs {
		n := naiveJob{department: int(j.Department[0] - 'A'), slots: j.LeastSlots()}
		if len(j.Hard) > 0 {
			n.request = j.Hard[0].Resource
		}
		list = append(list, n)
	}
	return list
}

// TestTheSmallestSetOfJobsIsThatOfBruteForce holds verdicts, and the sizes of counterexamples, against
// every sequence of up to four jobs under random policies, each computed by a page of arithmetic.
func TestTheSmallestSetOfJobsIsThatOfBruteForce(t *testing.T) {
	i, err := Parse("department A before department B")
	if err != nil {
		t.Fatal(err)
	}
	var held, broken [6]int
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(15, seed))
		pick := func(list ...float64) float64 { return list[random.IntN(len(list))] }
		p := naivePolicy{ticket: pick(1, 0.21, 0.0137), urgency: pick(0, 0.00113, 0.0171, 0.19, 1.03),
			high: pick(0, 1000), low: pick(0, -1000),
			slot: pick(0, 370), shares: []uint32{uint32(pick(10, 77, 1000, 100_003)), uint32(pick(1, 7, 13))}}
		var all []naiveJob
		for department := range p.shares {
			all = append(all, naiveJob{department, "", 1}, naiveJob{department, "", 2}, naiveJob{department, "high", 1},
				naiveJob{department, "low", 1})
		}
		size, tied := p.naiveSmallest(all, 4)
		if tied {
			continue
		}
		c := newChecker(Input{Snapshot: p.snapshot(), Quirks: compat.Profiles["8.1.9"],
			At: time.Unix(1_700_000_000, 0), Most: 20})
		w := c.worstCase(&i)
		switch {
		case w.Counterexample == nil:
			held[size]++
			if size > 0 {
				t.Errorf("seed %d: %+v holds, but %d jobs break it", seed, p, size)
			}
			continue
		case size > 0 && len(w.Jobs) != size, size == 0 && len(w.Jobs) <= 4:
			t.Errorf("seed %d: %+v broken by %d jobs, where brute force has %d: %+v", seed,
				p, len(w.Jobs), size, naiveJobs(w.Jobs))
		case size > 0 && size <= 3 && !w.Fewest:
			t.Errorf("seed %d: %d jobs are not called the fewest", seed, size)
		}
		broken[min(len(w.Jobs), 5)]++
		jobs := naiveJobs(w.Jobs)
		if is, _ := p.naiveBroken(jobs); !is {
			t.Errorf("seed %d: %+v is not broken by %+v", seed, p, jobs)
		}
		for k := range jobs {
			if is, near := p.naiveBroken(slices.Delete(slices.Clone(jobs), k, k+1)); is && !near {
				t.Errorf("seed %d: job %d of %+v can be left out", seed, k, jobs)
			}
		}
	}
	if held[0] < 5 || broken[2] < 5 || broken[3]+broken[4] < 2 || broken[5] < 3 {
		t.Errorf("held %v, broken by %v jobs: too one-sided", held, broken)
	}
	t.Log("held", held, "broken", broken)
}
