package batch

import (
	"encoding/json"
	"math"
	"time"
)

// A Value is one value of an answer: what it is, and how the system's own tools print it. The zero value is one that is not known.
type Value struct {
	Is   any // a number, a text, a Time, or a map of values; nil or NaN where it is not known
	Text string
}

// Text is a value that is a text; not known where that is empty.
func Text(text string) Value {
	if text == "" {
		return Value{}
	}
	return Value{text, text}
}

// MarshalJSON prints the value in full: of a number the shortest form that reads back to the same bits, null for what is not known.
func (v Value) MarshalJSON() ([]byte, error) {
	switch x := v.Is.(type) {
	case float64:
		return number(x, x)
	case float32:
		return number(float64(x), x)
	}
	return json.Marshal(v.Is)
}

func number(v float64, is any) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(is)
}

// Float is the value as a number; NaN for what is none.
func (v Value) Float() float64 {
	if x, ok := v.Is.(float64); ok {
		return x
	}
	return math.NaN()
}

// A Time is a moment that is null in JSON where it is not known, and zero in Go.
type Time struct{ time.Time }

// MarshalJSON prints a moment by RFC 3339, in UTC.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.UTC().Format(time.RFC3339Nano))
}

// A Moment is when the scheduler run was that an answer is of, and what shows that; zero where it is not known.
type Moment struct {
	At     Time   `json:"run_at"`
	Source string `json:"run_at_source,omitempty"` // in words
}
