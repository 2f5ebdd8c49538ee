package audit

import (
	"slices"

	"qprism/engine/gridengine/lastrun"
)

// printedUsage is by how much usage can differ from what every command prints of it: half a unit of the
// sixth digit after the point.
const printedUsage = 0.5e-6

const roundedWhy = "only the last digit differs: it depends on digits of the usage that no command prints"

// ofTree are the fields that share-tree tickets are part of.
var ofTree = []lastrun.Field{lastrun.Stckt, lastrun.Tckts, lastrun.NTckts, lastrun.Share, lastrun.Prio}

// rounded reports whether a number of the share tree differs by no more than what usage lacks in print: an
// exact one within that bound prints as the master's.
func (r *Report) rounded(d *Disagreement) bool {
	tree := r.View.Result.Tickets.Both
	if tree == nil || !slices.Contains(ofTree, d.Field) {
		return false
	}
	// of a part of the most tickets both are off
	off := 2 * tree.Slack(r.View.Snapshot.Policy.CompensationFactor, printedUsage) * d.Computed
	return d.Field.Same(d.Computed-off, d.Reported) || d.Field.Same(d.Computed+off, d.Reported)
}
