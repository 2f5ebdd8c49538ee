package pbs

import (
	"slices"
	"strconv"
	"strings"

	"qprism/engine/batch"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// Shares is the fairshare tree of the files, as pbsfs prints it. The error is a NoEntityError.
func Shares(s *model.Snapshot, v batch.ShareView) (*batch.Shares, error) {
	tree, unit := fairshare.Build(s.PBS.Fairshare), s.PBS.Fairshare.Policy.UsageResource
	nodes, err := chosen(tree, v)
	if err != nil {
		return nil, err
	}
	a := &batch.Shares{Cluster: s.Cluster, Release: s.Release.String(), View: batch.OfFiles,
		Unit: unit, Columns: nodeColumns, Ambiguous: ambiguous(s), Rejected: []batch.Rejected{}}
	p := s.PBS.Fairshare.Policy
	decay := batch.Forgotten(unit, p.DecayTime.Seconds(), float64(p.DecayFactor))
	decay.Step, decay.Left = p.DecayTime.Seconds(), float64(p.DecayFactor)
	a.Decay = []batch.Decay{decay}
	for _, n := range nodes {
		a.Nodes = append(a.Nodes, nodeRow(n))
	}
	for _, r := range tree.Rejected {
		a.Rejected = append(a.Rejected, batch.Rejected{Name: r.Name, Reason: r.Reason, Line: r.Line})
	}
	switch {
	case len(v.Compare) > 0:
		a.Comparison = comparison(fairshare.Explain(nodes[0], nodes[1]))
		a.Printed = fairshare.Winner(nodes[0], nodes[1]) + "\n"
	case v.Entity != "":
		a.Printed = nodes[0].Show(unit)
	case v.Outline:
		a.Printed = tree.Outline()
	default:
		a.Printed = tree.List(unit)
	}
	return a, nil
}

// chosen are the nodes of a view: all, one, or the two to compare.
func chosen(tree *fairshare.Tree, v batch.ShareView) (nodes []*fairshare.Node, err error) {
	names := v.Compare
	if v.Entity != "" {
		names = []string{v.Entity}
	}
	if len(names) == 0 {
		return slices.Collect(tree.All()), nil
	}
	for _, name := range names {
		n := tree.Find(name)
		if n == nil {
			return nil, &batch.NoEntityError{Name: name}
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

var nodeColumns = batch.Columns("name", "path", ">resgroup", ">cresgroup", ">shares", ">fairshare_perc",
	">usage", ">fairshare_tree_usage", ">fairshare_factor")

func nodeRow(n *fairshare.Node) batch.Row {
	return batch.Row{{Name: "name", Value: batch.Text(n.Name)}, {Name: "path", Value: batch.Text(pathOf(n))},
		{Name: "resgroup", Value: whole(n.Group)}, {Name: "cresgroup", Value: whole(n.Children)},
		{Name: "shares", Value: whole(n.Shares)}, {Name: "group_percentage", Value: single(n.Part)},
		{Name: "fairshare_perc", Value: single(n.Perc)}, {Name: "usage", Value: exact(n.Usage)},
		{Name: "fairshare_tree_usage", Value: single(n.TreeUsage)}, {Name: "fairshare_factor", Value: exact(n.Factor())},
		{Name: "usage_per_perc", Value: exact(n.PerShare())}}
}

// pathOf is the names from the root to a node.
func pathOf(n *fairshare.Node) string {
	if n.Depth() == 0 {
		return n.Name
	}
	var names []string
	for _, p := range n.Path() {
		names = append(names, p.Name)
	}
	return strings.Join(names, "/")
}

// ambiguous are the entities of the snapshot's jobs for which the order of jobs depends on how the scheduler sorts.
func ambiguous(s *model.Snapshot) []string {
	var names []string
	for i := range s.Jobs {
		names = append(names, fairshare.EntityOf(s.PBS.Fairshare.Policy, &s.Jobs[i]))
	}
	slices.Sort(names)
	tree, found := fairshare.Build(s.PBS.Fairshare), []string{}
	for _, n := range fairshare.Intransitive(tree.Entities(slices.Compact(names))) {
		found = append(found, n.Name)
	}
	return found
}

var reasons = map[fairshare.Reason]string{fairshare.Same: batch.SameWay, fairshare.Tie: batch.Tie,
	fairshare.LessUsage:    batch.LessUsage,
	fairshare.OneShareless: batch.OneShareless, fairshare.Shareless: batch.BothShareless}

func comparison(c fairshare.Comparison) *batch.Comparison {
	r := &batch.Comparison{A: c.A.Name, B: c.B.Name, Ancestor: c.Ancestor.Name, Reason: reasons[c.Reason],
		Levels: []batch.ShareLevel{}}
	switch {
	case c.Order < 0:
		r.Winner = r.A
	case c.Order > 0:
		r.Winner = r.B
	}
	for _, l := range c.Levels {
		r.Levels = append(r.Levels, batch.ShareLevel{A: standing(l.A), B: standing(l.B)})
	}
	return r
}

func standing(s fairshare.Standing) batch.ShareStanding {
	return batch.ShareStanding{Name: s.Node.Name, Target: exact(s.Target), Actual: exact(s.Actual),
		Below: exact(s.Below()), Shareless: s.Node.Perc == 0}
}

func whole(n int32) batch.Value { return batch.Value{Is: n, Text: strconv.FormatInt(int64(n), 10)} }

// exact is a number whose text loses no bit of it, and single one of 32 bits.
func exact(v float64) batch.Value {
	return batch.Value{Is: v, Text: strconv.FormatFloat(v, 'g', -1, 64)}
}
func single(v float32) batch.Value {
	return batch.Value{Is: v, Text: strconv.FormatFloat(float64(v), 'g', -1, 32)}
}

// Due is the share of each active user by the fairshare tree, if its entities are users.
func Due(s *model.Snapshot, by string, active []batch.Party) batch.Due {
	f := s.PBS.Fairshare
	if by != batch.ByUser || f.Policy.Entity != "euser" || len(f.Groups) == 0 {
		return batch.Due{}
	}
	tree := fairshare.Build(f)
	d := batch.Due{Policy: "fairshare tree", Parts: map[string]float64{}}
	for _, party := range active {
		if n := tree.Find(party.User); n != nil {
			d.Parts[party.User] = float64(n.Perc)
		}
	}
	return d.Normalized()
}
