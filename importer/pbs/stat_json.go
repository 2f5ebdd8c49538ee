package pbs

import (
	"fmt"
	"strings"

	"qprism/engine/model"
)

// eachJSON reads a file of "qstat -F json" or "pbsnodes -F json", one object of the named part at a time; skip names
// attributes that are passed over.
func (r *reader) eachJSON(file, part string, skip map[string]bool, each func(*record)) error {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	x := &jsonFile{scanner: newScanner(f, file, r.repairer(file)), reader: r, skips: skip, each: each}
	x.object(func(key []byte) {
		switch name := r.Strings.Get(key); name {
		case part:
			x.objects()
		case "timestamp", "pbs_version", "pbs_server":
			r.stamp(file, name, string(x.scalar()))
		default:
			r.Unknown(file, x.line(), name, "")
			x.skip()
		}
	})
	if x.err == nil && x.peek() != 0 {
		x.fail(errMore)
	}
	return r.settle(x.err)
}

var errMore = fmt.Errorf("more after the end of the document")

// A jsonFile reads one JSON file of a bundle, object by object.
type jsonFile struct {
	*scanner
	reader *reader
	skips  map[string]bool
	each   func(*record)
	record record
	seen   map[attribute]int // places of values by name
}

// objects reads an object of objects.
func (x *jsonFile) objects() {
	x.seen = map[attribute]int{}
	x.object(func(key []byte) {
		x.record.begin(string(key), x.line())
		x.attributes()
		if x.scanner.err == nil {
			x.unique()
			x.each(&x.record)
		}
	})
}

// attributes reads the attributes of one object.
func (x *jsonFile) attributes() {
	x.object(func(key []byte) {
		name := x.reader.Strings.Get(key)
		switch c := x.peek(); {
		case x.skips[name]:
			x.skip()
		case c == '{':
			x.object(func(key []byte) { x.value(name, x.reader.Strings.Get(key)) })
		default:
			x.value(name, "")
		}
		if len(x.record.text) > maxRecord {
			x.fail(errHuge)
		}
	})
}

var errHuge = fmt.Errorf("an object of more than %d bytes", maxRecord)

// value reads one value. The elements of a list are joined by commas, as text forms print them.
func (x *jsonFile) value(name, resource string) {
	line := x.line()
	switch x.peek() {
	case '[':
		x.record.add(name, resource, line, nil)
		first := true
		x.array(func() {
			if !first {
				x.record.extend([]byte{','})
			}
			first = false
			x.inner()
		})
	case '{':
		x.record.add(name, resource, line, nil)
		x.inner()
	default:
		x.record.add(name, resource, line, x.scalar())
	}
}

// inner adds to the last value what lies deeper than any command means to print: a text that looked like JSON to it.
func (x *jsonFile) inner() {
	switch x.peek() {
	case '[':
		x.array(x.inner)
	case '{':
		x.object(func(key []byte) {
			x.record.extend(append(append([]byte(nil), key...), '='))
			x.inner()
			x.record.extend([]byte{','})
		})
	default:
		x.record.extend(x.scalar())
	}
}

// unique leaves the last of several values with one name. Limits repeat their names: each entry of one is printed as an
// attribute of its own, and all of them count.
func (x *jsonFile) unique() {
	clear(x.seen)
	list := x.record.attrs[:0]
	for _, a := range x.record.attrs {
		key := attribute{name: a.name, resource: a.resource}
		if i, twice := x.seen[key]; twice && !limitNames[a.name] {
			x.repair(a.line, []byte(a.label()), "a key given twice; the last one counts")
			list[i] = a
			continue
		}
		x.seen[key] = len(list)
		list = append(list, a)
	}
	x.record.attrs = list
}

// repairer notes what a release printed wrong and the importer set right, once a file and kind.
func (r *reader) repairer(file string) func(line int, text []byte, note string) {
	return func(line int, text []byte, note string) {
		list := &r.pbs.Repairs
		for i := range *list {
			if (*list)[i].File == file && (*list)[i].Note == note {
				(*list)[i].Count++
				return
			}
		}
		const longest = 60
		short := strings.ToValidUTF8(string(text[:min(len(text), longest)]), "\uFFFD")
		*list = append(*list, model.Repair{File: file, Line: line, Text: short, Note: note, Count: 1})
	}
}
