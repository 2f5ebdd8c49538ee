package lastrun

import (
	"regexp"
	"strconv"
	"time"

	"qprism/engine/model"
)

// ordersOfRun finds how many orders a run sent, in the line that it writes at its end with PROFILE=1.
var ordersOfRun = regexp.MustCompile(`^PROF: scheduled in .*, (\d+) orders, `)

// clearedWaiting reports whether the run cleared what the master shows of all jobs that wait, as the first run does that finds
// report_pjob_tickets off in a changed configuration: one order more for each of them. (Rule Q44; with O11 changes of the sum of override
// tickets are such changes.)
func (v *View) clearedWaiting() bool {
	if v.Snapshot.Policy.ReportPendingTickets {
		return false
	}
	orders, known := ordersAt(v.Snapshot, v.At)
	if !known {
		return false
	}
	others := len(v.Lists.Aside) + len(v.starts)
	for i := range v.Lists.Running {
		others += len(v.Lists.Running[i].Tasks)
	}
	return orders-others > len(v.Lists.Pending)
}

// ordersAt is how many orders the run at a moment sent.
func ordersAt(s *model.Snapshot, at time.Time) (n int, known bool) {
	for _, l := range s.Trace {
		if l.At.Before(at) {
			continue
		}
		if m := ordersOfRun.FindStringSubmatch(l.Text); m != nil {
			n, err := strconv.Atoi(m[1])
			return n, err == nil
		}
	}
	return 0, false
}
