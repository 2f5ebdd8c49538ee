package whatif

import (
	"cmp"
	"slices"

	"qprism/engine/model"
)

// Given ranks jobs in an order from outside, such as another program. Other jobs come after them.
func Given(jobs []uint32) Variant {
	values := make(map[uint32]float64, len(jobs))
	for i, number := range jobs {
		if _, twice := values[number]; !twice {
			values[number] = float64(len(jobs) - i)
		}
	}
	return func(Input) map[uint32]float64 { return values }
}

// GivenPBS is a snapshot of PBS in which the scheduler sorts jobs in a given order, by a formula over
// priorities. Criteria before the formula still decide first: express queues, preempted jobs, by_queue.
func GivenPBS(s *model.Snapshot, jobs []uint32) *model.Snapshot {
	own := s.WithFormula("job_priority")
	place := map[uint32]int{}
	for i, number := range jobs {
		if place[number] == 0 {
			place[number] = len(jobs) - i
		}
	}
	own.Jobs = slices.Clone(s.Jobs)
	for i := range own.Jobs {
		own.Jobs[i].PosixPriority = place[own.Jobs[i].Number]
	}
	return own
}

// FairsharePBS is a snapshot of PBS that sorts jobs by fairshare_factor.
func FairsharePBS(s *model.Snapshot) *model.Snapshot { return s.WithFormula("fairshare_factor") }

// jobs are the jobs of a snapshot by number; of a PBS array the array itself.
func jobs(s *model.Snapshot) map[uint32]*model.Job {
	m := make(map[uint32]*model.Job, len(s.Jobs))
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if have := m[j.Number]; have == nil || j.PBS != nil && have.PBS.Array != "" && j.PBS.Array == "" {
			m[j.Number] = j
		}
	}
	return m
}

// sizeClass is a class of sizes, with what it sorts by.
func sizeClass(slots int) (name string) {
	for _, c := range sizeClasses {
		if slots <= c.most {
			return c.name
		}
	}
	return sizeClasses[len(sizeClasses)-1].name
}

var sizeClasses = []struct {
	most int
	name string
}{{1, "1 slot"}, {8, "2-8 slots"}, {64, "9-64 slots"}, {512, "65-512 slots"}, {1 << 30, "more than 512 slots"}}

func compareSizes(a, b string) int {
	at := func(name string) int {
		return slices.IndexFunc(sizeClasses, func(c struct {
			most int
			name string
		}) bool {
			return c.name == name
		})
	}
	return cmp.Compare(at(a), at(b))
}
