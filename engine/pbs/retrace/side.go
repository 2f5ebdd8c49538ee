package retrace

import (
	"cmp"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/model"
)

// A side is what the log, or a plan, tells of a cycle.
type side struct {
	facts    map[key]string
	keys     []key // in the order told
	order    []string
	logged   [Fields]bool    // fields that the log tells of
	recorded map[string]bool // jobs with an accounting record of their start
	planned  map[string]bool // top jobs whose vnodes are known
}

// A key is what a fact is about.
type key struct {
	field Field
	name  string
}

func newSide() *side {
	return &side{facts: map[key]string{}, recorded: map[string]bool{}, planned: map[string]bool{}}
}

func (x *side) add(f Field, name, text string) {
	k := key{f, name}
	if _, known := x.facts[k]; !known {
		x.keys = append(x.keys, k)
	}
	x.facts[k] = text
}

const (
	logTime = "2006-01-02 15:04:05"
	starts  = "starts"
)

// logOf is the scheduler's side of a cycle. The log has the decisions, accounting has the vnodes of started
// jobs, and a later snapshot has the vnodes kept for top jobs. before says that the snapshot is from before
// the cycle.
func logOf(c *model.SchedCycle, s *model.Snapshot, before bool) *side {
	x := newSide()
	for _, f := range []Field{Order, Start, Reason, TopJob, Preempted} {
		x.logged[f] = true
	}
	for i := range c.Events {
		x.event(&c.Events[i])
	}
	x.addVnodes(c, s)
	if !before {
		x.addTopNodes(s)
	}
	return x
}

func (x *side) event(e *model.CycleEvent) {
	switch e.Kind {
	case model.EventFormula:
		x.logged[Formula] = true
		x.add(Formula, e.Object, e.Text)
	case model.EventConsidered:
		x.order = append(x.order, e.Object)
	case model.EventRun:
		x.add(Start, e.Object, starts)
	case model.EventNotRun:
		text := e.Text
		if why, ok := refusal(text); ok {
			text = failedToRun + why
		}
		x.add(Reason, e.Object, text)
	case model.EventTopJob:
		x.add(TopJob, e.Object, e.Start.UTC().Format(logTime))
	case model.EventPreempted:
		x.add(Preempted, e.Object, strings.TrimPrefix(e.Text, "Job preempted by "))
	}
}

// addVnodes adds where accounting says that jobs were started.
func (x *side) addVnodes(c *model.SchedCycle, s *model.Snapshot) {
	end := c.End
	if end.IsZero() {
		end = c.Start
	}
	for i := range s.PBS.Accounting {
		r := &s.PBS.Accounting[i]
		vnodes := r.Value("exec_vnode")
		if r.Type != "S" || vnodes == "" || r.At.Before(c.Start.Truncate(time.Second)) || r.At.After(end.Add(2*time.Second)) {
			continue
		}
		if x.facts[key{Start, r.ID}] == starts {
			x.logged[Vnodes], x.recorded[r.ID] = true, true
			x.add(Vnodes, r.ID, vnodes)
		}
	}
}

// addTopNodes adds the vnodes that jobs show as estimated for the start that the log tells.
func (x *side) addTopNodes(s *model.Snapshot) {
	for i := range s.Jobs {
		p := s.Jobs[i].PBS
		if p == nil || p.EstimatedVnodes == "" || p.EstimatedStart.IsZero() {
			continue
		}
		if x.facts[key{TopJob, p.ID}] == p.EstimatedStart.UTC().Format(logTime) {
			x.logged[TopNodes], x.planned[p.ID] = true, true
			x.add(TopNodes, p.ID, p.EstimatedVnodes)
		}
	}
}

// plannedBy is what a plan tells of what the master tells.
func plannedBy(p *model.Plan, master *side) *side {
	x := newSide()
	x.logged = master.logged
	if x.logged[Formula] {
		for i := range p.Ratings {
			x.add(Formula, p.Ratings[i].ID, formula.Print(p.Ratings[i].Formula))
		}
	}
	for i := range p.Decisions {
		x.decision(&p.Decisions[i], master)
	}
	for i := range p.Preempted {
		x.add(Preempted, p.Preempted[i].ID, p.Preempted[i].Method)
	}
	return x
}

func (x *side) decision(d *model.Decision, master *side) {
	id, considered := d.ID, cmp.Or(d.Array, d.ID)
	if d.Tried {
		x.order = append(x.order, considered)
	}
	switch d.Verdict {
	case model.Now:
		x.add(Start, id, starts)
		if master.recorded[id] {
			x.add(Vnodes, id, d.Placed)
		}
	case model.Later:
		x.add(TopJob, id, d.Start.UTC().Format(logTime))
		if master.planned[id] {
			x.add(TopNodes, id, d.Placed)
		}
	}
	for i := range d.Why {
		x.add(Reason, considered, d.Why[i].Text)
	}
}
