package cluster

import (
	"qprism/engine/gridengine/match"
	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
)

// A Threshold is a load or a consumable that must not be exceeded in a queue instance, queue_conf(5)
// load_thresholds and suspend_thresholds.
type Threshold struct {
	Attr   *resource.Attribute // nil if the complex does not have it
	name   string
	text   string
	Amount float64
}

func thresholdsOf(c resource.Complex, settings []model.Setting) []Threshold {
	list := make([]Threshold, len(settings))
	for i, s := range settings {
		list[i] = Threshold{Attr: c[s.Name], name: s.Name, text: s.Value, Amount: resource.Number(s.Value)}
	}
	return list
}

// Alarm finds the first threshold that a queue instance exceeds.
func (r *Cluster) Alarm(q *Instance, thresholds []Threshold, consumables bool) (why model.Reason, exceeded bool) {
	for i := range thresholds {
		t := &thresholds[i]
		if offered, alarmed := r.exceeds(q, t, consumables); alarmed {
			return model.Reason{Kind: model.ReasonLoad, Level: resource.LevelQueue, Object: q.Name,
				Resource: t.name, Asked: t.text, Offered: offered}, true
		}
	}
	return why, false
}

func (r *Cluster) exceeds(q *Instance, t *Threshold, consumables bool) (offered string, alarmed bool) {
	switch {
	case t.Attr == nil:
		return "", true
	case t.Attr.IsConsumable && !consumables:
		return "", false
	case t.Attr.IsConsumable:
		v, ok := r.Combined(t.Attr, &r.Global.Layer, &q.ExecHost.Layer, &q.Layer)
		return v.String(), !ok || resource.Holds(t.Attr.Relop, v.Amount, t.Amount)
	}
	if l, v := r.LoadOf(t.Attr, q.ExecHost); v != nil {
		amount, _ := l.Corrected(v)
		return resource.FormatAmount(amount), t.exceededBy(amount, v.Text)
	}
	if c := q.Configured(t.Attr); c != nil {
		return c.Text, t.exceededBy(c.Amount, c.Text)
	}
	return "", true
}

// LoadOf is the load value of a host, else that of the global host.
func (r *Cluster) LoadOf(a *resource.Attribute, h *Host) (*resource.Layer, *resource.LoadValue) {
	if v := h.Loaded(a); v != nil {
		return &h.Layer, v
	}
	return &r.Global.Layer, r.Global.Loaded(a)
}

func (t *Threshold) exceededBy(amount float64, text string) bool {
	if t.Attr.Numeric {
		return resource.Holds(t.Attr.Relop, amount, t.Amount)
	}
	return match.Expression(t.Attr.Type, t.text, text) != match.Matches
}
