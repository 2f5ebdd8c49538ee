package intend

import (
	"fmt"
	"strconv"
	"time"
)

// worth holds what a stretch of waiting is worth against the urgency of slots.
func (c *checker) worth(v *Verdict) {
	waiting := c.Snapshot.Policy.WeightWaitingTime * v.Span.Seconds()
	slot := urgencyOf(c.Snapshot, slotsName)
	switch {
	case slot == 0:
		v.Answer, v.Why = Fails, "a slot has no urgency (complex, slots)"
	case near(waiting, v.Number*slot):
		v.Answer = Holds
		v.Why = fmt.Sprintf("at %s per second, waiting adds %s; a slot adds %s",
			number(c.Snapshot.Policy.WeightWaitingTime), number(waiting), number(slot))
	default:
		v.Answer = Fails
		v.Why = fmt.Sprintf("it is worth %s slots: at %s per second, waiting adds %s; a slot adds %s", number(waiting/slot),
			number(c.Snapshot.Policy.WeightWaitingTime), number(waiting), number(slot))
	}
}

// worthIt are the changes, each alone, that make a stretch of waiting worth so many slots. The urgency of
// slots is what it is worth to have more of them; where waiting counts nothing, its weight is what is to be
// found.
func worthIt(in *Input, i *Intention) (list []Change) {
	p, slot := &in.Snapshot.Policy, urgencyOf(in.Snapshot, slotsName)
	if waiting := p.WeightWaitingTime * i.Span.Seconds(); waiting > 0 {
		list = append(list, Change{Key: urgencyKey + "/" + slotsName, From: slot, Value: digits(waiting / i.Number)})
	}
	if slot > 0 {
		list = append(list, Change{Key: "weight_waiting_time", From: p.WeightWaitingTime,
			Value: digits(i.Number * slot / i.Span.Seconds())})
	}
	return list
}

// digits cuts a number off behind nine digits that count.
func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
	return v
}

// triedMargin is how near to the other a stretch of waiting is tried.
const triedMargin = 0.02

// tryWorth tests the worth of waiting on a system of which qprism knows only the order. A job of one slot
// must pass a new job with that many slots more if it waited a little longer than the span. If it waited a
// little less, it must not.
func (c *checker) tryWorth(v *Verdict) {
	more := uint32(v.Number)
	if float64(more) != v.Number || more == 0 || more > 10_000 {
		v.Why = "qprism can only try whole numbers of slots"
		return
	}
	fresh := kinds(&v.Intention, c.Snapshot)[0]
	fresh.age, fresh.shape = 0, wide(c.Snapshot, 1+more)
	aged := fresh
	aged.shape = shape{}
	first := func(part float64, order ...*kind) bool {
		aged.age = time.Duration(part * float64(v.Span))
		list := []kind{*order[0], *order[1]}
		now := c.ranked(c.make(list))
		return len(now) > 0 && now[0].job.LeastSlots() == 1
	}
	over := [2]bool{first(1+triedMargin, &aged, &fresh), first(1+triedMargin, &fresh, &aged)}
	under := [2]bool{first(1-triedMargin, &aged, &fresh), first(1-triedMargin, &fresh, &aged)}
	switch {
	case over[0] != over[1] || under[0] != under[1]:
		v.Why = "the order of two such jobs depends on their submission times"
	case over[0] && !under[0]:
		v.Answer, v.Why = Holds, fmt.Sprintf("a job that has waited 2 %% longer comes before a job with "+
			"%d more slots; a job that has waited 2 %% less comes after it", more)
	case over[0]:
		v.Answer, v.Why = Fails, "it is worth more"
	default:
		v.Answer, v.Why = Fails, "it is worth less"
	}
}
