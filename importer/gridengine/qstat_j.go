package gridengine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
)

// basePriority is what the master adds to -p to store it, BASE_PRIORITY.
const basePriority = 1024

// typeArray is the bit of JB_type that an array job has, JOB_TYPE_ARRAY.
const typeArray = 0x80

// readQstatJ reads what qstat -j '*' -xml printed: everything that was submitted with the jobs, which of their tasks have
// objects of their own, and why the scheduler did not dispatch them.
func readQstatJ(r *reader, jobs *jobTable) error {
	return r.readXML("qstat-j.xml", func(x *xmlFile) error {
		q := &qstatJReader{xmlFile: x, jobs: jobs}
		for x.child(1) {
			var err error
			switch string(x.name()) {
			case "djob_info":
				err = q.readJobs()
			case "messages":
				err = q.readMessages()
			default:
				if !uninteresting[string(x.name())] {
					x.unknown()
				}
			}
			if err != nil {
				return err
			}
		}
		q.dropAssumed()
		return x.err
	}, "detailed_job_info", "unknown_jobs") // unknown_jobs: there are none
}

type qstatJReader struct {
	*xmlFile
	jobs  *jobTable
	job   model.Job // the job being read
	unix  bool      // whose times are no local ones
	tasks []taskDetail

	waiting []model.Range // its tasks that have no object, where they are listed
	pending int           // how many tasks without an object wait, -1 where that is not said
	lists   bool          // the file lists waiting tasks, as releases from 9.1 on do
	assumed []uint32      // jobs whose waiting tasks are those that it does not list
}

// A taskDetail is a task with an object of its own.
type taskDetail struct {
	number  uint32
	status  uint32
	started time.Time
	usage   []model.Amount
	granted []model.Grant
}

func (q *qstatJReader) readJobs() error {
	for l := q.list(); l.next(); {
		q.job = model.Job{Detailed: true}
		q.tasks, q.waiting, q.pending = q.tasks[:0], nil, -1
		for l.field() {
			q.readElement()
		}
		switch {
		case q.job.Number == 0:
			q.note(nil, fmt.Errorf("JB_job_number: %w", errMissing))
		case q.jobs.isListed(q.job.Number):
			q.note(nil, errAgain)
		}
		good, err := q.settle("job", q.job.Number)
		if err != nil {
			return err
		}
		if good {
			q.merge()
		}
	}
	return q.err
}

// readElement reads an element of a job.
func (q *qstatJReader) readElement() {
	j := &q.job
	switch string(q.name()) {
	case "JB_job_number":
		j.Number = q.uint32()
	case "JB_job_name":
		j.Name = q.str()
	case "JB_owner":
		j.Owner = q.str()
	case "JB_group":
		j.Group = q.str()
	case "JB_project":
		j.Project = q.str()
	case "JB_department":
		j.Department = q.str()
	case "JB_account":
		j.Account = q.str()
	case "JB_submission_time":
		text := q.word()
		q.unix = len(text) < len("2006-01-02 15:04:05")
		var err error
		if j.Submitted, err = q.r.parseTime(string(text)); err != nil {
			q.bad(text, err)
		}
	case "JB_deadline":
		j.Deadline = q.time()
	case "JB_execution_time":
		j.ExecutionTime = q.time()
	case "JB_priority":
		j.PosixPriority = int(q.uint32()) - basePriority
	case "JB_override_tickets":
		j.OverrideTickets = q.uint32()
	case "JB_jobshare":
		j.JobShare = q.uint32()
	case "JB_reserve":
		j.Reserve = q.bool()
	case "JB_ja_task_concurrency":
		j.MaxRunningTasks = q.uint32()
	case "JB_checkpoint_name":
		j.Checkpoint = q.str()
	case "binding": // of the form for people; that for programs does not tell
		j.Binding = bindingOf(q.str())
	case "JB_ar":
		j.Reservation = q.uint32()
	case "JB_restart":
		j.Rerun = q.str()
	case "JB_type":
		j.Type = q.uint32()
		j.Array = j.Type&typeArray != 0
	case "JB_is_array": // of Univa and Altair Grid Engine
		j.Array = q.bool() || j.Array
	case "JB_version":
		j.Version = q.uint32()
	default:
		q.readList()
	}
}

// readList reads an element of a job that holds others.
func (q *qstatJReader) readList() {
	j := &q.job
	switch name := q.name(); string(name) {
	case "JB_pe":
		j.PE = q.str()
	case "JB_pe_range":
		j.PERange = q.ranges(j.PERange)
	case "JB_ja_structure":
		j.Structure = q.ranges(j.Structure)
	case "JB_hard_resource_list":
		j.Hard = q.requests()
	case "JB_soft_resource_list":
		j.Soft = q.requests()
	case "JB_hard_queue_list":
		j.HardQueues = q.namesIn("QR_name")
	case "JB_soft_queue_list":
		j.SoftQueues = q.namesIn("QR_name")
	case "JB_master_hard_queue_list":
		j.MasterQueues = q.namesIn("QR_name")
	case "JB_request_set_list":
		q.requestSets()
	case "JB_jid_request_list":
		j.PredecessorNames = slices.DeleteFunc(q.namesIn("JRE_job_name"), blank)
	case "JB_jid_predecessor_list":
		j.Predecessors = q.numbersIn("JRE_job_number")
	case "JB_ja_ad_predecessor_list":
		j.ArrayPredecessor = q.numbersIn("JRE_job_number")
	case "JB_context":
		j.Decided = q.decided()
	case "JB_ja_tasks":
		for l := q.list(); l.next(); {
			q.readTask(&l)
		}
	case "JB_ja_n_h_ids", "JB_ja_u_h_ids", "JB_ja_o_h_ids", "JB_ja_s_h_ids", "JB_ja_a_h_ids":
		q.waiting, q.lists = addMissing(q.waiting, q.ranges(nil)), true
	case "pending_tasks": // of the text form alone
		q.pending = q.count()
	default:
		if !uninteresting[string(name)] {
			q.unknown()
		}
	}
}

// decided is the reason that qprism drive left in a job's context; all else that stands there is its owner's.
func (q *qstatJReader) decided() (why string) {
	for l := q.list(); l.next(); {
		var name, value string
		for l.field() {
			switch string(q.name()) {
			case "VA_variable":
				name = q.str()
			case "VA_value":
				value = q.str()
			}
		}
		if name == model.DecidedContext {
			why = value
		}
	}
	return why
}

// ranges reads a list of RN_min, RN_max, RN_step.
func (q *qstatJReader) ranges(into []model.Range) []model.Range {
	for l := q.list(); l.next(); {
		var first, last, step uint32
		for l.field() {
			switch string(q.name()) {
			case "RN_min":
				first = q.uint32()
			case "RN_max":
				last = q.uint32()
			case "RN_step":
				step = q.uint32()
			default:
				q.unknown()
			}
		}
		r, err := newRange(first, last, step)
		if err != nil {
			q.note(nil, err)
			continue
		}
		into = append(into, r)
	}
	return into
}

// requests reads a list of -l requests.
func (q *qstatJReader) requests() (all []model.Request) {
	for l := q.list(); l.next(); {
		c := model.Request{Contribution: nan}
		kind, number := uint32(0), 0.0
		for l.field() {
			switch name := q.name(); string(name) {
			case "CE_name":
				c.Resource = q.str()
			case "CE_stringval":
				c.Value = q.str()
			case "CE_valtype":
				kind = q.uint32()
			case "CE_doubleval":
				number = q.number()
			default:
				if !uninteresting[string(name)] {
					q.unknown()
				}
			}
		}
		c.Amount = q.amountOf(c, kind, number)
		all = append(all, c)
	}
	return bounded(q, "requests", all)
}

// mostOf bounds the lists of a task or job that are compared entry by entry.
const mostOf = 1000

// bounded is a list, and a fault where it is too long.
func bounded[T any](q *qstatJReader, what string, list []T) []T {
	if len(list) > mostOf {
		q.note(nil, fmt.Errorf("more than %d %s", mostOf, what))
		return nil
	}
	return list
}

// amountOf is the number that a request means, by the type that qstat prints with it (complex(5), by number). The number
// that it prints beside is not used where the value can be read: newer releases cut it to six digits.
func (q *qstatJReader) amountOf(c model.Request, kind uint32, printed float64) float64 {
	switch kind {
	case 0:
		return q.r.amount(c.Resource, c.Value)
	case 2, 6, 7, 9: // STRING CSTRING HOST RESTRING
		return 0
	}
	if v, err := model.ParseNumber(c.Value); err == nil {
		return v
	}
	return printed
}

// requestSets reads the requests of newer releases, which may be for the whole job, its master or its slave tasks.
func (q *qstatJReader) requestSets() {
	for l := q.list(); l.next(); {
		var set model.Scope
		part := uint32(0)
		for l.field() {
			switch name := q.name(); string(name) {
			case "JRS_scope":
				part = q.uint32()
			case "JRS_hard_resource_list":
				set.Hard = q.requests()
			case "JRS_soft_resource_list":
				set.Soft = q.requests()
			case "JRS_hard_queue_list":
				set.HardQueues = q.namesIn("QR_name")
			case "JRS_soft_queue_list":
				set.SoftQueues = q.namesIn("QR_name")
			default:
				if !uninteresting[string(name)] {
					q.unknown()
				}
			}
		}
		switch j := &q.job; part {
		case 0:
			j.Hard, j.Soft, j.HardQueues, j.SoftQueues = set.Hard, set.Soft, set.HardQueues, set.SoftQueues
		case 1:
			j.MasterScope, j.MasterQueues = &set, set.HardQueues // -masterq is short for this
		case 2:
			j.SlaveScope = &set
		default:
			q.note(nil, fmt.Errorf("JRS_scope %d: %w", part, errRange))
		}
	}
}

// blank reports whether a name is none: a list of predecessors that qalter was to empty keeps one.
func blank(name string) bool { return strings.TrimSpace(name) == "" }

// namesIn reads a list whose elements each have a text under one name.
func (q *qstatJReader) namesIn(name string) (all []string) {
	for l := q.list(); l.next(); {
		for l.field() {
			if string(q.name()) == name {
				all = append(all, q.str())
			}
		}
	}
	return all
}

// numbersIn reads a list whose elements each have a number under one name.
func (q *qstatJReader) numbersIn(name string) (all []uint32) {
	for l := q.list(); l.next(); {
		for l.field() {
			if string(q.name()) == name {
				all = append(all, q.uint32())
			}
		}
	}
	return all
}

// readTask reads a task of the job being read.
func (q *qstatJReader) readTask(l *xmlList) {
	var t taskDetail
	for l.field() {
		switch name := q.name(); string(name) {
		case "JAT_task_number":
			t.number = q.uint32()
		case "JAT_status":
			t.status = q.uint32()
		case "JAT_start_time":
			t.started = q.time()
		case "JAT_scaled_usage_list":
			t.usage = bounded(q, "kinds of usage", addUsage(t.usage, q.usage()))
		case "JAT_task_list":
			t.usage = bounded(q, "kinds of usage", addUsage(t.usage, q.slaveUsage()))
		case "JAT_granted_destin_identifier_list":
			t.granted = q.granted()
		default:
			if !uninteresting[string(name)] {
				q.unknown()
			}
		}
	}
	q.tasks = append(q.tasks, t)
}

// usage reads a list of UA_name, UA_value.
func (q *qstatJReader) usage() (all []model.Amount) {
	for l := q.list(); l.next(); {
		var a model.Amount
		for l.field() {
			switch string(q.name()) {
			case "UA_name":
				a.Name = q.str()
			case "UA_value":
				a.Value = q.number()
			default:
				q.unknown()
			}
		}
		all = append(all, a)
	}
	return bounded(q, "kinds of usage", all)
}

// slaveUsage reads the usage of the tasks that a parallel job started by itself; the scheduler charges it too.
func (q *qstatJReader) slaveUsage() (sum []model.Amount) {
	for l := q.list(); l.next(); {
		for l.field() {
			if string(q.name()) == "PET_scaled_usage" {
				sum = bounded(q, "kinds of usage", addUsage(sum, q.usage()))
			}
		}
	}
	return sum
}

// addUsage adds usage to usage, name by name.
func addUsage(sum, more []model.Amount) []model.Amount {
next:
	for _, m := range more {
		for i := range sum {
			if sum[i].Name == m.Name {
				sum[i].Value += m.Value
				continue next
			}
		}
		sum = append(sum, m)
	}
	return sum
}

// granted reads the queue instances that a task was granted, which newer releases print.
func (q *qstatJReader) granted() (all []model.Grant) {
	for l := q.list(); l.next(); {
		var g model.Grant
		for l.field() {
			switch name := q.name(); string(name) {
			case "JG_qname":
				g.Instance = q.str()
			case "JG_slots":
				g.Slots = q.count()
			default:
				if !uninteresting[string(name)] {
					q.unknown()
				}
			}
		}
		all = append(all, g)
	}
	return all
}

// merge puts what was read of a job into the table.
func (q *qstatJReader) merge() {
	j, isNew := q.jobs.job(q.job.Number)
	q.jobs.listed(j.Number)
	d := q.job
	if !isNew {
		if q.unix {
			q.r.hint(j.Submitted, d.Submitted)
		}
		d.Tasks, d.Reported = j.Tasks, j.Reported
		d.Array = d.Array || j.Array
		keepUnlessGiven(&d.Project, j.Project)
		keepUnlessGiven(&d.Department, j.Department)
		keepUnlessGiven(&d.Binding, j.Binding)
		copyContributions(d.Hard, j.Hard)
		copyContributions(d.Soft, j.Soft)
		copyScope(d.MasterScope, j.MasterScope)
		copyScope(d.SlaveScope, j.SlaveScope)
	}
	*j = d
	j.Finished = q.finished(j)
	q.mergeTasks(j)
}

func keepUnlessGiven(given *string, have string) {
	if *given == "" {
		*given = have
	}
}

// copyContributions takes the urgency of requests from where qstat -r printed it.
func copyContributions(to, from []model.Request) {
	for i := range to {
		for _, f := range from {
			if f.Resource == to[i].Resource {
				to[i].Contribution = f.Contribution
				break
			}
		}
	}
}

func copyScope(to, from *model.Scope) {
	if to != nil && from != nil {
		copyContributions(to.Hard, from.Hard)
		copyContributions(to.Soft, from.Soft)
	}
}

// Values of JAT_status.
const (
	statusIdle     = 0
	statusFinished = 1 << 16
)

// finished are the tasks that have ended and that the master still keeps. One that qstat.xml shows running ended while the bundle was made.
func (q *qstatJReader) finished(j *model.Job) (list []model.FinishedTask) {
	for _, d := range q.tasks {
		runs := func(t model.Task) bool { return len(t.Granted) > 0 && holds(t.IDs, d.number) }
		if d.status == statusFinished && !slices.ContainsFunc(j.Tasks, runs) {
			list = append(list, model.FinishedTask{Number: d.number, Started: d.started})
		}
	}
	return list
}

func holds(ranges []model.Range, number uint32) bool {
	return slices.ContainsFunc(ranges, func(r model.Range) bool { return r.Holds(number) })
}

// mergeTasks puts what was read of the job's tasks into those that qstat.xml shows.
func (q *qstatJReader) mergeTasks(j *model.Job) {
	if len(j.Tasks) == 0 && jobsFile(q.r) == "" {
		q.taskAlone(j)
		return
	}
	if len(j.Tasks) == 0 || len(q.tasks) == 0 {
		return
	}
	single := map[uint32]int{} // places of tasks that stand alone
	for i, t := range j.Tasks {
		if len(t.IDs) == 1 && t.IDs[0].Min == t.IDs[0].Max {
			single[t.IDs[0].Min] = i
		}
	}
	var enrolled []uint32 // waiting tasks, in groups with others
	for _, d := range q.tasks {
		i, alone := single[d.number]
		switch waiting := d.status == statusIdle; {
		case !alone && waiting:
			enrolled = append(enrolled, d.number)
		case alone && waiting == (len(j.Tasks[i].Granted) == 0):
			if q.unix && !waiting {
				q.r.hint(j.Tasks[i].Started, d.started)
			}
			d.mergeInto(&j.Tasks[i])
		}
	}
	if len(enrolled) > 0 {
		slices.Sort(enrolled)
		splitEnrolled(j, enrolled)
	}
}

// taskAlone makes the tasks of a job that no other listing shows: those that it lists run or have been enrolled. The others wait as far as
// they have not ended, which only newer releases say.
func (q *qstatJReader) taskAlone(j *model.Job) {
	waiting := j.Structure
	if len(waiting) == 0 {
		waiting = []model.Range{{Min: 1, Max: 1, Step: 1}}
	}
	for _, d := range q.tasks {
		waiting = model.Without(waiting, d.number)
		t := model.Task{IDs: []model.Range{{Min: d.number, Max: d.number, Step: 1}}, State: "r", Enrolled: true, Started: d.started,
			Usage: d.usage, Granted: d.granted, Slots: granted(d.granted)}
		if d.status == statusIdle {
			t.State = "qw"
		}
		if d.status != statusFinished {
			j.Tasks = append(j.Tasks, t)
		}
	}
	switch {
	case len(q.waiting) > 0:
		waiting = q.waiting
	case q.pending >= 0: // tasks start in the order of their numbers
		waiting = lastNumbers(waiting, uint64(q.pending))
	case len(waiting) > 0:
		if waiting = q.withoutStarted(j, waiting); len(waiting) > 0 {
			q.assumed = append(q.assumed, j.Number)
		}
	}
	if len(waiting) > 0 {
		j.Tasks = append(j.Tasks, model.Task{IDs: waiting, State: "qw"})
	}
}

// withoutStarted takes away the tasks below the first that runs: tasks start in the order of their numbers, so that these have ended. That
// is no more than likely, as somebody may hold some tasks only, and is said.
func (q *qstatJReader) withoutStarted(j *model.Job, waiting []model.Range) []model.Range {
	first := uint32(math.MaxUint32)
	for _, d := range q.tasks {
		if d.status != statusIdle && d.status != statusFinished {
			first = min(first, d.number)
		}
	}
	rest := waiting
	if n, ok := model.First(waiting); len(q.tasks) > 0 && ok && n < first {
		rest = numbersFrom(waiting, first)
		q.r.Snap.Repaired = append(q.r.Snap.Repaired, model.Repair{File: q.file, Line: q.line(), Text: fmt.Sprintf("job %d", j.Number), Count: 1,
			Note: "its tasks before the first that runs are taken to have ended, which qstat -j does not say; qstat lists those that wait", Guess: true})
	}
	return rest
}

// dropAssumed takes the waiting tasks away that jobs do not list, where the file lists those of other jobs.
func (q *qstatJReader) dropAssumed() {
	if !q.lists {
		return
	}
	for _, number := range q.assumed {
		if j := q.jobs.find(number); j != nil {
			j.Tasks = j.Tasks[:len(j.Tasks)-1]
		}
	}
}

// mergeInto puts what was read of a task into it. Both files show it running, or both waiting. Usage that qstat.xml shows
// is of the same moment as the task's other values, and stays.
func (d *taskDetail) mergeInto(t *model.Task) {
	t.Enrolled = true
	for _, u := range d.usage {
		if !slices.ContainsFunc(t.Usage, func(have model.Amount) bool { return have.Name == u.Name }) {
			t.Usage = append(t.Usage, u)
		}
	}
	if len(t.Granted) == 0 || d.status == statusFinished {
		return
	}
	if !d.started.IsZero() {
		t.Started = d.started
	}
	if len(d.granted) > 0 && granted(d.granted) == t.Slots {
		t.Granted = d.granted
	}
}

// splitEnrolled parts the waiting groups of a job: from the tasks of these numbers, for which the master keeps objects of
// their own, and the others.
func splitEnrolled(j *model.Job, numbers []uint32) {
	var tasks []model.Task
	for _, group := range j.Tasks {
		if len(group.Granted) == 0 && !group.Enrolled {
			taken, rest := takeNumbers(group.IDs, numbers)
			if alone := group; len(taken) > 0 {
				alone.IDs, alone.Enrolled = taken, true
				tasks = append(tasks, alone)
				group.IDs = rest
			}
		}
		if len(group.IDs) > 0 {
			tasks = append(tasks, group)
		}
	}
	j.Tasks = tasks
}

// readMessages reads why jobs were not dispatched. What the scheduler says of all jobs together is passed over.
func (q *qstatJReader) readMessages() error {
	for l := q.list(); l.next(); {
		for l.field() {
			switch name := q.name(); string(name) {
			case "SME_message_list":
				for d := q.depth(); q.child(d); {
					if err := q.readMessage(); err != nil {
						return err
					}
				}
			default:
				if !uninteresting[string(name)] {
					q.unknown()
				}
			}
		}
	}
	return q.err
}

func (q *qstatJReader) readMessage() error {
	var about []uint32
	reason := model.JobReason{}
	for d := q.depth(); q.child(d); {
		switch string(q.name()) {
		case "MES_job_number_list":
			about = q.numbersIn("ULNG_value")
		case "MES_message_number":
			reason.Code = q.uint32()
		case "MES_message":
			reason.Text = q.str()
		default:
			q.unknown()
		}
	}
	good, err := q.settle("scheduler message", reason.Code)
	if !good {
		return err
	}
	for _, number := range about {
		if j := q.jobs.find(number); j != nil {
			j.Messages = append(j.Messages, reason)
		}
	}
	return nil
}
