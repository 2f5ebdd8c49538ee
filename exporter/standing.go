package exporter

import (
	"cmp"
	"fmt"
	"slices"
)

// A Standing compares the master's order of waiting jobs with the wanted one. Meanwhile, some jobs started or
// ended, and new jobs came. Only the order of the remaining jobs counts.
type Standing struct {
	Wait    int // jobs of the wanted order that still wait
	Left    int // jobs of the wanted order that started or ended, or are held
	Came    int // waiting jobs that came later
	Between int // those of Came that are before some job of the wanted order
	// Displaced are the fewest jobs to remove so that the rest has the wanted order. Each comes with another
	// job that it is in the wrong order with.
	Displaced []Swap
}

// A Swap is two jobs in the wrong order.
type Swap struct {
	Job           string // which of the two jobs is displaced
	First, Second string // both jobs in the wanted order
}

// String prints how many jobs are displaced.
func (s Standing) String() string {
	return fmt.Sprintf("of %d jobs that still wait, %d are not in the wanted order",
		s.Wait, len(s.Displaced))
}

// moves says how many jobs left the queue, and how many came.
func (s Standing) moves() (text string) {
	if s.Left > 0 {
		text += fmt.Sprintf("; %d jobs of the wanted order no longer wait", s.Left)
	}
	if s.Came > 0 {
		text += fmt.Sprintf("; %d new jobs came, %d of them between the others", s.Came, s.Between)
	}
	return text
}

// Jobs returns the displaced jobs.
func (s Standing) Jobs() []string {
	list := make([]string, len(s.Displaced))
	for i, d := range s.Displaced {
		list[i] = d.Job
	}
	return list
}

// StandingOf compares two orders of job ids.
func StandingOf(wanted, order []string) Standing {
	place := make(map[string]int, len(wanted))
	for i, job := range wanted {
		place[job] = i
	}
	var s Standing
	var there []string // jobs of the wanted order, in the master's order
	came := 0
	for _, job := range order {
		if _, asked := place[job]; asked {
			there, s.Between = append(there, job), came
		} else {
			came++
		}
	}
	s.Wait, s.Left, s.Came = len(there), len(wanted)-len(there), came
	s.Displaced = displaced(there, place)
	return s
}

// displaced finds the jobs outside the longest part that has the wanted order.
func displaced(order []string, place map[string]int) (list []Swap) {
	kept := longestRising(order, func(job string) int { return place[job] })
	k := 0
	for i, job := range order {
		if k < len(kept) && kept[k] == i {
			k++
			continue
		}
		list = append(list, swapOf(job, order, kept, k, place))
	}
	return list
}

// swapOf finds the nearest job that is on the wrong side of a displaced job. k of the kept jobs are before the
// displaced job.
func swapOf(job string, order []string, kept []int, k int, place map[string]int) Swap {
	at := place[job]
	before, _ := slices.BinarySearchFunc(kept, at, func(i, at int) int { return cmp.Compare(place[order[i]], at) })
	if before > k { // some of these jobs are behind it
		return Swap{job, order[kept[before-1]], job}
	}
	return Swap{job, job, order[kept[before]]}
}

// longestRising returns the indices of a longest rising part of a list.
func longestRising(list []string, value func(string) int) []int {
	var tails []int // the index where the best part of each length ends
	before := make([]int, len(list))
	for i, text := range list {
		at, _ := slices.BinarySearchFunc(tails, value(text), func(j, v int) int { return cmp.Compare(value(list[j]), v) })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		tails = append(tails[:at], append([]int{i}, tails[min(at+1, len(tails)):]...)...)
	}
	rising := make([]int, len(tails))
	for n, i := len(tails)-1, last(tails); n >= 0; n, i = n-1, before[i] {
		rising[n] = i
	}
	return rising
}

func last(list []int) int {
	if len(list) == 0 {
		return -1
	}
	return list[len(list)-1]
}
