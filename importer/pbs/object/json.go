package object

import (
	"errors"
	"fmt"

	"qprism/importer"
)

// eachJSON reads a file of "qstat -F json" or "pbsnodes -F json", one object at a time.
func (r *Reader) eachJSON(file string, k *Kind, each func(*Record)) error {
	f, err := r.Open(file)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	repair := func(line int, text []byte, note string) { r.Repair(file, line, text, note) }
	x := &jsonFile{scanner: newScanner(f, file, repair), reader: r, kind: k, each: each}
	x.object(func(key []byte) {
		switch name := r.Strings.Get(key); name {
		case k.Key:
			x.objects()
		case "timestamp", "pbs_version", "pbs_server":
			r.Stamp(file, name, string(x.scalar()))
		default:
			r.Unknown(file, x.line(), name, "")
			x.skip()
		}
	})
	if x.err == nil && x.peek() != 0 {
		x.fail(errMore)
	}
	var p *importer.Problem
	if !errors.As(x.err, &p) {
		return x.err
	}
	return r.Problem(p.File, p.Line, p.Text, p.Err)
}

var errMore = errors.New("more after the end of the document")

// A jsonFile reads one JSON file of a bundle, object by object.
type jsonFile struct {
	*scanner
	reader *Reader
	kind   *Kind
	each   func(*Record)
	record Record
	seen   map[Attribute]int // indices of values, by name
}

// objects reads an object of objects.
func (x *jsonFile) objects() {
	x.seen = map[Attribute]int{}
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
		case x.kind.Skip[name]:
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

// value reads one value. Commas join the elements of a list, as in text forms.
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

// inner adds values that are nested too deeply: the command printed a text that looked like JSON.
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

// unique keeps the last of several values with one name. Limits may repeat their names: all entries count.
func (x *jsonFile) unique() {
	clear(x.seen)
	list := x.record.Attrs[:0]
	for _, a := range x.record.Attrs {
		key := Attribute{Name: a.Name, Resource: a.Resource}
		if i, twice := x.seen[key]; twice && !x.kind.Repeats[a.Name] {
			x.repair(a.Line, []byte(a.Label()), "a key given twice; the last one counts")
			list[i] = a
			continue
		}
		x.seen[key] = len(list)
		list = append(list, a)
	}
	x.record.Attrs = list
}
