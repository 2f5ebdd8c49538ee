package exporter

import (
	"context"
	"slices"

	"qprism/engine/model"
)

// A valueOf is what pushes set: an attribute of a job.
type valueOf struct{ job, attribute string }

// A course is how the value of a job came to be what pushes made it.
type course struct {
	first model.Order // the first order that is in force: From is the value before
	last  model.Order // the last one: To is the value that the job should have
	loose bool        // the last order was sent and not answered: it may still be on its way
}

// Everything is the push that gives back what pushes of a cluster, the oldest first, have taken and others have not given back yet: each job gets
// the value that it had before the first order in force. An order whose old value is not what the one before had ordered begins anew, for
// somebody else had changed it in between; a job that has another value than the last order's is left as it is. It only reads.
//
// The push stands for the one that it undoes first: the one that is open, else the oldest in force.
func (p *Pusher) Everything(ctx context.Context, pushes []model.Push) (*model.Push, error) {
	courses, names := follow(pushes)
	var last []model.Order
	for _, name := range names {
		last = append(last, courses[name].last)
	}
	live, whose, err := p.asked(ctx, last)
	if err != nil {
		return nil, err
	}
	back := &model.Push{By: p.Holder, Kind: p.System.Kind(), SnapshotAt: p.Now()}
	for _, name := range slices.Backward(names) {
		c := courses[name]
		job, there := live.Jobs[name.job]
		value := job.Values[name.attribute]
		whole := model.Order{Job: name.job, Attribute: name.attribute, From: c.first.From, To: c.last.To, With: c.last.With,
			Whose: c.last.Whose, WithWhose: c.last.WithWhose}
		moved := c.first.From != c.last.To && value == c.last.To || c.loose && value == c.last.From
		if o, ok := p.System.Undo(whole); ok && there && moved && another(whole, whose) == "" {
			o.From = c.last.To
			back.Orders = append(back.Orders, o)
		}
	}
	for i := range pushes {
		back.Cluster, back.Identity = pushes[i].Cluster, pushes[i].Identity
		if back.Undoes == 0 && pushes[i].Undoes == 0 || pushes[i].Open() {
			back.Undoes = pushes[i].ID
		}
	}
	return back, nil
}

// follow are the courses of all values that pushes set, and these in the order in which they were set first.
func follow(pushes []model.Push) (courses map[valueOf]*course, names []valueOf) {
	courses = map[valueOf]*course{}
	for i := range pushes {
		for _, o := range pushes[i].Orders {
			if o.State != model.OrderSent && o.State != model.OrderConfirmed && o.State != model.OrderUnknown {
				continue
			}
			name := valueOf{o.Job, o.Attribute}
			c := courses[name]
			switch {
			case c == nil:
				c = &course{first: o}
				courses[name] = c
				names = append(names, name)
			case c.last.To != o.From, c.first.From == c.last.To, c.last.Whose != o.Whose: // somebody else changed it, it was as before, or another job has the number
				c.first = o
			}
			c.last, c.loose = o, o.State != model.OrderConfirmed && o.Words == ""
		}
	}
	return courses, names
}
