package cycle

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/cycle/cluster"
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
			"they are not planned", from, p.Local))
	}
	if slices.ContainsFunc(w.Jobs, func(c *cluster.Claim) bool {
		return c.State == 'Q' && slices.Contains(c.Selection.Uses, w.Res.AOE)
	}) {
		r.note("jobs that ask for an aoe start where vnodes offer it; that these are provisioned first is not planned")
	}
	for _, l := range w.Config.Lines {
		if l.Name == "help_starving_jobs" && !strings.EqualFold(l.Value, "false") &&
			model.FindSchedOption(l.Name).ObeyedBy(w.Snapshot.Release) {
			r.note(fmt.Sprintf("release %s obeys help_starving_jobs: jobs that have waited for "+
				"max_starve come first there, which is not planned", w.Snapshot.Release))
		}
	}
}

// noteGuesses says which order of preempted jobs is a guess.
func (r *run) noteGuesses() {
	if r.world.Guessed > 1 {
		r.note("qstat does not print when jobs were suspended; here they come in the order of their " +
			"last change, which can be another one")
	}
	if list := r.world.Requeued; len(list) > 0 {
		r.note("qstat does not print whether the scheduler or somebody else requeued a job, and the " +
			"bundle lacks the scheduler's log; " +
			"taken for preempted, and so for the first of their level: " + strings.Join(list[:min(len(list), 5)], ", "))
	}
}
