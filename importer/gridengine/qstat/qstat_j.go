package qstat

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// typeArray is the bit of JB_type for array jobs, JOB_TYPE_ARRAY.
const typeArray = 0x80

// readQstatJ reads the output of qstat -j '*' -xml: everything that was submitted with the jobs, their tasks
// with objects in the master, and why the scheduler did not dispatch them.
func readQstatJ(r *reader) (d details, err error) {
	err = r.readXML("qstat-j.xml", func(x *xmlFile) {
		q := newQstatJReader(x)
		q.read(elements{"djob_info": q.readJobs, "messages": q.readMessages})
		q.complete = q.Err == nil
		d = q.details
	}, "detailed_job_info", "unknown_jobs") // unknown_jobs means that there are no jobs
	return d, err
}

type qstatJReader struct {
	*xmlFile
	details
	known   *lookup // of a job
	job     detail  // the current job
	numbers map[uint32]bool

	spans    *listReader[span]
	requests *listReader[request]
	sets     *listReader[requestSet]
	objects  *listReader[taskDetail]
	amounts  *listReader[model.Amount]
	grants   *listReader[model.Grant]

	message      message
	messageKnown elements
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

func newQstatJReader(x *xmlFile) *qstatJReader {
	q := &qstatJReader{xmlFile: x, numbers: map[uint32]bool{}}
	q.known = q.jobElements().lookup(x)
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
	q.objects = newList(x, q.taskElements)
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
		q.job = detail{Job: model.Job{Detailed: true}, pending: -1}
		l.fields(q.known)
		switch {
		case q.job.Number == 0:
			q.note(nil, fmt.Errorf("JB_job_number: %w", errMissing))
		case q.numbers[q.job.Number]:
			q.note(nil, bundle.ErrAgain)
		}
		if q.settle("job", q.job.Number) {
			q.numbers[q.job.Number] = true
			q.job.line = q.Line()
			q.jobs = append(q.jobs, new(q.job))
		}
	}
}

// jobElements are the elements of a job.
func (q *qstatJReader) jobElements() elements {
	d := &q.job
	j := &d.Job
	slots, structure := repeated(q.xmlFile, q.ranges), repeated(q.xmlFile, q.ranges)
	requests := repeated(q.xmlFile, q.readRequests)
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
		"JB_pe_range":               func() { j.PERange = append(j.PERange, slots()...) },
		"JB_ja_structure":           func() { j.Structure = append(j.Structure, structure()...) },
		"JB_hard_resource_list":     put(&j.Hard, requests),
		"JB_soft_resource_list":     put(&j.Soft, requests),
		"JB_hard_queue_list":        put(&j.HardQueues, q.queueNames),
		"JB_soft_queue_list":        put(&j.SoftQueues, q.queueNames),
		"JB_master_hard_queue_list": put(&j.MasterQueues, q.queueNames),
		"JB_request_set_list":       q.readRequestSets,
		"JB_jid_request_list":       put(&j.PredecessorNames, q.predecessorNames),
		"JB_jid_predecessor_list":   put(&j.Predecessors, q.jobNumbers),
		"JB_ja_ad_predecessor_list": put(&j.ArrayPredecessor, q.jobNumbers),
		"JB_context":                put(&j.Decided, q.decided),
		"JB_ja_tasks":               func() { q.objects.each(func(t *taskDetail) { d.tasks = append(d.tasks, *t) }) },
		"pending_tasks":             put(&d.pending, q.count), // only in the text form
	}
	for _, name := range []string{"JB_ja_n_h_ids", "JB_ja_u_h_ids", "JB_ja_o_h_ids", "JB_ja_s_h_ids", "JB_ja_a_h_ids"} {
		known[name] = func() { d.waiting, q.lists = addMissing(d.waiting, q.ranges()), true }
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

// decided returns the reason that qprism drive left in a job's context. Other texts in the context belong to
// the job's owner.
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
func (q *qstatJReader) ranges() (list []model.Range) {
	q.spans.each(func(s *span) {
		r, err := newRange(s.first, s.last, s.step)
		if err != nil {
			q.note(nil, err)
			return
		}
		list = append(list, r)
	})
	return list
}

// readRequests reads a list of -l requests. Several jobs can share it, so append must not write behind it.
func (q *qstatJReader) readRequests() (all []model.Request) {
	q.requests.each(func(c *request) {
		c.Contribution = nan
		c.Amount = q.amountOf(c)
		all = append(all, c.Request)
	})
	return bounded(q, "requests", slices.Clip(all))
}

// mostOf limits lists of a task or job that are compared entry by entry.
const mostOf = 1000

// bounded returns a list, and notes a fault if it is too long.
func bounded[T any](q *qstatJReader, what string, list []T) []T {
	if len(list) > mostOf {
		q.note(nil, fmt.Errorf("more than %d %s", mostOf, what))
		return nil
	}
	return list
}

// amountOf returns the number for a request, by its printed type, complex(5). It prefers the value to the
// printed number, because newer releases cut the number to six digits.
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

// readRequestSets reads the requests of newer releases. They may apply to the whole job, to its master task, or
// to its slave tasks.
func (q *qstatJReader) readRequestSets() {
	for _, s := range q.sets.read() {
		set := s.Scope
		switch j := &q.job; s.part {
		case 0:
			j.Hard, j.Soft, j.HardQueues, j.SoftQueues = set.Hard, set.Soft, set.HardQueues, set.SoftQueues
		case 1:
			j.MasterScope, j.MasterQueues = &set, set.HardQueues // -masterq is short for this request
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

// blank reports whether a name is empty. When qalter empties a list of predecessors, a blank name stays.
func blank(name string) bool { return strings.TrimSpace(name) == "" }

// taskElements returns the elements of a task. The usage of tasks that a parallel job itself started counts,
// too.
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

// addUsage adds two lists of usage, name by name.
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

// readMessages reads why jobs were not dispatched. It skips messages about all jobs together.
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
	q.messages = append(q.messages, q.message)
}
