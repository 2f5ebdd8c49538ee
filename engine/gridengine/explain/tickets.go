package explain

import (
	"math"

	"qprism/engine/explain"
	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// derivation is how the tickets of a task came about; nil where the run gave it none.
func (sc *Scene) derivation(a *actor) *ticket.Derivation {
	if sc.derived == nil {
		in := sc.view.Input()
		in.Derive, in.Only = true, []uint32{a.job.Job.Number}
		sc.derived = priority.Compute(in).Tickets.Derived
	}
	return sc.derived[ticket.TaskID{Job: a.job.Job.Number, Task: a.task.Number}]
}

// tckts derives the tickets of a task.
func (sc *Scene) tckts(a *actor) explain.Term {
	d := sc.derivation(a)
	if d == nil {
		d = &ticket.Derivation{}
	}
	return explain.Made("tckts", a.task.Total, explain.Sum, sc.shareTree(a, d), sc.functional(a, d), sc.override(a, d))
}

func (sc *Scene) override(a *actor, d *ticket.Derivation) explain.Term {
	t := explain.Made("override tickets", a.task.Override, explain.Sum)
	for _, p := range d.Override {
		who := string(p.Party) + " " + p.Name
		if p.Party == ticket.ByJob {
			who = "-ot"
		}
		part := explain.Made(who, p.Gives, explain.Product, explain.Fact("tickets of "+who, float64(p.Tickets)))
		part.Text = explain.Number(float64(p.Tickets)) + " of " + who
		if p.Party == ticket.ByJob {
			part.Text = "-ot " + explain.Number(float64(p.Tickets))
		}
		if p.Jobs > 1 {
			by := dividing(p.Jobs, p.Name, d.Running)
			part.Terms = append(part.Terms, by.Dividing())
			part.Text += " ÷ " + by.Text
		}
		t.Terms = append(t.Terms, part)
	}
	return t
}

// dividing says by what shares or tickets are divided: "2nd job of userb", or "2 tasks of userb that run".
func dividing(jobs int, name string, running bool) explain.Term {
	t := explain.Fact("jobs of "+name, float64(jobs))
	if running {
		return t.As(explain.Number(float64(jobs)) + " running tasks of " + name)
	}
	return t.As(explain.Ordinal(jobs) + " job of " + name)
}

func (sc *Scene) functional(a *actor, d *ticket.Derivation) explain.Term {
	t := explain.Made("functional tickets", a.task.Function, explain.Sum)
	for _, p := range d.Functional {
		t.Terms = append(t.Terms, sc.functionalPart(p, d.Running))
	}
	if len(t.Terms) == 0 {
		t.Op = explain.Given
	}
	return t
}

// functionalPart is what one category gives: 250000 user tickets × 100/300 shares ÷ 2nd job of userb.
func (sc *Scene) functionalPart(p ticket.FunctionalPart, running bool) explain.Term {
	tickets := float64(sc.snapshot.Policy.FunctionalTickets)
	name := string(p.Party)
	pot := explain.Made(name+" tickets", float64(p.Weight*tickets), explain.Product,
		explain.Fact("weight_"+name+", as a part of all four", p.Weight),
		explain.Fact("weight_tickets_functional", tickets))
	pot.Text = explain.Number(pot.Value) + " " + name + " tickets"
	shares := explain.Made("shares", float64(p.Shares)/p.Sum, explain.Product, explain.Fact("shares", float64(p.Shares)),
		explain.Fact("shares that take part", p.Sum).Dividing())
	shares.Text = explain.Number(float64(p.Shares)) + "/" + explain.Number(p.Sum) + " shares"
	part := explain.Made("by "+name, p.Gives, explain.Product, pot, shares)
	if p.Party == ticket.ByJob {
		shares.Text += " (-js)"
		part.Terms[1] = shares
	}
	if p.Jobs > 1 {
		part.Terms = append(part.Terms, dividing(p.Jobs, p.Name, running).Dividing())
	} else if p.Name != "" {
		part.Terms[1].Text += " of " + p.Name
	}
	part.Text = part.Expression()
	return part
}

func (sc *Scene) shareTree(a *actor, d *ticket.Derivation) explain.Term {
	t := explain.Fact("share-tree tickets", a.task.ShareTree)
	s := d.ShareTree
	if s == nil {
		return t
	}
	tickets := explain.Fact("weight_tickets_share", float64(sc.snapshot.Policy.ShareTreeTickets))
	tickets.Text = explain.Number(tickets.Value)
	t.Op, t.Terms = explain.Product, []explain.Term{tickets, sc.target(s)}
	switch {
	case s.JobShares != 0:
		t.Terms = append(t.Terms, explain.Fact("job share", float64(s.JobShare)).As("-js "+utoa(s.JobShare)),
			explain.Fact("job shares of the node", float64(s.JobShares)).Dividing())
	case s.Ahead != 1 && d.Running:
		t.Terms = append(t.Terms, explain.Fact("tasks", s.Ahead).As(explain.Number(s.Ahead)+" tasks of "+s.Of).Dividing())
	case s.Ahead != 1:
		t.Terms = append(t.Terms, explain.Fact("ahead", s.Ahead).As(sc.aheadWords(s)).Dividing())
	}
	if s.Cut {
		whole := t
		whole.Name = "uncut"
		whole.Value = whole.Multiplied()
		t.Op, t.Terms = explain.Cut, []explain.Term{whole}
	}
	return t
}

// aheadWords say by what a waiting task's share is divided: itself and all that ranks before it below its node.
func (sc *Scene) aheadWords(s *ticket.SharePart) string {
	unit := "task"
	if sc.view.Input().Quirks.DiluteByPE {
		unit = "slot"
	}
	if s.Ahead != 2 {
		unit += "s"
	}
	return "(1 + " + explain.Number(s.Ahead-1) + " " + unit + " before it below " + s.Of + ")"
}

// target is the part of the share-tree tickets that a node gets: short-term targets of the levels down to it.
func (sc *Scene) target(s *ticket.SharePart) explain.Term {
	n := len(s.Levels)
	for i, l := range s.Levels {
		if l.Name == s.Of {
			n = i + 1
		}
	}
	name := "entitled share of " + s.Of
	if n == 0 {
		return explain.Fact(name, s.Target)
	}
	if last := s.Levels[n-1]; last.Target == s.Target { // the ranking of 8.1.9 knows the target among siblings alone
		t := sc.level(name, last)
		if n > 1 {
			if t.Note != "" {
				t.Note += "; "
			}
			t.Note += "among its siblings: the ranking of waiting jobs ignores the levels above"
		}
		return t
	}
	t := explain.Made(name, s.Target, explain.Product)
	for _, l := range s.Levels[:n] {
		t.Terms = append(t.Terms, sc.level(l.Name, l))
	}
	return t
}

// level is the short-term target of a node among its siblings: shares squared by usage, as a part of all of them.
func (sc *Scene) level(name string, l ticket.Level) explain.Term {
	weight := explain.Made("shares² ÷ usage", l.Weight, explain.Product,
		explain.Fact("shares", float64(l.Shares)), explain.Fact("shares", float64(l.Shares)),
		sc.usage(l).Dividing())
	weight.Text = explain.Number(float64(l.Shares)) + "² ÷ usage " + explain.Number(max(l.Usage, l.Floor))
	if l.Held {
		weight.Op, weight.Note = explain.Given, "lowered by compensation_factor"
		weight.Text = explain.Number(l.Weight) + " (lowered by compensation_factor)"
	}
	t := explain.Made(
		name,
		l.Target,
		explain.Product,
		weight,
		explain.Fact("of all siblings", l.Weights).As(explain.Number(l.Weights)+" of all siblings").Dividing(),
	)
	if l.Weights == 0 {
		t.Op = explain.Given
	}
	if words := weight.Terms[2].Expression(); words != "" && !l.Held {
		t.Note = "usage = " + words
	}
	return t
}

// usage is what a node has used, as usage_weight_list weighs what its user, or its project, has used of each kind.
func (sc *Scene) usage(l ticket.Level) explain.Term {
	t := explain.Fact("usage of "+l.Name, max(l.Usage, l.Floor))
	if l.Usage < l.Floor {
		t.Note = "no usage: the scheduler uses a very small number instead"
		return t
	}
	sum := 0.0
	for _, w := range sc.snapshot.Policy.UsageWeights {
		sum += w.Value
	}
	for _, list := range [][]ticket.Account{sc.result.Tickets.Users, sc.result.Tickets.Projects} {
		for i := range list {
			if list[i].Name != l.Name {
				continue
			}
			if weighed := sc.weighedUsage(t, list[i].Usage.Decayed, sum); math.Abs(weighed.Total()-l.Usage) <= 1e-9*l.Usage {
				return weighed
			}
		}
	}
	return t // of an inner node: what is below it
}

func (sc *Scene) weighedUsage(t explain.Term, used []model.Amount, sum float64) explain.Term {
	t.Op = explain.Sum
	for _, u := range used {
		for _, w := range sc.snapshot.Policy.UsageWeights {
			if w.Name == u.Name && sum > 0 {
				t.Terms = append(t.Terms, explain.Made(u.Name, float64(u.Value*(w.Value/sum)),
					explain.Product, explain.Fact(u.Name+" used", u.Value),
					explain.Fact("weight of "+u.Name, w.Value/sum)))
			}
		}
	}
	return t
}
