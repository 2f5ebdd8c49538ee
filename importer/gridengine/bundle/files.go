package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
)

// layout lists the files of a bundle. A name that ends in "/" is a folder with a file for each object. A single
// file such as "users.txt" may replace the folder. Any file may be missing. The jobs are in the first file, or
// else in qstat-f.xml.
var layout = []string{
	"qstat.xml",
	"MANIFEST", "qstat-help.txt",
	"qstat-f.xml", "qstat-gc.xml", "qstat-j.xml", "qstat-urg.txt", "qhost.xml", "qrstat.xml", "qrstat-ar.xml",
	"sched_conf.txt", "conf.txt", "complex.txt", "share_tree.txt",
	"managers.txt", "operators.txt", "admin_hosts.txt", "submit_hosts.txt", "event_clients.txt",
	"users/", "projects/", "usersets/", "queues/", "hosts/", "hostgroups/", "pes/", "rqs/", "calendars/", "ckpts/",
	"host_confs/",
	"sge_share_mon.txt", "schedule", "messages", "accounting",
}

// passedOver are files that a bundle may have and that qprism does not read.
var passedOver = map[string]bool{
	"qstat-pri.txt": true, "qstat-ext.txt": true, "qstat-j.txt": true, // the XML in a form for people
	"reporting": true, "reporting.jsonl": true,
	"scenario.json":  true, // the source of a recording of this project
	"categories.txt": true, "date.txt": true, "qquota.txt": true,
}

// alwaysPrint are files whose commands always print something. If such a file is empty, the command failed.
var alwaysPrint = map[string]bool{
	"qstat-j.xml": true, "qstat-f.xml": true, "qstat-gc.xml": true, "qhost.xml": true, "qrstat.xml": true,
	"sched_conf.txt": true, "conf.txt": true, "complex.txt": true,
}

// seldom are files of the layout that bundles have only if there is content for them.
var seldom = map[string]bool{"qrstat-ar.xml": true, "qstat-gc.xml": true}

// Knows reports whether a bundle can have a file with this name.
func Knows(name string) bool { return PartOf(name) != "" || passedOver[name] }

// CheckFiles notes which known files the bundle has and which it lacks.
func CheckFiles(r *Reader) error {
	held := map[string]bool{}
	err := fs.WalkDir(r.Bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return &importer.Problem{File: name, Err: err}
		}
		if entry.IsDir() {
			return nil
		}
		part := PartOf(name)
		if name == "sched_conf.txt" && r.NoPolicy {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Size() == 0 && alwaysPrint[part] {
			return nil
		}
		if part != "" {
			held[part] = true
			r.Snap.Has = append(r.Snap.Has, name)
		} else if !passedOver[name] {
			r.Unknown(name, 0, "file", "")
		}
		return nil
	})
	slices.Sort(r.Snap.Has)
	for _, part := range layout {
		if !held[part] && !seldom[part] && !r.Snap.HasFile(part) {
			r.Snap.Missing = append(r.Snap.Missing, part)
		}
	}
	slices.Sort(r.Snap.Missing)
	slices.SortStableFunc(r.Snap.Unknown, func(a, b model.Unknown) int { return cmp.Compare(a.File, b.File) })
	return err
}

// PartOf returns the part of the bundle that a file belongs to. It is empty for an unknown file.
func PartOf(name string) string {
	if slices.Contains(layout, name) {
		return name
	}
	if name == "accounting.jsonl" { // of newer releases
		return "accounting"
	}
	dir := strings.TrimSuffix(name, ".txt") + "/" // a file with all objects of a kind
	if i := strings.IndexByte(name, '/'); i >= 0 {
		dir = name[:i+1]
	}
	if slices.Contains(layout, dir) && strings.HasSuffix(name, ".txt") {
		return dir
	}
	return ""
}

// JobsFile returns the bundle's file that lists the jobs. This is qstat.xml if the bundle has it. Otherwise it
// is the full format, which lists the same jobs.
func (r *Reader) JobsFile() string {
	for _, file := range []string{"qstat.xml", "qstat-f.xml"} {
		if info, err := fs.Stat(r.Bundle, file); err == nil && info.Size() > 0 {
			return file
		}
	}
	return ""
}

// requireListing returns an error for a bundle without any output of a command.
func requireListing(r *Reader) error {
	info, err := fs.Stat(r.Bundle, "qstat.xml")
	switch {
	case errors.Is(err, fs.ErrNotExist) && holdsListing(r.Bundle):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &importer.Problem{File: "qstat.xml",
			Err: fmt.Errorf("a bundle of Grid Engine has this file, and one of PBS qstat_f.json or "+
				"qstat_f.txt, and no other file here is one of either (qprism capture makes bundles): %w", fs.ErrNotExist)}
	case err != nil:
		return &importer.Problem{File: "qstat.xml", Err: err}
	case info.IsDir():
		return &importer.Problem{File: "qstat.xml", Err: errors.New("a folder")}
	case info.Size() == 0:
		return &importer.Problem{File: "qstat.xml", Err: errors.New("empty; the command that should have printed it failed")}
	}
	return nil
}

// holdsListing reports whether a bundle has a file about the cluster, and not only about the bundle.
func holdsListing(bundle fs.FS) (found bool) {
	_ = fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if part := PartOf(name); err == nil && info.Size() > 0 && part != "" && part != "MANIFEST" &&
			part != "qstat-help.txt" {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
