package lastrun

import (
	"bytes"
	"math"
	"strconv"

	"qprism/engine/model"
)

// A Field is a number that the master prints for a task.
type Field int

// The fields in the order of reports, by Grid Engine's column names.
const (
	Prio Field = iota
	NPPrior
	NUrg
	NTckts
	Urg
	RRContr
	WTContr
	DLContr
	Tckts
	Otckt
	Ftckt
	Stckt
	Share
	Fields // their number
)

var fieldNames = [Fields]string{"prio", "npprior", "nurg", "ntckts", "urg", "rrcontr", "wtcontr", "dlcontr",
	"tckts", "otckt", "ftckt", "stckt", "share"}

func (f Field) String() string { return fieldNames[f] }

// Print formats a value as the master does in XML, qstat(1).
func (f Field) Print(v float64) string { return string(f.appendTo(nil, v)) }

// appendTo appends what Print returns.
func (f Field) appendTo(to []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return to
	case f <= NTckts || f == Share:
		return strconv.AppendFloat(to, v, 'f', 5, 64)
	case f >= Tckts:
		return strconv.AppendInt(to, int64(v), 10) // cut toward zero
	case v > 99999999:
		return strconv.AppendFloat(to, v, 'g', 3, 64)
	}
	return strconv.AppendFloat(to, v, 'f', 0, 64)
}

// Same reports whether two known values print alike. XML has tickets as 32-bit integers, which overflow.
func (f Field) Same(a, b float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return false
	case f >= Tckts && f <= Stckt:
		return int32(int64(a)) == int32(int64(b))
	}
	var first, second [32]byte // an audit compares a million values
	return a == b || bytes.Equal(f.appendTo(first[:0], a), f.appendTo(second[:0], b))
}

// Values are all fields of one task; NaN for an unknown one.
type Values [Fields]float64

var nothing = func() (v Values) {
	for f := range v {
		v[f] = math.NaN()
	}
	return v
}()

// Reported are the printed values of a task.
func Reported(j *model.Job, t *model.Task) Values {
	v := nothing
	if r := t.Reported; r != nil {
		v[Prio], v[NTckts], v[Tckts], v[Otckt], v[Ftckt], v[Stckt], v[Share] = r.Prio, r.NTckts,
			r.Tckts, r.Otckt, r.Ftckt, r.Stckt, r.Share
	}
	if r := j.Reported; r != nil {
		v[NPPrior], v[NUrg], v[Urg], v[RRContr], v[WTContr], v[DLContr] = r.NPPrior, r.NUrg,
			r.Urg, r.RRContr, r.WTContr, r.DLContr
	}
	return v
}

// Affects are the fields that are computed from this field.
func (f Field) Affects() []Field {
	switch f {
	case RRContr, WTContr, DLContr:
		return []Field{f, Urg, NUrg, Prio}
	case Otckt, Ftckt, Stckt:
		return []Field{f, Tckts, NTckts, Share, Prio}
	case NPPrior:
		return []Field{f, Prio}
	}
	return []Field{f}
}
