package schedule

import (
	"strings"

	"qprism/engine/gridengine/match"
	"qprism/engine/model"
)

// An attr is an entry of the complex, complex(5), ready to be compared.
type attr struct {
	model.Resource
	numeric    bool
	consumable bool
	once       bool // consumed once for the job, or once on each of its hosts, and not for each slot
	exclusive  bool
	standard   float64 // the amount booked for a job that asks for none
}

// A complex finds the attributes by name and by shortcut.
type complex map[string]*attr

const slotsName = "slots"

func newComplex(resources []model.Resource) complex {
	c := make(complex, 2*len(resources))
	for _, r := range resources {
		c.add(r)
	}
	if c[slotsName] == nil {
		c.add(model.Resource{Name: slotsName, Shortcut: "s", Type: model.TypeInt, Relop: model.AtMost, Requestable: model.RequestYes,
			Consumable: model.ConsumeYes, Default: "1"})
	}
	return c
}

func (c complex) add(r model.Resource) {
	a := &attr{Resource: r, numeric: r.Type.Numeric(), consumable: r.Consumable != model.ConsumeNo && r.Consumable != "",
		once: r.Consumable == model.ConsumeJob || r.Consumable == model.ConsumeHost, exclusive: r.Relop == model.Exclusive}
	a.standard = number(r.Default)
	c[r.Name] = a
	if r.Shortcut != "" && c[r.Shortcut] == nil {
		c[r.Shortcut] = a
	}
}

// number is what the master makes of a numeric value: 0 of what it cannot read. The ids of a resource map follow how many they are.
func number(text string) float64 {
	text, _, _ = strings.Cut(text, "(")
	n, err := model.ParseNumber(text)
	if err != nil {
		return 0
	}
	return n
}

// A request is one thing that a job asks for.
type request struct {
	attr    *attr // nil for what is not in the complex
	name    string
	text    string
	amount  float64
	pattern match.Pattern   // of string types
	met     layerTag        // where it was found to be met, in the current search
	scope   model.TaskScope // of the tasks that ask for it
}

// A layerTag says on which layer a request was met: a smaller one is closer to the queue instance.
type layerTag uint8

const (
	metNowhere layerTag = iota
	metAtQueue
	metAtHost
	metGlobally
)

func (c complex) requests(list []model.Request) []request {
	all := make([]request, 0, len(list))
	for _, m := range list {
		r := request{attr: c[m.Resource], name: m.Resource, text: m.Value, amount: m.Amount}
		if r.attr != nil {
			r.name = r.attr.Name
			if r.attr.numeric {
				r.amount = number(m.Value)
			} else {
				r.pattern = match.New(r.attr.Type, m.Value)
			}
		}
		all = append(all, r)
	}
	return all
}

// standard is the request of a job that asks for nothing of an attribute.
func (a *attr) standardRequest() request {
	return request{attr: a, name: a.Name, text: a.Default, amount: a.standard}
}

// holds compares a request with what is there, both numbers.
func holds(relop model.Relop, asked, there float64) bool {
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
	return holds(relop, float64(result), 0) && relop != model.Exclusive
}

// most reports whether the smaller of two offers counts; else the greater one does.
func (a *attr) smallerCounts() bool { return a.Relop != model.AtLeast && a.Relop != model.Greater }

// prior reports whether a value that is set keeps its place before another one.
func (a *attr) prior(set, other float64) bool {
	switch {
	case a.Relop == model.Equal || a.Relop == model.NotEqual:
		return true
	case a.smallerCounts():
		return set <= other
	}
	return set >= other
}
