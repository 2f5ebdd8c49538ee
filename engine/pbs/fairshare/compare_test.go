package fairshare_test

import (
	"math"
	"slices"
	"testing"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

func TestComparisonsAreExplained(t *testing.T) {
	f := with(grouped(t, "g 1 root 50", "h 2 root 50", "a 3 g 1", "b 4 g 3", "c 5 h 1", "z 6 root 0",
		"y 7 z 1", "k 8 root 0"),
		model.EntityUsage{Name: "a", Usage: 30}, model.EntityUsage{Name: "b", Usage: 69},
		model.EntityUsage{Name: "c", Usage: 10})
	tree := fairshare.Build(f)
	for name, c := range map[string]struct {
		a, b     string
		winner   string
		ancestor string
		reason   fairshare.Reason
		levels   int
	}{
		"the less used group wins":             {"a", "c", "c", "TREEROOT", fairshare.LessUsage, 1},
		"siblings compare in their group":      {"a", "b", "b", "g", fairshare.LessUsage, 1},
		"a group equals those below it":        {"g", "a", "g == a", "g", fairshare.Same, 0},
		"an entity equals itself":              {"a", "a", "a == a", "a", fairshare.Same, 0},
		"the root equals everybody":            {"TREEROOT", "c", "TREEROOT == c", "TREEROOT", fairshare.Same, 0},
		"without shares one loses":             {"y", "a", "a", "TREEROOT", fairshare.OneShareless, 1},
		"without shares two are equal":         {"y", "k", "y == k", "TREEROOT", fairshare.Shareless, 1},
		"the shorter way decides how far":      {"c", "h", "c == h", "h", fairshare.Same, 0},
		"groups compare where names are asked": {"g", "h", "h", "TREEROOT", fairshare.LessUsage, 1},
	} {
		got := fairshare.Explain(tree.Find(c.a), tree.Find(c.b))
		if w := fairshare.Winner(got.A, got.B); w != c.winner || got.Ancestor.Name != c.ancestor || got.Reason != c.reason ||
			len(got.Levels) != c.levels {
			t.Errorf("%s: %s, below %s, reason %d, %d levels", name, w, got.Ancestor.Name, got.Reason, len(got.Levels))
		}
		if got.Order != fairshare.Compare(got.A, got.B) {
			t.Errorf("%s: order %d", name, got.Order)
		}
	}
	level := fairshare.Explain(tree.Find("a"), tree.Find("b")).Levels[0]
	if got := []float64{level.A.Target, level.A.Actual, level.B.Target, level.B.Actual, level.A.Below(),
		level.B.Below()}; !slices.EqualFunc(got, []float64{0.25, 0.3, 0.75, 0.69, -0.05, 0.06}, near) {
		t.Errorf("targets, parts and distances are %v", got)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-7 }

func TestATieIsDecidedOneLevelBelow(t *testing.T) {
	tree := fairshare.Build(with(grouped(t, "g 1 root 1", "h 2 root 1", "a 3 g 1", "b 4 h 1", "c 5 h 1"),
		model.EntityUsage{Name: "a", Usage: 20}, model.EntityUsage{Name: "b", Usage: 10},
		model.EntityUsage{Name: "c", Usage: 10}))
	c := fairshare.Explain(tree.Find("a"), tree.Find("b"))
	if c.Order != 0 || c.Reason != fairshare.Tie || len(c.Levels) != 2 { // 20 of 1/2 against 10 of 1/4
		t.Errorf("order %d, reason %d, %d levels", c.Order, c.Reason, len(c.Levels))
	}
	tree.Find("b").Raise(1)
	tree.Find("a").Raise(1)
	c = fairshare.Explain(tree.Find("a"), tree.Find("b"))
	if c.Order >= 0 || c.Reason != fairshare.LessUsage || c.Levels[0].A.Node.Name != "g" ||
		c.Levels[1].B.Node.Name != "b" {
		t.Errorf("order %d, reason %d", c.Order, c.Reason)
	}
}

func TestAnInnerEntityMakesTheOrderDependOnTheSort(t *testing.T) { // P29
	tree := fairshare.Build(with(grouped(t, "phys 1 root 1", "astro 2 phys 1", "plasma 3 phys 1", "chem 4 root 1"),
		model.EntityUsage{Name: "astro", Usage: 5}, model.EntityUsage{Name: "plasma", Usage: 9},
		model.EntityUsage{Name: "chem", Usage: 100}))
	jobs := tree.Entities([]string{"plasma", "phys", "chem", "astro", "phys"})
	if got := fairshare.Intransitive(jobs); !slices.Equal(got, []*fairshare.Node{tree.Find("phys")}) {
		t.Errorf("%d entities are reported", len(got))
	}
	sorted, plain := slices.Clone(jobs), slices.Clone(jobs)
	fairshare.MergeSort(sorted, fairshare.Compare)
	slices.SortStableFunc(plain, fairshare.Compare)
	// halves plasma phys | chem astro phys; the right one gives astro phys chem; plasma and phys, astro:
	// the left phys stays behind astro
	if got := names(sorted); !slices.Equal(got, []string{"astro", "plasma", "phys", "phys", "chem"}) {
		t.Errorf("sorted %v", got)
	}
	if slices.Equal(sorted, plain) {
		t.Error("any stable sort gives this order: it shows nothing")
	}
}

func TestALeafThatTiesWithAGroupIsReported(t *testing.T) { // P29, on a cold start
	tree := fairshare.Build(grouped(t, "leaf 1 root 1", "g 2 root 1", "a 3 g 1", "b 4 g 2"))
	jobs := tree.Entities([]string{"a", "leaf", "b"})
	if got := fairshare.Intransitive(jobs); !slices.Equal(got, []*fairshare.Node{tree.Find("leaf")}) {
		t.Errorf("%v are reported", names(got))
	}
	if got := fairshare.Intransitive(jobs[:2]); got != nil {
		t.Errorf("%v are reported, but one way only ties", names(got))
	}
}

func names(nodes []*fairshare.Node) (list []string) {
	for _, n := range nodes {
		list = append(list, n.Name)
	}
	return list
}

// naiveIntransitive asks every pair for every entity.
func naiveIntransitive(entities []*fairshare.Node) (found []*fairshare.Node) {
	for _, e := range entities {
		equal := slices.DeleteFunc(slices.Clone(entities), func(n *fairshare.Node) bool {
			return fairshare.Compare(e, n) != 0
		})
		if slices.ContainsFunc(equal, func(a *fairshare.Node) bool {
			return slices.ContainsFunc(equal, func(b *fairshare.Node) bool { return fairshare.Compare(a, b) != 0 })
		}) && !slices.Contains(found, e) {
			found = append(found, e)
		}
	}
	return found
}
