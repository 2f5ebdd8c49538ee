package lastrun

import "qprism/engine/gridengine/split"

// clearedWaiting reports whether the run cleared the printed numbers of all waiting jobs. The first run after
// report_pjob_tickets is switched off does so, with one more order for each job. (Rule Q44; with O11, a
// change of the sum of override tickets counts as such a change.)
func (v *View) clearedWaiting() bool {
	if v.Snapshot.Policy.ReportPendingTickets {
		return false
	}
	orders, known := split.CountedAt(v.Snapshot, v.At, "orders")
	if !known {
		return false
	}
	others := len(v.Lists.Blocked) + len(v.starts)
	for i := range v.Lists.Running {
		others += len(v.Lists.Running[i].Tasks)
	}
	return orders-others > len(v.Lists.Pending)
}
