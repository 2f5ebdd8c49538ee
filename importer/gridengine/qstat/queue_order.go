package qstat

import (
	"slices"

	"qprism/engine/model"
)

// inMasterOrder sorts queues into the order of the master's list, which decides between equal choices. qconf
// prints queues by name. qhost prints each host's queues in the master's order. If this does not show the
// order, the queues stay as they are.
func inMasterOrder(queues []model.Queue, hosts [][]string) []model.Queue {
	known := make(map[string]bool, len(queues))
	for i := range queues {
		known[queues[i].Name] = true
	}
	before := map[string]map[string]bool{} // queue → the queues directly before it on some host
	for _, list := range hosts {
		list = slices.DeleteFunc(list, func(name string) bool { return !known[name] })
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				continue
			}
			if before[list[i]] == nil {
				before[list[i]] = map[string]bool{}
			}
			before[list[i]][list[i-1]] = true
		}
	}
	ordered := make([]model.Queue, 0, len(queues))
	left := slices.Clone(queues)
	for len(left) > 0 {
		next := max(slices.IndexFunc(left, func(q model.Queue) bool { return len(before[q.Name]) == 0 }), 0)
		q := left[next]
		ordered, left = append(ordered, q), slices.Delete(left, next, next+1)
		for _, others := range before {
			delete(others, q.Name)
		}
	}
	return ordered
}
