package delay

import (
	"strings"

	"qprism/engine/model"
)

// WantedBy are the resources that a decision waits for: those that its reasons say time can mend. Where it has a reservation, what
// other places lack does not matter; if no reason tells what its own place lacks, it is slots.
func WantedBy(s *model.Snapshot, d *model.Decision) map[Place]bool {
	wanted, own := map[Place]bool{}, ownPlaces(s, d)
	mendable := false
	for i := range d.Why {
		w := &d.Why[i]
		if !w.Later || w.Kind == model.ReasonPESlots {
			continue
		}
		mendable = true
		if local := w.Level == "Q" || w.Level == "H"; d.Verdict != model.Later || !local || own[w.Object] {
			wanted[wants(w)] = true
		}
	}
	if d.Verdict == model.Later && !mendable {
		for _, g := range d.Slots {
			wanted[Place{"Q", g.Instance, "slots"}] = true
		}
	}
	return wanted
}

// ownPlaces are the queue instances that a decision grants, with their hosts and cluster queues.
func ownPlaces(s *model.Snapshot, d *model.Decision) map[string]bool {
	granted, own := map[string]bool{}, map[string]bool{}
	for _, g := range d.Slots {
		granted[g.Instance], own[g.Instance] = true, true
	}
	for i := range s.Instances {
		if q := &s.Instances[i]; granted[q.Name] {
			own[q.Host], own[q.Queue] = true, true
		}
	}
	return own
}

// wants is the resource that a reason says is short, as the schedule file names it.
func wants(w *model.Reason) Place {
	switch {
	case w.Kind == model.ReasonFull:
		return Place{"Q", w.Object, "slots"}
	case w.Level == "L":
		set, _, _ := strings.Cut(w.Object, "/")
		return Place{"L", set, w.Resource}
	}
	return Place{w.Level, w.Object, w.Resource}
}
