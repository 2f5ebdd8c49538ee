// Package fields reads records of names and values by a table. The table has an entry for each name. An entry
// says where the value goes in the model, and which function reads the value. It also says which kind of
// words the value can contain.
//
//	known := fields.Table{
//		"name":    fields.Text(&user.Name),
//		"shares":  fields.Whole(&user.Shares, 0, math.MaxUint32),
//		"expires": fields.Parsed(&user.Expires, parseTime),
//		"rights":  fields.List(&user.Rights).With("read write"),
//		"shell":   fields.Unused(fields.Names),
//	}
//
// One table has three uses: to read values, to find unknown names, and to anonymize values. The importer
// calls Read for each name. If a name has no entry, the importer adds the name to the snapshot's list of
// unknown names. The anonymizer uses the fields Holds and Words of an entry. A name that qprism knows but
// does not use has an entry without a reader.
//
// The entries of a table point into one record. So the importer makes a table for each record, or clears
// and reuses one record with its table.
//
// Its files:
//   - fields.go: tables and entries
//   - values.go: readers for kinds of values
package fields

import "fmt"

// Holds says what kind of content a value has.
type Holds int

// Names are a site's names for users, hosts and files. Values are numbers and words of the batch system.
const (
	Values Holds = iota
	Names
)

// A Field is an entry of a table.
type Field struct {
	Read  func(value string) error // nil if the value is not used
	Holds Holds
	Words string // the batch system's own words in such a value, separated by blanks
	Form  string // the name of a form that mixes names and words; empty for none
}

// Unused makes an entry for a value that qprism knows but does not use.
func Unused(h Holds) Field { return Field{Holds: h} }

// With adds the batch system's own words that may appear in a value.
func (f Field) With(words string) Field { return Field{Read: f.Read, Words: words} }

// As sets the form of a value that mixes names and words.
func (f Field) As(form string) Field { return Field{Read: f.Read, Form: form} }

// Holding sets the kind of content, if it is not the usual one of the reader.
func (f Field) Holding(h Holds) Field { return Field{Read: f.Read, Holds: h} }

// A Table has the entries of a record, by name.
type Table map[string]Field

// Read reads a value with the entry for name. The error begins with the name.
func (t Table) Read(name, value string) (known bool, err error) {
	f, known := t[name]
	if f.Read == nil {
		return known, nil
	}
	if err := f.Read(value); err != nil {
		return true, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}
