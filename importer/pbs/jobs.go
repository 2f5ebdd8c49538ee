package pbs

import (
	"math"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/source"
)

// readJobs reads the jobs from the best listing that the bundle holds.
func readJobs(r *reader) error {
	file := r.choose("jobs")
	jobs := &jobReader{reader: r, file: file}
	jobs.filler = filler{reader: r, file: file}
	err := r.eachObject(file, "Jobs", jobForm, "Job Id:", uninteresting, r.shown("job", jobs.read))
	r.Snap.Jobs = r.lastOfEach(file, jobs.all())
	if err == nil {
		err = r.NoneLeft(file, len(r.Snap.Jobs))
	}
	r.waitUntilTaken(r.listed.Sub(r.Snap.TakenAt.Truncate(time.Second)))
	return err
}

// lastOfEach are the jobs, each as it was listed last: a copy may hold what two commands printed.
func (r *reader) lastOfEach(file string, jobs []model.Job) []model.Job {
	if rising(jobs) {
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
			r.repairer(file)(0, []byte(id), "a job listed twice; the last time counts")
		}
	}
	return once
}

// rising reports whether each job has a greater number than the one before it, so that none can be there twice.
func rising(jobs []model.Job) bool {
	for i := 1; i < len(jobs); i++ {
		if jobs[i].Number <= jobs[i-1].Number {
			return false
		}
	}
	return true
}

// slowListing is how much later than the bundle began jobs may have been listed.
const slowListing = time.Minute

// waitUntilTaken makes the eligible time of waiting jobs that of the moment of the snapshot: they were listed somewhat later. The
// server counts whole seconds.
func (r *reader) waitUntilTaken(later time.Duration) {
	if later <= 0 || later > slowListing {
		return
	}
	for i := range r.Snap.Jobs {
		if p := r.Snap.Jobs[i].PBS; p.AccrueType == eligible {
			p.EligibleTime = max(0, p.EligibleTime-later)
		}
	}
}

// eligible is the accrue_type of a job whose eligible time grows.
const eligible = 2

// eachObject reads a file of objects in whatever form its name says; head and form are those of text.
func (r *reader) eachObject(file, part string, form textForm, head string, skip map[string]bool, each func(*record) error) error {
	switch {
	case file == "":
		return nil
	case strings.HasSuffix(file, "json") || strings.HasSuffix(file, "json.out"):
		return r.eachJSON(file, part, skip, each)
	case strings.HasSuffix(file, "dsv") || strings.HasSuffix(file, "dsv.out"):
		return r.eachDSV(file, head, skip, each)
	case strings.HasSuffix(file, ".xml"):
		return r.eachXML(file, skip, each)
	}
	return r.eachText(file, form, skip, each)
}

// uninteresting are attributes of jobs that say how a job runs, not when, and where the bundle itself keeps them.
var uninteresting = names(
	"Variable_List", "Error_Path", "Output_Path", "Join_Path", "Keep_Files", "Mail_Points", "Mail_Users", "Shell_Path_List",
	"umask", "jobdir", "session_id", "exec_host2", "Submit_arguments", "executable", "argument_list", "Stageout_status", "stagein", "stageout",
	"hashname", "run_version", "Submit_Host", "history_timestamp", "User_List", "group_list", "interactive", "block",
	"sandbox", "no_stdio_sockets", "credential", "X11_display", "X11_forwarding", "Remove_Files", "max_walltime_used",
	"forward_x11_port", "forward_x11_cookie", "cred_id", "cred_validity", "jobobit_substate", "gridname", "security",
	"hop_count", "interactive_auth", "tobjid", "pset", "alt_id", "accounting_id",
)

func names(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

// chunk is the number of jobs that a jobReader makes room for at once.
const chunk = 256

// A jobReader makes jobs of records. It makes room in chunks; what the jobs' lists hold lies in slabs.
type jobReader struct {
	*reader
	filler filler
	file   string
	chunks [][]model.Job
	n      int

	parts    source.Slab[model.PBSJob]
	requests source.Slab[model.Request]
	hard     []model.Request // of the job being read
	used     []model.Request
}

// all are the jobs read so far, in the order printed.
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

// place is room for a further job.
func (jr *jobReader) place() *model.Job {
	if jr.n%chunk == 0 {
		jr.chunks = append(jr.chunks, make([]model.Job, chunk))
	}
	jr.n++
	return &jr.chunks[(jr.n-1)/chunk][(jr.n-1)%chunk]
}

// read makes a job of a record.
func (jr *jobReader) read(rec *record) error {
	id, err := parseID(rec.id)
	if err != nil {
		jr.LeaveOut(jr.file, rec.line, rec.id, err)
		return nil
	}
	job := model.Job{Number: id.number, Array: id.array}
	p := model.PBSJob{ID: rec.id, Index: id.index, AccrueType: -1}
	if id.subjob {
		p.Array = id.parent
	}
	jr.fill(rec, &job, &p)
	good, err := jr.filler.settle()
	if !good {
		return err
	}
	job.Hard, p.Used = jr.requests.Keep(jr.hard...), jr.requests.Keep(jr.used...)
	job.PBS = jr.parts.New()
	*job.PBS = p
	*jr.place() = job
	return nil
}

// fill reads the attributes of a job.
func (jr *jobReader) fill(rec *record, job *model.Job, p *model.PBSJob) {
	f := &jr.filler
	f.rec, f.fault = rec, nil
	jr.hard, jr.used = jr.hard[:0], jr.used[:0]
	f.each(func(name string) {
		if !jr.identity(name, job, p) && !jr.request(name, job, p) && !jr.run(name, p) && !jr.wait(name, job, p) {
			jr.other(p)
		}
	})
	if job.Owner == "" {
		job.Owner, _, _ = strings.Cut(p.User, "@")
	}
}

// identity reads who and what the job is.
func (jr *jobReader) identity(name string, job *model.Job, p *model.PBSJob) bool {
	f := &jr.filler
	switch name {
	case "Job_Name":
		job.Name = f.str()
	case "Job_Owner":
		p.User = f.str()
	case "euser":
		job.Owner = f.str()
	case "egroup":
		job.Group = f.str()
	case "project":
		job.Project = f.str()
	case "Account_Name":
		job.Account = f.str()
	case "job_state":
		p.State = f.str()
	case "substate":
		p.Substate = f.small()
	case "queue":
		p.Queue = f.str()
	case "server":
		p.Server = f.str()
	case "queue_type":
		p.QueueType = f.str()
	case "reserve_ID":
		p.Reservation = f.str()
	case "comment":
		p.Comment = f.str()
	case "Rerunable":
		p.NotRerunable = !f.bool()
	case "Checkpoint":
		p.Checkpoint = f.str()
	default:
		return jr.array(name, job, p)
	}
	return true
}

// array reads what arrays and subjobs have.
func (jr *jobReader) array(name string, job *model.Job, p *model.PBSJob) bool {
	f := &jr.filler
	switch name {
	case "array":
		job.Array = f.bool()
	case "array_id":
		p.Array = f.str()
	case "array_index":
		p.Index = uint32(f.small())
	case "array_indices_submitted", "job_array_request": // the latter is Torque's
		job.Structure = f.ranges()
	case "array_indices_remaining":
		p.ArrayRemaining = f.ranges()
	case "array_state_count":
		p.ArrayStates = f.counts()
	case "max_run_subjobs":
		job.MaxRunningTasks = uint32(max(f.small(), 0))
	default:
		return false
	}
	return true
}

// request reads what the job asks for and has used.
func (jr *jobReader) request(name string, job *model.Job, p *model.PBSJob) bool {
	f := &jr.filler
	switch name {
	case "Resource_List":
		switch f.attr.resource {
		case "select":
			p.Select = f.str()
		case "place":
			p.Place = f.str()
		default:
			jr.hard = append(jr.hard, f.request())
		}
	case "resources_used":
		jr.used = append(jr.used, f.request())
	case "schedselect":
		p.SchedSelect = f.str()
	case "exec_vnode":
		p.ExecVnode = f.str()
	case "exec_host":
		p.ExecHost = f.str()
	case "resources_released":
		p.Released = f.str()
	case "Priority":
		job.PosixPriority = f.small()
	default:
		return false
	}
	return true
}

// run reads when the job arrived, began and ended.
func (jr *jobReader) run(name string, p *model.PBSJob) bool {
	f := &jr.filler
	switch name {
	case "qtime":
		p.Queued = f.time()
	case "etime":
		p.Eligible = f.time()
	case "stime", "start_time": // the latter is Torque's
		p.Started = f.time()
	case "mtime":
		p.Modified = f.time()
	case "obittime", "comp_time":
		p.Ended = f.time()
	case "run_count":
		p.RunCount = f.small()
	case "Exit_status", "exit_status":
		p.ExitStatus = f.count()
	case "sched_preempted":
		p.Preempted = f.time()
	default:
		return false
	}
	return true
}

// wait reads what the job waits for, and its place among those that do.
func (jr *jobReader) wait(name string, job *model.Job, p *model.PBSJob) bool {
	f := &jr.filler
	switch name {
	case "ctime":
		job.Submitted = f.time()
	case "Execution_Time":
		job.ExecutionTime = f.time()
	case "Hold_Types":
		if p.Holds = f.str(); p.Holds == "n" {
			p.Holds = ""
		}
	case "depend":
		p.Depend = f.str()
	case "queue_rank":
		p.QueueRank = f.int()
	case "accrue_type":
		p.AccrueType = f.small()
	case "eligible_time":
		p.EligibleTime = f.duration()
	case "topjob":
		p.TopJob = f.bool()
	case "topjob_ineligible":
		p.NoTopJob = f.bool()
	case "estimated":
		return jr.estimated(p)
	default:
		return false
	}
	return true
}

// estimated reads when and where a top job will start.
func (jr *jobReader) estimated(p *model.PBSJob) bool {
	f := &jr.filler
	switch f.attr.resource {
	case "start_time":
		p.EstimatedStart = f.time()
	case "exec_vnode":
		p.EstimatedVnodes = f.str()
	default:
		return false
	}
	return true
}

// other keeps an attribute that no reader knows, and lists it.
func (jr *jobReader) other(p *model.PBSJob) {
	f := &jr.filler
	if ofTorque[f.attr.name] {
		jr.Snap.System = model.Torque
		return
	}
	s := f.setting()
	p.Other = append(p.Other, s)
	jr.Unknown(jr.file, f.attr.line, s.Name, s.Value)
}

// noAmount is what a printed number is that was not printed.
var noAmount = math.NaN()
