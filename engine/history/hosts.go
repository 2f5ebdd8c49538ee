package history

import (
	"slices"

	"qprism/engine/model"
)

// A HostUse is how much of a host is in use: slots of its queue instances; for PBS, CPUs of a vnode.
type HostUse struct {
	Host        string
	Slots, Used int64
}

// UseByHost is the use of each host that has slots, by name, node9 before node10.
func UseByHost(s *model.Snapshot) []HostUse {
	sums := map[string]*HostUse{}
	sum := func(host string, slots, used int64) {
		if sums[host] == nil {
			sums[host] = &HostUse{Host: host}
		}
		sums[host].Slots += slots
		sums[host].Used += used
	}
	for i := range s.Instances {
		q := &s.Instances[i]
		sum(q.Host, int64(q.Slots), int64(q.Used))
	}
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.PBS != nil {
			sum(h.Name, cpusIn(h.Capacity), cpusIn(h.PBS.Assigned))
		}
	}
	var list []HostUse
	for _, u := range sums {
		if u.Slots > 0 {
			list = append(list, *u)
		}
	}
	slices.SortFunc(list, func(a, b HostUse) int { return model.CompareNames(a.Host, b.Host) })
	return list
}
