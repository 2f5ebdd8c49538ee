// Package gridengine reads bundles of Grid Engine clusters: what qstat, qhost, qrstat, qconf and sge_share_mon printed,
// and the files that the master writes. It translates and never judges.
package gridengine

import (
	"errors"
	"io/fs"

	"qprism/engine/model"
	"qprism/importer"
)

// Options say how to read a bundle.
type Options struct {
	KeepGoing bool              // leave out records that cannot be read, and list them in the snapshot
	Progress  func(bytes int64) // told how many further bytes of the bundle were read; may be nil
}

// Read reads a bundle into a snapshot. A file that a bundle may lack is no error but listed in Missing; only qstat.xml
// is required. An error is an *importer.Problem with file, line and text.
func Read(bundle fs.FS, opts Options) (*model.Snapshot, error) {
	r := &reader{bundle: bundle, opts: opts, snap: &model.Snapshot{}}
	for _, step := range []func(*reader) error{
		readManifest,      // MANIFEST, qstat-help.txt: where, when, which release
		readConfiguration, // what qconf printed
		readJobs,          // qstat.xml, qstat-j.xml
		readCluster,       // qstat-f.xml, qhost.xml, qrstat.xml
		readUsage,         // sge_share_mon.txt
		readRecords,       // schedule, messages
		checkFiles,        // what the bundle holds and lacks
	} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return r.snap, nil
}

// A reader is one reading of one bundle.
type reader struct {
	bundle fs.FS
	opts   Options
	snap   *model.Snapshot
}

// problem reports a record that cannot be read: an error, or with KeepGoing an entry of the snapshot's list.
func (r *reader) problem(file string, line int, text string, err error) error {
	p := &importer.Problem{File: file, Line: line, Text: text, Err: err}
	if !r.opts.KeepGoing {
		return p
	}
	r.snap.LeftOut = append(r.snap.LeftOut, model.LeftOut{File: file, Line: line, Text: text, Reason: err.Error()})
	return nil
}

// unknown keeps a key or element that no parser knows, once a file and name.
func (r *reader) unknown(file string, line int, name, value string) {
	for i := range r.snap.Unknown {
		if u := &r.snap.Unknown[i]; u.File == file && u.Name == name {
			u.Count++
			return
		}
	}
	r.snap.Unknown = append(r.snap.Unknown, model.Unknown{File: file, Line: line, Name: name, Value: value, Count: 1})
}

// absent reports whether an error means that the bundle lacks a file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
