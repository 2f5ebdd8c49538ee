package exporter

import (
	"context"
	"slices"

	"qprism/engine/model"
)

// A valueOf names a value that pushes set.
type valueOf struct{ job, attribute string }

// A valueHistory is the history of a value under pushes.
type valueHistory struct {
	first model.Order // the first order in force: its From is the value before the pushes
	last  model.Order // the last order: its To is the value that the job should have
	loose bool        // the last order has no answer: it may still arrive
}

// A Restorer is a System in which each order changes two jobs, so an order cannot set the value of one job
// alone.
type Restorer interface {
	// Restore returns the orders that restore the old order of waiting jobs. before has the earlier values of
	// some of them.
	Restore(before map[string]string, live *Live) []model.Order
}

// InverseOfAll returns the push that undoes pushes of one cluster and kind. pushes has the oldest first. Each job
// gets back its value from before the first order in force. If someone else changed a value between two orders,
// the undo starts after that change. If a job's value differs from its last order, the job stays as it is. The
// result names the open push that it undoes, or else the oldest push in force. InverseOfAll only reads.
func (p *Pusher) InverseOfAll(ctx context.Context, pushes []model.Push) (*model.Push, error) {
	courses, names := follow(pushes)
	var last []model.Order
	for _, name := range names {
		last = append(last, courses[name].last)
	}
	live, whose, err := p.asked(ctx, last)
	if err != nil {
		return nil, err
	}
	var moved []model.Order // the newest first
	for _, name := range slices.Backward(names) {
		if c := courses[name]; c.inForce(live, whose) {
			moved = append(moved, model.Order{Job: name.job, Attribute: name.attribute, From: c.first.From,
				To: c.last.To, Whose: c.last.Whose})
		}
	}
	back := &model.Push{By: p.Holder, Kind: p.System.Kind(), SnapshotAt: p.Now()}
	if back.Orders, err = p.givenBack(ctx, moved, live); err != nil {
		return nil, err
	}
	for i := range pushes {
		back.Cluster, back.Identity = pushes[i].Cluster, pushes[i].Identity
		if back.Undoes == 0 && pushes[i].Undoes == 0 || pushes[i].Open() {
			back.Undoes = pushes[i].ID
		}
	}
	return back, nil
}

// inForce reports whether a job still has the value of the pushes, or may still get it.
func (c *valueHistory) inForce(live *Live, whose map[string]string) bool {
	job, there := live.Jobs[c.last.Job]
	value := job.Values[c.last.Attribute]
	return there && otherJob(c.last, whose) == "" && (c.first.From != c.last.To && value == c.last.To ||
		c.loose && value == c.last.From)
}

// givenBack returns the orders that undo the moves of jobs.
func (p *Pusher) givenBack(ctx context.Context, moved []model.Order, live *Live) (list []model.Order, err error) {
	r, ok := p.System.(Restorer)
	if !ok {
		for _, o := range moved {
			if back, ok := p.System.Undo(o); ok {
				list = append(list, back)
			}
		}
		return list, nil
	}
	before := map[string]string{}
	for _, o := range moved {
		before[o.Job] = o.From
	}
	list = r.Restore(before, live)
	var jobs []string
	for _, o := range list {
		jobs = append(jobs, o.Job, o.With)
	}
	whose, err := p.System.Whose(ctx, p.Runner, jobs)
	for i := range list {
		list[i].Whose, list[i].WithWhose = whose[list[i].Job], whose[list[i].With]
	}
	return list, err
}

// follow finds the history of each value that pushes set. names has the values in the order in which pushes
// first set them.
func follow(pushes []model.Push) (courses map[valueOf]*valueHistory, names []valueOf) {
	courses = map[valueOf]*valueHistory{}
	for i := range pushes {
		for _, o := range eachJob(pushes[i].Orders) {
			if o.State != model.OrderSent && o.State != model.OrderConfirmed && o.State != model.OrderUnknown {
				continue
			}
			name := valueOf{o.Job, o.Attribute}
			c := courses[name]
			switch {
			case c == nil:
				c = &valueHistory{first: o}
				courses[name] = c
				names = append(names, name)
			case c.last.To != o.From, // somebody else changed the value
				c.first.From == c.last.To, // the value is as before the pushes
				c.last.Whose != "" && o.Whose != "" && !sameWhose(c.last.Whose, o.Whose): // another job has the number
				c.first = o
			}
			c.last, c.loose = o, o.State != model.OrderConfirmed && o.Words == ""
		}
	}
	return courses, names
}

// eachJob splits an exchange into two orders, one for each job.
func eachJob(orders []model.Order) (list []model.Order) {
	for _, o := range orders {
		own, partner := o, o
		partner.Job, partner.From, partner.To, partner.Whose = o.With, o.To, o.From, o.WithWhose
		own.With, own.WithWhose, partner.With, partner.WithWhose = "", "", "", ""
		list = append(list, own)
		if o.With != "" {
			list = append(list, partner)
		}
	}
	return list
}
