package model

import "time"

// PBSJob has the facts about a job that only PBS has. An array and each of its subjobs are jobs of their own,
// with one Number and different IDs. In Job: Number is the sequence number, Owner euser, Group egroup,
// Submitted ctime, PosixPriority Priority, Hard Resource_List without select and place, Structure
// array_indices_submitted, MaxRunningTasks max_run_subjobs; Tasks is not used.
type PBSJob struct {
	ID       string // "12.pbsvm", "12[].pbsvm", "12[3].pbsvm"
	Array    string // array_id of a subjob: the id of its array
	Index    uint32 // array_index of a subjob
	State    string // job_state: "Q", "R", "H", "W", "S", "E", "T", "B", "X", "F", "M", "U"
	Substate int
	Queue    string
	Server   string
	User     string // Job_Owner, "alice@host"

	Select      string // Resource_List.select, as requested
	SchedSelect string // schedselect: with the defaults that the server added
	Place       string // Resource_List.place
	ExecVnode   string // exec_vnode of a job that runs or ran
	ExecHost    string // exec_host
	Used        []Request
	Released    string // resources_released by a suspended job, in the form of exec_vnode

	QueueRank    int64         // arrival in the queue in microseconds since 1970; a counter in older releases
	AccrueType   int           // 0 initial, 1 ineligible, 2 eligible, 3 running, 4 exit; -1 not printed
	EligibleTime time.Duration // at the moment of the snapshot, including the present interval
	Queued       time.Time     // qtime
	Eligible     time.Time     // etime, zero while the job is held
	Started      time.Time     // stime
	Modified     time.Time     // mtime
	Ended        time.Time     // obittime
	Holds        string        // Hold_Types without "n": "u", "so"
	Depend       string        // depend, as printed
	Preempted    time.Time     // sched_preempted: last preemption by the scheduler
	RunCount     int           // run_count
	ExitStatus   Count         // Exit_status
	Comment      string
	QueueType    string // queue_type, "E" or "R"
	Reservation  string // reserve_ID

	EstimatedStart  time.Time // estimated.start_time of a top job
	EstimatedVnodes string    // estimated.exec_vnode
	TopJob          bool      // topjob
	NoTopJob        bool      // topjob_ineligible

	ArrayRemaining []Range   // array_indices_remaining: subjobs that have not started
	ArrayStates    []Setting // array_state_count: "Queued" "6" …

	NotRerunable bool   // Rerunable = False
	Checkpoint   string // Checkpoint, "u" by default
	Other        []Setting
}

// Arrived is when a PBS job came into its queue: queue_rank, else its times.
func (j *Job) Arrived() time.Time {
	const early = 1_000_000_000_000_000 // the year 2001 in microseconds: smaller ranks are counters
	switch {
	case j.PBS.QueueRank > early:
		return time.UnixMicro(j.PBS.QueueRank).UTC()
	case !j.PBS.Queued.IsZero():
		return j.PBS.Queued
	}
	return j.Submitted
}

// Eligible is the accrue_type of a job whose eligible time grows.
const Eligible = 2
