package retrace

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// compareTree compares what pbsfs printed with the tree made of resource_group, the usage file and sched_config.
func (r *Report) compareTree(s *model.Snapshot) {
	p := s.PBS
	if len(p.Fair)+len(p.FairEntities)+len(p.FairPairs) == 0 {
		return
	}
	t := &treeAudit{Report: r, tree: fairshare.Build(p.Fairshare), missing: lacksTree(s), stale: synced(s)}
	for i := range p.Fair {
		if !p.Fairshare.Listed { // else the tree is made of these lines
			t.node(&p.Fair[i])
		}
	}
	for i := range p.FairEntities {
		t.entity(&p.FairEntities[i])
	}
	for i := range p.FairPairs {
		t.pair(&p.FairPairs[i])
	}
	t.classify()
}

// A treeAudit compares the fairshare tree.
type treeAudit struct {
	*Report
	tree    *fairshare.Tree
	missing string // the file that the tree is made of and that the bundle lacks
	stale   bool   // the scheduler wrote the usage file while the bundle was taken
	open    []Disagreement
}

// lacksTree names the file that the tree is made of and that the bundle lacks, empty for none.
func lacksTree(s *model.Snapshot) string {
	for _, part := range []string{"resource_group", "usage", "sched_config"} {
		if _, found := model.Text(s.PBS.Sources, part); !found {
			return part
		}
	}
	return ""
}

// synced reports whether the scheduler's log tells that it wrote the usage file while the bundle was taken.
func synced(s *model.Snapshot) bool {
	for i := range s.PBS.Cycles {
		c := &s.PBS.Cycles[i]
		if at := c.Start.Sub(s.TakenAt.Truncate(time.Second)); at < 0 || at > settling {
			continue
		}
		if len(c.Of(model.EventFairshare)) > 0 {
			return true
		}
	}
	return false
}

func (t *treeAudit) compare(f Field, name, master, computed string) {
	c := &t.Fields[f]
	if c.Reported++; computed != "" {
		c.Compared++
	}
	if master == computed {
		c.Agree++
		return
	}
	t.open = append(t.open, Disagreement{Field: f, Name: name, Master: master, Computed: computed,
		Class: batch.Unexplained})
}

// classify says what can have made the disagreements: a file that the bundle lacks, or that was written
// meanwhile, where the numbers that stand in it differ. Charges are whole units: where all usage agrees as
// it is printed, nothing that is made of it may differ.
func (t *treeAudit) classify() {
	usage, shares := t.differs(Usage), t.differs(Shares) || t.differs(Perc)
	for _, d := range t.open {
		fromShares := d.Field == Shares || d.Field == Perc
		switch {
		case t.missing == "usage" && (fromShares || !usage), t.missing != "" && t.missing != "usage" && !shares:
		case t.missing != "":
			d.Class, d.Why = batch.Missing, "the bundle lacks "+t.missing
		case t.stale && !fromShares && usage:
			d.Class, d.Why = batch.Stale, "the scheduler wrote the usage file while the bundle was taken"
		}
		t.add(d)
	}
}

// differs reports whether pbsfs printed another number than the tree has, or none.
func (t *treeAudit) differs(f Field) bool {
	return t.Fields[f].Agree < t.Fields[f].Reported || t.Fields[f].Reported == 0
}

// node compares a line of pbsfs -p; of -t, only the numbers of groups.
func (t *treeAudit) node(f *model.FairReport) {
	n := t.tree.Find(f.Name)
	if n == nil {
		t.compare(Shares, f.Name, "in the tree", "")
		return
	}
	if !f.Listed {
		t.compare(Shares, f.Name, fmt.Sprintf("cgrp %d", f.Cresgroup), fmt.Sprintf("cgrp %d", n.Children))
		return
	}
	t.compare(Shares, f.Name, groups(f.Group, f.Cresgroup, f.Shares), groups(n.Group, n.Children, n.Shares))
	t.compare(Usage, f.Name, decimal(f.Usage, 0), decimal(n.Usage, 0))
	t.compare(Perc, f.Name, decimal(f.Percent, 3)+"%", decimal(float64(n.Perc*100), 3)+"%")
}

func groups(group, children, shares int32) string {
	return fmt.Sprintf("%d, group %d, cgrp %d", shares, group, children)
}

// entity compares what pbsfs -g printed of a node.
func (t *treeAudit) entity(f *model.FairEntity) {
	n := t.tree.Find(f.Name)
	if n == nil {
		t.compare(Shares, f.Name, "in the tree", "")
		return
	}
	t.compare(Shares, f.Name, groups(f.Group, f.Cresgroup, f.Shares), groups(n.Group, n.Children, n.Shares))
	t.compare(Usage, f.Name, decimal(f.Usage, 0), decimal(n.Usage, 0))
	t.compare(Perc, f.Name, decimal(f.Percentage, 6)+"%", decimal(float64(n.Perc*100), 6)+"%")
	t.compare(PerShare, f.Name, decimal(f.UsagePerPerc, 0), decimal(n.PerShare(), 0))
	if !math.IsNaN(f.TreeUsage) {
		t.compare(TreeUsage, f.Name, decimal(f.TreeUsage, 6), decimal(float64(n.TreeUsage), 6))
	}
	t.path(f, n)
}

// path compares the way from the root, node by node.
func (t *treeAudit) path(f *model.FairEntity, n *fairshare.Node) {
	path := n.Path()
	for i, step := range f.Path {
		name := f.Name + ", path: " + step.Name
		if i >= len(path) || path[i].Name != step.Name {
			t.compare(Shares, name, "on the path", "")
			continue
		}
		p := path[i]
		t.compare(Usage, name, decimal(step.Usage, 0), decimal(p.Usage, 0))
		t.compare(Perc, name, decimal(step.Percentage, 3), decimal(float64(p.Perc), 3))
		t.compare(PerShare, name, decimal(step.Quotient, 0), decimal(p.PerShare(), 0))
	}
}

// pair compares what pbsfs -c printed of two entities.
func (t *treeAudit) pair(f *model.FairComparison) {
	a, b := t.tree.Find(f.A), t.tree.Find(f.B)
	winner, computed := f.Winner, ""
	if winner == "" {
		winner = "equal"
	}
	if a != nil && b != nil {
		switch c := fairshare.Compare(a, b); {
		case c < 0:
			computed = a.Name
		case c > 0:
			computed = b.Name
		default:
			computed = "equal"
		}
	}
	t.compare(Winner, f.A+" and "+f.B, winner, computed)
}

// decimal prints a number with so many places, as C does.
func decimal(v float64, places int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprint(v)
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}
