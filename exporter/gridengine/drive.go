package gridengine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
)

// A Dispatcher decides which job starts where, under the scheduler: jobs that it owns wait under an operator hold (qalter -h o), a
// decision narrows the job's -l list to hosts and queues and releases it in the same call, and what the scheduler then starts
// gets its old -l list back. (Lists of queues, -q, would do as well but for one thing: qalter cannot empty one.)
//
// What was taken is stored before the call that takes it. A call without an answer may still arrive, at a master that hung: what puts it
// right is sent even where nothing has changed yet. Settle gives back whatever a start took, be the start finished, failed
// or interrupted, and Release all the rest: they look at what the master has, so that they can be repeated.
type Dispatcher struct{ *drive.Session }

// A Start is an order to start a job, or tasks of an array, somewhere.
type Start struct {
	Job        string
	Tasks      model.TaskSet
	Array      bool
	Places     string   // of each task: "all.q@node01=4 all.q@node02=2"
	Hosts      []string // that the job is narrowed to
	Queues     []string
	First      []string // hosts to fill first, nil where no matter
	Ahead      bool     // the place is still taken
	Hard, Soft []string // the job's -l lists as they are known, "mem=1G", in any order
}

// Look asks the master for the holds, and for the requests of jobs that have an altered one.
func (d *Dispatcher) Look(ctx context.Context, more ...string) (*Look, error) {
	jobs := slices.Clone(more)
	for _, c := range d.Drive.Claims {
		if c.Attribute == hard || c.Attribute == soft {
			jobs = append(jobs, c.Job)
		}
	}
	slices.Sort(jobs)
	return lookAt(ctx, d.Runner, slices.Compact(jobs))
}

// tasks are those of a claim; none where there is no claim.
func (d *Dispatcher) tasks(job, attribute string) model.TaskSet {
	c := d.Claim(job, attribute)
	if c == nil || c.Becomes == "" {
		return model.TaskSet{}
	}
	tasks, err := model.ParseTasks(c.Becomes)
	if err != nil {
		return model.TaskSet{}
	}
	return tasks
}

// Owned are the tasks that wait under the dispatcher's hold and under no other.
func (d *Dispatcher) Owned(l *Look) map[uint32]model.TaskSet {
	owned := map[uint32]model.TaskSet{}
	for _, c := range d.Drive.Claims {
		if c.Attribute != held {
			continue
		}
		tasks := d.tasks(c.Job, held).And(l.Held[c.Job]).And(l.Waiting[c.Job]).Without(l.Other[c.Job])
		if number, err := strconv.ParseUint(c.Job, 10, 32); err == nil && len(tasks) > 0 {
			owned[uint32(number)] = tasks
		}
	}
	return owned
}

// Adoptable are those of some tasks of a job that the dispatcher may lay its hold on. A job with an operator hold of somebody else
// stays as it is, and so do tasks that somebody released from the dispatcher's.
func (d *Dispatcher) Adoptable(l *Look, number uint32, tasks model.TaskSet) model.TaskSet {
	job := strconv.FormatUint(uint64(number), 10)
	ours := d.tasks(job, held)
	if len(l.Held[job].Without(ours)) > 0 || d.Claim(job, hard) != nil {
		return nil
	}
	return tasks.And(l.Waiting[job]).Without(l.Held[job]).Without(d.tasks(job, left))
}

// Adopt lays the dispatcher's hold on tasks. Arrays need not be told apart: tasks are those that wait. Meant says whose the jobs are, by
// their ids: a job whose number is another's by now is left alone.
func (d *Dispatcher) Adopt(ctx context.Context, jobs map[uint32]model.TaskSet, array func(uint32) bool, meant map[string]string) error {
	now, err := d.whoseNow(ctx, jobs)
	if err != nil {
		return err
	}
	var claims []model.Claim
	var targets []string
	for _, number := range slices.Sorted(maps.Keys(jobs)) {
		job := strconv.FormatUint(uint64(number), 10)
		if why := exporter.Another(job, meant[job], now); why != "" {
			d.Say("job %s is not held: %s", job, why)
			continue
		}
		if len(jobs[number]) == 0 {
			continue
		}
		all := d.tasks(job, held).With(jobs[number])
		claims = append(claims, model.Claim{Job: job, Attribute: held, Becomes: all.String(), State: model.OrderSent,
			Whose: cmp.Or(now[job], meant[job])})
		targets = append(targets, target(job, jobs[number], array(number)))
	}
	if len(claims) == 0 {
		return nil
	}
	if err := d.Save(ctx, claims, nil); err != nil {
		return err
	}
	d.Say("held from now on: %d jobs (qalter -h o)", len(claims))
	answers, err := d.Send(ctx, grouped([]string{"qalter", "-h", "o"}, targets))
	if err != nil {
		return err
	}
	return d.checkHolds(ctx, claims, refusals(answers))
}

// whoseNow asks whose some jobs are.
func (d *Dispatcher) whoseNow(ctx context.Context, jobs map[uint32]model.TaskSet) (map[string]string, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	set := map[string]bool{}
	for number := range jobs {
		set[strconv.FormatUint(uint64(number), 10)] = true
	}
	return Priorities{}.Whose(ctx, d.Runner, sortedJobs(set))
}

// checkHolds finds out which holds were laid. What is not held is not owned.
func (d *Dispatcher) checkHolds(ctx context.Context, claims []model.Claim, words map[string]string) error {
	l, err := d.Look(ctx)
	if err != nil {
		return err
	}
	var save, forget []model.Claim
	for _, c := range claims {
		have := d.tasks(c.Job, held).And(l.Held[c.Job])
		c.Becomes, c.State = have.String(), model.OrderConfirmed
		if len(have) > 0 {
			save = append(save, c)
			continue
		}
		forget = append(forget, c)
		if l.there(c.Job) && len(l.Waiting[c.Job]) > 0 {
			d.Say("job %s is not held: %s", c.Job, orElse(words[c.Job], "the master did not take the hold"))
		}
	}
	return errors.Join(d.Save(ctx, save, nil), d.Forget(ctx, forget))
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// grouped makes calls about many jobs each.
func grouped(argv, targets []string) (calls [][]string) {
	const most = 30_000 // bytes of an argument
	var some []string
	size := 0
	flush := func() {
		if len(some) > 0 {
			calls = append(calls, append(slices.Clone(argv), strings.Join(some, ",")))
		}
		some, size = nil, 0
	}
	for _, t := range targets {
		if size+len(t) > most || len(some) == jobsPerCall {
			flush()
		}
		some, size = append(some, t), size+len(t)+1
	}
	flush()
	return calls
}

// target names tasks of a job as qalter takes them: "7", "7.1-3,7.9".
func target(job string, tasks model.TaskSet, array bool) string {
	if !array {
		return job
	}
	return job + "." + strings.ReplaceAll(tasks.String(), ",", ","+job+".")
}

// refusals are what calls about many jobs complained of, by job.
func refusals(answers []*exporter.Result) map[string]string {
	words := map[string]string{}
	for _, r := range answers {
		if r == nil || r.Exit == 0 {
			continue
		}
		for _, line := range exporter.Lines(r.Text()) {
			if m := absent.FindStringSubmatch(line); m != nil {
				words[m[1]] = line
			} else if m := foreign.FindStringSubmatch(line); m != nil {
				words[m[1]] = line
			}
		}
	}
	return words
}

// Start narrows and releases jobs, waits until the scheduler has started them, at most for as long as the limits allow, and
// settles. It returns what became of each start.
func (d *Dispatcher) Start(ctx context.Context, starts []Start) ([]model.Start, error) {
	jobs := make([]string, len(starts))
	for i, s := range starts {
		jobs[i] = s.Job
	}
	l, err := d.Look(ctx, jobs...)
	if err != nil {
		return nil, err
	}
	var claims []model.Claim
	var orders []model.Start
	var calls [][]string
	for _, s := range starts {
		if why := d.unlike(l, s); why != "" {
			d.Say("job %s is not started: %s", s.Job, why)
			continue
		}
		taken, call := narrowed(l, s, d.meant(s.Job))
		claims, calls = append(claims, taken...), append(calls, call)
		orders = append(orders, model.Start{Job: s.Job, Tasks: tasksOf(s), Places: s.Places, At: d.Now(), State: model.OrderSent,
			Whose: d.meant(s.Job)})
	}
	if len(orders) == 0 {
		return nil, nil
	}
	if err := d.Save(ctx, claims, orders); err != nil {
		return nil, err
	}
	d.Say("narrowed and released: %d jobs", len(orders))
	answers, err := d.Send(ctx, calls)
	d.hear(orders, answers)
	if err != nil {
		return nil, err
	}
	if err := d.await(ctx, orders); err != nil {
		return nil, err
	}
	return d.settle(ctx, orders)
}

// meant says whose a job is that is held.
func (d *Dispatcher) meant(job string) string {
	if c := d.Claim(job, held); c != nil {
		return c.Whose
	}
	return ""
}

func tasksOf(s Start) string {
	if !s.Array {
		return ""
	}
	return s.Tasks.String()
}

// unlike is why a job is not as it was when it was decided about.
func (d *Dispatcher) unlike(l *Look, s Start) string {
	switch have := l.Requests[s.Job]; {
	case have == nil:
		return "it is gone"
	case len(s.Tasks.Without(d.tasks(s.Job, held).And(l.Held[s.Job]))) > 0:
		return "somebody else released it"
	case len(s.Tasks.Without(l.Waiting[s.Job])) > 0:
		return "it no longer waits"
	case !sameRequests(have[hard], s.Hard) || !sameRequests(have[soft], s.Soft):
		return fmt.Sprintf("its -l list is %q by now", have[hard])
	case !restorable(have[hard]) || !restorable(have[soft]):
		return fmt.Sprintf("its -l list could not be given back word for word: %q", strings.TrimSpace(have[hard]+" "+have[soft]))
	}
	return ""
}

func sameRequests(text string, list []string) bool {
	var have []string
	if text != "" {
		have = strings.Split(text, ",")
	}
	return slices.Equal(slices.Sorted(slices.Values(have)), slices.Sorted(slices.Values(list)))
}

// restorable reports whether a -l list consists of characters that mean themselves.
func restorable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.,=:+-*?|&!()[]/@%^~#", r))
	})
}

// narrowed is the call that narrows and releases a job, and what that takes.
func narrowed(l *Look, s Start, whose string) (claims []model.Claim, call []string) {
	was := l.Requests[s.Job]
	to := join(kept(was[hard]), "hostname="+strings.Join(s.Hosts, "|"), "qname="+strings.Join(s.Queues, "|"))
	claims = []model.Claim{{Job: s.Job, Attribute: hard, Was: was[hard], Becomes: to, State: model.OrderSent, Whose: whose}}
	call = []string{"qalter", "-l", to}
	if s.First != nil {
		to := "hostname=" + strings.Join(s.First, "|")
		claims = append(claims, model.Claim{Job: s.Job, Attribute: soft, Was: was[soft], Becomes: to, State: model.OrderSent, Whose: whose})
		call = append(call, "-soft", "-l", to)
	}
	return claims, append(call, "-h", "O", target(s.Job, s.Tasks, s.Array))
}

// kept is a list without requests for hosts and queues: the narrower ones take their place.
func kept(text string) string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if name, _, _ := strings.Cut(part, "="); part != "" && name != "hostname" && name != "qname" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ",")
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ",")
}

// hear notes what the master said of starts. A claim whose call succeeded is no longer on its way.
func (d *Dispatcher) hear(orders []model.Start, answers []*exporter.Result) {
	for i, r := range answers {
		switch {
		case r == nil:
		case r.Exit != 0:
			lines := exporter.Lines(r.Text())
			orders[i].Words = orElse(strings.Join(lines[max(0, len(lines)-1):], ""), fmt.Sprintf("exit status %d", r.Exit))
		default:
			d.arrived(orders[i].Job, hard)
			d.arrived(orders[i].Job, soft)
		}
	}
}

// arrived notes that the master answered to what a claim is about.
func (d *Dispatcher) arrived(job, attribute string) {
	if c := d.Claim(job, attribute); c != nil && c.State == model.OrderSent {
		c.State = model.OrderConfirmed
	}
}

// await looks at the master until everything that was released runs, or the time is over.
func (d *Dispatcher) await(ctx context.Context, orders []model.Start) error {
	until := d.Now().Add(d.Limits.Await)
	for {
		over := !d.Now().Before(until) // a look may take longer than all of the time
		l, err := lookAt(ctx, d.Runner, nil)
		if err != nil {
			return err
		}
		waiting := 0
		for _, o := range orders {
			if tasks, err := model.ParseTasks(o.Tasks); err == nil && len(tasks.And(l.Waiting[o.Job])) > 0 && o.Words == "" {
				waiting++
			}
		}
		if waiting == 0 || over {
			return nil
		}
		d.Say("waiting for the next scheduler run, of %d jobs", waiting)
		if err := d.Sleep(ctx, d.Limits.Poll); err != nil {
			return err
		}
	}
}
