package cluster

import (
	"strings"

	"qprism/engine/gridengine/resource"
	"qprism/engine/model"
	"qprism/engine/model/glob"
)

// A PE is a parallel environment.
type PE struct {
	resource.Layer
	*model.PE
	Use      *resource.Use
	rule     int // allocation_rule: slots on each host, or a rule with a name; 0 for what cannot be
	Modified int // like Modified of an Instance
}

// The named allocation rules of sge_pe(5): all slots on one host ($pe_slots), fill one host after the other
// ($fill_up), or one slot on each host in turn ($round_robin). perHost uses the last two as well.
const (
	FillUp     = -1
	RoundRobin = -2
	oneHost    = -3
)

func allocationRule(text string) int {
	switch text {
	case "$pe_slots":
		return oneHost
	case "$fill_up":
		return FillUp
	case "$round_robin":
		return RoundRobin
	}
	return max(resource.ToSlots(resource.Number(text)), 0)
}

// PerHost is the number of slots on each host of a job; 0 if n slots cannot be spread that way.
func (p *PE) PerHost(n int) int {
	switch {
	case p.rule == oneHost:
		return n
	case p.rule > 0 && n%p.rule != 0:
		return 0
	}
	return p.rule
}

// SparesMasterHost reports whether the master host need not meet the requests of the other tasks
// (ign_sreq_on_mhost).
func (p *PE) SparesMasterHost() bool {
	text, _ := model.Text(p.Settings, "ign_sreq_on_mhost")
	return strings.EqualFold(text, "TRUE")
}

// findPE is the parallel environment that was granted; else the only one that the job can have got.
func (r *Cluster) findPE(granted, asked string) *PE {
	for _, p := range r.PEs {
		if granted == p.PE.Name || granted == "" && glob.Match(asked, p.PE.Name) {
			return p
		}
	}
	return nil
}
