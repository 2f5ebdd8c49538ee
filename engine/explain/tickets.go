package explain

import (
	"math"

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
func (sc *Scene) tckts(a *actor) Term {
	d := sc.derivation(a)
	if d == nil {
		d = &ticket.Derivation{}
	}
	return made("tckts", a.task.Total, Sum, sc.shareTree(a, d), sc.functional(a, d), sc.override(a, d))
}

func (sc *Scene) override(a *actor, d *ticket.Derivation) Term {
	t := made("override tickets", a.task.Override, Sum)
	for _, p := range d.Override {
		who := string(p.Party) + " " + p.Name
		if p.Party == ticket.ByJob {
			who = "-ot"
		}
		part := made(who, p.Gives, Product, given("tickets of "+who, float64(p.Tickets)))
		part.Text = Number(float64(p.Tickets)) + " of " + who
		if p.Party == ticket.ByJob {
			part.Text = "-ot " + Number(float64(p.Tickets))
		}
		if p.Jobs > 1 {
			by := dividing(p.Jobs, p.Name, d.Running)
			part.Terms = append(part.Terms, by.over())
			part.Text += " ÷ " + by.Text
		}
		t.Terms = append(t.Terms, part)
	}
	return t
}

// dividing says by what shares or tickets are divided: "2nd job of userb", or "2 tasks of userb that run".
func dividing(jobs int, name string, running bool) Term {
	t := given("jobs of "+name, float64(jobs))
	if running {
		return t.as(Number(float64(jobs)) + " tasks of " + name + " that run")
	}
	return t.as(Ordinal(jobs) + " job of " + name)
}

func (sc *Scene) functional(a *actor, d *ticket.Derivation) Term {
	t := made("functional tickets", a.task.Function, Sum)
	for _, p := range d.Functional {
		t.Terms = append(t.Terms, sc.functionalPart(p, d.Running))
	}
	if len(t.Terms) == 0 {
		t.Op = Given
	}
	return t
}

// functionalPart is what one category gives: 250000 user tickets × 100/300 shares ÷ 2nd job of userb.
func (sc *Scene) functionalPart(p ticket.FunctionalPart, running bool) Term {
	tickets := float64(sc.Snapshot.Policy.FunctionalTickets)
	name := string(p.Party)
	pot := made(name+" tickets", float64(p.Weight*tickets), Product, given("weight_"+name+", as a part of all four", p.Weight),
		given("weight_tickets_functional", tickets))
	pot.Text = Number(pot.Value) + " " + name + " tickets"
	shares := made("shares", float64(p.Shares)/p.Sum, Product, given("shares", float64(p.Shares)),
		given("shares that take part", p.Sum).over())
	shares.Text = Number(float64(p.Shares)) + "/" + Number(p.Sum) + " shares"
	part := made("by "+name, p.Gives, Product, pot, shares)
	if p.Party == ticket.ByJob {
		shares.Text += " (-js)"
		part.Terms[1] = shares
	}
	if p.Jobs > 1 {
		part.Terms = append(part.Terms, dividing(p.Jobs, p.Name, running).over())
	} else if p.Name != "" {
		part.Terms[1].Text += " of " + p.Name
	}
	part.Text = part.productWords()
	return part
}

func (sc *Scene) shareTree(a *actor, d *ticket.Derivation) Term {
	t := given("share-tree tickets", a.task.ShareTree)
	s := d.ShareTree
	if s == nil {
		return t
	}
	tickets := given("weight_tickets_share", float64(sc.Snapshot.Policy.ShareTreeTickets))
	tickets.Text = Number(tickets.Value)
	t.Op, t.Terms = Product, []Term{tickets, sc.target(s)}
	switch {
	case s.JobShares != 0:
		t.Terms = append(t.Terms, given("job share", float64(s.JobShare)).as("-js "+utoa(s.JobShare)),
			given("job shares of the node", float64(s.JobShares)).over())
	case s.Ahead != 1 && d.Running:
		t.Terms = append(t.Terms, given("tasks", s.Ahead).as(Number(s.Ahead)+" tasks of "+s.Of).over())
	case s.Ahead != 1:
		t.Terms = append(t.Terms, given("ahead", s.Ahead).as(sc.aheadWords(s)).over())
	}
	if s.Cut {
		whole := t
		whole.Name = "uncut"
		whole.Value = whole.product()
		t.Op, t.Terms = Cut, []Term{whole}
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
	return "(1 + " + Number(s.Ahead-1) + " " + unit + " before it below " + s.Of + ")"
}

// target is the part of the share-tree tickets that a node gets: short-term targets of the levels down to it.
func (sc *Scene) target(s *ticket.SharePart) Term {
	n := len(s.Levels)
	for i, l := range s.Levels {
		if l.Name == s.Of {
			n = i + 1
		}
	}
	name := "entitled share of " + s.Of
	if n == 0 {
		return given(name, s.Target)
	}
	if last := s.Levels[n-1]; last.Target == s.Target { // the ranking of 8.1.9 knows the target among siblings alone
		t := sc.level(name, last)
		if n > 1 {
			if t.Note != "" {
				t.Note += "; "
			}
			t.Note += "among its siblings: the levels above do not count in the ranking of jobs that wait"
		}
		return t
	}
	t := made(name, s.Target, Product)
	for _, l := range s.Levels[:n] {
		t.Terms = append(t.Terms, sc.level(l.Name, l))
	}
	return t
}

// level is the short-term target of a node among its siblings: shares squared by usage, as a part of all of them.
func (sc *Scene) level(name string, l ticket.Level) Term {
	weight := made("shares² ÷ usage", l.Weight, Product, given("shares", float64(l.Shares)), given("shares", float64(l.Shares)),
		sc.usage(l).over())
	weight.Text = Number(float64(l.Shares)) + "² ÷ usage " + Number(max(l.Usage, l.Floor))
	if l.Held {
		weight.Op, weight.Note = Given, "lowered by compensation_factor"
		weight.Text = Number(l.Weight) + " (lowered by compensation_factor)"
	}
	t := made(name, l.Target, Product, weight, given("of all siblings", l.Weights).as(Number(l.Weights)+" of all siblings").over())
	if l.Weights == 0 {
		t.Op = Given
	}
	if words := weight.Terms[2].Expression(); words != "" && !l.Held {
		t.Note = "usage = " + words
	}
	return t
}

// usage is what a node has used, as usage_weight_list weighs what its user, or its project, has used of each kind.
func (sc *Scene) usage(l ticket.Level) Term {
	t := given("usage of "+l.Name, max(l.Usage, l.Floor))
	if l.Usage < l.Floor {
		t.Note = "nothing was used, which counts as a little"
		return t
	}
	sum := 0.0
	for _, w := range sc.Snapshot.Policy.UsageWeights {
		sum += w.Value
	}
	for _, list := range [][]ticket.Account{sc.result.Tickets.Users, sc.result.Tickets.Projects} {
		for i := range list {
			if list[i].Name != l.Name {
				continue
			}
			if made := sc.weighedUsage(t, list[i].Usage.Decayed, sum); math.Abs(made.sum()-l.Usage) <= 1e-9*l.Usage {
				return made
			}
		}
	}
	return t // of an inner node: what is below it
}

func (sc *Scene) weighedUsage(t Term, used []model.Amount, sum float64) Term {
	t.Op = Sum
	for _, u := range used {
		for _, w := range sc.Snapshot.Policy.UsageWeights {
			if w.Name == u.Name && sum > 0 {
				t.Terms = append(t.Terms, made(u.Name, float64(u.Value*(w.Value/sum)), Product, given(u.Name+" used", u.Value),
					given("weight of "+u.Name, w.Value/sum)))
			}
		}
	}
	return t
}
