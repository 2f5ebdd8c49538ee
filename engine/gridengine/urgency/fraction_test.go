package urgency

import (
	"testing"
	"time"

	"qprism/engine/model"
)

// TestClocksOfMicrosecondsCountWholeSecondsOfTheDifference: quirk O9.
func TestClocksOfMicrosecondsCountWholeSecondsOfTheDifference(t *testing.T) {
	at := time.Unix(1_795_248_000, 250_000_000)
	j := &model.Job{Submitted: at.Add(-9500 * time.Millisecond), Deadline: at.Add(1500 * time.Millisecond)}
	for q, want := range map[model.Quirks][2]float64{{}: {10, 1.5}, {FractionalClock: true}: {9, 1}} {
		m := meter{policy: &model.Policy{WeightWaitingTime: 1, WeightDeadline: 1.5}, at: at, quirks: q}
		if got := [2]float64{m.waiting(j), m.deadline(j)}; got != want {
			t.Errorf("%v: %v, want %v", q.FractionalClock, got, want)
		}
	}
}
