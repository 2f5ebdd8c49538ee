package cluster

import (
	"io/fs"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
)

// SetPolicy changes an option of the scheduler, by its name: of sched_conf(5), or of sched_config and the
// server. Nothing that other snapshots share is changed.
func SetPolicy(s *model.Snapshot, name, value string) error {
	if s.PBS != nil {
		return pbs.Set(s, name, value)
	}
	return gridengine.SetPolicy(&s.Policy, name, value)
}

// PolicyKeys are the names that SetPolicy knows of a snapshot's system, where they are all known.
func PolicyKeys(s *model.Snapshot) []string {
	if s.PBS != nil {
		return nil
	}
	return gridengine.PolicyKeys()
}

// PolicyKeyCalled is the key that a document calls by another name, empty for none.
func PolicyKeyCalled(s *model.Snapshot, name string) string {
	if s.PBS != nil {
		return ""
	}
	return gridengine.PolicyKeyCalled(name)
}

// SetTree gives a snapshot the share tree, or the fairshare tree, of a file. An error is an *importer.Problem.
func SetTree(s *model.Snapshot, folder fs.FS, file string) (err error) {
	if s.PBS == nil {
		s.ShareTree, err = gridengine.ReadTree(folder, file)
		return err
	}
	own := *s.PBS
	own.Fairshare.Groups, err = pbs.ReadResourceGroup(folder, file)
	s.PBS = &own
	return err
}
