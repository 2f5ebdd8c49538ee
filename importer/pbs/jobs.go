package pbs

import (
	"math"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/pbs/object"
	"qprism/importer/source"
)

var jobs = &kind{part: "jobs", Kind: object.Kind{
	Name: "Job", Key: "Jobs", Text: object.Text{Heads: []string{"Job Id:", "Job:"}, Indent: 4}, Skip: names(
		// Attributes that say how a job runs, not when. The bundle itself keeps them.
		`Variable_List Error_Path Output_Path Join_Path Keep_Files Mail_Points Mail_Users Shell_Path_List umask jobdir session_id
		exec_host2 Submit_arguments executable argument_list Stageout_status stagein stageout hashname run_version Submit_Host
		history_timestamp User_List group_list interactive block sandbox no_stdio_sockets credential X11_display X11_forwarding
		Remove_Files max_walltime_used forward_x11_port forward_x11_cookie cred_id cred_validity jobobit_substate gridname security
		hop_count interactive_auth tobjid pset alt_id accounting_id`),
}}

// readJobs reads the jobs from the bundle's best listing.
func readJobs(r *reader) error {
	jr := &jobReader{filler: r.filler(jobs)}
	to := jr.places()
	err := jr.objects(func() { jr.read(to) })
	r.Snap.Jobs = r.withoutRepeats(jr.file, jr.all())
	if err == nil {
		err = r.NothingRead(jr.file, len(r.Snap.Jobs))
	}
	r.waitUntilTaken(r.listed.Sub(r.Snap.TakenAt.Truncate(time.Second)))
	return err
}

// withoutRepeats keeps the last entry of each job, because a copy may have the output of two commands.
func (r *reader) withoutRepeats(file string, jobs []model.Job) []model.Job {
	if ascending(jobs) {
		return jobs
	}
	last := make(map[string]int, len(jobs))
	for i := range jobs {
		last[jobs[i].PBS.ID] = i
	}
	if len(last) == len(jobs) {
		return jobs
	}
	once := jobs[:0]
	for i := range jobs {
		if id := jobs[i].PBS.ID; last[id] == i {
			once = append(once, jobs[i])
		} else {
			r.Repair(file, 0, []byte(id), "a job listed twice; the last time counts")
		}
	}
	return once
}

// ascending reports whether the numbers rise; then no job appears twice.
func ascending(jobs []model.Job) bool {
	for i := 1; i < len(jobs); i++ {
		if jobs[i].Number <= jobs[i-1].Number {
			return false
		}
	}
	return true
}

// slowListing limits the time from the beginning of a capture to the list of jobs.
const slowListing = time.Minute

// waitUntilTaken subtracts the eligible time that jobs gained between the snapshot and the list of jobs. The
// server counts whole seconds.
func (r *reader) waitUntilTaken(later time.Duration) {
	if later <= 0 || later > slowListing {
		return
	}
	for i := range r.Snap.Jobs {
		if p := r.Snap.Jobs[i].PBS; p.AccrueType == model.Eligible {
			p.EligibleTime = max(0, p.EligibleTime-later)
		}
	}
}

func names(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

// chunk is the number of jobs that are allocated together.
const chunk = 256

// A jobReader makes jobs from records. It allocates jobs in chunks, and their lists in slabs.
type jobReader struct {
	*filler
	job   model.Job // the current job
	own   model.PBSJob
	asked []model.Request
	used  []model.Request

	chunks    [][]model.Job
	n         int
	parts     source.Slab[model.PBSJob]
	resources source.Slab[model.Request]
}

// all returns the jobs in the order printed.
func (jr *jobReader) all() []model.Job {
	if jr.n == 0 {
		return nil
	}
	all := make([]model.Job, jr.n)
	for i, c := range jr.chunks {
		copy(all[i*chunk:], c)
		jr.chunks[i] = nil
	}
	return all
}

// room allocates a job.
func (jr *jobReader) room() *model.Job {
	if jr.n%chunk == 0 {
		jr.chunks = append(jr.chunks, make([]model.Job, chunk))
	}
	jr.n++
	return &jr.chunks[(jr.n-1)/chunk][(jr.n-1)%chunk]
}

// read makes a job from a record.
func (jr *jobReader) read(to places) {
	id, err := parseID(jr.rec.ID)
	if err != nil {
		jr.LeaveOut(jr.file, jr.rec.Line, jr.rec.ID, err)
		return
	}
	jr.job = model.Job{Number: id.number, Array: id.array}
	jr.own = model.PBSJob{ID: jr.rec.ID, Array: id.parent, Index: id.index, AccrueType: -1}
	jr.asked, jr.used = jr.asked[:0], jr.used[:0]
	jr.fill(to, jr.other)
	if jr.job.Owner == "" {
		jr.job.Owner, _, _ = strings.Cut(jr.own.User, "@")
	}
	if jr.own.Holds == "n" {
		jr.own.Holds = ""
	}
	if !jr.whole() {
		return
	}
	jr.job.Hard, jr.own.Used = jr.resources.Keep(jr.asked...), jr.resources.Keep(jr.used...)
	jr.job.PBS = jr.parts.New()
	*jr.job.PBS = jr.own
	*jr.room() = jr.job
}

// other keeps an attribute without a place, and lists it.
func (jr *jobReader) other() {
	if ofTorque[jr.attr.Name] {
		jr.Snap.System = model.Torque
		return
	}
	s := jr.setting()
	jr.own.Other = append(jr.own.Other, s)
	jr.listUnknown(s)
}

// ofTorque are attributes of jobs that only Torque prints. They say how a job runs, not when. The last one
// marks a job from a table for people.
var ofTorque = names(`init_work_dir submit_args submit_host fault_tolerant job_radix Walltime start_count total_runtime job_array_id
	exec_port request_version login_node_id proxy_user reported_execution_slots total_execution_slots cray_reservation_id sched_hint
	x torque_table`)

func (jr *jobReader) places() places {
	job, p := &jr.job, &jr.own
	return places{
		// the name and owner of the job
		"Job_Name":     &job.Name,
		"Job_Owner":    &p.User,
		"euser":        &job.Owner,
		"egroup":       &job.Group,
		"project":      &job.Project,
		"Account_Name": &job.Account,
		"job_state":    &p.State,
		"substate":     &p.Substate,
		"queue":        &p.Queue,
		"server":       &p.Server,
		"queue_type":   &p.QueueType,
		"reserve_ID":   &p.Reservation,
		"comment":      &p.Comment,
		"Rerunable":    (*inverse)(&p.NotRerunable),
		"Checkpoint":   &p.Checkpoint,

		// arrays and subjobs
		"array":                   &job.Array,
		"array_id":                &p.Array,
		"array_index":             &p.Index,
		"array_indices_submitted": &job.Structure,
		"job_array_request":       &job.Structure, // Torque
		"array_indices_remaining": &p.ArrayRemaining,
		"array_state_count":       (*counts)(&p.ArrayStates),
		"max_run_subjobs":         &job.MaxRunningTasks,

		// requests and usage
		"Resource_List":      places{"select": &p.Select, "place": &p.Place, "": &jr.asked},
		"resources_used":     &jr.used,
		"schedselect":        &p.SchedSelect,
		"exec_vnode":         &p.ExecVnode,
		"exec_host":          &p.ExecHost,
		"resources_released": &p.Released,
		"Priority":           &job.PosixPriority,

		// times of submission, start and end
		"ctime":           &job.Submitted,
		"qtime":           &p.Queued,
		"etime":           &p.Eligible,
		"stime":           &p.Started,
		"start_time":      &p.Started, // Torque
		"mtime":           &p.Modified,
		"obittime":        &p.Ended,
		"comp_time":       &p.Ended, // Torque
		"run_count":       &p.RunCount,
		"Exit_status":     &p.ExitStatus,
		"exit_status":     &p.ExitStatus, // Torque
		"sched_preempted": &p.Preempted,

		// what the job waits for, and its place in the queue
		"Execution_Time":    &job.ExecutionTime,
		"Hold_Types":        &p.Holds,
		"depend":            &p.Depend,
		"queue_rank":        &p.QueueRank,
		"accrue_type":       &p.AccrueType,
		"eligible_time":     &p.EligibleTime,
		"topjob":            &p.TopJob,
		"topjob_ineligible": &p.NoTopJob,
		"estimated":         places{"start_time": &p.EstimatedStart, "exec_vnode": &p.EstimatedVnodes},
	}
}

// noAmount means that a number was not printed.
var noAmount = math.NaN()
