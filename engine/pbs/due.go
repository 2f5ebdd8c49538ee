package pbs

import (
	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// Due is what users are due by the fairshare tree, where its entities are users.
func Due(s *model.Snapshot, by string, active []batch.Party) batch.Due {
	f := s.PBS.Fairshare
	if by != batch.ByUser || f.Policy.Entity != "euser" || len(f.Groups) == 0 {
		return batch.Due{}
	}
	tree := fairshare.Build(f)
	d := batch.Due{Policy: "fairshare tree", Parts: map[string]float64{}}
	for _, party := range active {
		if n := tree.Find(party.User); n != nil {
			d.Parts[party.User] = float64(n.Perc)
		}
	}
	return d.Normalized()
}
