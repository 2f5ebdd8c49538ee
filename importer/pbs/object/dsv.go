package object

import (
	"bytes"
	"errors"
)

var errNoDSV = errors.New(`no object: the line does not begin with "Job Id"`)

// eachDSV reads a file of "qstat -f -F dsv", a line for each object: "Job Id: 1.a|name=value|name.resource=value|…". A
// backslash escapes a bar or a backslash.
func (r *Reader) eachDSV(file string, skip map[string]bool, each func(*Record)) error {
	var rec Record
	var field []byte
	return r.EachLine(file, func(number int, line []byte) error {
		if len(line) == 0 {
			return nil
		}
		rest, ok := bytes.CutPrefix(line, []byte("Job Id:"))
		if !ok {
			return r.Problem(file, number, string(line), errNoDSV)
		}
		field, rest = cutDSV(field[:0], rest)
		rec.begin(string(bytes.TrimSpace(field)), number)
		for rest != nil {
			field, rest = cutDSV(field[:0], rest)
			r.dsvField(&rec, number, field, skip)
		}
		each(&rec)
		return nil
	})
}

// dsvField adds one field, "name.resource=value".
func (r *Reader) dsvField(rec *Record, number int, field []byte, skip map[string]bool) {
	label, value, ok := bytes.Cut(field, []byte{'='})
	if ok {
		if name, resource := r.cutLabel(label); !skip[name] {
			rec.add(name, resource, number, value)
		}
	} else if len(field) > 0 {
		r.Unknown("qstat_f.dsv", number, "field", string(field))
	}
}

// cutDSV removes the first field from a line, and appends it to field without its escapes. rest is nil after
// the last field.
func cutDSV(field, line []byte) (first, rest []byte) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && (line[i+1] == '|' || line[i+1] == '\\'):
			i++
			field = append(field, line[i])
		case c == '|':
			return field, line[i+1:]
		default:
			field = append(field, c)
		}
	}
	return field, nil
}
