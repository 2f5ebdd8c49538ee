package retrace

import (
	"time"

	"qprism/engine/model"
)

// A second is the one in which a cycle began. Accounting tells the time in whole seconds, and several
// cycles fit into one: which records of it, and of those after it, tell of something before the cycle, the
// log decides.
type second struct {
	at      time.Time
	did     map[action]bool // what the cycle did itself
	there   map[string]bool // jobs that the cycle mentions
	whole   bool            // it mentions all jobs, also those that ran, as it computed a formula
	started map[string]int  // jobs that were started about then: before, or since
}

// newSecond is that of a cycle; late are jobs that it is tried with as if they had ended after it began.
func newSecond(cycles []model.SchedCycle, c *model.SchedCycle, late ...string) *second {
	x := &second{at: c.Start.Truncate(time.Second), did: actions(c), there: mentionedBy(c),
		whole: len(c.Of(model.EventFormula)) > 0, started: startsAround(cycles, c)}
	for _, id := range late {
		x.there[id] = true
	}
	return x
}

// after reports whether a record of that second or a later one tells of what happened when the cycle had begun.
func (x *second) after(r *model.AccountingRecord) bool {
	switch {
	case x.did[action{r.Type, r.ID}]:
		return !r.At.Before(x.at)
	case r.Type == "S" && x.started[r.ID] == since:
		return !r.At.Before(x.at)
	case r.Type == "S" && x.started[r.ID] == before:
		return r.At.After(x.at.Add(settling))
	case ends(r) && x.there[r.ID]:
		return !r.At.Before(x.at)
	}
	return r.At.After(x.at)
}

// ends reports whether a record tells that a job is gone.
func ends(r *model.AccountingRecord) bool { return r.Type == "E" || r.Type == "D" || r.Type == "A" }

// noteEnd notes a job that was gone in the cycle's second, where the log does not tell whether it still ran
// when the cycle began.
func (x *state) noteEnd(s *second, r *model.AccountingRecord) {
	if ends(r) && r.At.Equal(s.at) && !s.whole {
		x.ended = append(x.ended, r.ID)
	}
}

// mentionedBy are the jobs that a cycle mentions.
func mentionedBy(c *model.SchedCycle) map[string]bool {
	mentioned := map[string]bool{}
	for i := range c.Events {
		mentioned[c.Events[i].Object] = true
	}
	return mentioned
}

// Whether a cycle just before another one started a job, or that one and those just after it did.
const (
	before = iota + 1
	since
)

// startsAround tells of the jobs that were started around a cycle when that was: the last time, and of
// arrays, which start once with their first subjob, the first time. The cycles may be those of a log that
// ended before it.
func startsAround(cycles []model.SchedCycle, c *model.SchedCycle) map[string]int {
	started, when := map[string]int{}, before
	add := func(o *model.SchedCycle) {
		for _, e := range o.Of(model.EventRun) {
			started[e.Object] = when
			if array := model.PBSArrayOf(e.Object); started[array] == 0 {
				started[array] = when
			}
		}
	}
	for i := range cycles {
		o := &cycles[i]
		if o == c {
			when = since
		}
		if !o.Start.Before(c.Start.Add(-settling)) && !o.Start.After(c.Start.Add(settling)) {
			add(o)
		}
	}
	if when == before {
		when = since
		add(c)
	}
	return started
}

// A doing is what an accounting record tells, of what.
type action struct{ kind, id string }

// actions are what a cycle did, as accounting records tell it.
func actions(c *model.SchedCycle) map[action]bool {
	did := map[action]bool{}
	for i := range c.Events {
		switch e := &c.Events[i]; e.Kind {
		case model.EventRun:
			did[action{"r", e.Object}] = true
		case model.EventPreempted:
			did[action{"R", e.Object}], did[action{"z", e.Object}] = true, true
		case model.EventReservation:
			did[action{"Y", e.Object}] = true
		}
	}
	return did
}
