package slurm

import (
	"cmp"
	"slices"
	"strconv"

	"qprism/engine/model"
)

// A Node is a host with its slots.
type Node struct {
	Name  string
	Slots int // the most that a queue instance there has
}

// nodesOf are the hosts with queue instances.
func nodesOf(s *model.Snapshot) (nodes []Node) {
	slots := map[string]int{}
	for i := range s.Instances {
		q := &s.Instances[i]
		slots[q.Host] = max(slots[q.Host], q.Slots)
	}
	for name, n := range slots {
		if n > 0 {
			nodes = append(nodes, Node{name, n})
		}
	}
	slices.SortFunc(nodes, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	return nodes
}

func itoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
