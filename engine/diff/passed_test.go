package diff

import (
	"testing"
	"time"
)

// TestBypassesGroupPairsByWhoStartedFirst: a line for each that started and cause, those passed in the expected order.
func TestBypassesGroupPairsByWhoStartedFirst(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	task := func(job uint32) Task { return Task{job, 1} }
	slots, held := Cause{Kind: Resource, Detail: "slots"}, Cause{Kind: Held}
	r := Run{
		Items: []Item{{Task: task(1), Rank: 0}, {Task: task(2), Rank: 1}, {Task: task(3), Rank: 2},
			{Task: task(4), Rank: 3, Started: at.Add(time.Second)},
			{Task: task(5), Rank: 4, Started: at}},
		Pairs: []Pair{{task(1), task(4), slots}, {task(1), task(5), slots}, {task(2), task(4), held}, {task(2), task(5), held},
			{task(3), task(4), slots},
			{task(3), task(5), slots}, {task(4), task(5), slots}},
	}
	type line struct {
		early uint32
		kind  Kind
		n     int
		first uint32
	}
	var got []line
	for _, b := range r.Bypasses() {
		got = append(got, line{b.Task.Job, b.Cause.Kind, len(b.Passed), b.Passed[0].Task.Job})
	}
	want := []line{{5, Resource, 3, 1}, {5, Held, 1, 2}, {4, Resource, 2, 1}, {4, Held, 1, 2}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
}
