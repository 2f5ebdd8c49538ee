package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"qprism/engine/formula"
	"qprism/engine/model"
)

// compareValues reports zeros, ties, values that are no number, and those under the threshold, among waiting jobs.
func (r *Report) compareValues() {
	var zeros, nans, under []string
	list := r.waiting()
	for _, j := range list {
		v := j.Result.Value()
		switch {
		case j.Result.Err != nil || j.Result.NoType != "":
			continue
		case v == 0:
			zeros = append(zeros, j.ID())
		case math.IsNaN(float64(v)):
			nans = append(nans, j.ID())
		}
		if formula.Under(v, r.Threshold) {
			under = append(under, j.ID())
		}
	}
	if len(zeros) > 0 {
		text := "the value is 0 " + ofWaiting(zeros, list)
		if len(zeros) == len(list) {
			text += ": the formula does not change the order"
		}
		r.add(Problem{Severity: Warning, Kind: Zeros, Jobs: zeros, Text: text})
	}
	if len(nans) > 0 {
		r.add(Problem{Severity: Warning, Kind: NaN, Jobs: nans,
			Text: "the value is no number (nan) " + forJobs(nans) +
				": fairshare, sort keys and submission decide their order"})
	}
	if len(under) > 0 {
		r.add(Problem{Severity: Warning, Kind: Under, Jobs: under,
			Text: fmt.Sprintf("the value is not above the threshold %s %s: the scheduler does not consider these jobs, "+
				"and their eligible time does not grow",
				strconv.FormatFloat(r.Threshold, 'f', -1, 64), forJobs(under))})
	}
	r.ties(list)
}

// ofWaiting names some of the waiting jobs, or says that they are all.
func ofWaiting(ids []string, list []*Job) string {
	if len(ids) == len(list) {
		return "for every waiting job"
	}
	return forJobs(ids)
}

// ties reports different exact values that are one value in 32 bits.
func (r *Report) ties(list []*Job) {
	byValue := slices.Clone(list)
	slices.SortStableFunc(byValue, func(a, b *Job) int {
		return cmp.Or(cmp.Compare(b.Result.Value(), a.Result.Value()), cmp.Compare(b.Result.Exact, a.Result.Exact))
	})
	var tied []string
	var first [2]*Job
	for i := 1; i < len(byValue); i++ {
		a, b := byValue[i-1], byValue[i]
		if a.Result.Value() != b.Result.Value() || a.Result.Exact == b.Result.Exact || a.Result.NoType != "" ||
			b.Result.NoType != "" {
			continue
		}
		if tied == nil {
			first = [2]*Job{a, b}
		}
		tied = append(tied, a.ID(), b.ID())
	}
	if tied == nil {
		return
	}
	slices.Sort(tied)
	tied = slices.Compact(tied)
	a, b := first[0].Result, first[1].Result
	r.add(Problem{Severity: Warning, Kind: Ties, Jobs: tied,
		Hint: "make the differences larger compared with the values: PBS keeps 24 bits",
		Text: fmt.Sprintf("different values become equal in 32 bits %s: %s is %v and %s is %v, both %v",
			forJobs(tied), first[0].ID(), a.Exact,
			first[1].ID(), b.Exact, a.Value())})
}

// compareInputs reports resources that jobs do not request, and numbers that this cluster does not keep.
func (r *Report) compareInputs(s *model.Snapshot) {
	list := r.waiting()
	for _, name := range r.Reads {
		var without []string
		for _, j := range list {
			if !j.input.Has(name) {
				without = append(without, j.ID())
			}
		}
		if len(without) > 0 {
			r.add(Problem{Severity: Note, Kind: Unrequested, Jobs: without,
				Text: fmt.Sprintf("%s is 0 %s: it is not requested", name, ofWaiting(without, list))})
		}
	}
	r.compareSettings(s)
}

// compareSettings reports numbers that do not move on this cluster.
func (r *Report) compareSettings(s *model.Snapshot) {
	if s.PBS == nil {
		return
	}
	reads := func(names ...string) bool {
		return slices.ContainsFunc(r.Reads, func(name string) bool { return slices.Contains(names, name) })
	}
	if reads("eligible_time", "accrue_type") && !s.PBS.Server.EligibleTimeEnable {
		r.add(Problem{Severity: Warning, Kind: Switched,
			Text: "eligible_time does not grow: the server's eligible_time_enable is not set",
			Hint: `qmgr -c "set server eligible_time_enable = true"`})
	}
	if old := s.PBS.Server.Formula; old != "" && old != r.Formula {
		r.add(Problem{Severity: Error, Kind: Refused, Hint: `qmgr -c "unset server job_sort_formula" first`,
			Text: "refused: Server's job_sort_formula value is incompatible with sched's (error 15226): " +
				"the server's own, which is deprecated, is " +
				old})
	}
	config := &s.PBS.SchedConfig
	if reads("fairshare_tree_usage", "fairshare_factor") && config.Present && !config.Prime.FairShare &&
		!config.NonPrime.FairShare {
		r.add(Problem{Severity: Warning, Kind: Switched,
			Text: "usage is never charged: fair_share is off in sched_config, so fairshare_tree_usage " +
				"and fairshare_factor only decay",
			Hint: `set "fair_share: true ALL" in sched_config`})
	}
}
