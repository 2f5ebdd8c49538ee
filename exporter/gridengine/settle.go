package gridengine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
)

// Settle gives back what starts took, whether or not they happened, and finds out what became of them.
func (d *Dispatcher) Settle(ctx context.Context) error {
	if err := d.disown(ctx); err != nil {
		return err
	}
	_, err := d.settle(ctx, slices.Clone(d.Drive.Starts))
	return err
}

// disown forgets what was taken of jobs whose numbers are other jobs' by now: nothing of theirs is ours to give back.
func (d *Dispatcher) disown(ctx context.Context) error {
	now, err := d.whose(ctx)
	if err != nil {
		return err
	}
	var forget []model.Claim
	for _, c := range d.Drive.Claims {
		if _, there := now[c.Job]; there && exporter.Another(c.Job, c.Whose, now) != "" {
			d.Say("the %s of job %s is not given back: %s", c.Attribute, c.Job, exporter.Another(c.Job, c.Whose, now))
			forget = append(forget, c)
		}
	}
	var settled []model.Start
	for _, o := range d.Drive.Starts {
		if o.Words = exporter.Another(o.Job, o.Whose, now); o.Words != "" {
			o.State = model.OrderOvertaken
			settled = append(settled, o)
		}
	}
	return errors.Join(d.Save(ctx, nil, settled), d.Forget(ctx, forget))
}

// whose asks whose the jobs are of which something is taken.
func (d *Dispatcher) whose(ctx context.Context) (map[string]string, error) {
	jobs := map[string]bool{}
	for _, c := range d.Drive.Claims {
		jobs[c.Job] = c.Whose != "" || jobs[c.Job]
	}
	for _, o := range d.Drive.Starts {
		jobs[o.Job] = o.Whose != "" || jobs[o.Job]
	}
	maps.DeleteFunc(jobs, func(_ string, known bool) bool { return !known })
	if len(jobs) == 0 {
		return nil, nil
	}
	return Priorities{}.Whose(ctx, d.Runner, sortedJobs(jobs))
}

// rounds bounds how often a job is looked at and ordered again: what is refused twice will be refused again, and a job can start
// between the look and the order once.
const rounds = 4

// settle looks at what the master has and orders what is missing, until nothing is.
func (d *Dispatcher) settle(ctx context.Context, orders []model.Start) ([]model.Start, error) {
	for range rounds {
		l, err := d.Look(ctx)
		if err != nil {
			return orders, err
		}
		if orders, err = d.judge(ctx, orders, l); err != nil {
			return orders, err
		}
		calls, err := d.amends(ctx, l)
		if err != nil || len(calls) == 0 {
			return orders, err
		}
		answers, err := d.Send(ctx, calls)
		if err != nil {
			return orders, err
		}
		for i, r := range answers {
			if r.Exit != 0 {
				d.Say("%s: %s", strings.Join(calls[i], " "), strings.Join(exporter.Lines(r.Text()), "; "))
			}
		}
	}
	return orders, nil
}

// judge stores what became of starts.
func (d *Dispatcher) judge(ctx context.Context, orders []model.Start, l *Look) ([]model.Start, error) {
	var settled []model.Start
	for i := range orders {
		if o := &orders[i]; !o.State.Settled() {
			o.State, o.Words = outcome(o, l)
			settled = append(settled, *o)
		}
	}
	return orders, d.Save(ctx, nil, settled)
}

// outcome is what became of a start, by what the master has now.
func outcome(o *model.Start, l *Look) (model.OrderState, string) {
	tasks, err := model.ParseTasks(o.Tasks)
	if err != nil {
		return model.OrderUnknown, err.Error()
	}
	if !l.there(o.Job) {
		return model.OrderOvertaken, "the job is gone"
	}
	begun := 0
	for _, r := range l.Running[o.Job] {
		if !tasks[r.Task] {
			continue
		}
		if !r.At(o.Places) {
			return model.OrderOvertaken, "it started on " + writePlaces(r.Slots)
		}
		begun++
	}
	switch waiting := len(tasks.And(l.Waiting[o.Job])); {
	case waiting == 0 && begun == 0:
		return model.OrderOvertaken, "it is gone"
	case waiting == 0:
		return model.OrderConfirmed, fmt.Sprintf("started on %s", o.Places)
	case o.Words != "":
		return model.OrderRefused, o.Words
	case begun > 0:
		return model.OrderOvertaken, fmt.Sprintf("%d of %d tasks started", begun, len(tasks))
	}
	return model.OrderOvertaken, "it did not start in time"
}

// amends are the calls that give back what is not as it was, or hold again what did not start. Claims of what is back, and of jobs that
// are gone, are forgotten.
func (d *Dispatcher) amends(ctx context.Context, l *Look) (calls [][]string, err error) {
	var save, forget []model.Claim
	jobs := map[string]bool{}
	for _, c := range d.Drive.Claims {
		jobs[c.Job] = true
	}
	for _, job := range sortedJobs(jobs) {
		a := d.amend(job, l)
		calls, save, forget = append(calls, a.calls...), append(save, a.save...), append(forget, a.forget...)
	}
	return calls, errors.Join(d.Save(ctx, save, nil), d.Forget(ctx, forget))
}

func sortedJobs(set map[string]bool) (list []string) {
	for job := range set {
		list = append(list, job)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return list
}

// An amendment is what there is to do about a job.
type amendment struct {
	calls        [][]string
	save, forget []model.Claim
}

func (d *Dispatcher) amend(job string, l *Look) (a amendment) {
	if !l.there(job) {
		for _, attribute := range []string{held, hard, soft, left} {
			if c := d.Claim(job, attribute); c != nil {
				a.forget = append(a.forget, *c)
			}
		}
		return a
	}
	ours := d.tasks(job, held)
	loose := ours.And(l.Waiting[job]).Without(l.Held[job])
	options, inFlight, again := d.requests(job, l, &a)
	hold := d.keep(job, l, &a, ours, loose, inFlight)
	if again { // what is on its way also releases
		hold = ours.And(l.Waiting[job])
	}
	if stuck := ours.And(l.Held[job]).And(l.running(job)); len(stuck) > 0 { // it started just before it was to be held again
		a.calls = append(a.calls, []string{"qalter", "-h", "O", target(job, stuck, array(job, l, stuck))})
	}
	switch {
	case len(hold) > 0:
		options = append(options, "-h", "o", target(job, hold, array(job, l, hold)))
		a.calls = append(a.calls, append([]string{"qalter"}, options...))
	case len(options) > 0:
		a.calls = append(a.calls, append(append([]string{"qalter"}, options...), job))
	}
	return a
}

// onItsWay reports whether an order may still be on its way, to a master that hung: no answer came, and it has not arrived. What puts
// things right is then sent once more, behind it.
func onItsWay(c *model.Claim) bool {
	if c.State != model.OrderSent {
		return false
	}
	c.State = model.OrderUnknown // this is asked once: what was answered since came later
	return true
}

// array reports whether tasks have to be named: a job whose only task is 1 takes no harm from being named as a whole.
func array(job string, l *Look, tasks model.TaskSet) bool {
	all := l.Waiting[job].With(l.running(job))
	return len(all.Without(tasks)) > 0 || !tasks[1] || len(tasks) > 1
}

// requests are the options that give a job its -l lists back; it is in flight while some list is not known to be back, and again is true
// where an order may still be on its way. A list that is neither the old one nor the narrowed one is somebody else's by now.
func (d *Dispatcher) requests(job string, l *Look, a *amendment) (options []string, inFlight, again bool) {
	for _, attribute := range []string{hard, soft} {
		c := d.Claim(job, attribute)
		if c == nil {
			continue
		}
		inFlight = true
		have := l.Requests[job][attribute]
		switch late := have == c.Was && onItsWay(c); {
		case have == c.Becomes, late:
			if attribute == soft {
				options = append(options, "-soft")
			}
			options, again = append(options, "-l", c.Was), again || late
		case have == c.Was:
			a.forget = append(a.forget, *c)
		default:
			d.Say("the %s -l list of job %s is left as somebody else set it: %q", attribute, job, have)
			a.forget = append(a.forget, *c)
		}
	}
	return options, inFlight, again
}

// keep brings the claim of a hold up to date, and returns the tasks that have to be held again: those of a start, and those whose hold may
// still be on its way. Started tasks are no longer held, and what somebody else released is his.
func (d *Dispatcher) keep(job string, l *Look, a *amendment, ours, loose model.TaskSet, inFlight bool) (hold model.TaskSet) {
	c := d.Claim(job, held)
	if c == nil {
		return nil
	}
	now, state := ours.And(l.Waiting[job]).With(ours.And(l.Held[job])), model.OrderConfirmed
	switch {
	case len(loose) == 0:
	case inFlight: // forgotten only when all of it is held again
		a.forget = slices.DeleteFunc(a.forget, func(f model.Claim) bool { return f.Attribute == hard || f.Attribute == soft })
		hold, state = loose, c.State
	case onItsWay(c):
		hold, state = loose, model.OrderSent
	case c.State == model.OrderUnknown: // it never arrived
		now = now.Without(loose)
	default:
		d.Say("somebody else released job %s: it is left to the scheduler", target(job, loose, array(job, l, loose)))
		now = now.Without(loose)
		a.save = append(a.save, model.Claim{Job: job, Attribute: left, Becomes: d.tasks(job, left).With(loose).String(),
			State: model.OrderOvertaken, Whose: c.Whose})
	}
	changed := *c
	changed.Becomes, changed.State = now.String(), state
	switch {
	case len(now) == 0:
		a.forget = append(a.forget, *c)
	case changed != *c && hold == nil:
		a.save = append(a.save, changed)
	}
	return hold
}

// Release gives everything back and ends the drive.
func (d *Dispatcher) Release(ctx context.Context) error {
	if err := d.Settle(ctx); err != nil {
		return err
	}
	l, err := d.Look(ctx)
	if err != nil {
		return err
	}
	released := 0
	var targets []string
	for _, c := range d.Drive.Claims {
		if tasks := d.tasks(c.Job, held).And(l.Held[c.Job]); c.Attribute == held && len(tasks) > 0 {
			targets = append(targets, target(c.Job, tasks, array(c.Job, l, tasks)))
			released++
		}
	}
	answers, err := d.Send(ctx, grouped([]string{"qalter", "-h", "O"}, targets))
	if err != nil {
		return err
	}
	if err := d.returned(ctx, refusals(answers)); err != nil {
		return err
	}
	return d.End(ctx, fmt.Sprintf("%d jobs released", released))
}

// returned forgets holds that are off, and what was left to others.
func (d *Dispatcher) returned(ctx context.Context, words map[string]string) error {
	l, err := d.Look(ctx)
	if err != nil {
		return err
	}
	var save, forget []model.Claim
	for _, c := range d.Drive.Claims {
		switch {
		case c.Attribute == left, c.Attribute == held && len(d.tasks(c.Job, held).And(l.Held[c.Job])) == 0:
			forget = append(forget, c)
		case c.Attribute == held:
			c.State, c.Words = model.OrderRefused, orElse(words[c.Job], "the master keeps the hold")
			save = append(save, c)
		}
	}
	return errors.Join(d.Save(ctx, save, nil), d.Forget(ctx, forget))
}
