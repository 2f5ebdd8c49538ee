package schedule

import (
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// A threshold is a load or a consumable that must not be exceeded in a queue instance, queue_conf(5) load_thresholds and
// suspend_thresholds.
type threshold struct {
	attr   *attr // nil for what is not in the complex
	name   string
	text   string
	amount float64
}

func (c complex) thresholds(settings []model.Setting) []threshold {
	list := make([]threshold, len(settings))
	for i, s := range settings {
		list[i] = threshold{attr: c[s.Name], name: s.Name, text: s.Value, amount: number(s.Value)}
	}
	return list
}

// alarm finds the first of these thresholds that a queue instance exceeds.
func (r *run) alarm(q *instance, thresholds []threshold, consumables bool) (why model.Reason, exceeded bool) {
	for i := range thresholds {
		t := &thresholds[i]
		if offered, alarmed := r.exceeds(q, t, consumables); alarmed {
			return model.Reason{Kind: model.ReasonLoad, Level: levelQueue, Object: q.Name, Resource: t.name, Asked: t.text, Offered: offered}, true
		}
	}
	return why, false
}

func (r *run) exceeds(q *instance, t *threshold, consumables bool) (offered string, alarmed bool) {
	switch {
	case t.attr == nil:
		return "", true
	case t.attr.consumable && !consumables:
		return "", false
	case t.attr.consumable:
		v, ok := r.combined(t.attr, &r.world.global.layer, &q.host.layer, &q.layer)
		return v.String(), !ok || holds(t.attr.Relop, v.amount, t.amount)
	}
	if l, v := r.loadOf(t.attr, q.host); v != nil {
		amount, _ := l.corrected(v)
		return print(amount), t.exceededBy(amount, v.text)
	}
	if c := q.configured(t.attr); c != nil {
		return c.text, t.exceededBy(c.amount, c.text)
	}
	return "", true
}

// loadOf is what a host reports of an attribute, else what the cluster as a whole does.
func (r *run) loadOf(a *attr, h *host) (*layer, *loadValue) {
	if v := h.loaded(a); v != nil {
		return &h.layer, v
	}
	return &r.world.global.layer, r.world.global.loaded(a)
}

func (t *threshold) exceededBy(amount float64, text string) bool {
	if t.attr.numeric {
		return holds(t.attr.Relop, amount, t.amount)
	}
	return match.Expression(t.attr.Type, t.text, text) != match.Matches
}

// slotsByThresholds is how many more slots the load thresholds of a host's queue instances allow: the most that one of
// them does (D40).
func (a *attempt) slotsByThresholds(h *host) int {
	most := 0
	for _, q := range h.instances {
		least := unlimited
		for i := range q.loadThresholds {
			if n, limits := a.slotsByThreshold(q, &q.loadThresholds[i]); limits {
				least = min(least, n)
			}
		}
		most = max(most, least)
	}
	return most
}

func (a *attempt) slotsByThreshold(q *instance, t *threshold) (n int, limits bool) {
	at := t.attr
	switch {
	case at == nil, at.Relop == model.Equal, at.Relop == model.NotEqual:
		return 0, false
	case at.consumable:
		return a.slotsByConsumable(q, t)
	}
	l, v := a.run.loadOf(at, q.host)
	if v == nil || v.adjust == 0 || a.unadjusted {
		return 0, false
	}
	step := v.adjust
	if at.Relop == model.AtMost || at.Relop == model.Less {
		step = -step
	}
	if strings.HasPrefix(at.Name, "np_") && l.processors > 1 {
		step /= l.processors
	}
	return toSlots((t.amount-v.amount)/step) + 1, true
}

// slotsByConsumable is slotsByThreshold for what each slot takes an amount of.
func (a *attempt) slotsByConsumable(q *instance, t *threshold) (n int, limits bool) {
	v, ok := a.run.combined(t.attr, &a.run.world.global.layer, &q.host.layer, &q.layer)
	amount, _, _ := a.cat.amount(t.attr)
	if !ok || amount == 0 {
		return 0, !ok
	}
	if t.attr.smallerCounts() {
		amount = -amount
	}
	return toSlots((t.amount - v.amount) / amount), true
}
