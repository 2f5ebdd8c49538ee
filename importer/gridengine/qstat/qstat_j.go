package qstat

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// typeArray is the bit of JB_type that an array job has, JOB_TYPE_ARRAY.
const typeArray = 0x80

// readQstatJ reads what qstat -j '*' -xml printed: everything that was submitted with the jobs, which of
// their tasks have objects of their own, and why the scheduler did not dispatch them.
func readQstatJ(r *reader, jobs *jobTable) error {
	return r.readXML("qstat-j.xml", func(x *xmlFile) {
		q := newQstatJReader(x, jobs)
		q.read(elements{"djob_info": q.readJobs, "messages": q.readMessages})
		if q.Err == nil {
			q.dropAssumed()
		}
	}, "detailed_job_info", "unknown_jobs") // unknown_jobs: there are none
}

type qstatJReader struct {
	*xmlFile
	jobs  *jobTable
	known *lookup   // of a job
	job   model.Job // the job being read
	unix  bool      // whose times are no local ones
	tasks []taskDetail

	waiting []model.Range // its tasks that have no object, where they are listed
	pending int           // how many tasks without an object wait, -1 where that is not said
	lists   bool          // the file lists waiting tasks, as releases from 9.1 on do
	assumed []uint32      // jobs whose waiting tasks are those that it does not list

	spans    *listReader[span]
	requests *listReader[request]
	sets     *listReader[requestSet]
	details  *listReader[taskDetail]
	amounts  *listReader[model.Amount]
	grants   *listReader[model.Grant]

	message      message
	messageKnown elements
}

// A taskDetail is a task with an object of its own.
type taskDetail struct {
	number  uint32
	status  uint32
	started time.Time
	usage   []model.Amount
	granted []model.Grant
}

// Entries of lists as they are printed.
type (
	span    struct{ first, last, step uint32 }
	request struct {
		model.Request
		kind   uint32
		number float64
	}
	requestSet struct {
		model.Scope
		part uint32
	}
	message struct {
		model.JobReason
		about []uint32
	}
)

func newQstatJReader(x *xmlFile, jobs *jobTable) *qstatJReader {
	q := &qstatJReader{xmlFile: x, jobs: jobs}
	q.known = q.jobElements().lookup()
	q.spans = newList(x, func(s *span) elements {
		return elements{"RN_min": put(&s.first, q.uint32), "RN_max": put(&s.last, q.uint32),
			"RN_step": put(&s.step, q.uint32)}
	})
	q.requests = newList(x, func(c *request) elements {
		return elements{
			"CE_name":      put(&c.Resource, q.str),
			"CE_stringval": put(&c.Value, q.str),
			"CE_valtype":   put(&c.kind, q.uint32),
			"CE_doubleval": put(&c.number, q.number),
		}
	})
	q.sets = newList(x, func(s *requestSet) elements {
		return elements{
			"JRS_scope":              put(&s.part, q.uint32),
			"JRS_hard_resource_list": put(&s.Hard, q.readRequests),
			"JRS_soft_resource_list": put(&s.Soft, q.readRequests),
			"JRS_hard_queue_list":    put(&s.HardQueues, q.queueNames),
			"JRS_soft_queue_list":    put(&s.SoftQueues, q.queueNames),
		}
	})
	q.details = newList(x, q.taskElements)
	q.amounts = newList(x, func(a *model.Amount) elements {
		return elements{"UA_name": put(&a.Name, q.str), "UA_value": put(&a.Value, q.number)}
	})
	q.grants = newList(x, func(g *model.Grant) elements {
		return elements{"JG_qname": put(&g.Instance, q.str), "JG_slots": put(&g.Slots, q.count)}
	})
	q.messageKnown = elements{
		"MES_job_number_list": put(&q.message.about, func() []uint32 { return under(x, "ULNG_value", q.uint32) }),
		"MES_message_number":  put(&q.message.Code, q.uint32),
		"MES_message":         put(&q.message.Text, q.str),
	}
	return q
}

func (q *qstatJReader) readJobs() {
	for l := q.list(); l.next(); {
		q.job = model.Job{Detailed: true}
		q.tasks, q.waiting, q.pending = q.tasks[:0], nil, -1
		for l.field() {
			q.lookUp(q.known)
		}
		switch {
		case q.job.Number == 0:
			q.note(nil, fmt.Errorf("JB_job_number: %w", errMissing))
		case q.jobs.isListed(q.job.Number):
			q.note(nil, bundle.ErrAgain)
		}
		if q.settle("job", q.job.Number) {
			q.merge()
		}
	}
}

// jobElements are the elements of a job.
func (q *qstatJReader) jobElements() elements {
	j := &q.job
	known := elements{
		"JB_job_number":          put(&j.Number, q.uint32),
		"JB_job_name":            put(&j.Name, q.str),
		"JB_owner":               put(&j.Owner, q.str),
		"JB_group":               put(&j.Group, q.str),
		"JB_project":             put(&j.Project, q.str),
		"JB_department":          put(&j.Department, q.str),
		"JB_account":             put(&j.Account, q.str),
		"JB_submission_time":     q.readSubmission,
		"JB_deadline":            put(&j.Deadline, q.time),
		"JB_execution_time":      put(&j.ExecutionTime, q.time),
		"JB_priority":            func() { j.PosixPriority = int(q.uint32()) - bundle.BasePriority },
		"JB_override_tickets":    put(&j.OverrideTickets, q.uint32),
		"JB_jobshare":            put(&j.JobShare, q.uint32),
		"JB_reserve":             put(&j.Reserve, q.bool),
		"JB_ja_task_concurrency": put(&j.MaxRunningTasks, q.uint32),
		"JB_checkpoint_name":     put(&j.Checkpoint, q.str),
		"binding":                func() { j.Binding = bindingOf(q.str()) }, // of the form for people
		"JB_ar":                  put(&j.Reservation, q.uint32),
		"JB_restart":             put(&j.Rerun, q.str),
		"JB_type":                func() { j.Type = q.uint32(); j.Array = j.Type&typeArray != 0 },
		"JB_is_array":            func() { j.Array = q.bool() || j.Array }, // of Univa and Altair Grid Engine
		"JB_version":             put(&j.Version, q.uint32),

		"JB_pe":                     put(&j.PE, q.str),
		"JB_pe_range":               func() { j.PERange = q.ranges(j.PERange) },
		"JB_ja_structure":           func() { j.Structure = q.ranges(j.Structure) },
		"JB_hard_resource_list":     put(&j.Hard, q.readRequests),
		"JB_soft_resource_list":     put(&j.Soft, q.readRequests),
		"JB_hard_queue_list":        put(&j.HardQueues, q.queueNames),
		"JB_soft_queue_list":        put(&j.SoftQueues, q.queueNames),
		"JB_master_hard_queue_list": put(&j.MasterQueues, q.queueNames),
		"JB_request_set_list":       q.readRequestSets,
		"JB_jid_request_list":       put(&j.PredecessorNames, q.predecessorNames),
		"JB_jid_predecessor_list":   put(&j.Predecessors, q.jobNumbers),
		"JB_ja_ad_predecessor_list": put(&j.ArrayPredecessor, q.jobNumbers),
		"JB_context":                put(&j.Decided, q.decided),
		"JB_ja_tasks":               func() { q.details.each(func(t *taskDetail) { q.tasks = append(q.tasks, *t) }) },
		"pending_tasks":             put(&q.pending, q.count), // of the text form alone
	}
	for _, name := range []string{"JB_ja_n_h_ids", "JB_ja_u_h_ids", "JB_ja_o_h_ids", "JB_ja_s_h_ids", "JB_ja_a_h_ids"} {
		known[name] = func() { q.waiting, q.lists = addMissing(q.waiting, q.ranges(nil)), true }
	}
	return known
}

func (q *qstatJReader) readSubmission() {
	text := q.word()
	q.unix = len(text) < len("2006-01-02 15:04:05")
	var err error
	if q.job.Submitted, err = q.r.ParseTime(string(text)); err != nil {
		q.bad(text, err)
	}
}

// decided is the reason that qprism drive left in a job's context; all else that stands there is its owner's.
func (q *qstatJReader) decided() (why string) {
	for l := q.list(); l.next(); {
		var name, value string
		for l.field() {
			switch string(q.Name()) {
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

// ranges reads a list of ranges.
func (q *qstatJReader) ranges(into []model.Range) []model.Range {
	q.spans.each(func(s *span) {
		r, err := newRange(s.first, s.last, s.step)
		if err != nil {
			q.note(nil, err)
			return
		}
		into = append(into, r)
	})
	return into
}

// readRequests reads a list of -l requests.
func (q *qstatJReader) readRequests() (all []model.Request) {
	q.requests.each(func(c *request) {
		c.Contribution = nan
		c.Amount = q.amountOf(c)
		all = append(all, c.Request)
	})
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

// amountOf is the number that a request means, by the type printed with it, complex(5). The value is preferred to the
// number printed beside it, which newer releases cut to six digits.
func (q *qstatJReader) amountOf(c *request) float64 {
	switch c.kind {
	case 0:
		return q.r.amount(c.Resource, c.Value)
	case 2, 6, 7, 9: // STRING CSTRING HOST RESTRING
		return 0
	}
	if v, err := model.ParseNumber(c.Value); err == nil {
		return v
	}
	return c.number
}

// readRequestSets reads the requests of newer releases, which may be for the whole job, its master or its slave tasks.
func (q *qstatJReader) readRequestSets() {
	for _, s := range q.sets.read() {
		set := s.Scope
		switch j := &q.job; s.part {
		case 0:
			j.Hard, j.Soft, j.HardQueues, j.SoftQueues = set.Hard, set.Soft, set.HardQueues, set.SoftQueues
		case 1:
			j.MasterScope, j.MasterQueues = &set, set.HardQueues // -masterq is short for this
		case 2:
			j.SlaveScope = &set
		default:
			q.note(nil, fmt.Errorf("JRS_scope %d: %w", s.part, errRange))
		}
	}
}

func (q *qstatJReader) queueNames() []string { return under(q.xmlFile, "QR_name", q.str) }

func (q *qstatJReader) jobNumbers() []uint32 { return under(q.xmlFile, "JRE_job_number", q.uint32) }

func (q *qstatJReader) predecessorNames() []string {
	return slices.DeleteFunc(under(q.xmlFile, "JRE_job_name", q.str), blank)
}

// blank reports whether a name is none: a list of predecessors that qalter was to empty keeps one.
func blank(name string) bool { return strings.TrimSpace(name) == "" }

// taskElements are the elements of a task. The usage of the tasks that a parallel job started by itself is
// charged, too.
func (q *qstatJReader) taskElements(t *taskDetail) elements {
	use := func(more []model.Amount) { t.usage = bounded(q, "kinds of usage", addUsage(t.usage, more)) }
	return elements{
		"JAT_task_number":       put(&t.number, q.uint32),
		"JAT_status":            put(&t.status, q.uint32),
		"JAT_start_time":        put(&t.started, q.time),
		"JAT_scaled_usage_list": func() { use(q.usage()) },
		"JAT_task_list": func() {
			for _, more := range under(q.xmlFile, "PET_scaled_usage", q.usage) {
				use(more)
			}
		},
		"JAT_granted_destin_identifier_list": func() { t.granted = q.grants.read() }, // which newer releases print
	}
}

func (q *qstatJReader) usage() []model.Amount { return bounded(q, "kinds of usage", q.amounts.read()) }

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

// merge puts what was read of a job into the table.
func (q *qstatJReader) merge() {
	j, isNew := q.jobs.job(q.job.Number)
	q.jobs.listed(j.Number)
	d := q.job
	if !isNew {
		if q.unix {
			q.r.Hint(j.Submitted, d.Submitted)
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

// finished are the tasks that have ended and that the master still keeps. One that qstat.xml shows running
// ended while the bundle was made.
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
	if len(j.Tasks) == 0 && q.r.JobsFile() == "" {
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
				q.r.Hint(j.Tasks[i].Started, d.started)
			}
			d.mergeInto(&j.Tasks[i])
		}
	}
	if len(enrolled) > 0 {
		slices.Sort(enrolled)
		splitEnrolled(j, enrolled)
	}
}

// taskAlone makes the tasks of a job that no other listing shows: those that it lists run or have been
// enrolled. The others wait as far as they have not ended, which only newer releases say.
func (q *qstatJReader) taskAlone(j *model.Job) {
	waiting := j.Structure
	if len(waiting) == 0 {
		waiting = []model.Range{{Min: 1, Max: 1, Step: 1}}
	}
	for _, d := range q.tasks {
		waiting = model.Without(waiting, d.number)
		t := model.Task{IDs: []model.Range{{Min: d.number, Max: d.number, Step: 1}}, State: "r",
			Enrolled: true, Started: d.started,
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

// withoutStarted takes away the tasks below the first that runs: tasks start in the order of their numbers,
// so that these have ended. That is no more than likely, as somebody may hold some tasks only, and is said.
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
		q.r.Snap.Repaired = append(q.r.Snap.Repaired, model.Repair{File: q.File, Line: q.Line(),
			Text: fmt.Sprintf("job %d", j.Number), Count: 1,
			Note: "its tasks before the first that runs are taken to have ended, which qstat -j does " +
				"not say; qstat lists those that wait", Guess: true})
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

// mergeInto puts what was read of a task into it. Both files show it running, or both waiting. Usage that
// qstat.xml shows is of the same moment as the task's other values, and stays.
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

// splitEnrolled parts the waiting groups of a job: from the tasks of these numbers, for which the master
// keeps objects of their own, and the others.
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
func (q *qstatJReader) readMessages() {
	known := elements{"SME_message_list": func() {
		for d := q.Depth(); q.Child(d); {
			q.readMessage()
		}
	}}
	for l := q.list(); l.next(); {
		for l.field() {
			q.element(known)
		}
	}
}

func (q *qstatJReader) readMessage() {
	q.message = message{}
	q.read(q.messageKnown)
	if !q.settle("scheduler message", q.message.Code) {
		return
	}
	for _, number := range q.message.about {
		if j := q.jobs.find(number); j != nil {
			j.Messages = append(j.Messages, q.message.JobReason)
		}
	}
}
