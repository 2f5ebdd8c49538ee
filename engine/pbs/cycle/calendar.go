package cycle

import (
	"slices"
)

// An event is a moment in the future at which the world changes.
type event struct {
	at    seconds
	kind  eventKind
	claim *claim // that starts or ends
	off   bool   // it is not going to happen
	done  bool   // it has happened
}

type eventKind uint8

const (
	endEvent eventKind = 1 << iota
	startEvent
	dedicatedStart
	dedicatedEnd
	policyEvent // primetime begins or ends
	vnodeUp
)

// A calendar holds the events of the future in the order in which they happen.
type calendar struct {
	events []*event
	next   int    // the first that has not happened; len(events) for none
	first  *event // the first start that has not happened
	ended  bool   // no event was left, and no boundary of primetime either
	at     [][]*event
	fresh  bool // at, the events that concern each vnode, is up to date
}

func (c *calendar) nextEvent() *event {
	if c.next < len(c.events) {
		return c.events[c.next]
	}
	return nil
}

// insert puts an event behind those of the same time, an end before them.
func (c *calendar) insert(e *event) int {
	i, _ := slices.BinarySearchFunc(c.events, e, func(have, e *event) int {
		if have.at < e.at || have.at == e.at && e.kind != endEvent {
			return -1
		}
		return 1
	})
	c.events = slices.Insert(c.events, i, e)
	c.fresh = false
	return i
}

// add puts an event into the calendar of a world whose time is now.
func (c *calendar) add(e *event, now seconds) {
	had, next := len(c.events) > 0, c.nextEvent()
	i := c.insert(e)
	switch {
	case !had:
		c.next = i
	case next == nil:
		if c.next = len(c.events); e.at >= now {
			c.next = i
		}
	case e.at > now && e.at < next.at:
		c.next = i
	case e.at > now && e.at == next.at:
		c.next = slices.IndexFunc(c.events, func(o *event) bool { return o.at == e.at })
	default:
		c.next = slices.Index(c.events, next)
	}
	if e.kind == startEvent && (c.first == nil || e.at < c.first.at) {
		c.first = e
	}
	if c.next < len(c.events) {
		c.ended = false
	}
}

// remove takes out the end of a claim that is stopped before.
func (c *calendar) remove(claim *claim, kind eventKind) {
	i := slices.IndexFunc(c.events, func(e *event) bool { return e.claim == claim && e.kind == kind })
	if i < 0 {
		return
	}
	e := c.events[i]
	c.events = slices.Delete(c.events, i, i+1)
	if i < c.next {
		c.next--
	}
	if c.first == e {
		c.first = c.findStart(0)
	}
	c.fresh = false
}

func (c *calendar) findStart(from int) *event {
	for _, e := range c.events[min(from, len(c.events)):] {
		if e.kind == startEvent {
			return e
		}
	}
	return nil
}

// startsBefore reports whether something starts before a time.
func (c *calendar) startsBefore(end seconds) bool { return c.first != nil && c.first.at < end }

// reservedBefore reports whether a reservation starts up to a time.
func (c *calendar) reservedBefore(end seconds) bool {
	if c.first == nil {
		return false
	}
	for _, e := range c.events[max(0, slices.Index(c.events, c.first)):] {
		if e.at > end {
			return false
		}
		if e.kind == startEvent && e.claim.isReservation {
			return true
		}
	}
	return false
}

// ahead are the starts and ends that come before a time.
func (c *calendar) ahead(end seconds, visit func(*event) bool) {
	for _, e := range c.events[min(c.next, len(c.events)):] {
		if e.at >= end {
			return
		}
		if e.kind&(startEvent|endEvent) != 0 && !e.off && !visit(e) {
			return
		}
	}
}

// holds reports whether a claim has an event ahead.
func (c *calendar) holds(claim *claim) bool {
	for _, e := range c.events[min(c.next, len(c.events)):] {
		if e.claim == claim && !e.off {
			return true
		}
	}
	return false
}

// eventsOn are the events that concern a vnode; those that are done or off are among them.
func (w *world) eventsOn(vnode int) []*event {
	c := &w.calendar
	if !c.fresh {
		c.index(len(w.vnodes))
	}
	return c.at[vnode]
}

// index lists the events of each vnode.
func (c *calendar) index(vnodes int) {
	c.at, c.fresh = make([][]*event, vnodes), true
	for _, e := range c.events[min(c.next, len(c.events)):] {
		if e.kind&(startEvent|endEvent) == 0 || e.off {
			continue
		}
		for i := range e.claim.given {
			v := e.claim.given[i].vnode
			if n := len(c.at[v]); n == 0 || c.at[v][n-1] != e {
				c.at[v] = append(c.at[v], e)
			}
		}
	}
}

// duplicate copies the events, with the claims that they are about.
func (c *calendar) duplicate(d *duplicator) calendar {
	n := calendar{events: make([]*event, len(c.events)), next: c.next, ended: c.ended}
	for i, e := range c.events {
		copied := *e
		copied.claim = d.claim(e.claim)
		if n.events[i] = &copied; e == c.first {
			n.first = &copied
		}
	}
	return n
}
