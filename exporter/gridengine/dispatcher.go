package gridengine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
)

// A Dispatcher carries out the decisions of a drive: it changes waiting jobs. It sets -p for the order. A job
// that must not start gets an operator hold, or waits for another job (-hold_jid). A job that may not start
// everywhere gets a narrower -l list. It can also set -R y. The context of the job has the reason, which qstat
// -j shows. The Dispatcher does not set -q, because qalter cannot empty that list.
//
// Before a command changes a job, a claim stores the old value. Steer compares the wanted values, the claims
// and the master's values, and sends the differences. So a caller can repeat Steer at any time: after a start,
// after a cut connection, or after a command without an answer, which may still arrive. Changes by others stay.
type Dispatcher struct {
	*drive.Session
	Captured *Captured // output of a capture; nil to ask the master again
	ending   bool      // the drive restores everything
}

// rounds is how often Release tries. The master will refuse again what it has refused twice.
const rounds = 4

// Steer sets the wanted values of jobs, and restores the old values of jobs that are no longer wanted. One call
// changes at most most jobs. more reports that there is work left.
func (d *Dispatcher) Steer(ctx context.Context, wanted map[string]drive.Wanted, most int) (
	changes []model.Order, more bool, err error) {
	l, err := d.Look(ctx, wanted)
	if err != nil {
		return nil, false, err
	}
	var plan amendments
	for _, job := range d.concerned(wanted) {
		w := wanted[job]
		if more = plan.jobs() >= most; more {
			d.Say("one step changes at most %d jobs (--max-changes); the others follow later", most)
			break
		}
		if text := exporter.OtherJob(job, w.Whose, l.Whose); l.there(job) && l.Values[job] != nil && text != "" {
			d.Say("job %s is not changed: %s", job, text)
			continue
		}
		d.amend(&plan, job, w, l)
	}
	if changes, err = d.carryOut(ctx, plan); err == nil {
		d.Restored = false
	}
	return changes, more, err
}

// concerned returns the jobs with wanted values or claims. A higher -p comes first, because a changed job goes
// to the end of the scheduler's list.
func (d *Dispatcher) concerned(wanted map[string]drive.Wanted) []string {
	list := sortedJobs(d.Jobs(wanted))
	priority := func(job string) int {
		if p := wanted[job].P; p != nil {
			return *p
		}
		return MinP
	}
	slices.SortStableFunc(list, func(a, b string) int { return priority(b) - priority(a) })
	return list
}

func sortedJobs(set map[string]bool) (list []string) {
	for job := range set {
		list = append(list, job)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return list
}

// Look asks the master for the values of jobs. It asks for details only of jobs that need more than a change of
// -p.
func (d *Dispatcher) Look(ctx context.Context, wanted map[string]drive.Wanted) (*Look, error) {
	full := map[string]bool{}
	for job, w := range wanted {
		if d.Claim(job, priority) == nil || w.Hosts+w.Queues+w.Also+w.Why+w.After != "" || w.Reserve || len(w.First) > 0 {
			full[job] = true
		}
	}
	for _, c := range d.Drive.Claims {
		if slices.Contains([]string{reserve, hard, soft, why, after}, c.Attribute) {
			full[c.Job] = true
		}
	}
	return lookAt(ctx, d.Runner, sortedJobs(full), d.Captured)
}

// carryOut stores the claims, tells the watchdog, and sends the calls.
func (d *Dispatcher) carryOut(ctx context.Context, plan amendments) ([]model.Order, error) {
	if err := errors.Join(d.Save(ctx, plan.save), d.Forget(ctx, plan.forget)); err != nil {
		return nil, err
	}
	if err := d.Owe(ctx, d.owed()); err != nil {
		return nil, err
	}
	slices.SortStableFunc(plan.calls, func(a, b call) int { return a.urgency() - b.urgency() })
	argvs := make([][]string, len(plan.calls))
	for i := range plan.calls {
		argvs[i] = plan.calls[i].argv()
	}
	if n := plan.jobs(); n > 0 {
		d.Say("%s changed by %s", plural(n, "job is", "jobs are"), plural(len(argvs), "call of qalter", "calls of qalter"))
	}
	answers, err := d.Send(ctx, argvs)
	for i, r := range answers {
		if r != nil {
			err = errors.Join(err, d.noteAnswer(ctx, &plan.calls[i], r, plan.changes))
		}
	}
	return plan.changes, err
}

// noteAnswer notes the answer to a call.
func (d *Dispatcher) noteAnswer(ctx context.Context, c *call, r *exporter.Result, changes []model.Order) error {
	words := refusals(r)
	var save, forget []model.Claim
	for _, i := range c.changes {
		o := &changes[i]
		switch text, refused := words[o.Job]; {
		case refused && absent.MatchString(text):
			o.State, o.Words = model.OrderOvertaken, text
		case refused:
			o.State, o.Words = model.OrderRefused, text
		case r.Exit != 0 && len(words) == 0:
			lines := exporter.Lines(r.Text())
			o.State, o.Words = model.OrderRefused, orElse(strings.Join(lines[max(0, len(lines)-1):], ""),
				fmt.Sprintf("exit status %d", r.Exit))
			if wholeCall(lines, r.Exit) == "" { // no answer came: the call may arrive later
				o.State = model.OrderUnknown
				continue
			}
		default:
			o.State = model.OrderConfirmed
		}
		k := d.Claim(o.Job, o.Attribute)
		if k == nil {
			continue
		}
		switch heard := *k; {
		case o.State != model.OrderConfirmed: // the call cannot arrive later
			heard.State = model.OrderRefused
			save = append(save, heard)
		case last(k.Becomes) == k.Was: // the old value is restored
			forget = append(forget, heard)
		default:
			heard.State, heard.Becomes = model.OrderConfirmed, last(k.Becomes)
			save = append(save, heard)
		}
	}
	return errors.Join(d.Save(ctx, save), d.Forget(ctx, forget))
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// refusals are the complaints of a call, by job.
func refusals(r *exporter.Result) map[string]string {
	words := map[string]string{}
	if r.Exit == 0 {
		return words
	}
	for _, line := range exporter.Lines(r.Text()) {
		if m := absent.FindStringSubmatch(line); m != nil {
			words[m[1]] = line
		} else if m := foreign.FindStringSubmatch(line); m != nil {
			words[m[1]] = line
		}
	}
	return words
}

// ForgetOtherJobs drops claims whose job numbers now belong to other jobs.
func (d *Dispatcher) ForgetOtherJobs(ctx context.Context) error {
	jobs := map[string]bool{}
	for _, c := range d.Drive.Claims {
		if c.Whose != "" {
			jobs[c.Job] = true
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	now, err := Priorities{}.Whose(ctx, d.Runner, sortedJobs(jobs))
	if err != nil {
		return err
	}
	return d.ForgetIf(ctx, func(c model.Claim) bool {
		_, there := now[c.Job]
		why := exporter.OtherJob(c.Job, c.Whose, now)
		if there && why != "" {
			d.Say("the %s of job %s is not restored: %s", c.Attribute, c.Job, why)
		}
		return there && why != ""
	})
}

// Release restores everything and ends the drive.
func (d *Dispatcher) Release(ctx context.Context) error {
	if err := d.ForgetOtherJobs(ctx); err != nil {
		return err
	}
	if err := d.Beat(ctx); err != nil {
		return err
	}
	d.ending = true
	had := d.Jobs(nil)
	words := map[string]string{}
	for range rounds {
		changes, _, err := d.Steer(ctx, nil, math.MaxInt)
		if err != nil {
			return err
		}
		for _, o := range changes {
			words[o.Job+" "+o.Attribute] = o.Words
		}
		changedByOthers := func(c model.Claim) bool { return c.Attribute == left || c.Attribute == leftP }
		if err := d.ForgetIf(ctx, changedByOthers); err != nil {
			return err
		}
		if len(d.Drive.Claims) == 0 {
			break
		}
	}
	for i := range d.Drive.Claims {
		c := &d.Drive.Claims[i]
		c.Words = orElse(words[c.Job+" "+c.Attribute], "the master keeps it")
	}
	return d.End(ctx, fmt.Sprintf("%d jobs restored", len(had)))
}

// tasks returns the tasks of a claim.
func (d *Dispatcher) tasks(job, attribute string) model.TaskSet {
	c := d.Claim(job, attribute)
	if c == nil || c.Becomes == "" {
		return model.TaskSet{}
	}
	tasks := model.TaskSet{}
	for text := range strings.SplitSeq(c.Becomes, "\n") {
		if some, err := model.ParseTasks(text); err == nil {
			tasks = tasks.With(some)
		}
	}
	return tasks
}

// target names tasks of a job as qalter reads them: "7", "7.1-3,7.9".
func target(job string, tasks model.TaskSet, array bool) string {
	if !array {
		return job
	}
	return job + "." + strings.ReplaceAll(tasks.String(), ",", ","+job+".")
}

func number(p int) string { return strconv.Itoa(p) }

func plural(n int, one, many string) string {
	return number(n) + " " + map[bool]string{true: one, false: many}[n == 1]
}
