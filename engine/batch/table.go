package batch

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A Cell is a value with its name.
type Cell struct {
	Name string
	Value
}

// A Row is the values of one thing, of a node or of a job, by the names that its system has for them.
type Row []Cell

// Cell is the value of a name; not known where there is none.
func (r Row) Cell(name string) Value {
	for i := range r {
		if r[i].Name == name {
			return r[i].Value
		}
	}
	return Value{}
}

// MarshalJSON makes an object of the values, in their order.
func (r Row) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, c := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(c.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(c.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// A Column shows the values of one name in a table.
type Column struct {
	Name  string // of the values
	Title string // ">" before it for numbers, which stand on the right
}

// Columns are columns of those titles, by the names that they show; a title that begins with ">" is of numbers.
func Columns(titles ...string) (list []Column) {
	for _, title := range titles {
		list = append(list, Column{Name: strings.TrimPrefix(title, ">"), Title: title})
	}
	return list
}
