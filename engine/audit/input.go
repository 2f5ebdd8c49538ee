package audit

import (
	"qprism/engine/priority"
	"qprism/engine/split"
)

// Input is what the view's run computes from.
func (v *View) Input() priority.Input {
	in := priority.Input{Snapshot: v.Snapshot, Lists: v.Lists, At: v.At, FreeSlots: v.FreeSlots, Quirks: v.quirks, UsageBooked: true,
		HalfTimeKept: true, OtherPending: v.assumed.PendingTickets}
	if v.assumed.Urgency != 0 {
		in.OtherUrgency = []float64{v.assumed.Urgency}
	}
	return in
}

// Assumed is what the view assumes of the scheduler's state.
func (v *View) Assumed() split.Assumed { return v.assumed }
