package schedconfig

import (
	"testing"

	"qprism/engine/model"
)

// TestEveryOptionOfTheTableIsReadOrGone gives each option a value: one that is obeyed is no unknown parameter, one that is gone has no
// effect, and switches turn on and off.
func TestEveryOptionOfTheTableIsReadOrGone(t *testing.T) {
	for _, o := range Options {
		x := New()
		x.Line(model.SchedLine{Line: 1, Name: o.Name, Value: "ncpus HIGH"})
		if l := x.Config.Lines[0]; l.Error == "Unknown config parameter" || o.Gone && (l.Used || !l.Old) || o.Old && !l.Old {
			t.Errorf("%s: %+v", o.Name, l)
		}
		if o.Switch == nil {
			continue
		}
		for _, value := range []string{"true", "false", "no"} {
			x.Line(model.SchedLine{Name: o.Name, Value: value, Prime: "prime"})
			if on := *o.Switch(&x.Config.Prime); on != (value != "false") {
				t.Errorf("%s: %s gives %v", o.Name, value, on)
			}
		}
	}
	if Find("fairshare") != nil {
		t.Error("fairshare is an option")
	}
}
