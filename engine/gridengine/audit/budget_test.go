package audit

import (
	"math"
	"strings"
	"testing"
	"time"

	"qprism/engine/batch"
	"qprism/engine/gridengine/split"
	"qprism/engine/model"
)

// altered is a queue of sixty jobs of which most have been altered, and twelve others ended around the run: each of these and any order of
// those may explain a number. One number is wrong, so that nothing does.
func altered() *model.Snapshot {
	var jobs []model.Job
	for n := range uint32(60) {
		j := waiting(n+1, []string{"a", "b"}[n%2], time.Duration(200-n)*time.Second)
		j.PosixPriority = int(n)
		jobs = append(jobs, j)
	}
	s := cluster(jobs...)
	print(s, split.Assumed{})
	for i := range s.Jobs {
		s.Jobs[i].Tasks[0].Reported.Share *= 0.7
	}
	for n := range uint32(12) {
		s.Ended = append(s.Ended, model.EndedTask{Job: 100 + n, Task: 1, Owner: "b", Submitted: noon.Add(-time.Hour), Started: noon.Add(-time.Minute),
			Ended: noon.Add(time.Duration(n) * time.Second / 10), Queue: "all.q", Host: "h", Slots: 1})
	}
	return s
}

// TestASearchWithoutAnEndIsGivenUp: it says so of what it leaves unexplained, and the work is what the options allow, once over at most.
func TestASearchWithoutAnEndIsGivenUp(t *testing.T) {
	for _, work := range []int{600, 6000} {
		o := Options{Options: byRules, Work: work}
		r := Run(altered(), o)
		if left := r.budget.left; left > 0 || left < -100 {
			t.Errorf("of a budget of %d, %d is left", work, left)
		}
		unexplained := 0
		for _, d := range r.Disagreements {
			if d.Class == batch.Unexplained {
				unexplained++
				if !strings.Contains(d.Why, "not all was tried") {
					t.Errorf("nothing is said of %+v", d)
				}
			}
		}
		if unexplained == 0 || unexplained != r.Sum().Unexplained {
			t.Errorf("%d numbers are unexplained, of %+v", unexplained, r.Sum())
		}
	}
}

func TestASearchStopsWhenItIsTold(t *testing.T) {
	asked := 0
	r := Run(altered(), Options{Options: byRules, Work: math.MaxInt, Stop: func() bool { asked++; return asked == 20 }})
	if asked != 20 || !r.budget.spent() {
		t.Errorf("asked %d times", asked)
	}
}

// TestWhatEndedComesBeforeWhatNoFileTells: with one of the ended tasks taken for a late one all numbers agree, and no order need be assumed.
func TestWhatEndedComesBeforeWhatNoFileTells(t *testing.T) {
	s := altered()
	late := *s
	g := newGone(&late, nil, noon)
	revived := g.revive(3, 3) // of the twelve the master had heard of three when it ran
	print(revived, split.Assumed{})
	for i := range s.Jobs {
		s.Jobs[i].Reported, s.Jobs[i].Tasks[0].Reported = revived.Jobs[i].Reported, revived.Jobs[i].Tasks[0].Reported
	}
	r := Run(s, Options{Options: byRules})
	if sum := r.Sum(); sum.Agree < sum.Reported-1 || sum.Missing+sum.Unexplained > 0 || sum.Reported < 700 {
		t.Errorf("%+v", sum)
	}
	if tried := mostInAll - r.budget.left; tried > 0 {
		t.Errorf("%d jobs were recomputed under assumptions", tried)
	}
}
