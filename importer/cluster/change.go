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

// PolicyKeys lists the names that SetPolicy accepts for a snapshot's system. It is empty if SetPolicy also
// accepts other names.
func PolicyKeys(s *model.Snapshot) []string {
	if s.PBS != nil {
		return nil
	}
	return gridengine.PolicyKeys()
}

// PolicyKeyCalled returns the key that some documents call by this other name. It is empty if there is none.
func PolicyKeyCalled(s *model.Snapshot, name string) string {
	if s.PBS != nil {
		return ""
	}
	return gridengine.PolicyKeyCalled(name)
}

// SetTree reads a share tree or fairshare tree from a file and puts it into a snapshot. The error is an
// *importer.Problem.
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
