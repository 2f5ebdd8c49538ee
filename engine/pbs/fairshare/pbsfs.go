package fairshare

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// List is the output of pbsfs -p: every node with its numbers. The unit is fairshare_usage_res.
func (t *Tree) List(unit string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Fairshare usage units are in: %s\n", unit)
	for n := range t.All() {
		fmt.Fprintf(&b, "%s: Grp: %-5d  cgrp: %-5dShares: %-6d Usage: %s Perc: %s%%\n", left(n.Name, 10), n.Group, n.Children,
			n.Shares, left(decimal(n.Usage, 0), 6), right(decimal(float64(n.Perc*100), 3), 6))
	}
	return b.String()
}

// Outline is the output of pbsfs -t: name and number of every node, indented by five blanks a level.
func (t *Tree) Outline() string {
	var b strings.Builder
	for n := range t.All() {
		fmt.Fprintf(&b, "%*s%s(%d)\n", 5*n.depth, " ", n.Name, n.Children)
	}
	return b.String()
}

// Show is the output of pbsfs -g for a node. The unit is fairshare_usage_res.
func (n *Node) Show(unit string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fairshare entity: %s\nResgroup\t\t: %d\ncresgroup\t\t: %d\nShares\t\t\t: %d\n",
		n.Name, n.Group, n.Children, n.Shares)
	fmt.Fprintf(&b, "Percentage\t\t: %s%%\nfairshare_tree_usage\t: %s\n", decimal(float64(n.Perc*100), 6),
		decimal(float64(n.TreeUsage), 6))
	fmt.Fprintf(&b, "usage\t\t\t: %s (%s)\nusage/perc\t\t: %s\nPath from root: \n", decimal(n.Usage, 0),
		unit, decimal(n.PerShare(), 0))
	for _, p := range n.Path() {
		fmt.Fprintf(&b, "%s: %5d %s / %s = %s\n", left(p.Name, 10), p.Children,
			right(decimal(p.Usage, 0), 10), right(decimal(float64(p.Perc), 3), 5), decimal(p.PerShare(), 0))
	}
	return b.String()
}

// Winner is the output of pbsfs -c for two nodes: the name of the more deserving one, or both.
func Winner(a, b *Node) string {
	switch c := Compare(a, b); {
	case c < 0:
		return a.Name
	case c > 0:
		return b.Name
	}
	return a.Name + " == " + b.Name
}

// decimal prints a number as C does.
func decimal(v float64, places int) string {
	switch {
	case math.IsNaN(v) && math.Signbit(v):
		return "-nan"
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// left pads behind, and right before a text, up to a number of bytes.
func left(s string, width int) string  { return s + strings.Repeat(" ", max(0, width-len(s))) }
func right(s string, width int) string { return strings.Repeat(" ", max(0, width-len(s))) + s }
