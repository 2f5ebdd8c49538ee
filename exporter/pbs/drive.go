package pbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/exporter"
	"qprism/exporter/drive"
)

// A Dispatcher starts jobs in place of the scheduler, which is off meanwhile: qrun -H starts a job on given vnodes at once. The server
// checks nothing then, not even that the vnodes have room, so that everything has to be checked by who decides.
//
// What is taken is the scheduler's switch; it is stored before it is set, and goes back to what it was. What has started stays.
type Dispatcher struct{ *drive.Session }

// scheduling is the attribute of the server that a drive claims.
const scheduling = "scheduling"

// readSwitch shows it.
var readSwitch = []string{"qmgr", "-c", "list server scheduling"}

// readScheduler shows whether a cycle is under way.
var readScheduler = []string{"qmgr", "-c", "list sched"}

// SwitchOff switches the scheduler off, and waits until it is in no cycle. It reports whether it did: what was captured before is old then.
// A scheduler that somebody switched on again is a refusal: two would decide.
func (d *Dispatcher) SwitchOff(ctx context.Context) (did bool, err error) {
	now, err := d.scheduling(ctx)
	if err != nil {
		return false, err
	}
	claim := d.Claim("", scheduling)
	if claim != nil && claim.State == model.OrderConfirmed {
		if now != claim.Becomes {
			return false, &exporter.RefusalError{Why: "somebody switched the scheduler on again; qprism drive --release --apply ends the drive"}
		}
		return false, nil
	}
	if claim == nil {
		claim = &model.Claim{Attribute: scheduling, Was: now, Becomes: "False"}
	}
	claim.State = model.OrderSent
	if err := d.Save(ctx, []model.Claim{*claim}, nil); err != nil {
		return false, err
	}
	if now != claim.Becomes {
		d.Say("the scheduler is switched off")
		if err := d.set(ctx, claim.Becomes); err != nil {
			return false, err
		}
	}
	if err := d.awaitIdle(ctx); err != nil {
		return false, err
	}
	claim.State = model.OrderConfirmed
	return true, d.Save(ctx, []model.Claim{*claim}, nil)
}

// Guard tells the watchdog how the scheduler is switched on again. Where it did so, the switch is nobody's.
func (d *Dispatcher) Guard(ctx context.Context) error {
	claim := d.Claim("", scheduling)
	if d.Paid && claim != nil {
		if err := d.Forget(ctx, []model.Claim{*claim}); err != nil {
			return err
		}
		claim, d.Paid = nil, false
	}
	was := ""
	if claim != nil {
		was = claim.Was
	} else {
		var err error
		if was, err = d.scheduling(ctx); err != nil {
			return err
		}
	}
	return d.Owe(ctx, [][]string{{"qmgr", "-c", "set server scheduling = " + strings.ToLower(was)}})
}

// scheduling is what the server's switch says: "True", "False".
func (d *Dispatcher) scheduling(ctx context.Context) (string, error) {
	values, err := d.attribute(ctx, readSwitch, scheduling)
	if err == nil && (len(values) != 1 || values[0] != "True" && values[0] != "False") {
		err = fmt.Errorf("%s: scheduling is neither True nor False: %q", strings.Join(readSwitch, " "), values)
	}
	if err != nil {
		return "", err
	}
	return values[0], nil
}

// attribute are the values of an attribute in what qmgr lists.
func (d *Dispatcher) attribute(ctx context.Context, argv []string, name string) (values []string, err error) {
	results, err := d.Runner.Run(ctx, [][]string{argv})
	if err != nil {
		return nil, err
	}
	if len(results) != 1 || results[0].Exit != 0 {
		return nil, exporter.Failure(argv, results...)
	}
	for _, line := range exporter.Lines(results[0].Out) {
		if key, value, ok := strings.Cut(line, " = "); ok && key == name {
			values = append(values, value)
		}
	}
	return values, nil
}

// set sets the switch and sees that it is set.
func (d *Dispatcher) set(ctx context.Context, to string) error {
	argv := []string{"qmgr", "-c", "set server scheduling = " + strings.ToLower(to)}
	answers, err := d.Send(ctx, [][]string{argv})
	if err != nil {
		return err
	}
	if answers[0].Exit != 0 {
		return exporter.Failure(argv, *answers[0])
	}
	now, err := d.scheduling(ctx)
	if err == nil && now != to {
		err = fmt.Errorf("the server keeps scheduling = %s", now)
	}
	return err
}

// awaitIdle waits for the end of a cycle that had begun.
func (d *Dispatcher) awaitIdle(ctx context.Context) error {
	until := d.Now().Add(d.Limits.Await)
	for {
		states, err := d.attribute(ctx, readScheduler, "state")
		if err != nil {
			return err
		}
		if !slices.Contains(states, "scheduling") {
			return nil
		}
		if !d.Now().Before(until) {
			return errors.New("the scheduler is still in a cycle")
		}
		if err := d.Sleep(ctx, d.Limits.Poll); err != nil {
			return err
		}
	}
}

// Rights asks who is manager or operator: only they may start jobs.
func (d *Dispatcher) Rights(ctx context.Context) (string, error) { return rights(ctx, d.Runner) }

// Start starts jobs where they are decided, one after the other, and finds out what became of each. Jobs that do not wait any more are
// passed over.
func (d *Dispatcher) Start(ctx context.Context, starts []model.Start) ([]model.Start, error) {
	jobs, err := read(ctx, d.Runner)
	if err != nil {
		return nil, err
	}
	starts = slices.DeleteFunc(slices.Clone(starts), func(s model.Start) bool {
		why := exporter.Another(s.Job, s.Whose, whoseOf(jobs, []string{s.Job}))
		if jobs[s.Job].State != "Q" {
			why = "it no longer waits"
		}
		if why != "" {
			d.Say("job %s is not started: %s", s.Job, why)
		}
		return why != ""
	})
	if len(starts) == 0 {
		return nil, nil
	}
	calls := make([][]string, len(starts))
	for i := range starts {
		starts[i].At, starts[i].State = d.Now(), model.OrderSent
		calls[i] = []string{"qrun", "-H", starts[i].Places, starts[i].Job}
	}
	if err := d.Save(ctx, nil, starts); err != nil {
		return nil, err
	}
	answers, err := d.Send(ctx, calls)
	if err != nil {
		return starts, err
	}
	for i, r := range answers {
		a := answer("qrun", starts[i].Job, exporter.Lines(r.Text()), r.Exit)
		switch {
		case a.Gone:
			starts[i].State = model.OrderOvertaken
		case a.Refused:
			starts[i].State = model.OrderRefused
		}
		starts[i].Words = a.Words
	}
	return d.finish(ctx, starts)
}

// Settle finds out what became of starts that an earlier process had sent.
func (d *Dispatcher) Settle(ctx context.Context) error {
	if len(d.Drive.Starts) == 0 {
		return nil
	}
	_, err := d.finish(ctx, slices.Clone(d.Drive.Starts))
	return err
}

// finish looks at the server until each job runs, or the time is over, and stores what became of the starts.
func (d *Dispatcher) finish(ctx context.Context, starts []model.Start) ([]model.Start, error) {
	until := d.Now().Add(d.Limits.Await)
	for {
		jobs, err := read(ctx, d.Runner)
		if err != nil {
			return starts, err
		}
		last, open := !d.Now().Before(until), 0
		for i := range starts {
			if s := &starts[i]; !s.State.Settled() {
				job, there := jobs[s.Job]
				if s.State, s.Words = becameOf(s, job, there, last); !s.State.Settled() {
					open++
				}
			}
		}
		if open == 0 || last {
			return starts, d.Save(ctx, nil, starts)
		}
		if err := errors.Join(d.Sleep(ctx, d.Limits.Poll), d.Alive(ctx)); err != nil {
			return starts, err
		}
	}
}

// becameOf is what became of a start. A job that waits again was not started, or its start failed on the host.
func becameOf(s *model.Start, job listed, there, last bool) (model.OrderState, string) {
	switch {
	case !there:
		return model.OrderOvertaken, "the job is gone"
	case strings.Contains("RESU", job.State) && sameVnodes(job.ExecVnode, s.Places):
		return model.OrderConfirmed, "started on " + job.ExecVnode
	case strings.Contains("RESU", job.State) && job.ExecVnode != "":
		return model.OrderOvertaken, "it started on " + job.ExecVnode
	case !last:
		return s.State, s.Words
	case job.waiting():
		return model.OrderRefused, "it did not start, or the start failed: " + job.Comment
	}
	return model.OrderOvertaken, "its state is " + job.State
}

// sameVnodes reports whether two texts name the same vnodes and amounts: a single chunk may lack its parentheses.
func sameVnodes(a, b string) bool {
	bare := func(text string) string {
		if !strings.Contains(text, "+") {
			text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
		}
		return text
	}
	return bare(a) == bare(b)
}

// Release sets the scheduler's switch back to what it was, and ends the drive.
func (d *Dispatcher) Release(ctx context.Context) error {
	if err := d.Settle(ctx); err != nil {
		return err
	}
	claim := d.Claim("", scheduling)
	if claim == nil {
		return d.End(ctx, "nothing was taken")
	}
	now, err := d.scheduling(ctx)
	if err != nil {
		return err
	}
	outcome := "scheduling = " + now + ", as it was"
	if now == claim.Becomes && now != claim.Was {
		if err := d.set(ctx, claim.Was); err != nil {
			return err
		}
		outcome = "scheduling = " + claim.Was + " again"
	}
	if err := d.Forget(ctx, []model.Claim{*claim}); err != nil {
		return err
	}
	return d.End(ctx, outcome)
}
