package batch

import (
	"encoding/json"
	"math"
	"time"
)

// A Value is one value of an answer, with the form in which the system's tools print it. The zero value is
// unknown.
type Value struct {
	Is   any // a number, a text, a Time, or a map of values; nil or NaN if unknown
	Text string
}

// Text is a text value; unknown if it is empty.
func Text(text string) Value {
	if text == "" {
		return Value{}
	}
	return Value{text, text}
}

// MarshalJSON writes the exact value: the shortest form that reads back to the same bits, and null for an
// unknown value.
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

// Float is the value as a number; NaN if it is none.
func (v Value) Float() float64 {
	if x, ok := v.Is.(float64); ok {
		return x
	}
	return math.NaN()
}

// A Time is a moment; unknown is zero in Go, null in JSON.
type Time struct{ time.Time }

// MarshalJSON writes a moment by RFC 3339, in UTC.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.UTC().Format(time.RFC3339Nano))
}

// A Moment is the moment of the scheduler run of an answer, and its source; zero if unknown.
type Moment struct {
	At     Time   `json:"run_at"`
	Source string `json:"run_at_source,omitempty"` // in words
}
