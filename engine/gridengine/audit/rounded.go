package audit

import (
	"slices"

	"qprism/engine/gridengine/lastrun"
)

// printedUsage is the greatest difference between usage and its printed value: half a unit of the sixth
// decimal.
const printedUsage = 0.5e-6

const roundedWhy = "a last digit that more digits of the usage would decide, of which every command prints six after the point"

// ofTree are the fields that share-tree tickets are part of.
var ofTree = []lastrun.Field{lastrun.Stckt, lastrun.Tckts, lastrun.NTckts, lastrun.Share, lastrun.Prio}

// rounded reports whether a number of the share tree differs only because usage is printed with few digits:
// an exact number within that bound prints like the master's.
func (r *Report) rounded(d *Disagreement) bool {
	tree := r.View.Result.Tickets.Both
	if tree == nil || !slices.Contains(ofTree, d.Field) {
		return false
	}
	off := 2 * tree.Slack(r.View.Snapshot.Policy.CompensationFactor, printedUsage) * d.Computed // of a part of the most tickets both are off
	return d.Field.Same(d.Computed-off, d.Reported) || d.Field.Same(d.Computed+off, d.Reported)
}
