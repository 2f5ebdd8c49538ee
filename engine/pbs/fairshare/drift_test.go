package fairshare_test

import "qprism/engine/pbs/fairshare"

// A drift is a node whose usage in the scheduler's memory is not what pbsfs shows.
type drift struct {
	memory, file *fairshare.Node // the same node in both trees; nil where one lacks it
}

// usage is how much more the memory holds; a node that one tree lacks counts as idle there.
func (d drift) usage() float64 { return usageOf(d.memory) - usageOf(d.file) }

// driftsOf compares the tree in a scheduler's memory with the one that pbsfs builds from the files, node by
// node, in the order of listings: first those in memory, then those only in the files. Usage differs
//   - as soon as a leaf is first charged: its record then holds the 1 of an idle node as well, and in the
//     file that counts for all above it;
//   - after decay, which in memory lowers groups on their own, and none below 1;
//   - where a group was charged by its own name;
//   - where an entity has jobs but no usage: it takes its part of unknown in memory only;
//   - by whatever was charged since the usage file was written.
func driftsOf(memory, file *fairshare.Tree) (drifts []drift) {
	for n := range memory.All() {
		if f := file.Find(n.Name); f == nil || differ(n, f) {
			drifts = append(drifts, drift{n, f})
		}
	}
	for f := range file.All() {
		if memory.Find(f.Name) == nil {
			drifts = append(drifts, drift{nil, f})
		}
	}
	return drifts
}

// differ reports whether two nodes give different numbers to a formula or a comparison.
func differ(a, b *fairshare.Node) bool {
	return a.Usage != b.Usage || a.Perc != b.Perc || a.TreeUsage != b.TreeUsage
}

func usageOf(n *fairshare.Node) float64 {
	if n == nil {
		return 1
	}
	return n.Usage
}
