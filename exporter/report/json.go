package report

import (
	"encoding/json"
	"io"
	"math"
)

// A Number is a float64; NaN is null in JSON.
type Number float64

// MarshalJSON prints the shortest form that reads back to the same bits.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

func (n Number) known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// Positive reports whether the number is known and greater than 0.
func (n Number) Positive() bool { return n.known() && n > 0 }

// JSON writes report.json. Lists without elements are empty, never null.
func JSON(w io.Writer, r *Report) error {
	whole := *r
	whole.Format = format
	filled(&whole.Snapshots)
	filled(&whole.Unused)
	filled(&whole.Verdicts)
	filled(&whole.Concepts)
	filled(&whole.Candidates)
	filled(&whole.Constants)
	filled(&whole.Files)
	filled(&whole.Steps)
	filled(&whole.Renamed)
	filled(&whole.Ledger)
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(&whole)
}

func filled[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}
