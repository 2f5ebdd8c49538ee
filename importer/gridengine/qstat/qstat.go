package qstat

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// readQstat reads the output of qstat -xml. It has a row for each running task, and for each waiting task or
// group of tasks. If the bundle has only the full format, qstat -f, running tasks are in the lists of their
// queue instances.
//
// Values of the job come from its first row. With -g d each waiting task has a row. Rows that differ only in
// the number become one group again.
func readQstat(r *reader, jobs *jobTable) error {
	return r.readXML(r.JobsFile(), func(x *xmlFile) {
		q := &qstatReader{xmlFile: x, jobs: jobs, spread: map[taskKey]*spread{},
			arrays: map[arrayRow]bool{}}
		q.columns = q.rowElements().lookup(x)
		q.parts = elements{
			"job_list": q.readRow, "Queue-List": q.rows, "name": put(&q.instance, q.str), "dates": q.noteDates,
			// values of a queue instance, which readQstatF reads
			"qtype": nil, "slots_used": nil, "slots_resv": nil, "slots_total": nil, "load_avg": nil, "np_load_avg": nil,
			"arch": nil, "state": nil, "resource": nil,
		}
		q.read(elements{"queue_info": q.rows, "job_info": q.rows, "job_list": q.readRow})
		if q.Err == nil {
			q.grantSpread()
		}
	}, "job_info")
}

type qstatReader struct {
	*xmlFile
	jobs     *jobTable
	parts    elements // of a part of the listing
	columns  *lookup  // of a row
	instance string   // the queue instance of the current list; empty outside of lists
	row      row
	spread   map[taskKey]*spread // slots of running tasks, with -g t
	arrays   map[arrayRow]bool   // rows of arrays so far
}

// A taskKey names a task of the cluster.
type taskKey struct{ job, task uint32 }

// A row is one job_list element.
type row struct {
	state  string // running, pending, error; finished, zombie
	master string // MASTER or SLAVE, with -g t
	queue  string
	listed bool   // the row is in the list of a queue instance
	here   int    // printed slots; for a listed row, those in this instance
	tasks  string // as printed; empty for a job that is not an array
	job    model.Job
	task   model.Task
	jobRep model.JobReport
	repo   model.TaskReport
	usage  [3]float64 // cpu mem io
}

var usageNames = [3]string{"cpu", "mem", "io"}

// rows reads the rows of a part, or of a queue instance's list.
func (q *qstatReader) rows() {
	outer := q.instance
	q.instance = ""
	q.read(q.parts)
	q.instance = outer
}

// noteDates notes how the dates of a table are read, if they have another form than Grid Engine's, or if the
// form is unknown.
func (q *qstatReader) noteDates() {
	note := model.Repair{File: q.File, Line: q.Line(), Note: "dates are day/month/year, as a day above 12 tells", Count: 1}
	if q.attribute("order") == "unknown" {
		note.Note, note.Guess = "dates are read as month/day/year; no day above 12 tells whether they are", true
	}
	note.Text = q.str()
	q.r.Snap.Repaired = append(q.r.Snap.Repaired, note)
}

func (q *qstatReader) readRow() {
	row := &q.row
	row.clear()
	row.state = q.attribute("state")
	if row.listed = q.instance != "" && row.state != "pending"; row.listed {
		row.queue = q.instance
	}
	line := q.Line()
	q.fields(q.columns)
	if row.state == "pending" && row.task.State == "" {
		row.task.State = "qw"
	}
	if n := max(len(row.job.Hard), len(row.job.Soft)); n > mostOf {
		q.note(nil, fmt.Errorf("%d requests: %w", n, errRange))
	}
	switch {
	case row.job.Number == 0:
		q.note(nil, fmt.Errorf("JB_job_number: %w", errMissing))
	case row.state == "finished" || row.state == "zombie" || row.task.State == "f":
		// qstat -s z also lists ended jobs, which are no longer in the queue.
		q.r.Unknown(q.File, line, "job_list of state "+cmp.Or(row.state, row.task.State), "")
		return
	}
	row.task.IDs = q.ids(row.task.IDs[:0])
	if row.started() && !isOne(row.task.IDs) {
		q.note([]byte(row.tasks), errSeveralRun)
	}
	if q.settle("job", row.job.Number) {
		q.add()
	}
}

// rowElements returns the elements of a row: the job, the task, values of the scheduler, and requests.
func (q *qstatReader) rowElements() elements {
	w, j, t := &q.row, &q.row.job, &q.row.task
	return elements{
		"JB_job_number":       put(&j.Number, q.uint32),
		"JB_name":             put(&j.Name, q.str),
		"full_job_name":       put(&j.Name, q.str),
		"JB_owner":            put(&j.Owner, q.str),
		"JB_project":          put(&j.Project, q.str),
		"JB_department":       put(&j.Department, q.str),
		"JB_priority":         put(&j.PosixPriority, q.int),
		"JB_override_tickets": put(&j.OverrideTickets, q.uint32),
		"JB_submission_time":  put(&j.Submitted, q.time),
		"JAT_submission_time": put(&j.Submitted, q.time),
		"JB_deadline":         put(&j.Deadline, q.time),
		"state":               put(&t.State, q.str),
		"JAT_start_time":      put(&t.Started, q.time),
		"queue_name":          put(&w.queue, q.str),
		"master":              put(&w.master, q.str),
		"slots":               func() { w.here = q.count(); t.Slots = w.here },
		"tasks":               put(&w.tasks, q.str),

		"JAT_prio":   put(&w.repo.Prio, q.number),
		"JAT_ntix":   put(&w.repo.NTckts, q.number),
		"JAT_share":  put(&w.repo.Share, q.number),
		"tickets":    put(&w.repo.Tckts, q.number),
		"otickets":   put(&w.repo.Otckt, q.number),
		"ftickets":   put(&w.repo.Ftckt, q.number),
		"stickets":   put(&w.repo.Stckt, q.number),
		"JB_nppri":   put(&w.jobRep.NPPrior, q.number),
		"JB_nurg":    put(&w.jobRep.NUrg, q.number),
		"JB_urg":     put(&w.jobRep.Urg, q.number),
		"JB_rrcontr": put(&w.jobRep.RRContr, q.number),
		"JB_wtcontr": put(&w.jobRep.WTContr, q.number),
		"JB_dlcontr": put(&w.jobRep.DLContr, q.number),
		"cpu_usage":  put(&w.usage[0], q.number),
		"mem_usage":  put(&w.usage[1], q.number),
		"io_usage":   put(&w.usage[2], q.number),

		"requested_pe":          func() { j.PE = q.attribute("name"); j.PERange = q.ranges(j.PERange) },
		"granted_pe":            func() { t.PE = q.attribute("name"); t.Slots = q.count() },
		"hard_request":          add(&j.Hard, q.request),
		"soft_request":          add(&j.Soft, q.request),
		"master_hard_request":   func() { add(&scope(&j.MasterScope).Hard, q.request)() },
		"slave_hard_request":    func() { add(&scope(&j.SlaveScope).Hard, q.request)() },
		"master_soft_request":   func() { add(&scope(&j.MasterScope).Soft, q.request)() },
		"slave_soft_request":    func() { add(&scope(&j.SlaveScope).Soft, q.request)() },
		"hard_req_queue":        add(&j.HardQueues, q.str),
		"soft_req_queue":        add(&j.SoftQueues, q.str),
		"master_hard_req_queue": add(&j.MasterQueues, q.str),
		"binding":               func() { j.Binding = bindingOf(q.str()) },
		"predecessor_jobs":      add(&j.Predecessors, q.uint32),
		"predecessor_jobs_req":  q.readPredecessorName,
		"ad_predecessor_jobs":   add(&j.ArrayPredecessor, q.uint32),
	}
}

// clear empties a row, and keeps the capacity of its slices.
func (w *row) clear() {
	j, t := &w.job, &w.task
	*w = row{
		job: model.Job{
			PERange: j.PERange[:0], Hard: j.Hard[:0], Soft: j.Soft[:0],
			HardQueues: j.HardQueues[:0], SoftQueues: j.SoftQueues[:0], MasterQueues: j.MasterQueues[:0],
			Predecessors: j.Predecessors[:0], PredecessorNames: j.PredecessorNames[:0], ArrayPredecessor: j.ArrayPredecessor[:0],
		},
		task:   model.Task{IDs: t.IDs[:0]},
		jobRep: noJobReport,
		repo:   noTaskReport,
		usage:  [3]float64{math.NaN(), math.NaN(), math.NaN()},
	}
}

var (
	noJobReport  = model.JobReport{NPPrior: nan, NUrg: nan, Urg: nan, RRContr: nan, WTContr: nan, DLContr: nan}
	noTaskReport = model.TaskReport{Prio: nan, NTckts: nan, Tckts: nan, Otckt: nan, Ftckt: nan, Stckt: nan, Share: nan}
	nan          = math.NaN()
)

func (q *qstatReader) readPredecessorName() {
	if name := q.str(); !blank(name) {
		q.row.job.PredecessorNames = append(q.row.job.PredecessorNames, name)
	}
}

// bindingOf returns the binding that a job requests. It is empty if qstat prints a word for none.
func bindingOf(text string) string {
	if text = strings.TrimSpace(text); text == "no_job_binding" {
		return ""
	}
	return bundle.UnlessNone(text)
}

// scope returns the job's requests of one scope. If there are none, it makes them.
func scope(s **model.Scope) *model.Scope {
	if *s == nil {
		*s = &model.Scope{}
	}
	return *s
}

// request reads one -l request.
func (q *qstatReader) request() model.Request {
	c := model.Request{Resource: q.attribute("name"), Contribution: nan}
	if printed := q.Attr("resource_contribution"); printed != nil {
		var err error
		if c.Contribution, err = parsePrinted(printed); err != nil {
			q.note(printed, fmt.Errorf("resource_contribution: %w", err))
		}
	}
	c.Value = q.str()
	c.Amount = q.r.amount(c.Resource, c.Value)
	return c
}

// ranges reads slot numbers as qstat prints them.
func (q *qstatReader) ranges(into []model.Range) []model.Range {
	text := q.Text()
	into, err := parseRanges(into, string(text))
	if err != nil {
		q.bad(text, err)
	}
	return into
}

// ids returns the task numbers of a row.
func (q *qstatReader) ids(into []model.Range) []model.Range {
	if q.row.tasks == "" {
		return append(into, model.Range{Min: 1, Max: 1, Step: 1})
	}
	into, err := parseRanges(into, q.row.tasks)
	if err != nil {
		q.note([]byte(q.row.tasks), fmt.Errorf("tasks: %w", err))
	}
	return into
}

// running reports whether the row is for a started task that has a place.
func (w *row) running() bool { return w.queue != "" || w.state == "running" }

// started reports whether the row is for a started task, with or without a place.
func (w *row) started() bool { return w.running() || !w.task.Started.IsZero() }

// errSeveralRun refuses a row in which several tasks run. No release of qstat prints such a row, and a hostile
// range would make very many tasks.
var errSeveralRun = errors.New("tasks: a running task has a row of its own")

// isOne reports whether ranges have only a single number.
func isOne(ids []model.Range) bool { return len(ids) == 1 && ids[0].Min == ids[0].Max }

// used reports whether the row shows usage.
func (w *row) used() bool {
	return slices.ContainsFunc(w.usage[:], func(v float64) bool { return !math.IsNaN(v) })
}

// add adds the row's task to its job.
func (q *qstatReader) add() {
	w := &q.row
	j, isNew := q.jobs.job(w.job.Number)
	if isNew {
		q.keepJob(j)
	}
	if j.Submitted.IsZero() {
		j.Submitted = w.job.Submitted // rows of running tasks do not have it
	}
	j.Array = j.Array || w.tasks != ""
	w.task.Enrolled = w.running() || strings.ContainsAny(w.task.State, "ER")
	switch {
	case q.again(j):
		what := fmt.Sprintf("job %d", j.Number)
		if w.tasks != "" {
			what += ", tasks " + model.TaskText(w.task.IDs)
		}
		q.r.Unknown(q.File, q.Line(), "job_list/line", what+", again")
	case w.running():
		q.addRunning(j)
	case !q.mergeWaiting(j):
		q.keepTask(j)
	}
}

// An arrayRow has the facts of a row about tasks of an array.
type arrayRow struct {
	job      uint32
	min, max uint32
	state    string
}

// again reports whether the listing already has the row of a job, or of an array's tasks. With -g t and qstat
// -f, a task has a row for each of its queue instances.
func (q *qstatReader) again(j *model.Job) bool {
	w := &q.row
	if w.master != "" || w.listed || len(w.task.IDs) == 0 {
		return false
	}
	if w.tasks == "" { // not an array: it has one task
		return len(j.Tasks) > 0
	}
	row := arrayRow{j.Number, w.task.IDs[0].Min, w.task.IDs[len(w.task.IDs)-1].Max, w.task.State}
	if q.arrays[row] {
		return true
	}
	q.arrays[row] = true
	return false
}

// keepJob makes a job of the row.
func (q *qstatReader) keepJob(j *model.Job) {
	*j = q.row.job // the next row uses its slices again
	t := q.jobs
	j.PERange, j.Hard, j.Soft = t.ranges.Keep(j.PERange...), t.requests.Keep(j.Hard...), t.requests.Keep(j.Soft...)
	j.HardQueues, j.SoftQueues = t.names.Keep(j.HardQueues...), t.names.Keep(j.SoftQueues...)
	j.MasterQueues, j.PredecessorNames = t.names.Keep(j.MasterQueues...), t.names.Keep(j.PredecessorNames...)
	j.Predecessors, j.ArrayPredecessor = t.numbers.Keep(j.Predecessors...), t.numbers.Keep(j.ArrayPredecessor...)
	if printedJob(&q.row.jobRep) {
		j.Reported = &t.jobReports.Keep(q.row.jobRep)[0]
	}
}

// keepTask adds the task of the row to its job.
func (q *qstatReader) keepTask(j *model.Job) *model.Task {
	task := q.row.task
	task.IDs = q.jobs.ranges.Keep(task.IDs...)
	if printedTask(&q.row.repo) {
		task.Reported = &q.jobs.taskReports.Keep(q.row.repo)[0]
	}
	if q.row.used() {
		for i, value := range q.row.usage {
			if !math.IsNaN(value) {
				task.Usage = append(task.Usage, model.Amount{Name: usageNames[i], Value: value})
			}
		}
	}
	if j.Tasks == nil {
		j.Tasks = q.jobs.tasks.Keep(task)
	} else {
		j.Tasks = append(j.Tasks, task)
	}
	return &j.Tasks[len(j.Tasks)-1]
}

// mergeWaiting joins the row to the previous task, if both wait and differ only in the numbers.
func (q *qstatReader) mergeWaiting(j *model.Job) bool {
	if len(j.Tasks) == 0 || q.row.tasks == "" {
		return false
	}
	last, w := &j.Tasks[len(j.Tasks)-1], &q.row.task
	if last.State != w.State || last.Slots != w.Slots || len(last.Granted) > 0 || !last.Started.IsZero() ||
		q.row.started() || len(last.Usage) > 0 || q.row.used() || !sameReport(last.Reported, &q.row.repo) {
		return false
	}
	for _, ids := range w.IDs {
		last.IDs = appendRange(last.IDs, ids)
	}
	return true
}

// addRunning adds a running task, or with -g t one of its slots.
func (q *qstatReader) addRunning(j *model.Job) {
	w := &q.row
	if w.master != "" || w.listed {
		key := taskKey{j.Number, w.task.IDs[0].Min}
		s, known := q.spread[key]
		if !known {
			s = &spread{place: len(j.Tasks), slots: map[string]int{}}
			q.spread[key] = s
			q.keepTask(j)
		}
		if w.queue != "" {
			s.add(w.queue, w.slots(), w.master == "MASTER")
		}
		return
	}
	if t := q.keepTask(j); w.queue != "" {
		grant := model.Grant{Instance: w.queue}
		if t.Slots == 1 {
			grant.Slots = 1
		}
		t.Granted = q.jobs.grants.Keep(grant)
	}
}

// A spread has the slots of a running task by queue instance. -g t shows them slot by slot.
type spread struct {
	place     int // index of the task in its job
	instances []string
	slots     map[string]int
	master    string
}

// slots counts the slots of a row: one with -g t, or all slots in the instance of its list.
func (w *row) slots() int {
	if w.master != "" {
		return 1
	}
	return w.here
}

func (s *spread) add(instance string, slots int, master bool) {
	if !slices.Contains(s.instances, instance) {
		s.instances = append(s.instances, instance)
	}
	s.slots[instance] += slots
	if master {
		s.master = instance
	}
}

// grants returns the slots by instance. The master task's instance comes first.
func (s *spread) grants() []model.Grant {
	var all []model.Grant
	if s.slots[s.master] > 0 {
		all = append(all, model.Grant{Instance: s.master, Slots: s.slots[s.master]})
	}
	for _, name := range s.instances {
		if name != s.master {
			all = append(all, model.Grant{Instance: name, Slots: s.slots[name]})
		}
	}
	return all
}

// grantSpread sets the slots of tasks from rows of -g t. If a job's own process is not a task of the parallel
// environment (job_is_first_task FALSE), it has a row but no slot. Only -r shows this.
func (q *qstatReader) grantSpread() {
	for key, s := range q.spread {
		j, _ := q.jobs.job(key.job)
		t := &j.Tasks[s.place]
		t.Granted = s.grants()
		sum := granted(t.Granted)
		switch {
		case sum == 0:
		case t.PE == "": // without -r, qstat does not print the number of slots
			t.Slots = sum
		case sum == t.Slots+1:
			t.Granted[0].Slots--
		}
	}
}

// granted adds up the slots of all grants.
func granted(all []model.Grant) (slots int) {
	for _, g := range all {
		slots += g.Slots
	}
	return slots
}

func printedJob(r *model.JobReport) bool {
	for _, v := range []float64{r.NPPrior, r.NUrg, r.Urg, r.RRContr, r.WTContr, r.DLContr} {
		if !math.IsNaN(v) {
			return true
		}
	}
	return false
}

func printedTask(r *model.TaskReport) bool { return taskValues(r) != taskValues(&noTaskReport) }

// sameReport reports whether a task has the values of a row. nil means no values.
func sameReport(have *model.TaskReport, got *model.TaskReport) bool {
	if have == nil {
		have = &noTaskReport
	}
	return taskValues(have) == taskValues(got)
}

// taskValues returns the bits of a report's values, for a comparison that includes missing values.
func taskValues(r *model.TaskReport) (bits [7]uint64) {
	for i, v := range [...]float64{r.Prio, r.NTckts, r.Tckts, r.Otckt, r.Ftckt, r.Stckt, r.Share} {
		bits[i] = math.Float64bits(v)
	}
	return bits
}
