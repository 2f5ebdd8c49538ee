package synthesis

import (
	"slices"

	"qprism/engine/model"
	"qprism/engine/whatif"
)

// usageUnit is how many units of PBS's usage stand for one of Grid Engine: as PBS counts every idle group
// for 1, there have to be many of them.
func usageUnit(all float64) float64 {
	unit := 1.0
	for all*unit < 1e6 && unit < 1e6 {
		unit *= 1000
	}
	return unit
}

// idle is the name of a node without shares that has used a little where nobody else has used anything.
// Without it everybody had used all there is, as PBS counts every node for 1 at least, the root too: parts
// would go by the squares of targets.
const idle = "qprism.idle"

// filesOf is the installed tree of PBS. unit is the number of units of PBS usage for one unit of Grid
// Engine usage. Nodes below 1 have no record, because PBS counts them as 1.
func filesOf(t *whatif.Tree, unit float64) model.Fairshare {
	f := t.Files()
	records, sum := slices.Clone(f.Usage.Records), 0.0
	for i := range records {
		sum += records[i].Usage
		records[i].Usage *= unit
	}
	if sum < 1 {
		n := len(f.Groups) + 1
		f.Groups = append(slices.Clone(f.Groups), model.ResourceGroup{Line: n, Name: idle,
			Group: int32(n + 10), Parent: "root"})
		records = append(records, model.EntityUsage{Name: idle, Usage: unit})
	}
	f.Usage.Records = slices.DeleteFunc(records, func(u model.EntityUsage) bool { return u.Usage < 1 })
	return f
}
