package gridengine

import (
	"qprism/engine/batch"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// Due is the share of each active party, if only these parties use the cluster. It follows the share tree if
// the tree gives out tickets, else the functional shares.
func Due(s *model.Snapshot, by string, active []batch.Party) batch.Due {
	p := &s.Policy
	switch {
	case p.WeightTicket == 0:
		return batch.Due{}
	case p.ShareTreeTickets > 0 && s.ShareTree != nil && by != batch.ByDepartment:
		return dueByTree(s, by, active)
	case p.FunctionalTickets > 0 && functionalWeight(p, by) > 0:
		return dueByFunction(s, by, active)
	}
	return batch.Due{}
}

// dueByTree adds up the long-term targets of the leaves where parties of a name use the tree. What users
// are due of a leaf that they have together, a project's, the tree does not say.
func dueByTree(s *model.Snapshot, by string, active []batch.Party) batch.Due {
	d := batch.Due{Policy: "share tree", Parts: map[string]float64{}}
	places, seen := ticket.Places(s, active), map[*ticket.Node]bool{}
	for _, party := range active {
		leaf := places[party]
		if leaf != nil && by == batch.ByUser && leaf.Name != party.User {
			return batch.Due{}
		}
		if leaf != nil && !seen[leaf] {
			seen[leaf] = true
			d.Parts[party.Name(by)] += leaf.LevelShare
		}
	}
	return d.Normalized()
}

// functionalWeight is that of a category among functional tickets.
func functionalWeight(p *model.Policy, by string) float64 {
	return map[string]float64{batch.ByUser: p.WeightUser, batch.ByProject: p.WeightProject,
		batch.ByDepartment: p.WeightDepartment}[by]
}

// dueByFunction are the functional shares of those that are active.
func dueByFunction(s *model.Snapshot, by string, active []batch.Party) batch.Due {
	d := batch.Due{Policy: "functional shares", Parts: map[string]float64{}}
	shares := functionalShares(s, by)
	for _, party := range active {
		name := party.Name(by)
		d.Parts[name] = float64(shares[name])
	}
	return d.Normalized()
}

func functionalShares(s *model.Snapshot, by string) map[string]uint32 {
	shares := map[string]uint32{}
	switch by {
	case batch.ByProject:
		for i := range s.Projects {
			shares[s.Projects[i].Name] = s.Projects[i].FunctionalShares
		}
	case batch.ByDepartment:
		for i := range s.Usersets {
			shares[s.Usersets[i].Name] = s.Usersets[i].FunctionalShares
		}
	default:
		for i := range s.Users {
			shares[s.Users[i].Name] = s.Users[i].FunctionalShares
		}
	}
	return shares
}
