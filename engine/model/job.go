package model

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DecidedContext is the variable of a job's context (-ac) with the reason of qprism drive.
const DecidedContext = "qprism_why"

// A Job is one submitted job. A job that is no array has exactly one task, number 1.
type Job struct {
	Number     uint32
	Name       string
	Owner      string
	Group      string
	Project    string // empty for none
	Department string
	Account    string

	Submitted       time.Time
	PosixPriority   int       // -p, -1023 to 1024
	OverrideTickets uint32    // -ot
	JobShare        uint32    // -js
	Deadline        time.Time // -dl, zero for none
	ExecutionTime   time.Time // -a, zero for none
	Reserve         bool      // -R y
	Array           bool      // -t
	Structure       []Range   // task numbers of -t; those without a task have ended
	MaxRunningTasks uint32    // -tc, 0 for no limit
	PE              string    // requested parallel environment, wildcards allowed; empty for none
	PERange         []Range   // requested slots
	Hard, Soft      []Request // -l
	HardQueues      []string  // -q
	SoftQueues      []string
	MasterQueues    []string // -masterq
	MasterScope     *Scope   // -scope master of newer releases, nil for none
	SlaveScope      *Scope   // -scope slave of newer releases, nil for none
	Checkpoint      string   // -ckpt
	// -binding, -bamount: requested core binding, as qstat prints it; empty for none
	Binding          string
	Reservation      uint32   // -ar
	Predecessors     []uint32 // unfinished jobs that it waits for
	PredecessorNames []string // as written in -hold_jid
	ArrayPredecessor []uint32 // -hold_jid_ad
	Rerun            string   // JB_restart: "0" queue decides, "1" yes, "2" no
	Type             uint32   // JB_type bits, 0 if the bundle lacks them
	Version          uint32   // number of changes of the job by the master
	Decided          string   // why qprism drive keeps it from starting, or limits its places: DecidedContext
	Detailed         bool     // qstat -j printed the job, so its own fields are known

	Finished []FinishedTask // ended tasks that the master keeps until the next run
	Tasks    []Task         // every task that the master keeps, alone or in a group, in printed order
	Reported *JobReport     // values of the job that the master printed
	Messages []JobReason    // scheduler messages

	PBS *PBSJob // nil for Grid Engine
}

// TypeImmediate is the bit of Type for jobs that start at once or not at all (qsub -now y).
const TypeImmediate = 0x01

// Same reports whether two jobs of snapshots are the same job. (PBS arrays and subjobs share a number.)
func (j *Job) Same(other *Job) bool {
	return j.Number == other.Number && (j.PBS == nil || other.PBS == nil || j.PBS.ID == other.PBS.ID)
}

// AsksAs reports whether a job has the same requests as in another snapshot, so it was not altered.
func (j *Job) AsksAs(other *Job) bool {
	same := j.PosixPriority == other.PosixPriority && j.OverrideTickets == other.OverrideTickets &&
		j.JobShare == other.JobShare &&
		j.Deadline.Equal(other.Deadline) && j.ExecutionTime.Equal(other.ExecutionTime) &&
		j.Project == other.Project && j.Department == other.Department && j.Reserve == other.Reserve &&
		j.PE == other.PE && slices.Equal(j.PERange, other.PERange) &&
		slices.Equal(j.HardQueues, other.HardQueues) && SameRequests(j.Hard, other.Hard) && SameRequests(j.Soft, other.Soft)
	if j.PBS != nil && other.PBS != nil {
		same = same && j.PBS.Queue == other.PBS.Queue && j.PBS.Select == other.PBS.Select && j.PBS.Place == other.PBS.Place
	}
	return same
}

// Immediate reports whether a job starts at once or not at all.
func (j *Job) Immediate() bool { return j.Type&TypeImmediate != 0 }

// A Task is one task, or a group of waiting tasks that the master prints together ("2-10:2").
type Task struct {
	IDs      []Range
	State    string // as qstat prints it: "qw", "hqw", "r", "t", "Rr", "Eqw", "dr"
	Enrolled bool   // the master keeps an object for this task
	Started  time.Time
	Ended    time.Time // when the master learned of its end; zero before
	Slots    int       // granted to a running task, requested by a waiting one, as printed
	Granted  []Grant   // queue instances of a running task, the master task first
	PE       string    // granted parallel environment
	Usage    []Amount
	Reported *TaskReport // values of the task that the master printed
}

// A FinishedTask has ended, but still counts against the limits on running tasks (-tc, max_aj_instances) in
// the next run.
type FinishedTask struct {
	Number  uint32
	Started time.Time
}

// A Grant is a number of slots in one queue instance.
type Grant struct {
	Instance string // "all.q@node01"
	Slots    int    // 0 if the bundle does not show how a parallel task is spread
}

// A Range is a range of task numbers or slot counts: Min, Min+Step, … up to Max.
type Range struct {
	Min, Max, Step uint32
}

// All are the numbers of a range, in ascending order.
func (r Range) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for n := uint64(r.Min); n <= uint64(r.Max); n += uint64(max(r.Step, 1)) {
			if !yield(uint32(n)) {
				return
			}
		}
	}
}

// SlotsText formats ranges of slots as for qsub -pe: "4", "2-8", "4-".
func SlotsText(ranges []Range) string {
	const endless = 9999999 // qsub's "4-"
	var parts []string
	for _, r := range ranges {
		text := strconv.FormatUint(uint64(r.Min), 10)
		switch {
		case r.Max >= endless:
			text += "-"
		case r.Max != r.Min:
			text += "-" + strconv.FormatUint(uint64(r.Max), 10)
		}
		if r.Step > 1 && r.Max != r.Min {
			text += ":" + strconv.FormatUint(uint64(r.Step), 10)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

// Holds reports whether a number is in the range.
func (r Range) Holds(number uint32) bool {
	return r.Min <= number && number <= r.Max && (number-r.Min)%max(r.Step, 1) == 0
}

// Holds reports whether a number is in one of the ranges.
func Holds(ranges []Range, number uint32) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.Holds(number) })
}

// First is the first number in the ranges.
func First(ranges []Range) (number uint32, ok bool) {
	if len(ranges) == 0 {
		return 0, false
	}
	return ranges[0].Min, true
}

// FirstTask is the task of a decision or a line; 1 if the job is no array.
func FirstTask(tasks []Range) uint32 {
	if len(tasks) == 0 {
		return 1
	}
	return tasks[0].Min
}

// CountOf is the number of numbers in the ranges.
func CountOf(ranges []Range) (n int) {
	for _, r := range ranges {
		if r.Min <= r.Max {
			n += int((r.Max-r.Min)/max(r.Step, 1)) + 1
		}
	}
	return n
}

// Without is the ranges without a number.
func Without(ranges []Range, number uint32) (rest []Range) {
	for _, r := range ranges {
		if !r.Holds(number) {
			rest = append(rest, r)
			continue
		}
		step := max(r.Step, 1)
		last := r.Max - (r.Max-r.Min)%step // a range may end behind its last number
		if number > r.Min {
			rest = append(rest, Range{Min: r.Min, Max: number - step, Step: r.Step})
		}
		if number < last {
			rest = append(rest, Range{Min: number + step, Max: last, Step: r.Step})
		}
	}
	return rest
}

// A Request is one -l request.
type Request struct {
	Resource string
	Value    string  // as written, "3G"
	Amount   float64 // Value as a number, by the type of the resource; 0 for string types
	// Contribution is the urgency that qstat -r printed for the request, NaN if none.
	Contribution float64
}

// SameRequests reports whether two lists are equal.
func SameRequests(a, b []Request) bool {
	return slices.EqualFunc(a, b, func(x, y Request) bool { return x.Resource == y.Resource && x.Value == y.Value })
}

// A Scope has the requests for one part of a parallel job: its master task or its slave tasks (-scope of
// newer releases). They do not count for urgency.
type Scope struct {
	Hard, Soft             []Request
	HardQueues, SoftQueues []string
}

// A TaskScope names a part of a parallel job, as -scope does; empty for all tasks.
type TaskScope string

const (
	ScopeMaster TaskScope = "master"
	ScopeSlave  TaskScope = "slave"
)

// Reported values are what the master printed, NaN where it did not. Each holds exactly the printed digits.

// A JobReport has values that the master keeps for each job.
type JobReport struct {
	NPPrior float64 // npprior
	NUrg    float64 // nurg
	Urg     float64 // urg, only printed by qstat -urg
	RRContr float64 // rrcontr
	WTContr float64 // wtcontr
	DLContr float64 // dlcontr
}

// A TaskReport has values that the master keeps for each task, or for all waiting tasks of a job together.
type TaskReport struct {
	Prio   float64 // prior
	NTckts float64 // ntckts
	Tckts  float64 // tckts
	Otckt  float64 // otckt
	Ftckt  float64 // ftckt
	Stckt  float64 // stckt
	Share  float64 // share
}

// A JobReason is one scheduler message about a job.
type JobReason struct {
	Code uint32 // message number, 0 if unknown
	Text string
}
