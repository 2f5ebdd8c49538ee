package pbs

import (
	"testing"

	"qprism/engine/model"
)

// TestATryWithLessTimeIsNoReasonToWait has the lines that the scheduler logs of a shrink-to-fit job which starts.
func TestATryWithLessTimeIsNoReasonToWait(t *testing.T) {
	for _, text := range []string{"Considering shrinking job to duration=00:00:25, due to a reservation/top job conflict",
		"Job will run for duration=00:00:25"} {
		e := model.CycleEvent{Text: text}
		(&cycleReader{}).jobEvent(logLine{event: eventSched, class: "Job", object: "621.s", text: text}, &e)
		if e.Kind != model.EventShrunk {
			t.Errorf("%q is %s", text, e.Kind)
		}
	}
}
