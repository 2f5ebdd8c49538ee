package cycle_test

import (
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/model/schedconfig"
	"qprism/engine/pbs/criteria"
	"qprism/engine/pbs/cycle"
)

// A lineup explains itself: of two jobs one behind the other, the first criterion that tells them apart
// names the one before.
func TestTheCriteriaOfALineupGiveItsOrder(t *testing.T) {
	pairs := 0
	eachSnapshot(t, func(where string, s *model.Snapshot) {
		l := cycle.LineUp(s, s.TakenAt)
		if l.Policy.RoundRobin {
			return
		}
		for i := 1; i < len(l.Jobs) && l.Jobs[i].Place > 0; i++ {
			a, b := &l.Jobs[i-1], &l.Jobs[i]
			if c := criteria.Decides(l.Criteria(), a, b); c == nil || c.Compare(a, b) > 0 {
				t.Errorf("%s: %s is before %s, by %+v", where, a.ID, b.ID, c)
			}
			pairs++
		}
	})
	if pairs < 100 {
		t.Errorf("only %d pairs", pairs)
	}
}

// What a cycle tries first is the first of the lineup, wherever it tries any.
func TestTheCycleTriesTheFirstOfTheLineup(t *testing.T) {
	cycles := 0
	eachSnapshot(t, func(where string, s *model.Snapshot) {
		l, p := cycle.LineUp(s, s.TakenAt), cycle.Run(s, cycle.Options{At: s.TakenAt})
		first := slices.IndexFunc(p.Decisions, func(d model.Decision) bool { return d.Tried })
		if first < 0 {
			return
		}
		cycles++
		if len(l.Jobs) == 0 || l.Jobs[0].Job.Number != p.Decisions[first].Job {
			t.Errorf("%s: the cycle tries %d first", where, p.Decisions[first].Job)
		}
	})
	if cycles < 20 {
		t.Errorf("only %d cycles", cycles)
	}
}

// The cycle's own sort looks at numbers gathered for speed. Sorting by the criteria one by one gives the
// same, as recorded and with each option on.
func TestTheFastSortIsTheSortByCriteria(t *testing.T) {
	jobs := 0
	eachSnapshot(t, func(where string, s *model.Snapshot) {
		jobs += sameSort(t, where, s)
		for _, o := range schedconfig.Options {
			if o.Switch != nil {
				turned := *s
				pbs := *s.PBS
				turned.PBS = &pbs
				*o.Switch(&pbs.SchedConfig.Prime), *o.Switch(&pbs.SchedConfig.NonPrime) = true, true
				sameSort(t, where+" with "+o.Name, &turned)
			}
		}
	})
	if jobs < 500 {
		t.Errorf("only %d jobs", jobs)
	}
}

// sameSort sorts the jobs of a snapshot both ways, and says how many there were.
func sameSort(t *testing.T, where string, s *model.Snapshot) int {
	t.Helper()
	fast, slow := cycle.SortBoth(s, s.TakenAt)
	if !slices.Equal(fast, slow) {
		t.Errorf("%s: the cycle sorts %v, the criteria %v", where, fast, slow)
	}
	return len(fast)
}
