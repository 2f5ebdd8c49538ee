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

// Limits of the search for files by their content.
const (
	mostLooked = 500      // files
	headRead   = 64 << 10 // bytes of each
	deepest    = 3        // folders
)

// Recognize gives the files of a bundle the usual names by their content. Tables for people and JSON become a
// form that the readers know. It also returns the system of the bundle.
func Recognize(bundle fs.FS) (*importer.Renamed, model.System) {
	files := recognise(bundle)
	return files, systemOf(files)
}

// recognise gives the files of a bundle their usual names, by their content. If a bundle has a MANIFEST, a
// capture made it. Then the names that MANIFEST knows are right.
func recognise(bundle fs.FS) *importer.Renamed {
	s := &search{bundle: bundle, names: map[string]string{}, tables: map[string]*listing.Table{},
		left: map[string][]listing.Line{}}
	_, err := fs.Stat(bundle, "MANIFEST")
	s.trusts = err == nil
	_ = fs.WalkDir(bundle, ".", s.look) // the reader will report files that cannot be read
	s.useTables()
	return importer.Rename(bundle, s.names, s.tables, s.left)
}

// A search finds out what the files of a bundle contain.
type search struct {
	bundle fs.FS
	trusts bool                      // known names are right
	names  map[string]string         // names of files, by the names for their content
	tables map[string]*listing.Table // tables for people, by the names for their content
	left   map[string][]listing.Line // by file with listings: lines that belong to no listing
	exact  []string                  // names of all other files
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

// A found is a table for people, and its possible name.
type found struct {
	as, name string
	table    *listing.Table
}

// exactness is greater for a listing in the form for programs, which has more data than a table for people.
func (f found) exactness() int {
	if f.table.Whole() {
		return 1
	}
	return 0
}

// useTables uses a table for people if no file has the same data in the form for programs.
func (s *search) useTables() {
	slices.SortStableFunc(s.found, func(a, b found) int { return cmp.Compare(b.exactness(), a.exactness()) })
	var exact []string // names of copies in the form for programs
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

// job finds the number of a job in a line of a table.
var job = regexp.MustCompile(`(?m)^\s*(\d+)\s+[01]\.\d+\s`)

// fullListsAll reports whether the table of qstat -f has all jobs of the table of qstat. Its lines have more
// data.
func (s *search) fullListsAll() bool {
	jobs := func(name string) map[string]bool {
		text, _ := fs.ReadFile(s.bundle, s.names[name]) // the reader will report a file that cannot be read
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

// knownByContent reports whether the content of such a file always shows what it is. This is true for XML and
// JSON.
func knownByContent(name string) bool {
	return slices.Contains([]string{".xml", ".json", ".jsonl"}, path.Ext(name))
}

// sameKind reports whether a file may keep its name, by the name for its content.
func sameKind(as, name string) bool {
	if as == name || gridengine.Knows(as) != gridengine.Knows(name) {
		return as == name
	}
	return pbs.SamePart(as, name) || gridengine.Knows(name) && as == "qstat.xml" && name == "qstat-f.xml"
}

// held reports whether the bundle has another file that has this name by right.
func (s *search) held(as, name string) bool {
	info, err := fs.Stat(s.bundle, as)
	if as == name || err != nil || info.Size() == 0 {
		return false
	}
	is := s.contentOf(as, false)
	return s.trusts || !knownByContent(as) || is.name == as && is.table == nil
}

// A content says what a file contains.
type content struct {
	name  string           // its name in a bundle; for an object, in the folder of its kind
	table *listing.Table   // set for a table for people
	parts []*listing.Table // set for several listings, for example copied from a terminal
	left  []listing.Line   // lines that belong to no listing
}

// mostCopied is the greatest size in bytes of a text in which the search looks for several listings.
const mostCopied = 16 << 20

// contentOf finds out what a file contains, by its beginning. If whole is true, it also looks for other
// listings in the rest.
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

// isDocument reports whether a file is one XML or JSON document, and not a page that quotes one.
func isDocument(text []byte) bool {
	text, _ = listing.AsPrinted(text)
	start := bytes.TrimLeft(text, "\ufeff \t\r\n")
	return len(start) == 0 || start[0] == '<' || start[0] == '{'
}

// inFolder returns the name of an object's file in the folder of its kind. Other names stay the same.
func inFolder(as, name string) string {
	if !strings.HasSuffix(as, "/") {
		return as
	}
	return as + strings.TrimSuffix(path.Base(name), path.Ext(name)) + ".txt"
}

// systemOf finds the batch system of a bundle by the names of its files. The result is PBS also for Torque, and
// Grid Engine if nothing shows the system.
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
