package retrace

import "qprism/engine/model"

// cycleFields are those of the cycle, treeFields those of the fairshare tree.
var (
	cycleFields = []Field{Formula, Order, Start, Vnodes, Reason, TopJob, TopNodes, Preempted}
	treeFields  = []Field{Shares, Usage, Perc, TreeUsage, PerShare, Winner}
)

// complete reports whether there is all that a cycle is recomputed from, and lists what there is not.
func (r *Report) complete(s *model.Snapshot, opts Options) bool {
	if opts.Before != nil {
		s = opts.Before
	}
	for _, part := range []struct {
		there bool
		file  string
	}{{s.PBS.SchedConfig.Present, "sched_config"}, {len(s.Queues) > 0, "qstat_Qf.json"},
		{len(s.Hosts) > 0, "pbsnodes_av.json"}} {
		if !part.there {
			r.gap(part.file, "without it qprism cannot recompute the cycle", cycleFields)
		}
	}
	return len(r.Gaps) == 0
}

// findGaps lists what the bundle lacks, and what is not compared without it.
func (r *Report) findGaps(s *model.Snapshot) {
	found := func(part string) bool { _, ok := model.Text(s.PBS.Sources, part); return ok }
	switch {
	case len(s.PBS.Cycles) == 0:
		r.gap("sched_log.txt", "without it, qprism does not compare order, starts and reasons", cycleFields)
	case r.Cycle == nil && len(r.Gaps) == 0:
		r.gap("sched_log.txt", "the log has no cycle at that time", cycleFields)
	case r.Cycle != nil && s.PBS.Formula != "" && len(r.Cycle.Of(model.EventFormula)) == 0:
		r.gap("sched_log.txt", "qprism does not compare formula values: log_events of the scheduler lacks 256",
			[]Field{Formula})
	}
	if len(s.PBS.Accounting) == 0 {
		r.gap("accounting.txt", "without it, qprism does not compare the vnodes of starts, and does not know jobs that "+
			"came and ended before the cycle", []Field{Vnodes})
	}
	if len(s.PBS.Fair)+len(s.PBS.FairEntities) == 0 {
		r.gap("pbsfs_p.txt", "without it, qprism does not compare the fairshare tree", treeFields)
	}
	switch {
	case s.PBS.Fairshare.Listed:
		r.gap("resource_group", "the tree is from pbsfs -p, with usage in whole numbers", nil)
	case !found("resource_group"):
		r.gap("resource_group", "the scheduler's own file; without it, nobody has shares", nil)
	}
}

func (r *Report) gap(file, what string, fields []Field) {
	r.Gaps = append(r.Gaps, Gap{file, what, fields})
}

// A Field is a value that the master reports and qprism recomputes.
type Field int

// The fields in the order of reports.
const (
	Formula   Field = iota // value of job_sort_formula, as the log prints it
	Order                  // place among the jobs that the cycle considered
	Start                  // whether a job was started or resumed
	Vnodes                 // exec_vnode of the started job
	Reason                 // why a job was not started, as logged
	TopJob                 // predicted start of a top job
	TopNodes               // vnodes kept for it
	Preempted              // the method by which a job was preempted
	Shares                 // of pbsfs: Shares, and the numbers of groups
	Usage
	Perc
	TreeUsage
	PerShare // usage/perc
	Winner   // of pbsfs -c: the more deserving of two
	Fields   // their number
)

var fieldNames = [Fields]string{"formula", "order", "start", "exec_vnode", "reason", "estimated start",
	"estimated vnodes", "preemption",
	"pbsfs shares", "pbsfs usage", "pbsfs percentage", "fairshare_tree_usage", "pbsfs usage/perc", "pbsfs -c"}

func (f Field) String() string { return fieldNames[f] }
