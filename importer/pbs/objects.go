package pbs

import (
	"io/fs"

	"qprism/engine/model"
)

// An Object is a job, queue, vnode, server, sched, resource, hook or reservation as a command printed it, whatever the form.
type Object struct {
	Kind       string
	ID         string
	Attributes []Attribute
}

// An Attribute is one value: of an attribute, or of one resource of it.
type Attribute struct{ Name, Resource, Value string }

// Objects reads a bundle, and shows each object that commands printed, without what is passed over.
func Objects(bundle fs.FS, show func(Object)) (*model.Snapshot, error) {
	r := newReader(bundle, Options{})
	r.show = show
	return r.read()
}

// shown shows the objects of a kind before they are read.
func (r *reader) shown(kind string, each func(*record) error) func(*record) error {
	if r.show == nil {
		return each
	}
	return func(rec *record) error {
		o := Object{Kind: kind, ID: rec.id}
		for _, a := range rec.attrs {
			o.Attributes = append(o.Attributes, Attribute{a.name, a.resource, string(rec.value(a))})
		}
		r.show(o)
		return each(rec)
	}
}
