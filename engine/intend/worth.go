package intend

import (
	"fmt"
	"strconv"
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
		v.Why = fmt.Sprintf("%s a second of waiting make %s, and a slot has %s",
			number(c.Snapshot.Policy.WeightWaitingTime), number(waiting), number(slot))
	default:
		v.Answer = Fails
		v.Why = fmt.Sprintf("it is worth %s slots: %s a second of waiting make %s, and a slot has %s", number(waiting/slot),
			number(c.Snapshot.Policy.WeightWaitingTime), number(waiting), number(slot))
	}
}

// worthIt are the changes, each alone, that make a stretch of waiting worth so many slots. The urgency of slots is what it is worth to have
// more of them; where waiting counts nothing, its weight is what is to be found.
func worthIt(in *Input, i *Intention) (list []Change) {
	p, slot := &in.Snapshot.Policy, urgencyOf(in.Snapshot, slotsName)
	if waiting := p.WeightWaitingTime * i.Span.Seconds(); waiting > 0 {
		list = append(list, Change{Key: urgencyKey + "/" + slotsName, From: slot, Value: digits(waiting / i.Number)})
	}
	if slot > 0 {
		list = append(list, Change{Key: "weight_waiting_time", From: p.WeightWaitingTime, Value: digits(i.Number * slot / i.Span.Seconds())})
	}
	return list
}

// digits cuts a number off behind nine digits that count.
func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64)
	return v
}
