package gridengine

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"qprism/engine/batch"
	"qprism/engine/gridengine/lastrun"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// Shares is the share tree as the last run saw it. Shares are fractions of 1. Usage is weighted by
// usage_weight_list.
func Shares(s *model.Snapshot, opts lastrun.Options) *batch.Shares {
	v, m := lastrun.Look(s, opts)
	a := &batch.Shares{Cluster: s.Cluster, Release: s.Release.String(), RunAt: &batch.Time{Time: m.At}, Source: m.Source,
		Columns: shareColumns}
	kept := ticket.Kept(&s.Policy, opts.Quirks)
	for _, kind := range slices.Sorted(maps.Keys(kept)) {
		if kind != "finished_jobs" { // which no user has usage of
			a.Decay = append(a.Decay, batch.Forgotten(cmp.Or(kind, "usage"), 60, kept[kind]))
		}
	}
	if s.Policy.ShareTreeTickets == 0 {
		a.Idle = "weight_tickets_share is 0"
	}
	switch {
	case v != nil && v.Result.Tickets.Both != nil:
		root := v.Result.Tickets.Both
		addShares(a, root, "/", 1, 1, root.Usage)
	case s.ShareTree != nil:
		addShares(a, plainTree(s.ShareTree), "/", 1, 1, 0)
	}
	return a
}

var shareColumns = []batch.Column{{Name: "node_name", Title: "node"}, {Name: "shares", Title: ">shares"},
	{Name: "job_count", Title: ">jobs"},
	{Name: "running_count", Title: ">running"}, {Name: "level", Title: ">level%"}, {Name: "total", Title: ">total%"},
	{Name: "long_target_share", Title: ">target%"}, {Name: "short_target_share", Title: ">entitled%"},
	{Name: "actual_share", Title: ">actual%"},
	{Name: "usage", Title: ">usage"}, {Name: "temporary", Title: "note"}}

// plainTree is the configured tree without anything known of jobs and usage.
func plainTree(n *model.ShareNode) *ticket.Node {
	t := &ticket.Node{Name: n.Name, Shares: n.Shares}
	for _, c := range n.Children {
		t.Children = append(t.Children, plainTree(c))
	}
	return t
}

// addShares adds a node and all below it; configured shares count nodes made for the run no more than others.
func addShares(a *batch.Shares, n *ticket.Node, path string, level, total, all float64) {
	actual := 0.0
	if all > 0 {
		actual = n.Usage / all
	}
	a.Nodes = append(a.Nodes, batch.Row{{Name: "node_name", Value: batch.Text(path)},
		{Name: "shares", Value: whole(n.Shares)},
		{Name: "job_count", Value: whole(n.Jobs)}, {Name: "running_count", Value: whole(n.Active)},
		{Name: "level", Value: percent(level)},
		{Name: "total", Value: percent(total)}, {Name: "long_target_share", Value: percent(n.LevelShare)},
		{Name: "short_target_share", Value: percent(n.Proportion)}, {Name: "actual_share", Value: percent(actual)},
		{Name: "usage", Value: batch.Value{Is: n.Usage, Text: strconv.FormatFloat(n.Usage, 'f', 2, 64)}},
		{Name: "temporary", Value: batch.Value{Is: n.Temporary,
			Text: map[bool]string{true: "maps to default"}[n.Temporary]}}})
	sum := 0.0
	for _, c := range n.Children {
		if !c.Temporary {
			sum += float64(c.Shares)
		}
	}
	if path != "/" {
		path += "/"
	}
	for _, c := range n.Children {
		part := 0.0
		if sum > 0 {
			part = float64(c.Shares) / sum
		}
		addShares(a, c, path+c.Name, part, total*part, all)
	}
}

func whole[N int | uint32](n N) batch.Value {
	return batch.Value{Is: n, Text: strconv.FormatInt(int64(n), 10)}
}

func percent(part float64) batch.Value {
	return batch.Value{Is: part, Text: strconv.FormatFloat(100*part, 'f', 2, 64)}
}
