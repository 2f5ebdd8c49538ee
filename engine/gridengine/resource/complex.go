package resource

import (
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// An Attribute is an entry of the complex, complex(5), prepared for comparisons.
type Attribute struct {
	model.Resource
	Numeric      bool
	IsConsumable bool
	Once         bool // consumed once for the job or once per host, not for each slot
	Exclusive    bool
	Standard     float64 // amount for a job that does not ask for it
}

// A Complex finds attributes by name and by shortcut.
type Complex map[string]*Attribute

const SlotsName = "slots"

// NewComplex reads the resources of a snapshot. It always has slots.
func NewComplex(resources []model.Resource) Complex {
	c := make(Complex, 2*len(resources))
	for _, r := range resources {
		c.add(r)
	}
	if c[SlotsName] == nil {
		c.add(model.Resource{Name: SlotsName, Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost,
			Requestable: model.RequestYes,
			Consumable:  model.ConsumeYes, Default: "1"})
	}
	return c
}

func (c Complex) add(r model.Resource) {
	a := &Attribute{Resource: r, Numeric: r.Type.Numeric(), IsConsumable: r.Consumable != model.ConsumeNo &&
		r.Consumable != "",
		Once: r.Consumable == model.ConsumeJob || r.Consumable == model.ConsumeHost, Exclusive: r.Relop == model.Exclusive}
	a.Standard = Number(r.Default)
	c[r.Name] = a
	if r.Shortcut != "" && c[r.Shortcut] == nil {
		c[r.Shortcut] = a
	}
}

// Number reads a numeric value as the master does: 0 if it cannot be read. Of a resource map, the ids after
// the number are ignored.
func Number(text string) float64 {
	text, _, _ = strings.Cut(text, "(")
	n, err := model.ParseNumber(text)
	if err != nil {
		return 0
	}
	return n
}

// A Request is one request of a job.
type Request struct {
	Attr    *Attribute // nil if the complex does not have it
	Name    string
	Text    string
	Amount  float64
	pattern match.Pattern   // of string types
	Met     LayerTag        // the layer that met it, in the current search
	Scope   model.TaskScope // the tasks that it is for
}

// A LayerTag is the layer on which a request was met. A smaller one is closer to the queue instance.
type LayerTag uint8

const (
	MetNowhere LayerTag = iota
	MetAtQueue
	MetAtHost
	MetGlobally
)

// Requests reads the requests of a job.
func (c Complex) Requests(list []model.Request) []Request {
	all := make([]Request, 0, len(list))
	for _, m := range list {
		r := Request{Attr: c[m.Resource], Name: m.Resource, Text: m.Value, Amount: m.Amount}
		if r.Attr != nil {
			r.Name = r.Attr.Name
			if r.Attr.Numeric {
				r.Amount = Number(m.Value)
			} else {
				r.pattern = match.New(r.Attr.Type, m.Value)
			}
		}
		all = append(all, r)
	}
	return all
}

// StandardRequest is the request of a job that does not ask for an attribute.
func (a *Attribute) StandardRequest() Request {
	return Request{Attr: a, Name: a.Name, Text: a.Default, Amount: a.Standard}
}

// Holds compares a request with the available value, both numbers.
func Holds(relop model.Relop, asked, there float64) bool {
	switch relop {
	case model.Equal:
		return asked == there
	case model.NotEqual:
		return asked != there
	case model.AtLeast:
		return asked >= there
	case model.Greater:
		return asked > there
	case model.Less:
		return asked < there
	case model.Exclusive:
		return asked == 0 || asked <= there
	}
	return asked <= there
}

// holdsText compares the result of a string expression, 0 for a match, as if it were a number: "<=" is a match as well,
// ">" is none, and ">=" always holds (D31).
func holdsText(relop model.Relop, result int) bool {
	return Holds(relop, float64(result), 0) && relop != model.Exclusive
}

// SmallerCounts reports whether the smaller of two offers is in force. Otherwise the greater one is.
func (a *Attribute) SmallerCounts() bool { return a.Relop != model.AtLeast && a.Relop != model.Greater }

// Prior reports whether a value that is already set takes precedence over another one.
func (a *Attribute) Prior(set, other float64) bool {
	switch {
	case a.Relop == model.Equal || a.Relop == model.NotEqual:
		return true
	case a.SmallerCounts():
		return set <= other
	}
	return set >= other
}
