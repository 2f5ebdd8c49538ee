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
	"qprism/engine/model/schedconfig"
	"qprism/engine/pbs/cycle/cluster"
	"qprism/engine/pbs/fairshare"
)

// noteUncomputed says what the cycle does that the plan leaves out: jobs of other servers, provisioning,
// options that later releases lack.
func (r *run) noteUncomputed() {
	w := r.world
	for _, p := range w.Config.PeerQueues {
		from := p.Remote
		if p.Server != "" {
			from += "@" + p.Server
		}
		r.note(fmt.Sprintf("peer_queue: the scheduler also takes jobs of %s, as if they waited in %s; "+
			"the plan does not include them", from, p.Local))
	}
	if slices.ContainsFunc(w.Jobs, func(c *cluster.Claim) bool {
		return c.State == 'Q' && slices.Contains(c.Selection.Uses, w.Res.AOE)
	}) {
		r.note("jobs that request an aoe start on vnodes that offer it; the plan does not include the provisioning")
	}
	for _, l := range w.Config.Lines {
		if l.Name == "help_starving_jobs" && !strings.EqualFold(l.Value, "false") &&
			schedconfig.Find(l.Name).ObeyedBy(w.Snapshot.Release) {
			r.note(fmt.Sprintf("release %s obeys help_starving_jobs: jobs that have waited for "+
				"max_starve come first; the plan does not include this", w.Snapshot.Release))
		}
	}
}

// noteGuesses says which order of preempted jobs is a guess.
func (r *run) noteGuesses() {
	if r.world.Guessed > 1 {
		r.note("qstat does not print when jobs were suspended; the plan orders them by their last change, which can be wrong")
	}
	if list := r.world.Requeued; len(list) > 0 {
		r.note("qstat does not print who requeued a job, and the bundle lacks the scheduler's log; the " +
			"plan treats these jobs as preempted, first in their level: " + strings.Join(list[:min(len(list), 5)], ", "))
	}
}

// FormulaOnce describes the effect of computing job_sort_formula once, at the start of the cycle: starts in
// the cycle change no value. fair_share without a formula counts every start. It is empty if the formula does
// not use the fairshare tree.
func FormulaOnce(s *model.Snapshot, at time.Time) string {
	if s.PBS == nil {
		return ""
	}
	f, err := formula.ParseJob(s.PBS.Formula, formula.KnownNames(s.Resources))
	if err != nil || !f.UsesFairshare() {
		return ""
	}
	anew := s.WithFormula("")
	anew.PBS.SchedConfig.Prime.FairShare, anew.PBS.SchedConfig.NonPrime.FairShare = true, true
	text := "the scheduler calculates the formula once, at the start of the cycle: starts do not change formula values"
	own, other := startsOf(s, at), startsOf(anew, at)
	if own == "" && other == "" {
		return text
	}
	return text + ". With the formula, " + cmp.Or(own, "no job starts") +
		". With fair_share and no formula, the scheduler sorts again after each start, and " +
		cmp.Or(other, "no job starts")
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
		parts = append(parts, fmt.Sprintf("%d of %s", count[name], name))
	}
	if more := len(names) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("others of %d entities", more))
	}
	if total == 0 {
		return ""
	}
	verb := map[bool]string{true: "job starts", false: "jobs start"}[total == 1]
	return fmt.Sprintf("%d %s (%s)", total, verb, strings.Join(parts, ", "))
}
