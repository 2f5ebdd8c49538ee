package retrace

// A Field is something that the master tells and that is recomputed.
type Field int

// The fields, as reports list them.
const (
	Formula   Field = iota // value of job_sort_formula, as the log prints it
	Order                  // place among the jobs that the cycle considered
	Start                  // whether a job was started or resumed
	Vnodes                 // exec_vnode of the job that was started
	Reason                 // why a job was not started, as logged
	TopJob                 // predicted start of a top job
	TopNodes               // vnodes kept for it
	Preempted              // by what method a job was preempted
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
