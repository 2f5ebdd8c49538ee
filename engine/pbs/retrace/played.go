package retrace

import "qprism/engine/model"

// Played is a snapshot with what happened from it until a cycle began, as accounting records tell: jobs
// that came, started, were preempted and ended, with what is assigned of vnodes, queues and the server by
// then. Jobs that the cycle considered were allowed to start by then.
func Played(base *model.Snapshot, records []model.AccountingRecord, c *model.SchedCycle) *model.Snapshot {
	return playedOn(base, &model.PBS{Cycles: base.PBS.Cycles, Accounting: records}, c).Snapshot
}
