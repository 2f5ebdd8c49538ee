package gridengine

// elements are the elements that may stand inside another one, and what reads each; nil for one that is passed over.
type elements map[string]func()

// put reads a value into its place.
func put[T any](into *T, read func() T) func() { return func() { *into = read() } }

// add reads a value more of a list.
func add[T any](into *[]T, read func() T) func() { return func() { *into = append(*into, read()) } }

// read reads what stands inside the innermost open element.
func (x *xmlFile) read(known elements) {
	for d := x.depth(); x.child(d); {
		x.element(known)
	}
}

// element reads the innermost open element. One that nobody knows is kept in the snapshot's list.
func (x *xmlFile) element(known elements) {
	read, ok := known[string(x.name())]
	switch {
	case read != nil:
		read()
	case !ok && !uninteresting[string(x.name())]:
		x.unknown()
	}
}

// A listReader reads lists whose entries are of one kind.
type listReader[T any] struct {
	x     *xmlFile
	entry T // the one that is being read
	known elements
}

func newList[T any](x *xmlFile, table func(entry *T) elements) *listReader[T] {
	l := &listReader[T]{x: x}
	l.known = table(&l.entry)
	return l
}

func (r *listReader[T]) read() (all []T) {
	for l := r.x.list(); l.next(); {
		r.entry = *new(T)
		for l.field() {
			r.x.element(r.known)
		}
		all = append(all, r.entry)
	}
	return all
}

// under reads a list of whose entries one field counts.
func under[T any](x *xmlFile, name string, read func() T) (all []T) {
	for l := x.list(); l.next(); {
		for l.field() {
			if string(x.name()) == name {
				all = append(all, read())
			}
		}
	}
	return all
}

// An xmlList reads the entries of a list: elements that each hold an entry, or, as some releases print them, the fields of all entries one
// behind the other, where the field that came first begins the next entry. It is used like this:
//
//	for l := x.list(); l.next(); {
//		for l.field() {
//			switch string(x.name()) {
type xmlList struct {
	x            *xmlFile
	depth, inner int
	first        string // the field that begins an entry; empty where elements hold them
	here         bool   // the first field of the next entry is read
	over         bool
}

// list is a list whose element was read last.
func (x *xmlFile) list() xmlList { return xmlList{x: x, depth: x.depth()} }

// next goes on to the next entry.
func (l *xmlList) next() bool {
	switch {
	case l.here:
		return true
	case l.over || !l.x.child(l.depth):
		return false
	case isField(l.x.name()):
		l.first, l.here = string(l.x.name()), true
	default:
		l.inner = l.x.depth()
	}
	return true
}

// field goes on to the next field of the entry.
func (l *xmlList) field() bool {
	switch {
	case l.here:
		l.here = false
		return true
	case l.first == "":
		return l.x.child(l.inner)
	case !l.x.child(l.depth):
		l.over = true
		return false
	case string(l.x.name()) == l.first:
		l.here = true
		return false
	}
	return true
}

// isField reports whether an element is named as fields are, "JB_owner": letters that are all capital, and a line below.
func isField(name []byte) bool {
	for i, c := range name {
		if c == '_' {
			return i > 0
		}
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return false
}
