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

// A Row has the values of a node or a job, by the system's names.
type Row []Cell

// Cell is the value of a name; unknown if there is none.
func (r Row) Cell(name string) Value {
	for i := range r {
		if r[i].Name == name {
			return r[i].Value
		}
	}
	return Value{}
}

// MarshalJSON makes an object of the values, in order.
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

// A Column is a column of a table.
type Column struct {
	Name  string // of its values
	Title string // ">" before it for numbers, which are aligned right
}

// Columns are columns with these titles, by name. A title that begins with ">" is for numbers.
func Columns(titles ...string) (list []Column) {
	for _, title := range titles {
		list = append(list, Column{Name: strings.TrimPrefix(title, ">"), Title: title})
	}
	return list
}
