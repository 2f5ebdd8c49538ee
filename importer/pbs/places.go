package pbs

import (
	"fmt"
	"io/fs"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/pbs/object"
)

// A kind is a kind of objects, and the part of a bundle that lists them.
type kind struct {
	object.Kind
	part string
}

// filler chooses the bundle's best file for a kind.
func (r *reader) filler(k *kind) *filler { return &filler{reader: r, kind: k, file: r.choose(k.part)} }

// objects calls read for each object of the kind.
func (f *filler) objects(read func()) error {
	return f.Read(&f.kind.Kind, f.file, func(rec *object.Record) {
		if f.show != nil {
			f.show(shown(f.kind, rec))
		}
		f.rec, f.fault = rec, nil
		read()
	})
}

// An Object is a job, queue, vnode, server, scheduler, resource, hook or reservation that a command printed, in
// any form.
type Object struct {
	Kind       string
	ID         string
	Attributes []Attribute
}

// An Attribute is one value of an attribute, or of one of its resources.
type Attribute struct{ Name, Resource, Value string }

// Objects reads a bundle and passes each object to show, without the attributes that qprism does not use.
func Objects(bundle fs.FS, show func(Object)) (*model.Snapshot, error) {
	r := newReader(bundle, Options{})
	r.show = show
	return r.read()
}

func shown(k *kind, rec *object.Record) Object {
	o := Object{Kind: strings.ToLower(k.Name), ID: rec.ID}
	for _, a := range rec.Attrs {
		o.Attributes = append(o.Attributes, Attribute{a.Name, a.Resource, string(rec.Value(a))})
	}
	return o
}

// places say where the values of a record go: the name of an attribute, and a pointer into the object. The type
// of the pointer says how to read the value. A func() reads the value itself. The places of resources are
// inside the places of their attribute; "" is for all other resources.
type places map[string]any

// known is the place of a value that stays as printed.
type known struct{}

// addKnown adds names without a place.
func (p places) addKnown(list string) {
	for name := range names(list) {
		if p[name] == nil {
			p[name] = known{}
		}
	}
}

// inverse is a boolean of the model that is true if the attribute is false.
type inverse bool

// counts is a list of names and numbers, "Queued:6 Running:0".
type counts []model.Setting

// A filler puts the values of records into their places. It notes the first value that it cannot read.
type filler struct {
	*reader
	kind    *kind
	file    string
	rec     *object.Record
	attr    object.Attribute // the current attribute
	fault   error
	faultAt object.Attribute
}

// fill reads the record's values into their places. rest reads each value without a place.
func (f *filler) fill(to places, rest func()) {
	for _, f.attr = range f.rec.Attrs {
		place := to[f.attr.Name]
		if own, of := place.(places); of {
			if place = own[f.attr.Resource]; place == nil {
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

// fillAll reads the record's values into their places. It also keeps all of them as printed.
func (f *filler) fillAll(to places, all *[]model.Setting) {
	for _, f.attr = range f.rec.Attrs {
		f.put(to[f.attr.Name])
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
		*to = append(*to, model.Setting{Name: f.attr.Resource, Value: f.str()})
	case *[]model.Request:
		*to = append(*to, f.request())
	case *[]model.Limit:
		f.limits(to)
	case func():
		to()
	case nil: // it has no place
	default:
		panic(fmt.Sprintf("%s: no reader of %T", f.attr.Name, place))
	}
}

// keep adds a value to a list of settings. If the name is unknown, it also reports it.
func (f *filler) keep(list *[]model.Setting, to places) {
	s := f.setting()
	*list = append(*list, s)
	if to[f.attr.Name] != (known{}) {
		f.listUnknown(s)
	}
}

// listUnknown reports an unknown value.
func (f *filler) listUnknown(s model.Setting) { f.Unknown(f.file, f.attr.Line, s.Name, s.Value) }

// whole reports whether every value of the record could be read. If not, the record is left out.
func (f *filler) whole() bool {
	if f.fault != nil {
		a := f.faultAt
		f.LeaveOut(f.file, a.Line, string(f.rec.Value(a)), fmt.Errorf("%s: %s: %w", f.rec.ID, a.Label(), f.fault))
	}
	return f.fault == nil
}
