package pbs

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

// A Dispatcher sets -p of waiting jobs so that the scheduler starts them in the wanted order. Before it changes
// a job, it stores a claim with the old value. Steer compares the wanted values, the claims and the server's
// values, and sends the differences. So a caller can repeat Steer at any time. Changes by others stay. PBS
// needs no watchdog: without the Dispatcher, the scheduler continues with the last order.
type Dispatcher struct{ *drive.Session }

// left is the attribute of a claim for a job whose -p somebody else set. The Dispatcher does not change the job
// as long as it has that value.
const left = "left " + priority

// Steer sets the wanted -p of jobs, and restores the old -p of jobs that are no longer wanted. One call changes
// at most most jobs. more reports that there is work left.
func (d *Dispatcher) Steer(ctx context.Context, wanted map[string]drive.Wanted, most int) (
	orders []model.Order, more bool, err error) {
	if err := d.switchBack(ctx); err != nil {
		return nil, false, err
	}
	jobs, err := read(ctx, d.Runner)
	if err != nil {
		return nil, false, err
	}
	var save, forget []model.Claim
	for _, job := range slices.Sorted(maps.Keys(d.Jobs(wanted))) {
		if more = len(orders) >= most; more {
			break
		}
		o, k, drop := d.amend(job, wanted, jobs)
		orders, save, forget = append(orders, o...), append(save, k...), append(forget, drop...)
	}
	if err := errors.Join(d.Forget(ctx, forget), d.Save(ctx, save)); err != nil {
		return nil, false, err
	}
	return orders, more, d.send(ctx, orders)
}

// switchBack restores the scheduler's switch, which a drive of release 0.1.0 turned off.
func (d *Dispatcher) switchBack(ctx context.Context) error {
	c := d.Claim("", "scheduling")
	if c == nil {
		return nil
	}
	argv := []string{"qmgr", "-c", "set server scheduling = " + strings.ToLower(c.Was)}
	answers, err := d.Send(ctx, [][]string{argv})
	switch {
	case err != nil:
		return err
	case answers[0].Exit != 0:
		return exporter.Failure(argv, *answers[0])
	}
	return d.Forget(ctx, []model.Claim{*c})
}

// amend compares the -p that a job should have with its -p. Running jobs need no -p.
func (d *Dispatcher) amend(job string, wanted map[string]drive.Wanted, jobs map[string]listed) (orders []model.Order,
	save, forget []model.Claim) {
	j, w, claim, his := jobs[job], wanted[job], d.Claim(job, priority), d.Claim(job, left)
	have := j.priority()
	drop := func(claims ...*model.Claim) {
		for _, c := range claims {
			if c != nil {
				forget = append(forget, *c)
			}
		}
	}
	whose := w.Whose
	if claim != nil {
		whose = claim.Whose
	}
	if !j.waiting() || exporter.OtherJob(job, whose, whoseOf(jobs, []string{job})) != "" {
		drop(claim, his)
		return nil, nil, forget
	}
	was := have
	switch {
	case claim != nil && have != claim.Was && !slices.Contains(strings.Split(claim.Becomes, "\n"), have):
		d.Say("the -p of job %s stays as somebody else set it: %s", job, have)
		drop(claim)
		return nil, []model.Claim{{Job: job, Attribute: left, Becomes: have, State: model.OrderOvertaken,
			Whose: whose}}, forget
	case claim != nil:
		was = claim.Was
	case his != nil && his.Becomes == have:
		return nil, nil, nil
	}
	drop(his)
	to := was
	if w.P != nil {
		to = strconv.Itoa(*w.P)
	}
	switch {
	case to != have:
		k := model.Claim{Job: job, Attribute: priority, Was: was, Becomes: to, State: model.OrderSent, Whose: whose}
		if claim != nil && have != to {
			k.Becomes = have + "\n" + to // the order may not arrive
		}
		o := model.Order{Job: job, Attribute: priority, From: have, To: to, State: model.OrderPlanned, Whose: whose}
		return []model.Order{o}, []model.Claim{k}, forget
	case to == was:
		drop(claim)
	}
	return nil, nil, forget
}

// send sends orders and notes the answers.
func (d *Dispatcher) send(ctx context.Context, orders []model.Order) error {
	commands := Priority{}.Commands(orders)
	argvs := make([][]string, len(commands))
	for i := range commands {
		argvs[i] = commands[i].Args
	}
	results, err := d.Send(ctx, argvs)
	var save, forget []model.Claim
	for i, r := range results {
		if r == nil {
			continue
		}
		for k, a := range (Priority{}).Answers(commands[i], orders, *r) {
			o := &orders[commands[i].Orders[k]]
			o.Words, o.State = a.Words, stateOf(a)
			c := d.Claim(o.Job, priority)
			switch {
			case c == nil:
			case o.State == model.OrderOvertaken, o.State == model.OrderConfirmed && o.To == c.Was:
				forget = append(forget, *c)
			case o.State == model.OrderConfirmed:
				heard := *c
				heard.Becomes, heard.State = o.To, model.OrderConfirmed
				save = append(save, heard)
			}
		}
	}
	return errors.Join(err, d.Save(ctx, save), d.Forget(ctx, forget))
}

func stateOf(a exporter.Answer) model.OrderState {
	switch {
	case !a.Known:
		return model.OrderUnknown
	case a.Gone:
		return model.OrderOvertaken
	case a.Refused:
		return model.OrderRefused
	}
	return model.OrderConfirmed
}

// Release restores -p of every job, and ends the drive.
func (d *Dispatcher) Release(ctx context.Context) error {
	had := len(d.Drive.Claims)
	orders, _, err := d.Steer(ctx, nil, max(had, 1))
	if err != nil {
		return err
	}
	var others []model.Claim
	for i := range d.Drive.Claims {
		c := &d.Drive.Claims[i]
		if c.Attribute == left {
			others = append(others, *c)
		}
		c.Words = "the server keeps it"
		for _, o := range orders {
			if o.Job == c.Job {
				c.Words = cmp.Or(o.Words, c.Words)
			}
		}
	}
	if err := d.Forget(ctx, others); err != nil {
		return err
	}
	return d.End(ctx, fmt.Sprintf("%d jobs restored", had-len(others)))
}
