package exporter

import (
	"context"
	"fmt"
	"time"

	"qprism/engine/model"
)

// finish waits for the next scheduler run. Then it stores the result of each order and of the push.
func (p *Pusher) finish(ctx context.Context, push *model.Push) (*Report, error) {
	live, taken, err := p.await(ctx, push)
	if err != nil {
		return nil, err
	}
	if err := p.markAll(ctx, push, func(o *model.Order) { settle(o, live) }); err != nil {
		return nil, err
	}
	r := &Report{Push: push, Taken: taken, Order: live.Order, Live: live, Standing: StandingOf(push.Wanted, live.Order)}
	if n := r.Count(model.OrderUnknown) + r.Count(model.OrderPlanned); n > 0 {
		return nil, fmt.Errorf("it is not known if %d changes arrived", n)
	}
	r.Differs = firstDifference(push.Wanted, live.Order)
	r.Agrees = r.Differs == ""
	if p.Explain != nil && !r.Agrees && taken {
		r.Why = p.Explain(r)
	}
	if err := p.closeUndone(ctx, push); err != nil {
		return nil, err
	}
	push.Ended, push.Outcome = p.Now(), r.outcome()
	return r, p.Journal.EndPush(ctx, push.ID, push.Ended, push.Outcome)
}

// await reads the master's state until the scheduler knows all orders, or until the time is over.
func (p *Pusher) await(ctx context.Context, push *model.Push) (live *Live, taken bool, err error) {
	until := p.Now().Add(p.Limits.Await)
	if !p.Limits.By.IsZero() && p.Limits.By.Before(until) {
		until = p.Limits.By
	}
	for waits := false; ; waits = true {
		over := !p.Now().Before(until) // checked first, because reading may take longer than the whole time
		if live, err = p.System.Read(ctx, p.Runner); err != nil {
			return nil, false, err
		}
		if taken = allTaken(push.Orders, live); taken || over {
			return live, taken, nil
		}
		if !waits {
			p.Say("waiting for the next scheduler run")
		}
		if err := p.Sleep(ctx, p.Limits.Poll); err != nil {
			return nil, false, err
		}
	}
}

// allTaken reports whether the scheduler has ranked all jobs by their new values. Jobs that it does not rank do
// not count.
func allTaken(orders []model.Order, live *Live) bool {
	ranked := make(map[string]bool, len(live.Order))
	for _, job := range live.Order {
		ranked[job] = true
	}
	for _, o := range orders {
		job := live.Jobs[o.Job]
		if o.State == model.OrderSent && ranked[o.Job] && job.Values[o.Attribute] == o.To && !job.Taken {
			return false
		}
	}
	return true
}

// settle sets the state of a sent order by the master's value.
func settle(o *model.Order, live *Live) {
	if o.State != model.OrderSent && o.State != model.OrderUnknown {
		return
	}
	job, there := live.Jobs[o.Job]
	value, agreed := job.Values[o.Attribute], o.Words != ""
	switch {
	case !there:
		o.State, o.Words = model.OrderOvertaken, "the job is gone"
	case value == o.To:
		o.State = model.OrderConfirmed
	case agreed && value == o.From:
		o.State, o.Words = model.OrderRefused,
			fmt.Sprintf("the master accepted the change, but %s is still %s: a job verifier (JSV) or "+
				"another controller reset it", o.Attribute, value)
	case agreed:
		o.State, o.Words = model.OrderRefused,
			fmt.Sprintf("the master accepted the change, but %s is %s: a job verifier (JSV) or another controller "+
				"changed it",
				o.Attribute, value)
	case value == o.From:
		o.State, o.Words = model.OrderUnknown, "no answer came, and the value has not changed"
	default:
		o.State, o.Words = model.OrderOvertaken, fmt.Sprintf("it now has %s %s", o.Attribute, value)
	}
}

// firstDifference names the first job in another place than wanted, among the jobs in both orders.
func firstDifference(wanted, order []string) string {
	ranked, asked := setOf(order), setOf(wanted)
	i := 0
	for _, job := range order {
		if !asked[job] {
			continue
		}
		for i < len(wanted) && !ranked[wanted[i]] {
			i++
		}
		if i == len(wanted) || wanted[i] != job {
			return job
		}
		i++
	}
	return ""
}

func setOf(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// Count counts the orders in a state.
func (r *Report) Count(state model.OrderState) (n int) {
	for _, o := range r.Push.Orders {
		if o.State == state {
			n++
		}
	}
	return n
}

func (r *Report) outcome() string {
	text := fmt.Sprintf("%d confirmed, %d refused, %d overtaken, %d unknown", r.Count(model.OrderConfirmed),
		r.Count(model.OrderRefused),
		r.Count(model.OrderOvertaken), r.Count(model.OrderUnknown)+r.Count(model.OrderPlanned))
	switch {
	case len(r.Push.Wanted) == 0 || r.Order == nil:
	case !r.Taken:
		text += "; no scheduler run was seen"
	case r.Agrees && r.Live != nil && r.Live.Places:
		text += "; the places in the queues are as wanted, and the next run uses them if nothing else decides" +
			r.Standing.moves()
	case r.Agrees:
		text += "; the order of the master is as wanted" + r.Standing.moves()
	default:
		text += "; " + r.Standing.String()
		if r.Why != "" {
			text += ": " + r.Why
		}
		text += r.Standing.moves()
	}
	return text
}

// Resume finishes an interrupted push. It confirms the orders whose values the master has, and sends the other
// orders.
func (p *Pusher) Resume(ctx context.Context, id int64) (*Report, error) {
	push, err := p.unfinished(ctx, id)
	if err != nil {
		return nil, err
	}
	release, err := p.admit(ctx, push)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := p.reread(ctx, push); err != nil {
		return nil, err
	}
	driven, err := p.driven(ctx, push)
	if err == nil {
		err = p.mark(ctx, push, driven, lapse)
	}
	if err != nil {
		return nil, err
	}
	return p.carryOut(ctx, push)
}

// unfinished loads an open push.
func (p *Pusher) unfinished(ctx context.Context, id int64) (*model.Push, error) {
	push, err := p.Journal.Push(ctx, id)
	if err == nil && !push.Open() {
		err = refuse("push %d is finished: %s", id, push.Outcome)
	}
	return push, err
}

// reread finds out which orders have arrived.
func (p *Pusher) reread(ctx context.Context, push *model.Push) error {
	live, whose, err := p.asked(ctx, push.Orders)
	if err != nil {
		return err
	}
	return p.markAll(ctx, push, func(o *model.Order) { found(o, live, whose) })
}

// asked asks the master for the values and the owners of the jobs of orders.
func (p *Pusher) asked(ctx context.Context, orders []model.Order) (live *Live, whose map[string]string, err error) {
	if live, err = p.System.Read(ctx, p.Runner); err != nil {
		return nil, nil, err
	}
	whose, err = p.whose(ctx, orders)
	return live, whose, err
}

// found sets the state of an order when its push continues. An order that never arrived is planned again.
func found(o *model.Order, live *Live, whose map[string]string) {
	job, there := live.Jobs[o.Job]
	value := job.Values[o.Attribute]
	arrived := o.State == model.OrderSent || o.State == model.OrderUnknown
	other := otherJob(*o, whose)
	switch {
	case o.State.Settled():
	case there && other != "":
		o.State, o.Words = model.OrderOvertaken, other
	case arrived && value == o.To:
	case !there || !arrived && !job.Waiting:
		o.State, o.Words = model.OrderOvertaken, "the job no longer waits"
	case value == o.From:
		o.State, o.Words = model.OrderPlanned, ""
	default:
		o.State, o.Words = model.OrderOvertaken, fmt.Sprintf("it now has %s %s", o.Attribute, value)
	}
}

// Rest returns a stored push as Resume would continue it. Rest only reads.
func (p *Pusher) Rest(ctx context.Context, id int64) (*model.Push, error) {
	push, err := p.unfinished(ctx, id)
	if err != nil {
		return nil, err
	}
	p.witness(push.Orders)
	if err := p.Recognize(ctx, push.Cluster, push.Identity); err != nil {
		return nil, err
	}
	live, whose, err := p.asked(ctx, push.Orders)
	if err != nil {
		return nil, err
	}
	for i := range push.Orders {
		found(&push.Orders[i], live, whose)
	}
	return push, nil
}

// Inverse returns the push that undoes another push, finished or not. Jobs that still have the ordered value
// get the old one. Changes by others stay. If each order changes two jobs, the waiting jobs get their old
// relative order. Inverse only reads.
func (p *Pusher) Inverse(ctx context.Context, id int64) (*model.Push, error) {
	push, err := p.Journal.Push(ctx, id)
	if err != nil {
		return nil, err
	}
	p.witness(push.Orders)
	if err := p.Recognize(ctx, push.Cluster, push.Identity); err != nil {
		return nil, err
	}
	if _, ok := p.System.(Restorer); ok {
		back, err := p.InverseOfAll(ctx, []model.Push{*push})
		if err != nil {
			return nil, err
		}
		back.Undoes = id
		return back, nil
	}
	live, whose, err := p.asked(ctx, push.Orders)
	if err != nil {
		return nil, err
	}
	return &model.Push{Cluster: push.Cluster, Identity: push.Identity, By: p.Holder, Kind: push.Kind,
		Undoes: id, SnapshotAt: p.Now(),
		Orders: p.inverse(push, live, whose)}, nil
}

func (p *Pusher) Undo(ctx context.Context, id int64) (*Report, error) {
	back, err := p.Inverse(ctx, id)
	if err != nil {
		return nil, err
	}
	return p.SendInverse(ctx, back)
}

// SendInverse sends a push that undoes other pushes.
func (p *Pusher) SendInverse(ctx context.Context, back *model.Push) (*Report, error) {
	release, err := p.admit(ctx, back)
	if err != nil {
		return nil, err
	}
	defer release()
	if len(back.Orders) > 0 {
		return p.begin(ctx, back)
	}
	return &Report{Push: back, Taken: true, Agrees: true}, p.closeUndone(ctx, back)
}

// closeUndone ends an unfinished push that another push has undone. It runs before the end of the other push,
// so that one of the two is always open.
func (p *Pusher) closeUndone(ctx context.Context, back *model.Push) error {
	if back.Undoes == 0 {
		return nil
	}
	push, err := p.Journal.Push(ctx, back.Undoes)
	if err != nil || !push.Open() {
		return err
	}
	return p.Journal.EndPush(ctx, push.ID, p.Now(), "taken back")
}

// inverse returns the orders that undo a push, the last order first. An order without an answer may still
// arrive at a master that hangs, even if the job has its old value. For such an order, inverse sets the old
// value once more.
func (p *Pusher) inverse(push *model.Push, live *Live, whose map[string]string) []model.Order {
	var list []model.Order
	for i := len(push.Orders) - 1; i >= 0; i-- {
		o := push.Orders[i]
		sent := o.State == model.OrderSent || o.State == model.OrderConfirmed || o.State == model.OrderUnknown
		onItsWay := sent && o.State != model.OrderConfirmed && o.Words == "" && !p.System.Chained()
		job, there := live.Jobs[o.Job]
		value := job.Values[o.Attribute]
		if there && otherJob(o, whose) == "" && (sent && value == o.To || onItsWay && value == o.From) {
			if back, ok := p.System.Undo(o); ok {
				list = append(list, back)
			}
		}
	}
	return list
}

// Wait waits for a time, or until the context ends.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
