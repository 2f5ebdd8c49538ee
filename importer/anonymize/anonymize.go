package anonymize

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/importer"
	"qprism/importer/cluster"
	"qprism/importer/gridengine"
)

// A File is a file of the new bundle.
type File struct {
	Name string
	Data []byte
}

// LeftOut is something that the new bundle lacks: a file, a line or an element. It has the original names.
type LeftOut struct {
	File   string
	What   string // a line or element; empty for the whole file
	Reason string
}

// A Result is an anonymous bundle, and a list of what it lacks.
type Result struct {
	Files   []File // by name; MANIFEST is one of them
	LeftOut []LeftOut
	// Patterns match other names after the change to pseudonyms, for example *01 for hosts. Plans of the two
	// bundles may differ.
	Patterns []string
}

// A language says how to read and write the bundles of a system.
type language struct {
	read  func(fs.FS) (*model.Snapshot, error)
	write func(*writer) error
	same  func(c *comparison, a, b string) bool // reports whether b is the pseudonym of a
}

func languageOf(system model.System) *language {
	if system == model.GridEngine {
		return &language{readGridEngine, (*writer).gridEngine, (*comparison).textOfGridEngine}
	}
	return &language{readPBS, (*writer).pbs, (*comparison).textOfPBS}
}

func readGridEngine(bundle fs.FS) (*model.Snapshot, error) {
	return gridengine.Read(bundle, gridengine.Options{})
}

// Run makes a bundle with pseudonyms from the dictionary, and adds new words to the dictionary. It reads the
// result again. If the content differs from the original, Run fails. It leaves out a file that still has a real
// name. It writes tables for people and JSON of Grid Engine in the form for programs.
func Run(own fs.FS, d *Dictionary) (*Result, error) {
	bundle, system := cluster.Recognize(own)
	l := languageOf(system)
	original, err := l.read(bundle)
	if p := (*importer.Problem)(nil); errors.As(err, &p) {
		p.File = bundle.DisplayName(p.File)
	}
	if err != nil {
		return nil, err
	}
	var w *writer
	// Repeat until no new word comes, because a name in a message makes its neighbors names, too.
	for learnt := -1; learnt < len(d.known); {
		learnt = len(d.known)
		if w, err = write(bundle, d, l); err != nil {
			return nil, err
		}
		w.manifest()
	}
	w.dropFilesWithNames()
	if len(w.left) > 0 {
		original, err = l.read(without{bundle, w.gone})
	}
	if err != nil {
		return nil, fmt.Errorf("without what has to be left out: %w", err)
	}
	result := &Result{Files: append(w.files, w.manifest()), LeftOut: w.left}
	for i := range result.LeftOut {
		result.LeftOut[i].File = bundle.DisplayName(result.LeftOut[i].File)
	}
	slices.SortFunc(result.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	if leak := w.findName(result.Files[0].Data); result.Files[0].Name == manifestFile && leak != "" {
		return nil, fmt.Errorf("%s would tell the name %q", manifestFile, leak)
	}
	if err := w.verify(original, result.Files); err != nil {
		for _, l := range result.LeftOut {
			if l.What == "" {
				err = fmt.Errorf("%w; %s is left out: %s", err, l.File, l.Reason)
			}
		}
		return nil, err
	}
	result.Patterns = w.patterns(original)
	return result, nil
}

// A writer writes the files of one bundle.
type writer struct {
	*Dictionary
	bundle     fs.FS
	said       []manifestLine
	failed     map[string]bool // the command that printed the file failed
	files      []File
	names      map[string]string // new names of files, by old name
	left       []LeftOut
	gone       map[string]bool // whole files that were left out
	structural map[string]bool // words of the formats, in lower case
	reported   map[string]bool
	language   *language
}

// write writes all files except MANIFEST.
func write(bundle fs.FS, d *Dictionary, l *language) (*writer, error) {
	w := &writer{Dictionary: d, bundle: bundle, failed: map[string]bool{}, names: map[string]string{},
		gone:       map[string]bool{},
		structural: maps.Clone(formatWords), reported: map[string]bool{}, language: l}
	if err := w.readManifest(); err != nil {
		return nil, err
	}
	return w, l.write(w)
}

// gridEngine writes all files of a Grid Engine bundle except MANIFEST.
func (w *writer) gridEngine() error {
	lines, err := gridengine.Lines(w.bundle)
	if err != nil {
		return err
	}
	byFile := map[string][]model.Line{}
	for _, l := range lines {
		byFile[l.File] = append(byFile[l.File], l)
		if l.Kind == "complex" && l.Key == model.LineEntry {
			w.AddResource(l.Object)
		}
	}
	return fs.WalkDir(w.bundle, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == manifestFile {
			return err
		}
		return w.file(name, byFile[name])
	})
}

// records are the files that are not configuration, with the function that writes them.
var records = map[string]func(w *writer, name string, data []byte) ([]byte, error){
	"qstat.xml": (*writer).xml, "qstat-f.xml": (*writer).xml, "qstat-j.xml": (*writer).xml, "qhost.xml": (*writer).xml,
	"qrstat.xml": (*writer).xml, "qstat-gc.xml": (*writer).xml, "qrstat-ar.xml": (*writer).xml,
	"qstat-urg.txt": (*writer).urgencies, "qstat-help.txt": (*writer).help, "event_clients.txt": (*writer).clients,
	"sge_share_mon.txt": (*writer).shares, "schedule": (*writer).schedule, "messages": (*writer).messages,
	"accounting":       (*writer).accounting,
	"accounting.jsonl": (*writer).accountingJSON,
}

// file writes one file.
func (w *writer) file(name string, lines []model.Line) error {
	write := records[name]
	if write == nil && len(lines) > 0 && keys[lines[0].Kind] == nil {
		w.leave(name, "", cmp.Or(known[name], w.duplicateOf(name), unruled))
		return nil
	}
	data, err := fs.ReadFile(w.bundle, name)
	if err != nil {
		return &importer.Problem{File: name, Err: err}
	}
	switch {
	case len(data) == 0 || w.failed[importer.RawName(name)] && write == nil:
		data = nil
	case write == nil:
		data = w.config(lines)
	default:
		data, err = write(w, name, data)
	}
	if err != nil {
		return err
	}
	w.names[name] = w.newName(name)
	w.files = append(w.files, File{w.names[name], data})
	return nil
}

// duplicateOf returns why a JSON file is left out: another file has the same data for people, or in the written
// form.
func (w *writer) duplicateOf(name string) string {
	base, isJSON := strings.CutSuffix(name, ".json")
	if isJSON && (known[base+".txt"] != "" || !absent(w.bundle, base+".txt") || !absent(w.bundle, base+".xml")) {
		return forPeople
	}
	return ""
}

// newName returns the new name of a file. The file of an object has the object's name.
func (w *writer) newName(name string) string {
	folder, file := path.Split(importer.RawName(name))
	if folder == "" {
		return file
	}
	return folder + w.Name(strings.TrimSuffix(file, ".txt")) + ".txt"
}

// leave notes once what is left out.
func (w *writer) leave(file, what, reason string) {
	if w.reported[file+"\x00"+what] {
		return
	}
	w.reported[file+"\x00"+what] = true
	w.left = append(w.left, LeftOut{file, what, reason})
	if what == "" {
		w.gone[file] = true
	}
}

// without is a bundle without some of its files.
type without struct {
	fs.FS
	gone map[string]bool
}

func (f without) Open(name string) (fs.File, error) {
	if f.gone[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.FS.Open(name)
}
