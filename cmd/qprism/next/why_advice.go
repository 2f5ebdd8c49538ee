package next

import (
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/subject"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// adviseGridEngine is the command that helps on.
func adviseGridEngine(s *subject.Subject, r *whyReport) string {
	forecast := s.Command("forecast") + " says when it is likely to start"
	n := r.Job.Number
	kinds, mendable := map[model.ReasonKind]bool{}, r.Mendable()
	for _, w := range r.Decision.Why {
		kinds[w.Kind] = true
	}
	switch {
	case r.chance.Never:
		return adviseNever(r.Job, r.chance)
	case kinds[model.ReasonHold]:
		return fmt.Sprintf("qrls %d lets it go, if it is held by hand", n)
	case kinds[model.ReasonError]:
		return fmt.Sprintf("qstat -j %d shows the error; qmod -cj %d lets it try again", n, n)
	case kinds[model.ReasonDependency] && r.Awaited:
		return forecast + ", should what it waits for run to its limit"
	case kinds[model.ReasonDependency]:
		return s.Command("why", strings.TrimPrefix(r.Decision.Why[0].Object, "job ")) + " says why that has not ended"
	case kinds[model.ReasonExecutionTime]:
		return fmt.Sprintf("qalter -a %s %d lets it start at once; ", r.at.In(s.Zone()).Format("200601021504"), n) + forecast
	case r.Decision.Verdict == model.Later:
		return forecast
	case mendable && !r.Job.Reserve && s.Policy.MaxReservation > 0 && (r.Job.PE != "" || len(r.General) > 0 && r.General[0].Level == "G"):
		return fmt.Sprintf("qalter -R y %d reserves for it, so that lesser jobs do not pass it; ", n) + forecast
	case !mendable && slices.ContainsFunc(r.Hosts, func(g delay.Group) bool { return g.Closed() }):
		return "qstat -f -explain aE says why queue instances are closed; qmod -e opens disabled ones"
	case !mendable && len(r.Hosts) > 0 && delay.TriedInTurn(r.Decision.Why):
		return fmt.Sprintf("qalter %d changes what it asks for: nothing that is looked at can take it as it is", n)
	}
	return forecast
}
