package gridengine

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
