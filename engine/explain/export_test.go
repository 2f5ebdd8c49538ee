package explain

import (
	"math"

	"qprism/engine/gridengine/urgency"
)

// Coarse lets flip points be looked for as among many jobs, until the function that it returns is called.
func Coarse() (undo func()) {
	before := manyJobs
	manyJobs = 0
	return func() { manyJobs = before }
}

// Evaluate makes the value of a term from those of its terms.
func (t *Term) Evaluate() float64 {
	switch t.Op {
	case Sum:
		return t.Total()
	case Product:
		return t.Multiplied()
	case Normalize:
		return urgency.Normalize(t.Terms[0].Value, t.Terms[1].Value, t.Terms[2].Value)
	case Cut:
		return math.Trunc(t.Terms[0].Value)
	case Single:
		return float64(float32(t.Terms[0].Value))
	case Copy:
		return t.Terms[0].Value
	}
	return t.Value
}
