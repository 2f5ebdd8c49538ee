package slurm

import (
	"strconv"
	"strings"

	"qprism/engine/model"
)

func cmpNames(a, b string) int { return strings.Compare(a, b) }

// tresOf is the name of a resource among Slurm's trackable resources: of the cluster a license, of hosts a generic one; empty for
// what has no amounts.
func (t *Translation) tresOf(r model.Resource) string {
	switch {
	case r.Name == "slots":
		return "cpu"
	case memory[r.Name]:
		return "mem"
	case !r.Type.Numeric() || r.Type == model.TypeBool || r.Consumable == model.ConsumeNo:
		return ""
	case t.totals["license/"+r.Name] > 0:
		return "license/" + r.Name
	}
	return "gres/" + r.Name
}

// memory are resources that are all the memory of hosts.
var memory = map[string]bool{"mem_free": true, "h_vmem": true, "virtual_free": true, "h_rss": true, "mem_total": true}

// capacities are the amounts of everything in the cluster: slots of queue instances, host by host the most of any, and what hosts
// and the global host have.
func capacities(s *model.Snapshot) map[string]float64 {
	total, slots := map[string]float64{}, map[string]int{}
	for i := range s.Instances {
		q := &s.Instances[i]
		slots[q.Host] = max(slots[q.Host], q.Slots)
	}
	for _, n := range slots {
		total["cpu"] += float64(n)
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		kind := "gres/"
		if h.Name == model.GlobalHost {
			kind = "license/"
		}
		for _, c := range h.Capacity {
			if v, err := model.ParseNumber(c.Value); err == nil && v > 0 {
				if memory[c.Name] {
					total["mem"] += v
				}
				total[kind+c.Name] += v
			}
		}
	}
	return total
}

func itoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
