package show

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
)

type below struct {
	Name  string `json:"name"`
	Value float64
}

type answer struct {
	Cluster string `json:"cluster"`
	*below
	Name string    `json:"name"` // in place of the one below
	At   time.Time `json:"at"`
}

func TestAnswersHaveOneMappingToJSON(t *testing.T) {
	for want, v := range map[string]any{
		`null`:                     math.NaN(),
		`[]`:                       []int(nil),
		`[null,1.5]`:               [2]time.Duration{model.Forever, 1500 * time.Millisecond},
		`"2026-11-21T08:05:25.5Z"`: time.Date(2026, 11, 21, 9, 5, 25, 5e8, time.FixedZone("", 3600)),
		`{"a":[],"b":[null]}`:      map[string][]float64{"b": {math.Inf(1)}, "a": nil},
		`{"cluster":"lab","Value":0.1,"name":"own","at":null}`: answer{Cluster: "lab", Name: "own", below: &below{"not this", 0.1}},
		`{"cluster":"","name":"","at":"1970-01-01T00:00:00Z"}`: answer{At: time.Unix(0, 0)},
		`{"job":5,"run_at":null}`: batch.Row{{Name: "job", Value: batch.Value{Is: 5}},
			{Name: "run_at", Value: batch.Value{}}},
		`{"what":1}`: struct {
			W any `json:"what"`
		}{1},
		`"\u003cb\u003e"`: "<b>",
	} {
		got, err := Marshal(v)
		if err != nil || string(got) != want {
			t.Errorf("%+v: %s, %v, want %s", v, got, err, want)
		}
	}
}

// TestAnswersOfPlainTypesAreAsEncodingJSONHasThem holds the mapping against the library where they should agree.
func TestAnswersOfPlainTypesAreAsEncodingJSONHasThem(t *testing.T) {
	type inner struct {
		A int      `json:"a,omitempty"`
		B []string `json:"b,omitempty"`
		C *int     `json:"c"`
		D string   `json:"-"`
		e int
	}
	for _, v := range []any{1, "a\x00b\u2028", "a b", "\"\\&\x7f", int8(-1), 120.0, -1e14, 1e15, math.Copysign(0, -1),
		1e21, 1e-9, float32(0.1), true, nil, inner{}, inner{A: 1, B: []string{"x"}, D: "d", e: 1},
		[]inner{{}, {A: 2}}, map[string]int{"z": 1, "a": 2}} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Marshal(v); err != nil || string(got) != string(want) {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
