package cluster

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/gridengine"
	"qprism/importer/listing"
	"qprism/importer/pbs"
)

// Bounds of the search for files that are known by their content.
const (
	mostLooked = 500      // files
	headRead   = 64 << 10 // bytes of each
	deepest    = 3        // folders
)

// Recognise gives the files of a bundle the usual names by their content. Tables for people and JSON become a
// form that the readers know. It also returns the system of the bundle.
func Recognise(bundle fs.FS) (*importer.Renamed, model.System) {
	files := recognise(bundle)
	return files, systemOf(files)
}

// recognise gives the files of a bundle the names that they have in one, where their own are others: by
// what they hold. A bundle with a MANIFEST, which a capture made, is right about the names that it knows.
func recognise(bundle fs.FS) *importer.Renamed {
	s := &search{bundle: bundle, names: map[string]string{}, tables: map[string]*listing.Table{},
		left: map[string][]listing.Line{}}
	_, err := fs.Stat(bundle, "MANIFEST")
	s.trusts = err == nil
	_ = fs.WalkDir(bundle, ".", s.look) // what cannot be read is said by the reader
	s.useTables()
	return importer.Rename(bundle, s.names, s.tables, s.left)
}

// A search finds out what the files of a bundle are.
type search struct {
	bundle fs.FS
	trusts bool                      // known names are right
	names  map[string]string         // of files, by the names of their content
	tables map[string]*listing.Table // for people, by the names of their content
	left   map[string][]listing.Line // of files that hold listings, what belongs to none
	exact  []string                  // the names of all other files
	found  []found
	looked int
}

func (s *search) look(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return fs.SkipDir
	case entry.IsDir():
		if strings.Count(name, "/") >= deepest {
			return fs.SkipDir
		}
		return nil
	case s.looked == mostLooked:
		return fs.SkipAll
	}
	known := knows(name)
	if known && (s.trusts || !knownByContent(name) && strings.Contains(name, "/")) {
		s.exact = append(s.exact, name)
		return nil
	}
	s.looked++
	is := s.contentOf(name, true)
	s.left[name] = is.left
	switch {
	case is.parts != nil:
		for i, part := range is.parts {
			s.found = append(s.found, found{inFolder(part.Name, fmt.Sprintf("%s-%d.txt", name, i+1)), name, part})
		}
	case is.table != nil:
		s.found = append(s.found, found{is.name, name, is.table})
	case is.name == "" || known && (sameKind(is.name, name) || !knownByContent(name)):
		s.exact = append(s.exact, name)
	case s.names[is.name] == "" && !s.held(is.name, name):
		s.exact, s.names[is.name] = append(s.exact, is.name), name
	}
	return nil
}

// A found is a table for people, and the name that it would have.
type found struct {
	as, name string
	table    *listing.Table
}

// exactness is more for a listing in the form for programs, which says more than a table for people.
func (f found) exactness() int {
	if f.table.Whole() {
		return 1
	}
	return 0
}

// useTables takes tables for people where no file says the same in its form for programs.
func (s *search) useTables() {
	slices.SortStableFunc(s.found, func(a, b found) int { return cmp.Compare(b.exactness(), a.exactness()) })
	var exact []string // the names of copies in the form for programs
	for _, f := range s.found {
		says := func(name string) bool {
			return sameKind(f.as, name) || f.as == "qstat.xml" && name == "qstat-f.xml"
		}
		inFile := func(name string) bool { return name != f.name && says(name) }
		if s.names[f.as] != "" || slices.ContainsFunc(s.exact, inFile) || f.exactness() == 0 &&
			slices.ContainsFunc(exact, says) {
			continue
		}
		s.names[f.as], s.tables[f.as] = f.name, f.table
		if f.exactness() > 0 {
			exact = append(exact, f.as)
		}
	}
	if jobs := s.tables["qstat.xml"]; jobs != nil && !jobs.Whole() && s.tables["qstat-f.xml"] != nil && s.fullListsAll() {
		delete(s.names, "qstat.xml")
		delete(s.tables, "qstat.xml")
	}
}

// job is the number of a job in a line of a table.
var job = regexp.MustCompile(`(?m)^\s*(\d+)\s+[01]\.\d+\s`)

// fullListsAll reports whether the table of qstat -f lists all jobs of that of qstat: its lines say more.
func (s *search) fullListsAll() bool {
	jobs := func(name string) map[string]bool {
		text, _ := fs.ReadFile(s.bundle, s.names[name]) // what cannot be read is said by the reader
		list := map[string]bool{}
		for _, m := range job.FindAllSubmatch(s.tables[name].Own(text), -1) {
			list[string(m[1])] = true
		}
		return list
	}
	full := jobs("qstat-f.xml")
	for number := range jobs("qstat.xml") {
		if !full[number] {
			return false
		}
	}
	return true
}

// knows reports whether a bundle of either system has files of that name.
func knows(name string) bool { return gridengine.Knows(name) || pbs.Knows(name) }

// knownByContent reports whether a file's content says for certain what it is: XML and JSON do.
func knownByContent(name string) bool {
	return slices.Contains([]string{".xml", ".json", ".jsonl"}, path.Ext(name))
}

// sameKind reports whether a file may have the name that it has, by the one that its content has.
func sameKind(as, name string) bool {
	if as == name || gridengine.Knows(as) != gridengine.Knows(name) {
		return as == name
	}
	return pbs.SamePart(as, name) || gridengine.Knows(name) && as == "qstat.xml" && name == "qstat-f.xml"
}

// held reports whether the bundle has another file that is right under that name.
func (s *search) held(as, name string) bool {
	info, err := fs.Stat(s.bundle, as)
	if as == name || err != nil || info.Size() == 0 {
		return false
	}
	is := s.contentOf(as, false)
	return s.trusts || !knownByContent(as) || is.name == as && is.table == nil
}

// A content is what a file holds.
type content struct {
	name  string           // that it has in a bundle; of an object, in the folder of its kind
	table *listing.Table   // of a table for people
	parts []*listing.Table // of several listings, as one copies them from a terminal
	left  []listing.Line   // that belong to none
}

// mostCopied bounds the text that is searched for several listings, in bytes.
const mostCopied = 16 << 20

// contentOf finds out what a file is by its head, and where it may go on with other listings, by all of it.
func (s *search) contentOf(name string, whole bool) (is content) {
	f, err := s.bundle.Open(name)
	if err != nil {
		return content{}
	}
	defer f.Close()
	text := make([]byte, headRead)
	n, err := io.ReadFull(f, text)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return content{}
	}
	text = text[:n]
	if is.table = listing.Find(text, importer.FormOf); is.table != nil {
		is.name, is.left = inFolder(is.table.Name, name), is.table.Left
	} else {
		is.name = inFolder(importer.FormOf(text), name)
	}
	if !whole || isDocument(text) || slices.Contains(listing.Records, is.name) {
		return is
	}
	if rest, err := io.ReadAll(io.LimitReader(f, mostCopied-headRead)); err == nil {
		if parts, left := listing.Parts(append(text, rest...), importer.FormOf); parts != nil {
			is.parts, is.left = parts, left
		}
	}
	return is
}

// isDocument reports whether a file is one document of XML or JSON, and no page that quotes something.
func isDocument(text []byte) bool {
	text, _ = listing.AsPrinted(text)
	start := bytes.TrimLeft(text, "\ufeff \t\r\n")
	return len(start) == 0 || start[0] == '<' || start[0] == '{'
}

// inFolder is the name of an object's file in the folder of its kind; other names are as they are.
func inFolder(as, name string) string {
	if !strings.HasSuffix(as, "/") {
		return as
	}
	return as + strings.TrimSuffix(path.Base(name), path.Ext(name)) + ".txt"
}

// systemOf says which batch system a bundle is of, by the names of its files: PBS also for Torque. A bundle
// of which nothing is known is taken for one of Grid Engine.
func systemOf(bundle fs.FS) model.System {
	if importer.SystemOf(bundle) == model.PBSSystem {
		return model.PBSSystem
	}
	ge, pro := 0, 0
	_ = fs.WalkDir(bundle, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if !entry.IsDir() && gridengine.Knows(name) {
			ge++
		}
		if !entry.IsDir() && pbs.Knows(name) {
			pro++
		}
		return nil
	})
	if pro > ge {
		return model.PBSSystem
	}
	return model.GridEngine
}
