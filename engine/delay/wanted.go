package delay

import (
	"strings"

	"qprism/engine/model"
)

// WantedBy are the resources that a decision waits for: those whose reasons can end with time. If it has a
// reservation, only the reserved place counts. If no reason names a resource of that place, it waits for
// slots.
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
	if len(d.Slots) == 0 {
		return nil
	}
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
