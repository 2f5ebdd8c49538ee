package split

import (
	"time"

	"qprism/engine/model"
)

// FreeSlots counts the free slots of the queue instances that a run at that moment can use. What was granted then or
// later was still free; the zero time means the moment of the snapshot itself. It is not known where the snapshot shows
// no queue instance.
func FreeSlots(s *model.Snapshot, at time.Time) (free uint32, known bool) {
	usable := map[string]bool{}
	n := 0
	for i := range s.Instances {
		q := &s.Instances[i]
		if !q.Listed {
			continue
		}
		known = true
		usable[q.Name] = Usable(q.State)
		if usable[q.Name] {
			n += max(0, q.Slots-q.Used)
		}
	}
	if at.IsZero() {
		return uint32(n), known
	}
	for i := range s.Jobs {
		for k := range s.Jobs[i].Tasks {
			t := &s.Jobs[i].Tasks[k]
			if len(t.Granted) > 0 && StartedAt(t, at) && usable[t.Granted[0].Instance] {
				n += t.Slots
			}
		}
	}
	return uint32(n), known
}

// Usable reports whether a queue instance of that state can start jobs.
func Usable(state string) bool {
	for _, letter := range []byte("uadsSACDEco") {
		if has(state, letter) {
			return false
		}
	}
	return true
}
