package lastrun

import (
	"fmt"
	"math"
	"testing"
)

// TestFieldsPrintAsTheMasterDoes holds the fast printing against that of C, which fmt has.
func TestFieldsPrintAsTheMasterDoes(t *testing.T) {
	for _, v := range []float64{0, math.Copysign(0, -1), 0.5, 0.000005, -0.000004, 0.999999, 1, 99999999, 100000000, 123456789, 1e17, 1e300,
		-12.5, 2.5, math.Inf(1), math.Inf(-1), 5e-324} {
		for f, verb := range map[Field]string{Prio: "%.5f", NTckts: "%.5f", Share: "%.5f", Urg: "%.0f", DLContr: "%.0f"} {
			if verb == "%.0f" && v > 99999999 {
				verb = "%.3g"
			}
			if got, want := f.Print(v), fmt.Sprintf(verb, v); got != want {
				t.Errorf("%s of %g: %s, want %s", f, v, got, want)
			}
		}
	}
	for v, want := range map[float64]string{2.9: "2", -2.9: "-2", 0: "0"} {
		if got := Tckts.Print(v); got != want {
			t.Errorf("tickets %g: %s, want %s", v, got, want)
		}
	}
	if got := Prio.Print(math.NaN()); got != "" {
		t.Errorf("an unknown value prints as %q", got)
	}
}

func TestSameIsWhatPrintsAlike(t *testing.T) {
	for _, c := range []struct {
		field Field
		a, b  float64
		same  bool
	}{
		{Prio, 0.523419, 0.52342, true}, {Prio, 0.523414, 0.52342, false}, {Prio, math.NaN(), math.NaN(), false},
		{Urg, 1e300, 1.001e300, true}, {Urg, 1e300, 1.01e300, false}, {Prio, 1e300, 1e300, true},
		{Tckts, 1 << 32, 0, true}, {Tckts, 1.9, 1, true}, {Tckts, 2, 1, false},
	} {
		if got := c.field.Same(c.a, c.b); got != c.same {
			t.Errorf("%s %g and %g: %v", c.field, c.a, c.b, got)
		}
	}
}
