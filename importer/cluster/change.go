package cluster

import (
	"io/fs"

	"qprism/engine/model"
	"qprism/importer/gridengine"
	"qprism/importer/pbs"
)

// SetPolicy changes one option of the scheduler, by its name in sched_conf(5), sched_config or the server.
// Data shared with other snapshots does not change.
func SetPolicy(s *model.Snapshot, name, value string) error {
	if s.PBS != nil {
		return pbs.Set(s, name, value)
	}
	return gridengine.SetPolicy(&s.Policy, name, value)
}

// PolicyKeys are the names that SetPolicy knows for a snapshot's system, if the list is complete.
func PolicyKeys(s *model.Snapshot) []string {
	if s.PBS != nil {
		return nil
	}
	return gridengine.PolicyKeys()
}

// PolicyKeyCalled is the key that some documents call by this name, empty for none.
func PolicyKeyCalled(s *model.Snapshot, name string) string {
	if s.PBS != nil {
		return ""
	}
	return gridengine.PolicyKeyCalled(name)
}

// SetTree gives a snapshot the share tree or fairshare tree in a file. The error is an *importer.Problem.
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
