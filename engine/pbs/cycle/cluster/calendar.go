package cluster

import (
	"slices"

	"qprism/engine/pbs/cycle/clock"
)

// An Event is a moment in the future at which the world changes.
type Event struct {
	At    clock.Seconds
	Kind  EventKind
	Claim *Claim // it starts or ends
	Off   bool   // the event will not happen
	Done  bool   // it has happened
}

type EventKind uint8

const (
	EndEvent EventKind = 1 << iota
	StartEvent
	DedicatedStart
	DedicatedEnd
	PolicyEvent // primetime begins or ends
)

// A Calendar has the future events in order of time.
type Calendar struct {
	Events []*Event
	Next   int    // the first event that has not happened; len(events) for none
	First  *Event // the first start that has not happened
	Ended  bool   // no events and no boundaries of primetime are left
	at     [][]*Event
	fresh  bool // at, the events that concern each vnode, is up to date
}

func (c *Calendar) NextEvent() *Event {
	if c.Next < len(c.Events) {
		return c.Events[c.Next]
	}
	return nil
}

// Insert adds an event after those of the same time; an end goes before them.
func (c *Calendar) Insert(e *Event) int {
	i, _ := slices.BinarySearchFunc(c.Events, e, func(have, e *Event) int {
		if have.At < e.At || have.At == e.At && e.Kind != EndEvent {
			return -1
		}
		return 1
	})
	c.Events = slices.Insert(c.Events, i, e)
	c.fresh = false
	return i
}

// Add adds an event to the calendar of a world at time now.
func (c *Calendar) Add(e *Event, now clock.Seconds) {
	had, next := len(c.Events) > 0, c.NextEvent()
	i := c.Insert(e)
	switch {
	case !had:
		c.Next = i
	case next == nil:
		if c.Next = len(c.Events); e.At >= now {
			c.Next = i
		}
	case e.At > now && e.At < next.At:
		c.Next = i
	case e.At > now && e.At == next.At:
		c.Next = slices.IndexFunc(c.Events, func(o *Event) bool { return o.At == e.At })
	default:
		c.Next = slices.Index(c.Events, next)
	}
	if e.Kind == StartEvent && (c.First == nil || e.At < c.First.At) {
		c.First = e
	}
	if c.Next < len(c.Events) {
		c.Ended = false
	}
}

// Remove removes the end of a claim that is stopped earlier.
func (c *Calendar) Remove(claim *Claim, kind EventKind) {
	i := slices.IndexFunc(c.Events, func(e *Event) bool { return e.Claim == claim && e.Kind == kind })
	if i < 0 {
		return
	}
	e := c.Events[i]
	c.Events = slices.Delete(c.Events, i, i+1)
	if i < c.Next {
		c.Next--
	}
	if c.First == e {
		c.First = c.FindStart(0)
	}
	c.fresh = false
}

func (c *Calendar) FindStart(from int) *Event {
	for _, e := range c.Events[min(from, len(c.Events)):] {
		if e.Kind == StartEvent {
			return e
		}
	}
	return nil
}

// StartsBefore reports whether a claim starts before a time.
func (c *Calendar) StartsBefore(end clock.Seconds) bool { return c.First != nil && c.First.At < end }

// reservedBefore reports whether a reservation starts up to a time.
func (c *Calendar) reservedBefore(end clock.Seconds) bool {
	if c.First == nil {
		return false
	}
	for _, e := range c.Events[max(0, slices.Index(c.Events, c.First)):] {
		if e.At > end {
			return false
		}
		if e.Kind == StartEvent && e.Claim.IsReservation {
			return true
		}
	}
	return false
}

// Ahead visits the starts and ends before a time.
func (c *Calendar) Ahead(end clock.Seconds, visit func(*Event) bool) {
	for _, e := range c.Events[min(c.Next, len(c.Events)):] {
		if e.At >= end {
			return
		}
		if e.Kind&(StartEvent|EndEvent) != 0 && !e.Off && !visit(e) {
			return
		}
	}
}

// Holds reports whether a claim has a future event.
func (c *Calendar) Holds(claim *Claim) bool {
	for _, e := range c.Events[min(c.Next, len(c.Events)):] {
		if e.Claim == claim && !e.Off {
			return true
		}
	}
	return false
}

// EventsOn are the events of a vnode, including those that are done or off.
func (w *World) EventsOn(vnode int) []*Event {
	c := &w.Calendar
	if !c.fresh {
		c.index(len(w.Vnodes))
	}
	return c.at[vnode]
}

// index lists the events of each vnode.
func (c *Calendar) index(vnodes int) {
	c.at, c.fresh = make([][]*Event, vnodes), true
	for _, e := range c.Events[min(c.Next, len(c.Events)):] {
		if e.Kind&(StartEvent|EndEvent) == 0 || e.Off {
			continue
		}
		for i := range e.Claim.Given {
			v := e.Claim.Given[i].Vnode
			if n := len(c.at[v]); n == 0 || c.at[v][n-1] != e {
				c.at[v] = append(c.at[v], e)
			}
		}
	}
}

// duplicate copies the events, with the claims that they are about.
func (c *Calendar) duplicate(d *copier) Calendar {
	n := Calendar{Events: make([]*Event, len(c.Events)), Next: c.Next, Ended: c.Ended}
	for i, e := range c.Events {
		copied := *e
		copied.Claim = d.claim(e.Claim)
		if n.Events[i] = &copied; e == c.First {
			n.First = &copied
		}
	}
	return n
}
