package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// mostBound bounds the jobs that a note names.
const mostBound = 5

// noteBound says which waiting jobs ask to be tied to processors where the scheduler chooses these: that of
// Open Cluster Scheduler since 9.1, and those of Univa and Altair. What they need of them is not planned.
// In other releases the host ties the job, and no start depends on it.
func (r *run) noteBound() {
	chosen := slices.Contains([]string{"UGE", "AGE"}, r.Snapshot.Release.Product)
	var names []string
	for i := range r.Snapshot.Jobs {
		if j := &r.Snapshot.Jobs[i]; j.Binding != "" && j.Waits() && (chosen || strings.HasPrefix(j.Binding, "bamount=")) {
			names = append(names, fmt.Sprintf("%d (%s)", j.Number, j.Binding))
		}
	}
	if n := len(names); n > mostBound {
		names = append(names[:mostBound], fmt.Sprintf("%d others", n-mostBound))
	}
	if len(names) > 0 {
		r.Plan.Notes = append(r.Plan.Notes, "jobs that request core binding: "+strings.Join(names, ", ")+
			"; the plan reserves no cores, so the master may start them later or on other hosts")
	}
}
