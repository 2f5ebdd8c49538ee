package assign

import "slices"

// settled plans priorities, but keeps the present order if its jobs still have half of the margin.
// Otherwise each small change would cause an order.
func settled(jobs []Waiting, s Scale, wanted int) *Steering {
	s.bound = len(jobs)
	if s.Front > 0 {
		s.bound = min(s.Front, len(jobs))
	}
	if s.Lead {
		s.bound = min(wanted+1, len(jobs))
	}
	if s.Margin > 0 {
		half := s
		half.Margin /= 2
		if st := steer(jobs, half); len(st.Changes) == 0 && st.Apart == s.bound {
			return st
		}
	}
	if s.Lead && s.Margin > 0 {
		return led(jobs, s)
	}
	return steer(jobs, s)
}

// halvings is how often a margin is made smaller before there is none.
const halvings = 10

// led plans priorities with as much of the margin as takes no more changes than the order alone does.
func led(jobs []Waiting, s Scale) *Steering {
	none := s
	none.Margin = 0
	least := len(steer(jobs, none).Changes)
	for range halvings {
		if st := steer(jobs, s); st.Apart == s.bound && len(st.Changes) <= least {
			return st
		}
		s.Margin /= 2
	}
	return steer(jobs, none)
}

// spread demands the margin between neighbors of the wanted order, for as many jobs from the front as the
// priorities allow. These jobs start next. If bound is set, it is the most. The other jobs are as close
// together as the order permits. It returns the number of jobs with the margin.
//
// From the last job up, lowestPriorities computes the lowest priority that each job may have. From the
// first job down, each job takes the highest priority that keeps the margin.
func spread(jobs []Waiting, s Scale) (n int) {
	for i := range jobs {
		jobs[i].behind = 0
	}
	if s.Margin <= 0 || len(jobs) == 0 {
		return 0
	}
	least, ok := lowestPriorities(jobs, s)
	if !ok {
		return 0
	}
	p := s.Max
	if s.keeps(jobs[0].P) {
		p = max(p, jobs[0].P)
	}
	for n = 1; n < len(jobs) && (s.bound == 0 || n < s.bound); n++ {
		jobs[n].behind = s.behind(jobs, n)
		next, ok := s.highest(&jobs[n-1], p, &jobs[n])
		if s.keeps(jobs[n].P) && s.after(&jobs[n-1], p, &jobs[n], jobs[n].P) {
			next, ok = max(next, jobs[n].P), true
		}
		if !ok || next < least[n] {
			jobs[n].behind = 0
			break
		}
		p = next
	}
	return n
}

// behind is the margin between the sums of job n and of the job before it. With Lead, the margin is between their
// priorities alone: then the order stays even if their other terms become as different as the margin. The last job that
// leads also leads over the jobs behind job n.
func (s Scale) behind(jobs []Waiting, n int) float64 {
	if !s.Lead {
		return s.Margin
	}
	highest := jobs[n].P
	if n == s.bound-1 {
		for _, w := range jobs[n:] {
			highest = max(highest, w.P)
		}
	}
	more := s.Weight * float64(highest-jobs[n].P) / 2048
	return max(0, s.Margin+more+jobs[n-1].Base-jobs[n].Base)
}

// lowestPriorities are the lowest priorities that jobs can have so that those behind them can be there; ok
// is false where the priorities do not suffice.
func lowestPriorities(jobs []Waiting, s Scale) (list []int, ok bool) {
	list = make([]int, len(jobs))
	for i := len(jobs) - 1; i >= 0; i-- {
		list[i] = s.Min
		if i+1 < len(jobs) {
			if list[i], ok = s.lowest(&jobs[i], &jobs[i+1], list[i+1]); !ok {
				return nil, false
			}
		}
	}
	return list, true
}

// holds is the least by which one of the jobs that have the margin is behind the one before, as they are
// ranked after the changes. With Lead, it is the least by which the priority of a front job is worth more than the
// priority of any job behind it.
func (s Scale) holds(after []Waiting, st *Steering) (least float64) {
	priority := priorityAfter(st.Changes)
	sums := make([]float64, len(after))
	for i, w := range after {
		if s.Lead {
			w.Base = 0
		}
		sums[i] = s.prio(&w, priority(&w))
	}
	for i := 1; i < st.Apart && i < len(after); i++ {
		behind := sums[i]
		if s.Lead {
			behind = slices.Max(sums[i:])
		}
		if apart := sums[i-1] - behind; i == 1 || apart < least {
			least = apart
		}
	}
	return least
}
