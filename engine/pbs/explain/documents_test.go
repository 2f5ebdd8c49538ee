package explain

import (
	"strings"
	"testing"

	"qprism/engine/explain"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// TestTheEffectiveUsageOfTheDocumentIsSaid has the tree of PP-718: Suzy is held back by what her group mate used.
func TestTheEffectiveUsageOfTheDocumentIsSaid(t *testing.T) {
	tree := fairshare.Build(model.Fairshare{
		Policy: model.DefaultFairsharePolicy(),
		Groups: []model.ResourceGroup{
			{Line: 1, Name: "group1", Group: 10, Parent: "root", Shares: 40},
			{Line: 2, Name: "group2", Group: 11, Parent: "root", Shares: 60},
			{Line: 3, Name: "Bob", Group: 12, Parent: "group1", Shares: 50},
			{Line: 4, Name: "Cathy", Group: 13, Parent: "group1", Shares: 50},
			{Line: 5, Name: "Suzy", Group: 14, Parent: "group2", Shares: 60},
			{Line: 6, Name: "Scott", Group: 15, Parent: "group2", Shares: 40},
		},
		Usage: model.FairshareUsage{Version: 2, Records: []model.EntityUsage{{Name: "Bob", Usage: 100},
			{Name: "Cathy", Usage: 100}, {Name: "Scott", Usage: 1000}}},
	})
	for _, c := range []struct{ entity, name, want string }{
		{"Suzy", "fairshare_tree_usage", "(usage 1/1201 + (group2's 0.833472 - 0.000832639) × 60/100 shares)"},
		{"Suzy", "fairshare_factor", "(2^-(fairshare_tree_usage 0.500416 ÷ fairshare_perc 0.36); 0.5 is on target)"},
		{"Bob", "fairshare_tree_usage", "(usage 100/1201 + (group1's 0.167361 - 0.0832639) × 50/100 shares)"},
		{"Bob", "fairshare_factor", "(2^-(fairshare_tree_usage 0.125312 ÷ fairshare_perc 0.2); 0.5 is on target)"},
		{"group2", "fairshare_tree_usage", "(1001/1201 of all usage)"},
	} {
		got := ofShares(explain.Fact(c.name, 0), tree.Find(c.entity))
		if text := got.Words(); !strings.Contains(text, c.want) {
			t.Errorf("%s of %s: %s", c.name, c.entity, text)
		}
	}
	if other := ofShares(explain.Fact("ncpus", 4), tree.Find("Suzy")); other.Words() != "ncpus 4" {
		t.Errorf("%s", other.Words())
	}
}
