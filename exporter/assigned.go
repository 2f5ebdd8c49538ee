package exporter

import (
	"cmp"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// A PriorityChange is the new priority of a job. A job with a higher priority starts sooner.
type PriorityChange struct {
	Job      string // id of the job
	From, To int
	Why      string
}

// PriorityOrders makes orders that set an attribute to new priorities.
func PriorityOrders(attribute string, changes []PriorityChange) []model.Order {
	list := make([]model.Order, len(changes))
	for i, c := range changes {
		list[i] = model.Order{Job: c.Job, Attribute: attribute, From: strconv.Itoa(c.From),
			To: strconv.Itoa(c.To), Why: c.Why,
			State: model.OrderPlanned}
	}
	return list
}

// ByPriority groups planned orders; the groups have their indices. All orders of a group have one priority. A
// group has at most most orders, so one command can send it. The highest priority comes first.
func ByPriority(orders []model.Order, most int) (groups [][]int) {
	var planned []int
	for i := range orders {
		if orders[i].State == model.OrderPlanned {
			planned = append(planned, i)
		}
	}
	slices.SortStableFunc(planned, func(a, b int) int { return cmp.Compare(priority(&orders[b]), priority(&orders[a])) })
	for len(planned) > 0 {
		n := 1
		for n < len(planned) && n < most && orders[planned[n]].To == orders[planned[0]].To {
			n++
		}
		groups = append(groups, planned[:n:n])
		planned = planned[n:]
	}
	return groups
}

func priority(o *model.Order) int {
	n, _ := strconv.Atoi(o.To)
	return n
}

// Inverse returns the order that undoes another one.
func Inverse(o model.Order) model.Order {
	return model.Order{Job: o.Job, Attribute: o.Attribute, From: o.To, To: o.From, Whose: o.Whose,
		With: o.With, WithWhose: o.WithWhose,
		Why: "as it was before", State: model.OrderPlanned}
}
