package qconf

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// SetPolicy changes one value of a scheduler configuration. The value has the form of qconf -msconf,
// sched_conf(5).
func SetPolicy(p *model.Policy, key, value string) error {
	known, err := policyFields(p).Read(key, value)
	if !known {
		return fmt.Errorf("%s is no key of the scheduler configuration", key)
	}
	return err
}

// calledOtherwise has keys of the scheduler configuration, by their names in "Scheduler Policies for Job
// Prioritization".
var calledOtherwise = map[string]string{"weight_posix": "weight_priority", "share_tickets": "weight_tickets_share",
	"functional_tickets": "weight_tickets_functional", "weight_waiting": "weight_waiting_time"}

// PolicyKeyCalled returns the key that some documents call by this other name. It is empty if there is none.
func PolicyKeyCalled(name string) string { return calledOtherwise[name] }

// PolicyKeys lists the keys of the scheduler configuration, sorted.
func PolicyKeys() []string { return slices.Sorted(maps.Keys(policyFields(&model.Policy{}))) }

// ReadPolicy reads a scheduler configuration outside a bundle, in the form of qconf -ssconf, sched_conf(5).
// The error is an *importer.Problem with file, line and text.
func ReadPolicy(folder fs.FS, file string) (model.Policy, error) {
	s, err := readAlone(folder, file, "sched_conf.txt", readSchedConf)
	return s.Policy, err
}

// ReadTree reads a share tree outside a bundle, in the form of qconf -sstree, share_tree(5). The error is an
// *importer.Problem with file, line and text.
func ReadTree(folder fs.FS, file string) (*model.ShareNode, error) {
	s, err := readAlone(folder, file, "share_tree.txt", readShareTree)
	if err == nil && s.ShareTree == nil {
		err = &importer.Problem{File: file, Err: errors.New("no node of a share tree")}
	}
	return s.ShareTree, err
}

// ReadResources reads a complex outside a bundle, in the form of qconf -sc, complex(5). The error is an
// *importer.Problem with file, line and text.
func ReadResources(folder fs.FS, file string) ([]model.Resource, error) {
	s, err := readAlone(folder, file, "complex.txt", readComplex)
	if err == nil && len(s.Resources) == 0 {
		err = &importer.Problem{File: file, Err: errors.New("no complex entry")}
	}
	return s.Resources, err
}

// alone returns the error of reading a single file. Records that were left out count as errors, too.
func alone(s *model.Snapshot, err error) error {
	if err == nil && len(s.LeftOut) > 0 {
		l := s.LeftOut[0]
		return &importer.Problem{File: l.File, Line: l.Line, Text: l.Text, Err: errors.New(l.Reason)}
	}
	return err
}

// readAlone reads one file as if it were part of a bundle.
func readAlone(folder fs.FS, file, as string, read func(*configReader) error) (*model.Snapshot, error) {
	info, err := fs.Stat(folder, file)
	if err == nil && info.Size() == 0 {
		err = errEmpty
	}
	if err != nil {
		return &model.Snapshot{}, &importer.Problem{File: file, Err: cause(err)}
	}
	r := bundle.New(oneFile{folder, file, as}, source.Options{})
	err = alone(r.Snap, read(&configReader{Reader: r}))
	var p *importer.Problem
	if errors.As(err, &p) {
		p.File = file
	}
	return r.Snap, err
}

var errEmpty = errors.New("empty")

// cause returns an error without the name of the file.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// oneFile is a bundle with one file of a folder. The file has its usual name in bundles.
type oneFile struct {
	folder   fs.FS
	file, as string
}

func (o oneFile) Open(name string) (fs.File, error) {
	if name != o.as {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.folder.Open(o.file)
}
