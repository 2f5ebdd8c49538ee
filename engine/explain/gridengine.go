package explain

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/gridengine/urgency"
	"qprism/engine/model"
)

// An actor is one task in the run.
type actor struct {
	job   *priority.Job
	task  priority.Task
	state State
}

// actorOf finds the task that an id names; of a job without a task the one that ranks it, or else the first that runs.
func (sc *Scene) actorOf(id string) (*model.Job, *actor, error) {
	number, task, err := parseID(id)
	if err != nil {
		return nil, nil, err
	}
	job := sc.jobOf(number)
	if job == nil {
		return nil, nil, unknownJob(id)
	}
	j := sc.result.Jobs[number]
	if j == nil {
		return job, &actor{state: Aside}, nil
	}
	if a := actorOf(j, task); a != nil {
		return job, a, nil
	}
	if task > 0 && !hasTask(job, task) {
		return nil, nil, fmt.Errorf("job %d %w: %d", number, errNoTask, task)
	}
	return job, &actor{state: Aside}, nil
}

// parseID reads "4711" or "4711.3"; task is 0 for none.
func parseID(id string) (number, task uint32, err error) {
	job, part, isTask := strings.Cut(id, ".")
	n, err := strconv.ParseUint(job, 10, 32)
	t := uint64(0)
	if isTask && err == nil {
		t, err = strconv.ParseUint(part, 10, 32)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%q is no job number", id)
	}
	return uint32(n), uint32(t), nil
}

func (sc *Scene) jobOf(number uint32) *model.Job {
	for i := range sc.view.Snapshot.Jobs {
		if j := &sc.view.Snapshot.Jobs[i]; j.Number == number {
			return j
		}
	}
	return nil
}

func hasTask(j *model.Job, number uint32) bool {
	for i := range j.Tasks {
		for _, r := range j.Tasks[i].IDs {
			if number >= r.Min && number <= r.Max && (number-r.Min)%max(r.Step, 1) == 0 {
				return true
			}
		}
	}
	return !j.Array && number == 1
}

// actorOf finds a task of a job; 0 means the one that ranks it, or else the first that runs.
func actorOf(j *priority.Job, task uint32) *actor {
	waiting := append(append([]priority.Task{}, j.Pending...), j.Waiting...)
	if len(waiting) == 0 && j.Template.Number > 0 {
		waiting = append(waiting, j.Template)
	}
	for _, t := range waiting {
		if task == 0 || t.Number == task {
			return &actor{job: j, task: t, state: Pending}
		}
	}
	for _, t := range j.Running {
		if task == 0 || t.Number == task {
			return &actor{job: j, task: t, state: Running}
		}
	}
	return nil
}

func (sc *Scene) explainGridEngine(id string) (*Explanation, error) {
	job, a, err := sc.actorOf(id)
	if err != nil {
		return nil, err
	}
	if a.job == nil && !sc.next {
		if e, err := sc.afterwards().explainGridEngine(id); err == nil && e.State == Pending {
			return e, nil
		}
	}
	e := &Explanation{Job: job, At: sc.At, Next: sc.next, ID: utoa(job.Number), State: a.state, Waiting: len(sc.result.Pending),
		Inert: sc.inert()}
	if job.Array {
		e.Task = a.task.Number
	}
	if a.job == nil {
		e.Notes = append(e.Notes, "The run gave it no priority: "+whyAside(job, sc)+".")
		return e, nil
	}
	if a.state == Pending {
		e.Place, e.Ahead, e.Since = sc.placeOf(a.job), sc.ahead(a), sc.since(job)
	}
	e.Criteria = []Criterion{{Name: "prio", Up: "higher is sooner", Term: sc.prio(a)}}
	if a.state == Pending {
		e.Criteria = append(e.Criteria,
			Criterion{Name: "submission", Up: "among equals, earlier is sooner", Tie: true, Term: moment(job.Submitted).named("submission")},
			Criterion{Name: "number", Up: "among those, lower is sooner", Tie: true,
				Term: given("number", float64(job.Number)).as(utoa(job.Number))})
	}
	e.Notes = append(e.Notes, sc.notes(a)...)
	return e, nil
}

func (sc *Scene) placeOf(j *priority.Job) int {
	for i, p := range sc.result.Pending {
		if p == j {
			return i + 1
		}
	}
	return 0
}

// since is where a job stands in the run after this one; nil where this is that one.
func (sc *Scene) since(job *model.Job) *Since {
	if sc.next {
		return nil
	}
	next := sc.afterwards()
	now := &Since{Waiting: len(next.result.Pending)}
	waits := make(map[uint32]bool, now.Waiting)
	for i, j := range next.result.Pending {
		waits[j.Job.Number] = true
		if j.Job.Number == job.Number {
			now.Place = i + 1
		}
	}
	for _, j := range sc.result.Pending {
		if after := next.result.Jobs[j.Job.Number]; !waits[j.Job.Number] && after != nil && len(after.Running) > 0 {
			now.Started++
		}
	}
	return now
}

// whyAside says why a job took no part in the run.
func whyAside(j *model.Job, sc *Scene) string {
	has := func(letters string) bool {
		for i := range j.Tasks {
			if strings.ContainsAny(j.Tasks[i].State, letters) {
				return true
			}
		}
		return false
	}
	var why []string
	for _, r := range []struct {
		is   bool
		text string
	}{
		{sc.view.Assumed().Unknown(j, sc.view.At), "it was submitted after the run"},
		{has("h"), "it is held"},
		{has("E"), "it is in error state"},
		{j.ExecutionTime.After(sc.view.At), "its start time (-a) has not come"},
		{len(j.Predecessors) > 0, "it waits for other jobs to end (-hold_jid)"},
		{has("sST"), "it is suspended"},
		{has("d"), "it is being deleted"},
	} {
		if r.is {
			why = append(why, r.text)
		}
	}
	if len(why) == 0 {
		return "a limit on its tasks is reached (-tc, max_aj_instances)"
	}
	return strings.Join(why, ", and ")
}

// prio derives the priority of a task.
func (sc *Scene) prio(a *actor) Term {
	p := &sc.Snapshot.Policy
	t := made("prio", a.task.Prio, Sum,
		weighted("posix priority", "weight_priority", p.WeightPriority, sc.npprior(a)),
		weighted("urgency", "weight_urgency", p.WeightUrgency, sc.nurg(a)),
		weighted("tickets", "weight_ticket", p.WeightTicket, sc.ntckts(a)))
	return t
}

// weighted is what a policy adds to the priority.
func weighted(name, key string, weight float64, norm Term) Term {
	v := 0.0
	if weight != 0 {
		v = float64(weight * norm.Value)
	}
	t := made(name, v, Product, given(key, weight), norm)
	if weight == 0 {
		t.Inert, t.Op, t.Text = key+" 0", Given, name+" 0"
	}
	return t
}

func (sc *Scene) npprior(a *actor) Term {
	p := float64(a.job.Job.PosixPriority)
	if a.job.NPPrior != priority.Posix(a.job.Job.PosixPriority) {
		return Term{Name: "npprior", Value: a.job.NPPrior, Note: "the master computes none without weight and report_pjob_tickets"}
	}
	shifted := made("", p+1024, Sum, given("-p", p), given("", 1024))
	shifted.Text = "(-p " + Number(p) + " + 1024)"
	return made("npprior", a.job.NPPrior, Product, shifted, given("", 2048).over())
}

func (sc *Scene) nurg(a *actor) Term {
	u := a.job.Urgency
	if sc.uncomputed() {
		return Term{Name: "nurg", Value: u.Norm, Note: "the master computes none without weight and report_pjob_tickets"}
	}
	lo, hi := sc.result.Urgency.Lo, sc.result.Urgency.Hi
	least, most := given("least", lo), given("most", hi)
	least.Text, most.Text = "least "+Number(lo)+sc.urgencyOf(lo, a), "most "+Number(hi)+sc.urgencyOf(hi, a)
	t := made("nurg", u.Norm, Normalize, sc.urg(a), least, most)
	if hi-lo < urgency.Epsilon {
		t.Op, t.Note = Given, "every job's urgency is "+Number(u.Total)+", so it is 0.5 for all"
		t.Inert = "every job has the same urgency"
	}
	return t
}

// uncomputed reports whether the release leaves urgency out: it has no weight, and nobody reports it.
func (sc *Scene) uncomputed() bool {
	p := &sc.Snapshot.Policy
	return p.WeightUrgency == 0 && !p.ReportPendingTickets
}

// urgencyOf names the job that has an extreme urgency: " of job 7".
func (sc *Scene) urgencyOf(v float64, a *actor) string {
	if a.job.Urgency.Total == v {
		return " (its own)"
	}
	for _, list := range [][]*priority.Job{sc.result.Pending, sc.result.Running} {
		for _, j := range list {
			if j.Urgency.Total == v {
				return " of job " + utoa(j.Job.Number)
			}
		}
	}
	return " of a job that is gone"
}

func (sc *Scene) urg(a *actor) Term {
	u, p := a.job.Urgency, &sc.Snapshot.Policy
	waiting := made("waiting time", u.Waiting, Product, given("weight_waiting_time", p.WeightWaitingTime), sc.waited(a.job.Job))
	if p.WeightWaitingTime == 0 {
		waiting.Inert = "weight_waiting_time 0"
	}
	return made("urg", u.Total, Sum, waiting, sc.deadline(a), sc.requests(a))
}

func (sc *Scene) waited(j *model.Job) Term {
	v := urgency.Waited(sc.view.At, j.Submitted, sc.view.Input().Quirks)
	t := given("seconds waited", v)
	t.Text = Number(v) + " s since submission"
	return t
}

func (sc *Scene) deadline(a *actor) Term {
	j, p := a.job.Job, &sc.Snapshot.Policy
	t := given("deadline", a.job.Urgency.Deadline)
	if j.Deadline.IsZero() {
		t.Note = "it has none (-dl)"
		return t
	}
	left := given("seconds left", urgency.Left(sc.view.At, j.Deadline, sc.view.Input().Quirks))
	left.Text = Number(left.Value) + " s left"
	t.Op, t.Terms = Product, []Term{given("weight_deadline", p.WeightDeadline), left.over()}
	return t
}

func (sc *Scene) requests(a *actor) Term {
	t := made("resources", a.job.Urgency.Resource, Sum)
	for _, p := range urgency.Parts(a.job.Job, sc.Snapshot, sc.view.Input().Quirks) {
		part := made(p.Resource, p.Gives, Product, given("urgency of "+p.Resource, p.Urgency), given("asked for", p.Asked))
		part.Text = p.Resource + " " + bracketed(p.Urgency) + " × " + Number(p.Asked)
		if p.Slots != 1 {
			slots := given("slots", p.Slots)
			part.Terms = append(part.Terms, slots)
			part.Text += " × " + Number(p.Slots) + " slots"
		}
		t.Terms = append(t.Terms, part)
	}
	return t
}

func (sc *Scene) ntckts(a *actor) Term {
	most := sc.result.Tickets.Maximum
	t := made("ntckts", a.task.NTckts, Product, sc.tckts(a), given("most", most).as("most "+Number(most)+sc.ticketsOf(a)).over())
	if most < urgency.Epsilon {
		t.Op, t.Note, t.Inert = Given, "nobody has tickets, so it is 0.5 for all", "nobody has tickets"
	}
	return t
}

// ticketsOf names the task that has the most tickets.
func (sc *Scene) ticketsOf(a *actor) string {
	m := sc.result.Tickets.Most
	switch {
	case a.job.Job.Number == m.Job && a.task.Total == sc.result.Tickets.Maximum:
		return " (its own)"
	case m == ticket.TaskID{}:
		return ""
	}
	text := " of job " + utoa(m.Job)
	if j := sc.result.Jobs[m.Job]; j != nil {
		if j.Job.Array {
			text += "." + utoa(m.Task)
		}
		if r, runs := sc.result.Tickets.Running[m]; runs && r.Total == sc.result.Tickets.Maximum {
			text += ", which runs"
		} else if runs {
			text += ", which runs, before waiting jobs were taken out"
		}
	}
	return text
}

// inert lists the policies that tell no two jobs of the run apart.
func (sc *Scene) inert() []Inert {
	var list []Inert
	p, r := &sc.Snapshot.Policy, sc.result
	if len(r.Jobs) == 0 {
		return nil
	}
	if p.WeightPriority == 0 {
		list = append(list, Inert{"posix priority", "weight_priority 0"})
	} else if v, same := sameFor(r, func(j *priority.Job) float64 { return float64(j.Job.PosixPriority) }); same {
		list = append(list, Inert{"posix priority", "every job has -p " + Number(v)})
	}
	list = append(list, sc.inertUrgency()...)
	list = append(list, sc.inertTickets()...)
	return list
}

func (sc *Scene) inertUrgency() []Inert {
	p, r := &sc.Snapshot.Policy, sc.result
	if p.WeightUrgency == 0 {
		return []Inert{{"urgency", "weight_urgency 0"}}
	}
	var list []Inert
	if r.Urgency.Hi-r.Urgency.Lo < urgency.Epsilon {
		list = append(list, Inert{"urgency", "every job has the same, which counts as 0.5"})
	}
	if v, same := sameFor(r, func(j *priority.Job) float64 { return j.Urgency.Resource }); same {
		list = append(list, Inert{"resource urgency", "every job asks for resources worth " + Number(v)})
	}
	switch _, same := sameFor(r, func(j *priority.Job) float64 { return j.Urgency.Waiting }); {
	case p.WeightWaitingTime == 0:
		list = append(list, Inert{"waiting time", "weight_waiting_time 0"})
	case same:
		list = append(list, Inert{"waiting time", "all jobs were submitted in one second"})
	}
	switch v, same := sameFor(r, func(j *priority.Job) float64 { return j.Urgency.Deadline }); {
	case p.WeightDeadline == 0:
		list = append(list, Inert{"deadline", "weight_deadline 0"})
	case same && v == 0:
		list = append(list, Inert{"deadline", "no job has one (-dl)"})
	}
	return list
}

func (sc *Scene) inertTickets() []Inert {
	p := &sc.Snapshot.Policy
	if p.WeightTicket == 0 {
		return []Inert{{"tickets", "weight_ticket 0"}}
	}
	var list []Inert
	if sc.result.Tickets.Maximum < urgency.Epsilon {
		list = append(list, Inert{"tickets", "nobody has any, which counts as 0.5 for all"})
	}
	switch {
	case p.FunctionalTickets == 0:
		list = append(list, Inert{"functional policy", "weight_tickets_functional 0"})
	case p.MaxFunctionalJobs == 0:
		list = append(list, Inert{"functional policy", "max_functional_jobs_to_schedule 0"})
	case !sc.anyHas(func(t ticket.Tickets) float64 { return t.Function }):
		list = append(list, Inert{"functional policy", "nobody has functional shares (fshare, -js)"})
	}
	switch {
	case p.ShareTreeTickets == 0:
		list = append(list, Inert{"share tree", "weight_tickets_share 0"})
	case !sc.Snapshot.TreeKnown():
		list = append(list, Inert{"share tree", "not known: the bundle has none (share_tree.txt)"})
	case sc.Snapshot.ShareTree == nil:
		list = append(list, Inert{"share tree", "there is no tree"})
	case !sc.anyHas(func(t ticket.Tickets) float64 { return t.ShareTree }):
		list = append(list, Inert{"share tree", "no job belongs to a node of it"})
	}
	if !sc.anyHas(func(t ticket.Tickets) float64 { return t.Override }) {
		list = append(list, Inert{"override policy", "no oticket, no -ot"})
	}
	return list
}

// anyHas reports whether any task of the run has tickets of a kind.
func (sc *Scene) anyHas(kind func(ticket.Tickets) float64) bool {
	for _, j := range sc.result.Jobs {
		for _, tasks := range [][]priority.Task{j.Running, j.Pending, j.Waiting} {
			for i := range tasks {
				if kind(tasks[i].Tickets) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// sameFor reports whether a number is the same for all jobs of the run, and which it is.
func sameFor(r *priority.Result, of func(*priority.Job) float64) (v float64, same bool) {
	v = math.NaN()
	for _, list := range [][]*priority.Job{r.Running, r.Pending} {
		for _, j := range list {
			if x := of(j); math.IsNaN(v) {
				v = x
			} else if x != v {
				return 0, false
			}
		}
	}
	return v, true
}

// notes say what else is to be known of a task.
func (sc *Scene) notes(a *actor) []string {
	var notes []string
	j := a.job.Job
	if j.Array && a.state == Pending && (model.CountOf(j.Structure) > 1 || len(a.job.Waiting) > 1) {
		notes = append(notes, "It is an array: the task that would start next ranks it, and later ones get less where tickets count.")
	}
	if a.state == Running {
		notes = append(notes, "It runs: its priority orders nothing any more, but its tickets and urgency still shape those of jobs that wait.")
	}
	if w := sc.result.Pending; a.state == Pending && len(w) > 1 && w[0].Prio == w[len(w)-1].Prio {
		notes = append(notes, "All jobs that wait have the same priority: who was submitted first comes first.")
	}
	if sc.cutOff(a) {
		notes = append(notes,
			fmt.Sprintf("It is beyond max_functional_jobs_to_schedule %d: it has the functional tickets that the first one there would have got.",
				sc.Snapshot.Policy.MaxFunctionalJobs))
	}
	return notes
}

func (sc *Scene) cutOff(a *actor) bool {
	d := sc.derivation(a)
	return d != nil && d.Beyond && len(d.Functional) > 0
}

func utoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
