package ticket

import (
	"qprism/engine/batch"
	"qprism/engine/model"
)

// Places are the share tree nodes of the parties, with their long-term targets if only these parties have
// jobs. Parties without a node are left out.
func Places(s *model.Snapshot, parties []batch.Party) map[batch.Party]*Node {
	r := &run{tree: newTree(s.ShareTree), projectByName: map[string]*Account{}}
	for i := range s.Projects {
		r.projectByName[s.Projects[i].Name] = &Account{Name: s.Projects[i].Name}
	}
	r.resetTree()
	for _, p := range parties {
		t := ref{belongs: &belongs{user: &Account{Name: p.User}, project: r.projectByName[p.Project]}}
		t.node = r.find(t.belongs)
		r.refs = append(r.refs, t)
	}
	r.countNodes()
	places := map[batch.Party]*Node{}
	for i, p := range parties {
		if n := r.refs[i].node; n != nil {
			places[p] = n
		}
	}
	return places
}
