package qconf

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// A part is a part of the configuration in a bundle. It says how to read a file, what the values of its keys
// contain, and how to list its lines.
type part struct {
	name  string                    // name of the file or folder in bundles
	kind  string                    // of its lines
	first string                    // the key that begins an object, if a file has several
	read  func(*configReader) error // nil if another part's reader reads it
	keys  func() fields.Table       // nil for lists
	lines func(*formed)             // nil for lines with key and value
}

// parts lists all parts, in the order of reading.
var parts = []part{
	{"sched_conf.txt", "sched_conf", "", readSchedConf, keysOf(policyFields), nil},
	{"conf.txt", "conf", "", readConf, func() fields.Table { return confFields }, (*formed).confLines},
	{"host_confs/", "conf", "", nil, nil, (*formed).confLines},
	{"complex.txt", "complex", "", readComplex, nil, (*formed).complexLines},
	objects("users/", "user", "name", "oticket fshare", userFields,
		func(s *model.Snapshot) *[]model.User { return &s.Users }),
	objects("projects/", "project", "name", "oticket fshare", projectFields,
		func(s *model.Snapshot) *[]model.Project { return &s.Projects }),
	objects("usersets/", "userset", "name", "type fshare oticket entries", usersetFields,
		func(s *model.Snapshot) *[]model.Userset { return &s.Usersets }),
	{"share_tree.txt", "share_tree", "", readShareTree, keysOf(nodeFields), (*formed).treeLines},
	objects("hosts/", "host", "hostname", "complex_values", hostFields,
		func(s *model.Snapshot) *[]model.Host { return &s.Hosts }),
	objects("hostgroups/", "hostgroup", "group_name", "hostlist", hostGroupFields,
		func(s *model.Snapshot) *[]model.HostGroup { return &s.HostGroups }),
	objects("pes/", "pe", "pe_name", "slots user_lists xuser_lists allocation_rule urgency_slots", peFields,
		func(s *model.Snapshot) *[]model.PE { return &s.PEs }),
	objects("ckpts/", "ckpt", "ckpt_name", "interface when", checkpointFields,
		func(s *model.Snapshot) *[]model.Checkpoint { return &s.Checkpoints }),
	objects("calendars/", "calendar", "calendar_name", "year week", calendarFields,
		func(s *model.Snapshot) *[]model.Calendar { return &s.Calendars }),
	{"rqs/", "rqs", "", readQuotas, keysOf(quotaFields), (*formed).quotaLines},
	{"queues/", "queue", "qname", readQueues, keysOf(queueFields), nil}, // needs hosts and host groups first
	names("managers", func(s *model.Snapshot) *[]string { return &s.Managers }),
	names("operators", func(s *model.Snapshot) *[]string { return &s.Operators }),
	names("admin_hosts", func(s *model.Snapshot) *[]string { return &s.AdminHosts }),
	names("submit_hosts", func(s *model.Snapshot) *[]string { return &s.SubmitHosts }),
	{name: "MANIFEST", kind: "manifest"},
}

// objects makes a part with objects of one kind. required are the keys that each object must have.
func objects[T any](name, kind, first, required string, table func(*T) fields.Table,
	into func(*model.Snapshot) *[]T) part {
	read := func(c *configReader) error { return readObjects(c, name, first, into(c.Snap), table, required) }
	return part{name: name, kind: kind, first: first, read: read, keys: keysOf(table)}
}

// names makes a part that is a list of names.
func names(kind string, into func(*model.Snapshot) *[]string) part {
	file := kind + ".txt"
	read := func(c *configReader) error { return c.names(file, into(c.Snap)) }
	return part{name: file, kind: kind, read: read, lines: (*formed).nameLines}
}

// keysOf returns the keys of a table. Its object is thrown away.
func keysOf[T any](table func(*T) fields.Table) func() fields.Table {
	return func() fields.Table { return table(new(T)) }
}

// Keys returns the keys of configuration files by kind, with the kind of content of their values. Code that
// rewrites such files needs it.
func Keys() map[string]fields.Table {
	all := map[string]fields.Table{}
	for _, p := range parts {
		if p.keys != nil {
			all[p.kind] = p.keys()
		} else if all[p.kind] == nil {
			all[p.kind] = fields.Table{}
		}
	}
	return all
}

// Read reads the files that qconf printed. If the bundle lacks a file, the values stay zero.
func Read(r *bundle.Reader) error {
	c, err := newConfigReader(r)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if p.read == nil {
			continue
		}
		if err := p.read(c); err != nil {
			return err
		}
	}
	return c.eventClients()
}

// A configReader reads configuration files, with the order of commands in MANIFEST.
type configReader struct {
	*bundle.Reader
	place  map[string]int  // place of a file among the commands
	failed map[string]bool // the command that printed the file failed
}

// newConfigReader reads MANIFEST's lines "command FILE rc=N ARGV…". Without them, files are in the order of
// their names, and no command failed.
func newConfigReader(r *bundle.Reader) (*configReader, error) {
	c := &configReader{Reader: r, place: map[string]int{}, failed: map[string]bool{}}
	err := r.EachLine("MANIFEST", func(_ int, text []byte) error {
		if command, ok := strings.CutPrefix(string(text), "command "); ok {
			file, rest, _ := strings.Cut(command, " rc=")
			status, _, _ := strings.Cut(rest, " ")
			c.place[file] = len(c.place)
			c.failed[file] = status != "0"
		}
		return nil
	})
	return c, err
}

// files lists the files of a kind of object: kind.txt, which has all of them, and the files in the folder. They
// are in the order of MANIFEST, then by name. MANIFEST has queues and quota sets in the master's order, and
// others sorted by name.
func (c *configReader) files(kind string) ([]string, error) {
	entries, err := fs.ReadDir(c.Bundle, kind)
	if err != nil && !source.Absent(err) {
		return nil, &importer.Problem{File: kind, Err: err}
	}
	list := []string{kind + ".txt"}
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".txt") {
			list = append(list, path.Join(kind, e.Name()))
		}
	}
	slices.SortStableFunc(list[1:], func(a, b string) int { return c.rank(a) - c.rank(b) })
	return list, nil
}

// rank returns a file's place in MANIFEST. Files that MANIFEST does not list come last.
func (c *configReader) rank(file string) int {
	if place, ok := c.place[importer.RawName(file)]; ok {
		return place
	}
	return len(c.place)
}

// An object is one object of a configuration file, as its lines were printed.
type object struct {
	file string
	line line // the line that begins it
	name string
	rest []line // all lines, with the first
}

// readObjects reads all objects of a kind. Each begins with the line of its name, so a file can have several.
// Quota sets and host configurations have other forms (quota.go, conf.go).
func readObjects[T any](
	c *configReader, part, first string, into *[]T, table func(*T) fields.Table, required string,
) error {
	files, err := c.files(strings.TrimSuffix(part, "/"))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, file := range files {
		objects, err := c.objects(file, first)
		if err != nil {
			return err
		}
		for _, o := range objects {
			if err := o.nameable(seen); err != nil {
				c.LeaveOut(o.file, o.line.number, o.line.text, fmt.Errorf("%s: %w", first, err))
				continue
			}
			var v T
			if c.fill(o, table(&v), required) == nil {
				*into = append(*into, v)
			}
		}
	}
	return nil
}

// nameable returns an error if an object has no name, or the name of another object.
func (o object) nameable(seen map[string]bool) error {
	switch {
	case o.name == "":
		return errMissing
	case seen[o.name]:
		return bundle.ErrAgain
	}
	seen[o.name] = true
	return nil
}

// objects splits a file into its objects.
func (c *configReader) objects(file, first string) (all []object, err error) {
	lines, err := c.lines(file)
	lines = slices.DeleteFunc(lines, line.comment)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	if key, _ := lines[0].pair(); key != first {
		c.LeaveOut(file, lines[0].number, lines[0].text, fmt.Errorf("%s: %w", first, errMissing))
	}
	for _, l := range lines {
		if key, value := l.pair(); key == first {
			all = append(all, object{file: file, line: l, name: value})
		}
		if len(all) > 0 {
			o := &all[len(all)-1]
			o.rest = append(o.rest, l)
		}
	}
	return all, err
}
