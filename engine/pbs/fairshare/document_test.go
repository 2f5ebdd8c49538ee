package fairshare_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// seed is the tree of the design document of fairshare_tree_usage: two groups of two.
func seed() model.Fairshare {
	return model.Fairshare{
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
	}
}

func TestTheDocumentsTree(t *testing.T) {
	tree := fairshare.Build(seed())
	for _, c := range []struct{ name, perc, treeUsage, factor string }{
		{"Bob", "0.200", "0.125", "0.648"},
		{"Cathy", "0.200", "0.125", "0.648"},
		{"Suzy", "0.360", "0.500", "0.382"},
		{"Scott", "0.240", "0.833", "0.090"},
	} {
		n := tree.Find(c.name)
		got := fmt.Sprintf("%.3f %.3f %.3f", n.Perc, n.TreeUsage, n.Factor())
		if want := strings.Join([]string{c.perc, c.treeUsage, c.factor}, " "); got != want {
			t.Errorf("%s has percentage, tree usage and factor %s, want %s", c.name, got, want)
		}
	}
	if got := fmt.Sprintf("%f", tree.Find("Scott").TreeUsage); got != "0.832973" {
		t.Errorf("fairshare_tree_usage of Scott is %s, want 0.832973", got)
	}
}

// The document calculates with 1200 in all and 0 for Suzy. PBS counts 1 more for the root and for whoever is idle (P7);
// without that its digits are exact.
func TestTheDocumentsTreeWithoutTheUsageOfIdleNodes(t *testing.T) {
	tree := fairshare.Build(seed())
	memory := fairshare.Memory{Tree: tree}
	for n := range tree.All() {
		n.Usage--
	}
	for _, name := range []string{"Bob", "Cathy", "Scott"} {
		tree.Find(name).Usage++ // their records are no default
	}
	memory.Begin(fairshare.Cycle{FairShare: true})
	for name, want := range map[string][2]float64{"Bob": {1.0 / 8, math.Pow(2, -5.0/8)},
		"Suzy": {1.0 / 2, math.Pow(2, -50.0/36)}} {
		n := tree.Find(name)
		if got := [2]float64{float64(n.TreeUsage), n.Factor()}; math.Abs(got[0]-want[0]) > 1e-7 ||
			math.Abs(got[1]-want[1]) > 1e-7 {
			t.Errorf("%s has tree usage and factor %v, want %v", name, got, want)
		}
	}
}
