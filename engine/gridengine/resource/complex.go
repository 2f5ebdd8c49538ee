package resource

import (
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// An Attribute is an entry of the complex, complex(5), ready to be compared.
type Attribute struct {
	model.Resource
	Numeric      bool
	IsConsumable bool
	Once         bool // consumed once for the job, or once on each of its hosts, and not for each slot
	Exclusive    bool
	Standard     float64 // the amount booked for a job that asks for none
}

// A Complex finds the attributes by name and by shortcut.
type Complex map[string]*Attribute

const SlotsName = "slots"

// NewComplex reads the resources of a snapshot; slots are always among them.
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

// Number is what the master makes of a numeric value: 0 of what it cannot read. The ids of a resource map
// follow how many they are.
func Number(text string) float64 {
	text, _, _ = strings.Cut(text, "(")
	n, err := model.ParseNumber(text)
	if err != nil {
		return 0
	}
	return n
}

// A Request is one thing that a job asks for.
type Request struct {
	Attr    *Attribute // nil for what is not in the complex
	Name    string
	Text    string
	Amount  float64
	pattern match.Pattern   // of string types
	Met     LayerTag        // where it was found to be met, in the current search
	Scope   model.TaskScope // of the tasks that ask for it
}

// A LayerTag says on which layer a request was met: a smaller one is closer to the queue instance.
type LayerTag uint8

const (
	MetNowhere LayerTag = iota
	MetAtQueue
	MetAtHost
	MetGlobally
)

// Requests reads what a job asks for.
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

// StandardRequest is the request of a job that asks for nothing of an attribute.
func (a *Attribute) StandardRequest() Request {
	return Request{Attr: a, Name: a.Name, Text: a.Default, Amount: a.Standard}
}

// Holds compares a request with what is there, both numbers.
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

// SmallerCounts reports whether the smaller of two offers counts; else the greater one does.
func (a *Attribute) SmallerCounts() bool { return a.Relop != model.AtLeast && a.Relop != model.Greater }

// Prior reports whether a value that is set keeps its place before another one.
func (a *Attribute) Prior(set, other float64) bool {
	switch {
	case a.Relop == model.Equal || a.Relop == model.NotEqual:
		return true
	case a.SmallerCounts():
		return set <= other
	}
	return set >= other
}
