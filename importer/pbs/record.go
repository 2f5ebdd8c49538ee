package pbs

// A record is one object as a command printed it: a job, a vnode, a queue … with its attributes, whatever the format.
// It is used again for the next object.
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
