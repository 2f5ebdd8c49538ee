package cycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// Once says what it makes of a cycle that job_sort_formula is calculated once at its start: what starts in
// it changes no value, where fair_share without a formula counts every start. It is empty where the formula
// reads nothing of the fairshare tree.
func Once(s *model.Snapshot, at time.Time) string {
	if s.PBS == nil {
		return ""
	}
	f, err := formula.ParseJob(s.PBS.Formula, formula.KnownNames(s.Resources))
	if err != nil || !f.UsesFairshare() {
		return ""
	}
	anew := s.WithFormula("")
	anew.PBS.SchedConfig.Prime.FairShare, anew.PBS.SchedConfig.NonPrime.FairShare = true, true
	text := "calculated once at the start of the cycle: what starts in it changes no value"
	own, other := startsOf(s, at), startsOf(anew, at)
	if own == "" && other == "" {
		return text
	}
	return text + "; " + cmp.Or(own, "nothing starts") +
		"; with fair_share and no formula, which sorts anew after each start, " +
		cmp.Or(other, "nothing starts")
}

// startsOf says how many jobs of whom a cycle starts; empty for none.
func startsOf(s *model.Snapshot, at time.Time) string {
	const most = 5
	jobs, count := s.JobsByNumber(), map[string]int{}
	total := 0
	for _, d := range Run(s, Options{At: at}).Decisions {
		if j := jobs[d.Job]; d.Verdict == model.Now && j != nil {
			total++
			count[fairshare.EntityOf(s.PBS.Fairshare.Policy, j)]++
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(len(names), most)] {
		parts = append(parts, fmt.Sprintf("%s %d", name, count[name]))
	}
	if more := len(names) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d others", more))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d start: %s", total, strings.Join(parts, ", "))
}
