package lastrun

import "qprism/engine/gridengine/split"

// clearedWaiting reports whether the run cleared what the master shows of all jobs that wait, as the first run does that finds
// report_pjob_tickets off in a changed configuration: one order more for each of them. (Rule Q44; with O11 changes of the sum of override
// tickets are such changes.)
func (v *View) clearedWaiting() bool {
	if v.Snapshot.Policy.ReportPendingTickets {
		return false
	}
	orders, known := split.CountedAt(v.Snapshot, v.At, "orders")
	if !known {
		return false
	}
	others := len(v.Lists.Aside) + len(v.starts)
	for i := range v.Lists.Running {
		others += len(v.Lists.Running[i].Tasks)
	}
	return orders-others > len(v.Lists.Pending)
}
