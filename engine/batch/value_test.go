package batch

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

func TestAValueIsPrintedInFullAndNullWhereItIsNotKnown(t *testing.T) {
	for want, v := range map[string]any{
		`null`:                     Value{},
		`3`:                        Value{Is: uint32(3), Text: "3"},
		`0.1`:                      Value{Is: float32(0.1)}, // 32 bits stay as short as they are
		`0.5`:                      Value{Is: 0.5, Text: "0.50000"},
		`"a"`:                      Text("a"),
		`[null]`:                   []Value{{Is: math.NaN()}},
		`[null,null]`:              []any{Value{Is: float32(math.Inf(1))}, Time{}},
		`"2026-11-21T08:05:25.5Z"`: Value{Is: Time{time.Date(2026, 11, 21, 9, 5, 25, 5e8, time.FixedZone("", 3600))}},
		`{"run_at":null}`:          Moment{},
	} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%+v: %s, %v, want %s", v, got, err, want)
		}
	}
	if Text("") != (Value{}) {
		t.Error("no text is known")
	}
}
