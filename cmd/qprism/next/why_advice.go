package next

import (
	"fmt"
	"slices"
	"strings"

	"qprism/cmd/qprism/subject"
	"qprism/engine/delay"
	"qprism/engine/model"
)

// adviseGridEngine returns what helps: a command of the master, or a change outside. It is empty if only time
// helps.
func adviseGridEngine(s *subject.Subject, r *whyReport) string {
	n := r.Job.Number
	kinds, mendable := map[model.ReasonKind]bool{}, r.Mendable()
	for _, w := range r.Decision.Why {
		kinds[w.Kind] = true
	}
	switch {
	case r.chance.Never:
		return adviseNever(r.Job, r.chance)
	case kinds[model.ReasonHold]:
		return fmt.Sprintf("\"qrls %d\" releases it, if a user or operator holds it", n)
	case kinds[model.ReasonError]:
		return fmt.Sprintf("\"qstat -j %d\" shows the error; \"qmod -cj %d\" clears it", n, n)
	case kinds[model.ReasonExecutionTime]:
		return fmt.Sprintf("\"qalter -a %s %d\" lets it start at once", r.at.In(s.Zone()).Format("200601021504"), n)
	case kinds[model.ReasonDependency] || r.Decision.Verdict == model.Later:
		return ""
	case mendable && !r.Job.Reserve && s.Policy.MaxReservation > 0 &&
		(r.Job.PE != "" || len(r.General) > 0 && r.General[0].Level == "G"):
		return fmt.Sprintf("\"qalter -R y %d\" reserves slots for it, so jobs with a lower priority cannot pass it", n)
	case !mendable && slices.ContainsFunc(r.Hosts, func(g delay.Group) bool { return g.Closed() }):
		return "\"qstat -f -explain aE\" shows why queue instances are closed; \"qmod -e\" enables a disabled queue instance"
	case !mendable && len(r.Hosts) > 0 && delay.TriedInTurn(r.Decision.Why):
		return fmt.Sprintf("\"qalter %d\" changes its requests: no queue instance can take it as it is", n)
	}
	return ""
}

// awaited returns the job for whose end another job waits, if it does not run. It is empty if there is none.
func (r *whyReport) awaited() string {
	i := slices.IndexFunc(r.Decision.Why, func(w model.Reason) bool { return w.Kind == model.ReasonDependency })
	if i < 0 || r.Awaited {
		return ""
	}
	return strings.TrimPrefix(r.Decision.Why[i].Object, "job ")
}
