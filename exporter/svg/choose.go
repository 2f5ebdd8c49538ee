package svg

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"qprism/engine/model"
)

// worthwhile reports whether the diagram shows a row. It always shows slots of queue instances, and other
// resources if they are in use. It omits the unlimited slots that newer releases give every host. It also
// omits parallel environments with far more slots than are ever in use.
func (r *row) worthwhile() bool {
	switch {
	case r.level == "Q" && r.resource == slots:
		return r.total > 0 || len(r.blocks) > 0
	case r.level == "H" && r.resource == slots && (r.total == 0 || r.total >= math.MaxInt32):
		return false
	case r.level == "P" && r.total > 4*sums(r.blocks).peak():
		return false
	}
	return len(r.blocks) > 0
}

// choose keeps as many rows as fit. Rows that the run decided about come first. Then come rows with only
// running jobs, and idle rows last.
func choose(rows []*row) (chosen []*row, leftOut []string) {
	if len(rows) <= mostRows {
		return rows, nil
	}
	ranked := slices.Clone(rows)
	slices.SortStableFunc(ranked, func(a, b *row) int { return cmp.Compare(b.weight(), a.weight()) })
	idle := 0
	for _, r := range ranked[mostRows:] {
		if r.weight() == 0 {
			idle++
		}
	}
	chosen = ranked[:mostRows]
	slices.SortFunc(chosen, byPlace)
	return chosen, []string{fmt.Sprintf("Not drawn: %d of %d rows, %d of them idle.", len(rows)-mostRows, len(rows), idle)}
}

// weight says how important a row is.
func (r *row) weight() int {
	most := 0
	for _, b := range r.blocks {
		most = max(most, weights[b.class])
	}
	return most
}

var weights = map[string]int{"other": 1, "running": 2, "suspended": 2, "starting": 3, "predicted": 3, "reserving": 4}

// mostInRow is the most blocks of one row. The row has no room for more.
const mostInRow = 1000

// dropBlocks removes blocks from rows that have too many, running ones first.
func dropBlocks(rows []*row) []string {
	left, dropped := mostBlocks, 0
	for _, r := range rows {
		if most := min(mostInRow, left); len(r.blocks) > most {
			slices.SortStableFunc(r.blocks, func(a, b block) int { return cmp.Compare(weights[b.class], weights[a.class]) })
			dropped += len(r.blocks) - most
			r.blocks = r.blocks[:most]
		}
		left -= len(r.blocks)
	}
	if dropped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Not drawn: %d blocks in crowded rows.", dropped)}
}

// byPlace sorts rows: first resources of the whole cluster, then queue instances, then hosts.
func byPlace(a, b *row) int {
	rank := func(r *row) int { return strings.Index("GPLQH", r.level) }
	return cmp.Or(cmp.Compare(rank(a), rank(b)), model.CompareNames(a.object, b.object), model.CompareNames(a.resource, b.resource))
}
