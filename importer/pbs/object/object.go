package object

import (
	"bytes"
	"strings"

	"qprism/engine/model"
	"qprism/importer/source"
)

// A Record is one object that a command printed, such as a job, vnode or queue, with its attributes. The reader
// uses the same Record again for the next object.
type Record struct {
	ID    string
	Line  int // number of its first line
	Attrs []Attribute
	text  []byte // text of all values
}

// An Attribute is one value of an attribute, or of one resource in it: Name "Resource_List", Resource "ncpus".
type Attribute struct {
	Name, Resource string
	Line           int
	start, end     int // where its value is in the record's text
}

// begin clears the record for an object with this name.
func (r *Record) begin(id string, line int) {
	r.ID, r.Line, r.Attrs, r.text = id, line, r.Attrs[:0], r.text[:0]
}

// add adds a value.
func (r *Record) add(name, resource string, line int, value []byte) {
	start := len(r.text)
	r.text = append(r.text, value...)
	r.Attrs = append(r.Attrs, Attribute{name, resource, line, start, len(r.text)})
}

// extend adds text to the last value.
func (r *Record) extend(text []byte) {
	if n := len(r.Attrs); n > 0 {
		r.text = append(r.text, text...)
		r.Attrs[n-1].end = len(r.text)
	}
}

// Value returns the text of one attribute. It is valid until the reader uses the record again.
func (r *Record) Value(a Attribute) []byte { return r.text[a.start:a.end] }

// Label returns the attribute's name as text forms print it: "Resource_List.ncpus".
func (a Attribute) Label() string {
	if a.Resource == "" {
		return a.Name
	}
	return a.Name + "." + a.Resource
}

// maxRecord limits the text of one object's values.
const maxRecord = 16 << 20

// A Kind says how commands print one kind of objects.
type Kind struct {
	Name    string          // "Job", as qmgr names it
	Key     string          // in JSON
	Text    Text            // as text
	Skip    map[string]bool // attributes that qprism does not use
	Repeats map[string]bool // attributes that JSON prints again for each entry
}

// A Reader reads the objects in the files of one bundle.
type Reader struct {
	*source.Reader
	Repairs *[]model.Repair                // values that a release printed wrong, with their correction
	Stamp   func(file, name, value string) // receives facts about the output: timestamp, pbs_version, pbs_server
}

// Read calls each for every object of a kind in a file. The name of the file shows its form.
func (r *Reader) Read(k *Kind, file string, each func(*Record)) error {
	base := file[strings.LastIndexByte(file, '/')+1:]
	form := strings.TrimSuffix(base, ".out")
	switch {
	case file == "":
		return nil
	case strings.HasPrefix(base, "qmgr_l"):
		return r.eachText(file, listForm(k.Name), nil, each)
	case strings.HasPrefix(base, "qmgr_p"):
		return r.eachPrinted(file, strings.ToLower(k.Name), each)
	case strings.HasSuffix(form, "json"):
		return r.eachJSON(file, k, each)
	case strings.HasSuffix(form, "dsv"):
		return r.eachDSV(file, k.Skip, each)
	case strings.HasSuffix(form, ".xml"):
		return r.eachXML(file, k.Skip, each)
	}
	return r.eachText(file, k.Text, k.Skip, each)
}

// Repair notes a value that a release printed wrong and that qprism corrected. It keeps one note for each file
// and kind.
func (r *Reader) Repair(file string, line int, text []byte, note string) {
	for i := range *r.Repairs {
		if old := &(*r.Repairs)[i]; old.File == file && old.Note == note {
			old.Count++
			return
		}
	}
	const longest = 60
	short := strings.ToValidUTF8(string(text[:min(len(text), longest)]), "\uFFFD")
	*r.Repairs = append(*r.Repairs, model.Repair{File: file, Line: line, Text: short, Note: note, Count: 1})
}

// isWordByte reports whether a byte may begin a name.
func isWordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// cutLabel splits a label into attribute and resource.
func (r *Reader) cutLabel(label []byte) (name, resource string) {
	before, behind, _ := bytes.Cut(label, []byte{'.'})
	return r.Strings.Get(before), r.Strings.Get(behind)
}
