package assign

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Steering has the priorities for the wanted order, and the differences between this order and the result.
type Steering struct {
	Order   []uint32 // the order with these priorities, if other terms of jobs stay the same
	Wanted  []uint32
	Changes []Change // of jobs whose priority changes, in the order of sending

	Priorities int  // different priorities of changed jobs; each costs a command
	Least      int  // the least possible number for these jobs
	Smallest   bool // no other choice of as few jobs needs fewer: all were tried

	Apart int // number of front jobs with the full margin before them
	// The order holds until other terms of two neighbors move by this much. With Scale.Lead: the front jobs stay there
	// until the other terms of two jobs differ by this much.
	Holds float64

	Exact  int      // number of front jobs in exactly the wanted places
	Sooner []Sooner // jobs that no priority holds back far enough
	// Drifts means that the changes also move other terms: an altered job moves in the scheduler's list and
	// gets other tickets. Steer found no priorities that give the wanted order. After is the resulting order.
	Drifts bool
	After  []uint32 // the order after the changes, with all terms recomputed
}

// A Change is a job's new priority.
type Change struct {
	Job      uint32
	From, To int
}

// priorityAfter returns a function for the priority of a job after changes.
func priorityAfter(changes []Change) func(*Waiting) int {
	to := make(map[uint32]int, len(changes))
	for _, c := range changes {
		to[c.Job] = c.To
	}
	return func(w *Waiting) int {
		if p, changed := to[w.Job]; changed {
			return p
		}
		return w.P
	}
}

// A Sooner is a job that stays before another job, although the wanted order is the reverse.
type Sooner struct {
	Job, Before uint32
	// Spent means that no priorities are left; else the job's other terms outweigh every priority.
	Spent bool
}

// errNoWeight is the answer where priorities do not count, or a higher one is not sooner.
var errNoWeight = errors.New("priorities have no weight")

// A NoNumberError says that the sum of a job is NaN, so there is no order.
type NoNumberError struct{ Job uint32 }

func (e *NoNumberError) Error() string {
	return fmt.Sprintf("the priority of job %d is no number", e.Job)
}

// numbers fails if the sum of some job is no number at any priority.
func (s Scale) numbers(jobs []Waiting) error {
	for i := range jobs {
		low, high := s.prio(&jobs[i], s.Min), s.prio(&jobs[i], s.Max)
		if math.IsNaN(low-low) || math.IsNaN(high-high) { // of infinity and of what is no number
			return &NoNumberError{jobs[i].Job}
		}
	}
	return nil
}

// A Native recomputes the pending jobs in the scheduler's order, after these changes were sent in this order.
type Native func([]Change) []Waiting

// rounds bounds how often priorities are planned anew because the ones before changed other terms.
const rounds = 6

// Steer finds priorities that give the wanted order. Pending jobs that are not in wanted come after it, in
// the scheduler's order. Wanted jobs that do not wait are ignored.
func Steer(wanted []uint32, s Scale, native Native) (*Steering, error) {
	now := native(nil)
	if !(s.Weight > 0) {
		return nil, errNoWeight
	}
	if err := s.numbers(now); err != nil {
		return nil, err
	}
	jobs, there := arrange(wanted, now)
	var best *Steering
	for range rounds {
		st := settled(jobs, s, there)
		after := native(st.Changes)
		if err := s.numbers(after); err != nil {
			return nil, err
		}
		st.Holds = s.holds(after, st)
		st.After = numbersOf(after)
		if st.Drifts = !slices.Equal(st.After, st.Order); !st.Drifts {
			return st, nil
		}
		if best == nil || agreement(st) > agreement(best) {
			best = st
		}
		rebase(jobs, after)
	}
	return best, nil
}

// agreement is how many jobs from the front come out as they are wanted.
func agreement(st *Steering) (n int) {
	for n < len(st.After) && st.After[n] == st.Wanted[n] {
		n++
	}
	return n
}

// rebase gives jobs the other terms that they have after changes.
func rebase(jobs, after []Waiting) {
	base := make(map[uint32]float64, len(after))
	for i := range after {
		base[after[i].Job] = after[i].Base
	}
	for i := range jobs {
		if b, ok := base[jobs[i].Job]; ok {
			jobs[i].Base = b
		}
	}
}

// arrange puts pending jobs into the wanted order; those that are not wanted anywhere come last, as they
// stand. So many are wanted somewhere.
func arrange(wanted []uint32, now []Waiting) (jobs []Waiting, there int) {
	place := make(map[uint32]int, len(wanted))
	for i, job := range wanted {
		if _, twice := place[job]; !twice {
			place[job] = i - len(wanted)
		}
	}
	jobs = slices.Clone(now)
	slices.SortStableFunc(jobs, func(a, b Waiting) int { return cmp.Compare(place[a.Job], place[b.Job]) })
	for there < len(jobs) && place[jobs[there].Job] < 0 {
		there++
	}
	return jobs, there
}

// steer plans priorities for jobs in the wanted order, whose other terms stay as they are.
func steer(jobs []Waiting, s Scale) *Steering {
	st := &Steering{Wanted: numbersOf(jobs)}
	st.Apart = spread(jobs, s)
	priorities, ok := fewest(jobs, s)
	if !ok {
		jobs, st.Sooner = closest(jobs, s)
		priorities, _ = fewest(jobs, s)
	}
	assigned, least := share(jobs, priorities, s)
	st.Least = least
	assigned, st.Smallest = exact(jobs, assigned, s)
	st.Priorities = assigned.count
	st.Least = min(st.Least, st.Priorities)
	st.Order = numbersOf(jobs)
	for st.Exact < len(st.Order) && st.Order[st.Exact] == st.Wanted[st.Exact] {
		st.Exact++
	}
	priorities = gentle(jobs, assigned.priorities, s)
	if s.Even {
		priorities = even(jobs, priorities, s)
	}
	st.Changes = changesOf(jobs, priorities)
	return st
}

func numbersOf(jobs []Waiting) []uint32 {
	list := make([]uint32, len(jobs))
	for i := range jobs {
		list[i] = jobs[i].Job
	}
	return list
}

// changesOf lists the changes, priority by priority from the highest down, and in the wanted order within a
// priority: the order of commands, in which the scheduler will hold the jobs.
func changesOf(jobs []Waiting, priorities []int) []Change {
	var list []Change
	for i := range jobs {
		if priorities[i] != jobs[i].P {
			list = append(list, Change{Job: jobs[i].Job, From: jobs[i].P, To: priorities[i]})
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(b.To, a.To) })
	return list
}

// closest is the order nearest to the wanted one that priorities can give: from the front, each job comes
// right behind the one before at the highest priority that holds it there; one that no priority holds back
// takes the lowest, and overtakes.
func closest(wanted []Waiting, s Scale) (jobs []Waiting, sooner []Sooner) {
	priorities := make(map[uint32]int, len(wanted))
	held := -1 // the last job that is where it is wanted
	for i := range wanted {
		p, ok := s.Max, true
		if held >= 0 {
			p, ok = s.highest(&wanted[held], priorities[wanted[held].Job], &wanted[i])
		}
		if !ok {
			p = s.Min
			sooner = append(sooner, Sooner{Job: wanted[i].Job, Before: wanted[held].Job,
				Spent: s.after(&wanted[held], s.Max, &wanted[i], s.Min)})
		} else {
			held = i
		}
		priorities[wanted[i].Job] = p
	}
	jobs = slices.Clone(wanted)
	slices.SortFunc(jobs, func(a, b Waiting) int { return s.compare(&a, priorities[a.Job], &b, priorities[b.Job]) })
	return jobs, sooner
}
