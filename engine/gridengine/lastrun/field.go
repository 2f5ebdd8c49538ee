package lastrun

import (
	"fmt"
	"math"

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
func (f Field) Print(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case f <= NTckts || f == Share:
		return fmt.Sprintf("%.5f", v)
	case f >= Tckts:
		return fmt.Sprintf("%d", int64(v)) // cut toward zero
	case v > 99999999:
		return fmt.Sprintf("%.3g", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// Same reports whether two known values print alike. XML has tickets as 32-bit integers, which overflow.
func (f Field) Same(a, b float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return false
	case f >= Tckts && f <= Stckt:
		return int32(int64(a)) == int32(int64(b))
	}
	return a == b || f.Print(a) == f.Print(b)
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
