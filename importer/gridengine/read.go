// Package gridengine reads bundles of Grid Engine clusters: what qstat, qhost, qrstat, qconf and sge_share_mon printed,
// and the files that the master writes. It translates and never judges.
package gridengine

import (
	"errors"
	"io/fs"
	"strings"
	"time"

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
	r := newReader(bundle, opts)
	for _, step := range []func(*reader) error{
		readManifest,      // MANIFEST, qstat-help.txt: where, when, which release
		readConfiguration, // what qconf printed
		readJobs,          // qstat.xml, qstat-j.xml
		readCluster,       // qstat-f.xml, qhost.xml, qrstat.xml
		readUsage,         // sge_share_mon.txt
		readRecords,       // schedule, messages, accounting
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
	bundle   fs.FS
	opts     Options
	snap     *model.Snapshot
	offset   time.Duration // of the cluster's local time from UTC
	strings  *stringCache
	unknowns map[[2]string]int             // places in snap.Unknown, by file and name
	types    map[string]model.ResourceType // see resourceType
}

func newReader(bundle fs.FS, opts Options) *reader {
	return &reader{
		bundle:   bundle,
		opts:     opts,
		snap:     &model.Snapshot{},
		strings:  newStringCache(),
		unknowns: map[[2]string]int{},
	}
}

// problem reports a record that cannot be read: an error, or with KeepGoing an entry of the snapshot's list.
func (r *reader) problem(file string, line int, text string, err error) error {
	text = strings.Clone(text[:min(len(text), maxKept)])
	p := &importer.Problem{File: file, Line: line, Text: text, Err: err}
	if !r.opts.KeepGoing {
		return p
	}
	r.snap.LeftOut = append(r.snap.LeftOut, model.LeftOut{File: file, Line: line, Text: text, Reason: err.Error()})
	return nil
}

// Bounds of what is kept of a stranger's keys, elements and errors.
const (
	maxUnknowns = 1000
	maxKept     = 200 // bytes of a text
)

// unknown keeps a key or element that no parser knows, once a file and name. The last entry counts what is too much.
func (r *reader) unknown(file string, line int, name, value string) {
	list := &r.snap.Unknown
	if len(*list) >= maxUnknowns-1 {
		if _, known := r.unknowns[[2]string{file, name}]; !known {
			file, line, name, value = "", 0, "further names", ""
		}
	}
	key := [2]string{file, name}
	if i, known := r.unknowns[key]; known {
		(*list)[i].Count++
		return
	}
	r.unknowns[key] = len(*list)
	value = strings.Clone(value[:min(len(value), maxKept)])
	*list = append(*list, model.Unknown{File: file, Line: line, Name: name, Value: value, Count: 1})
}

// absent reports whether an error means that the bundle lacks a file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
