package pbs

import (
	"io/fs"
	"strings"
	"time"

	"qprism/engine/model"
)

// A record is one object as a command printed it: a job, a vnode, a queue, with its attributes, whatever the form. It is
// used again for the next object.
type record struct {
	id    string
	line  int // where it begins
	attrs []attribute
	text  []byte // of all values
}

// An attribute is one value: of an attribute, or of one resource of it, "Resource_List" "ncpus".
type attribute struct {
	name, resource string
	line           int
	start, end     int // of its value in the record's text
}

// begin makes the record an object of that name.
func (r *record) begin(id string, line int) {
	r.id, r.line, r.attrs, r.text = id, line, r.attrs[:0], r.text[:0]
}

// add adds a value.
func (r *record) add(name, resource string, line int, value []byte) {
	start := len(r.text)
	r.text = append(r.text, value...)
	r.attrs = append(r.attrs, attribute{name, resource, line, start, len(r.text)})
}

// extend adds text to the last value.
func (r *record) extend(text []byte) {
	if n := len(r.attrs); n > 0 {
		r.text = append(r.text, text...)
		r.attrs[n-1].end = len(r.text)
	}
}

// value is the text of one of the record's attributes; it holds until the record begins anew.
func (r *record) value(a attribute) []byte { return r.text[a.start:a.end] }

// label is the attribute's name as text forms print it, "Resource_List.ncpus".
func (a attribute) label() string {
	if a.resource == "" {
		return a.name
	}
	return a.name + "." + a.resource
}

// maxRecord bounds the text of one object's values.
const maxRecord = 16 << 20

// A kind says how commands print the objects of a kind.
type kind struct {
	name string          // "Job", as qmgr names it
	part string          // of the bundle
	key  string          // in JSON
	form textForm        // as text
	skip map[string]bool // attributes that nobody wants
}

// read calls each for the objects of a kind that a file holds; its name says the form.
func (k kind) read(r *reader, file string, each func(*record)) error {
	base := file[strings.LastIndexByte(file, '/')+1:]
	form, _, _ := strings.Cut(strings.TrimSuffix(base, ".out"), ".out")
	switch {
	case file == "":
		return nil
	case strings.HasPrefix(base, "qmgr_l"):
		return r.eachText(file, listForm(k.name), nil, each)
	case strings.HasPrefix(base, "qmgr_p"):
		return r.eachPrinted(file, strings.ToLower(k.name), each)
	case strings.HasSuffix(form, "json"):
		return r.eachJSON(file, k.key, k.skip, each)
	case strings.HasSuffix(form, "dsv"):
		return r.eachDSV(file, k.skip, each)
	case strings.HasSuffix(form, ".xml"):
		return r.eachXML(file, k.skip, each)
	}
	return r.eachText(file, k.form, k.skip, each)
}

// filler chooses the best file that the bundle has of a kind.
func (r *reader) filler(k kind) *filler { return &filler{reader: r, kind: k, file: r.choose(k.part)} }

// objects calls read for each object in the file.
func (f *filler) objects(read func()) error {
	return f.kind.read(f.reader, f.file, func(rec *record) {
		if f.show != nil {
			f.show(shown(f.kind, rec))
		}
		f.rec, f.fault = rec, nil
		read()
	})
}

// An Object is a job, queue, vnode, server, sched, resource, hook or reservation as a command printed it, whatever the form.
type Object struct {
	Kind       string
	ID         string
	Attributes []Attribute
}

// An Attribute is one value: of an attribute, or of one resource of it.
type Attribute struct{ Name, Resource, Value string }

// Objects reads a bundle, and shows each object that commands printed, without the attributes that nobody wants.
func Objects(bundle fs.FS, show func(Object)) (*model.Snapshot, error) {
	r := newReader(bundle, Options{})
	r.show = show
	return r.read()
}

func shown(k kind, rec *record) Object {
	o := Object{Kind: strings.ToLower(k.name), ID: rec.id}
	for _, a := range rec.attrs {
		o.Attributes = append(o.Attributes, Attribute{a.name, a.resource, string(rec.value(a))})
	}
	return o
}

// places say where the values of a record go: by the name of an attribute, or of an attribute and a resource, a pointer
// whose type says how a value is read. A func() reads the value itself; places in places are those of resources.
type places map[string]any

// known is the place of a value that is kept as it is printed.
type known struct{}

// know adds names that have no place and are no news.
func (p places) know(list string) {
	for name := range names(list) {
		if p[name] == nil {
			p[name] = known{}
		}
	}
}

// inverse is a boolean of the model that is true where the attribute is false.
type inverse bool

// counts is a list of names and numbers, "Queued:6 Running:0".
type counts []model.Setting

// A filler puts the values of records into their places. The first value that cannot be read is the record's fault.
type filler struct {
	*reader
	kind  kind
	file  string
	rec   *record
	attr  attribute // being read
	fault error
	badly attribute // the one with the fault
}

// fill reads the record's values into their places; rest takes each that has none.
func (f *filler) fill(to places, rest func()) {
	for _, f.attr = range f.rec.attrs {
		place := to[f.attr.name]
		if own, of := place.(places); of {
			if place = own[f.attr.resource]; place == nil {
				place = own[""]
			}
		}
		if place == nil || place == (known{}) {
			rest()
		} else {
			f.put(place)
		}
	}
}

// fillAll reads the record's values into their places, and keeps all of them as they are printed, too.
func (f *filler) fillAll(to places, all *[]model.Setting) {
	for _, f.attr = range f.rec.attrs {
		f.put(to[f.attr.name])
		*all = append(*all, f.setting())
	}
}

// put reads the current value into a place.
func (f *filler) put(place any) {
	switch to := place.(type) {
	case *string:
		*to = f.str()
	case *int:
		*to = f.small()
	case *uint32:
		*to = uint32(max(f.small(), 0))
	case *int64:
		*to = read(f, parseInt)
	case *model.Count:
		*to = model.Count{Set: true, N: read(f, parseInt)}
	case *bool:
		*to = read(f, parseBool)
	case *inverse:
		*to = inverse(!read(f, parseBool))
	case *time.Time:
		*to = f.time()
	case *time.Duration:
		*to = read(f, parseDuration)
	case *[]model.Range:
		*to = read(f, parseRanges)
	case *counts:
		*to = f.counts()
	case *[]string:
		*to = f.list()
	case *[]model.Setting:
		*to = append(*to, model.Setting{Name: f.attr.resource, Value: f.str()})
	case *[]model.Request:
		*to = append(*to, f.request())
	case *[]model.Limit:
		f.limits(to)
	case func():
		to()
	}
}

// keep keeps a value among others, and lists it unless its name is known.
func (f *filler) keep(list *[]model.Setting, to places) {
	s := f.setting()
	*list = append(*list, s)
	if to[f.attr.name] != (known{}) {
		f.news(s)
	}
}

// news lists a value that no reader knows.
func (f *filler) news(s model.Setting) { f.Unknown(f.file, f.attr.line, s.Name, s.Value) }

// whole reports whether every value of the record could be read. A record with another is left out.
func (f *filler) whole() bool {
	if f.fault != nil {
		a := f.badly
		f.LeaveOut(f.file, a.line, string(f.rec.value(a)), faultOf(f.rec.id, a, f.fault))
	}
	return f.fault == nil
}
