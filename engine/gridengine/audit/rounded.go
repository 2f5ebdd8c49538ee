package audit

import (
	"math"
	"slices"

	"qprism/engine/gridengine/lastrun"
)

// roundedUsage reports whether a number is one in its last digit apart and made of share-tree tickets, which rest on usage
// that is printed with six decimals.
func roundedUsage(v *lastrun.View, d *Disagreement) bool {
	if v.Snapshot.ShareTree == nil || v.Snapshot.Policy.ShareTreeTickets == 0 || !slices.Contains(lastrun.Stckt.Affects(), d.Field) {
		return false
	}
	apart := math.Abs(d.Reported - d.Computed)
	if d.Field >= lastrun.Tckts && d.Field <= lastrun.Stckt {
		return apart <= 1+1e-6*d.Computed && math.Abs(d.Computed-math.Round(d.Computed)) < 1e-4*math.Max(1, d.Computed*1e-3)
	}
	return apart <= 1.1e-5
}
