package intend

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"qprism/engine/model"
)

// A Change sets one number of a policy.
type Change struct {
	// weight_urgency …, urgency/RESOURCE, or user/NAME, project/NAME, department/NAME for functional shares;
	// for PBS job_sort_formula, or node/NAME of its fairshare tree
	Key   string  `json:"key"`
	From  float64 `json:"from"`
	Value float64 `json:"value"`
	Text  string  `json:"text,omitempty"` // of job_sort_formula

	cost float64 // how far a formula leads from the one that there is
}

// The kinds of keys that name an object, before a slash.
const urgencyKey = "urgency"

// Flag is the flag of what-if for this change, with its value.
func (c *Change) Flag() (flag, value string) {
	kind, name, object := strings.Cut(c.Key, "/")
	number := strconv.FormatFloat(c.Value, 'g', -1, 64)
	switch {
	case c.Key == formulaKey:
		return "set", c.Key + "=" + c.Text
	case !object:
		return "set", c.Key + "=" + number
	case kind == urgencyKey:
		return "complex", name + "=" + number
	}
	return "shares", c.Key + "=" + strconv.FormatFloat(c.Value, 'f', 0, 64)
}

func (c *Change) String() string {
	if c.Key == formulaKey {
		return c.Key + " " + c.Text
	}
	return fmt.Sprintf("%s %s instead of %s", strings.Replace(c.Key, "/", " ", 1), number(c.Value), number(c.From))
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// weights are the numbers of sched_conf(5) that can be changed.
func weights(p *model.Policy) map[string]*float64 {
	return map[string]*float64{"weight_priority": &p.WeightPriority, "weight_urgency": &p.WeightUrgency,
		"weight_ticket":       &p.WeightTicket,
		"weight_waiting_time": &p.WeightWaitingTime}
}

// with is a snapshot with changes.
func with(s *model.Snapshot, changes []Change) *model.Snapshot {
	own := *s
	for _, c := range changes {
		kind, name, object := strings.Cut(c.Key, "/")
		switch {
		case own.PBS != nil:
			withPBS(&own, &c, name)
		case !object:
			*weights(&own.Policy)[c.Key] = c.Value
		case kind == urgencyKey:
			own.Resources = slices.Clone(own.Resources)
			for i := range own.Resources {
				if own.Resources[i].Name == name {
					own.Resources[i].Urgency = strconv.FormatFloat(c.Value, 'g', -1, 64)
				}
			}
		default:
			own.GiveShares(kind, name, uint32(c.Value))
		}
	}
	return &own
}

// urgencyOf is the urgency of a unit of a resource; 0 where there is none.
func urgencyOf(s *model.Snapshot, name string) float64 {
	for _, r := range s.Resources {
		if v, err := model.ParseNumber(r.Urgency); r.Name == name && err == nil {
			return v
		}
	}
	return 0
}

// near says that two numbers differ by no more than what rounding leaves.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b)) }
