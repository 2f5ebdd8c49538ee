package retrace

import "qprism/engine/model"

// findGaps lists what the bundle lacks, and what is not compared without it.
func (r *Report) findGaps(s *model.Snapshot) {
	cycleFields := []Field{Formula, Order, Start, Vnodes, Reason, TopJob, TopNodes, Preempted}
	tree := []Field{Shares, Usage, Perc, TreeUsage, PerShare, Winner}
	found := func(part string) bool { _, ok := model.Text(s.PBS.Sources, part); return ok }
	switch {
	case len(s.PBS.Cycles) == 0:
		r.gap("sched_log.txt", "order, starts and reasons are not compared; the scheduler's log tells them", cycleFields)
	case r.Cycle == nil:
		r.gap("sched_log.txt", "the log tells of no cycle at that time", cycleFields)
	case s.PBS.Formula != "" && len(r.Cycle.Of(model.EventFormula)) == 0:
		r.gap("sched_log.txt", "formula values are not compared: log_events of the scheduler lacks 256", []Field{Formula})
	}
	if len(s.PBS.Accounting) == 0 {
		r.gap("accounting.txt", "vnodes of starts are not compared, and what came and went before the cycle is not known", []Field{Vnodes})
	}
	if len(s.PBS.Fair)+len(s.PBS.FairEntities) == 0 {
		r.gap("pbsfs_p.txt", "the fairshare tree is not compared; pbsfs prints it", tree)
	}
	for _, part := range []string{"sched_config", "resource_group"} {
		if !found(part) {
			r.gap(part, "the scheduler's own file, without which its defaults count", nil)
		}
	}
}

func (r *Report) gap(file, what string, fields []Field) {
	r.Gaps = append(r.Gaps, Gap{file, what, fields})
}
