// Package fields reads records of names and values by a table. A table has an entry for each name: the
// place of its value in the model, what reads it, and what a value holds.
//
//	known := fields.Table{
//		"name":    fields.Text(&user.Name),
//		"shares":  fields.Whole(&user.Shares, 0, math.MaxUint32),
//		"expires": fields.Parsed(&user.Expires, parseTime),
//		"rights":  fields.List(&user.Rights).With("read write"),
//		"shell":   fields.Unused(fields.Names),
//	}
//
// One declaration serves three readers. The importer calls Read for each name; a name without an entry is
// unknown, and goes to the snapshot's list. Whoever hides names asks Holds and Words. What is known and not
// used has an entry without a reader.
//
// A table is made anew for each record, or once for a record that is cleared and read again: its entries
// point into it.
//
// Its files:
//   - fields.go: tables and entries
//   - values.go: what reads a value of a kind
package fields

import "fmt"

// Holds says what stands in a value.
type Holds int

// Names are what a site calls its users, hosts and files. Values are numbers, and words of the batch system.
const (
	Values Holds = iota
	Names
)

// A Field is an entry of a table.
type Field struct {
	Read  func(value string) error // nil where the value is not used
	Holds Holds
	Words string // the batch system's own words in such a value, with blanks between
	Form  string // the name of a form in which names and words stand together; empty for none
}

// Unused is an entry for a value that is known and not used.
func Unused(h Holds) Field { return Field{Holds: h} }

// With says which words of a value are the batch system's own.
func (f Field) With(words string) Field { return Field{Read: f.Read, Words: words} }

// As says in which form names and words stand together.
func (f Field) As(form string) Field { return Field{Read: f.Read, Form: form} }

// Holding says that a value holds something else than most of its kind.
func (f Field) Holding(h Holds) Field { return Field{Read: f.Read, Holds: h} }

// A Table has the entries of a record by name.
type Table map[string]Field

// Read reads a value. An error begins with the name.
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
