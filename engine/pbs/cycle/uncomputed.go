package cycle

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
)

// noteUncomputed says what the cycle does that the plan leaves out: jobs of other servers, provisioning, options that later releases lack.
func (r *run) noteUncomputed() {
	w := r.world
	for _, p := range w.conf.PeerQueues {
		from := p.Remote
		if p.Server != "" {
			from += "@" + p.Server
		}
		r.note(fmt.Sprintf("peer_queue: the scheduler also takes jobs of %s, as if they waited in %s; they are not planned", from, p.Local))
	}
	if slices.ContainsFunc(w.jobs, func(c *claim) bool { return c.state == 'Q' && w.asksAOE(c) }) {
		r.note("jobs that ask for an aoe start where vnodes offer it; that these are provisioned first is not planned")
	}
	for _, l := range w.conf.Lines {
		if l.Name == "help_starving_jobs" && !strings.EqualFold(l.Value, "false") && model.FindSchedOption(l.Name).ObeyedBy(w.snapshot.Release) {
			r.note(fmt.Sprintf("release %s obeys help_starving_jobs: jobs that have waited for max_starve come first there, which is not planned",
				w.snapshot.Release))
		}
	}
}
