package qconf

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"qprism/importer"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
	"qprism/importer/source"
)

// Read reads what qconf printed. A file that the bundle lacks leaves the zero value.
func Read(r *bundle.Reader) error {
	c, err := newConfigReader(r)
	if err != nil {
		return err
	}
	for _, step := range []func(*configReader) error{
		readSchedConf,
		readConf,
		readComplex,
		readUsers,
		readProjects,
		readUsersets,
		readShareTree,
		readHosts,
		readHostGroups,
		readPEs,
		readCheckpoints,
		readCalendars,
		readQuotas,
		readQueues, // and from them, hosts and host groups the queue instances
		readLists,
	} {
		if err := step(c); err != nil {
			return err
		}
	}
	return nil
}

// A configReader reads configuration files, knowing what MANIFEST says of them.
type configReader struct {
	*bundle.Reader
	place  map[string]int  // of a file among the commands
	failed map[string]bool // the command that printed the file failed
}

// newConfigReader looks up MANIFEST's lines "command FILE rc=N ARGV…". Without them files are in the order of their
// names and no command failed.
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

// files are the files of a kind of object: kind.txt, which holds them all, and those of the folder. They
// are in the order of MANIFEST, then by name. Queues and quota sets are in the master's order there, others
// sorted by name.
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

// rank is a file's place in MANIFEST, behind all others where it is not listed.
func (c *configReader) rank(file string) int {
	if place, ok := c.place[importer.RawName(file)]; ok {
		return place
	}
	return len(c.place)
}

// An object is one object of a configuration file, as its lines were printed.
type object struct {
	file string
	line line // that begins it
	name string
	rest []line // all, with the one that begins it
}

// readObjects reads all objects of a kind. The line of its name begins each, so that a file can hold
// several. Quota sets and configurations of hosts have forms of their own (quota.go, conf.go).
func readObjects[T any](
	c *configReader, kind, first string, into *[]T, table func(*T) fields.Table, required string,
) error {
	files, err := c.files(kind)
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

// nameable sees that an object has a name, and one of its own.
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

// objects cuts a file into its objects.
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
