package anonymize

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"qprism/importer"
	"qprism/importer/pbs"
)

const manifestFile = "MANIFEST"

// A manifestLine is a line of the original's MANIFEST.
type manifestLine struct{ key, value string }

// readManifest reads MANIFEST, and which commands failed.
func (w *writer) readManifest() error {
	data, err := fs.ReadFile(without{w.bundle, nil}, manifestFile)
	if err != nil && !absent(w.bundle, manifestFile) {
		return &importer.Problem{File: manifestFile, Err: err}
	}
	for text := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
		w.said = append(w.said, manifestLine{key, strings.TrimSpace(value)})
		if key == "command" {
			file, rest, _ := strings.Cut(value, " rc=")
			status, _, _ := strings.Cut(rest, " ")
			w.failed[file] = status != "0"
		}
	}
	return nil
}

func absent(bundle fs.FS, name string) bool {
	_, err := fs.Stat(bundle, name)
	return err != nil
}

// manifest makes the MANIFEST of the new bundle. Its commands have no arguments. Their order is the order in
// which the files of the original are read.
func (w *writer) manifest() File {
	var b strings.Builder
	for _, l := range w.said {
		switch l.key {
		case "taken_at", "listed_at", "utc_offset":
			fmt.Fprintf(&b, "%s %s\n", l.key, w.ValueOf(l.value, set("Z")))
		case "master", "cell", "scheduler":
			fmt.Fprintf(&b, "%s %s\n", l.key, w.Name(l.value))
		case "left_out":
			fmt.Fprintf(&b, "left_out %s\n", w.hidden(l.value))
		case "kept", "without":
			file, rest, _ := strings.Cut(l.value, " ")
			fmt.Fprintf(&b, "%s %s %s\n", l.key, w.newName(file), w.ValueOf(rest, elements))
		}
	}
	for _, name := range w.inOrder() {
		status := 0
		if w.failed[importer.RawName(name)] {
			status = 1
		}
		fmt.Fprintf(&b, "command %s rc=%d\n", w.names[name], status)
	}
	for _, l := range w.left {
		if l.What == "" {
			fmt.Fprintf(&b, "left_out %s\n", w.hidden(l.File))
		}
	}
	return File{manifestFile, []byte(b.String())}
}

// hidden returns the name of a file that is left out. A usual name stays, any other name becomes its pseudonym.
func (w *writer) hidden(name string) string {
	if known[name] != "" || pbs.Knows(name) && !strings.ContainsRune(name, '/') && !strings.HasPrefix(name, "sched_") {
		return name
	}
	folder, file := path.Split(importer.RawName(name))
	return w.ValueOf(folder, knownFolders) + w.ValueOf(file, set("txt"))
}

// known are files that are always left out, with the reason.
var known = map[string]string{
	"qstat-pri.txt": forPeople, "qstat-ext.txt": forPeople, "qstat-j.txt": forPeople, "qquota.txt": forPeople,
	"categories.txt": forPeople,
	"reporting":      unruled, "reporting.jsonl": unruled,
}

const (
	forPeople = "other files say the same"
	unruled   = "no rule says what in it is a name"
)

var knownFolders = set("users projects usersets queues hosts hostgroups pes rqs calendars ckpts host_confs")

// inOrder lists the written files, in the order in which the files of the original are read.
func (w *writer) inOrder() []string {
	rank := map[string]int{}
	for i, l := range w.said {
		if file, _, ok := strings.Cut(l.value, " rc="); ok && l.key == "command" {
			rank[file] = i
		}
	}
	of := func(name string) int {
		if r, ok := rank[importer.RawName(name)]; ok {
			return r
		}
		return math.MaxInt
	}
	var list []string
	for name := range w.names {
		list = append(list, name)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(of(a), of(b)), cmp.Compare(a, b)) })
	return list
}
