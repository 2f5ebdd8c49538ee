package fairshare

import (
	"slices"
	"time"

	"qprism/engine/model"
)

// idle is the usage of a node that nobody ever charged, a leaf or a group, and the least that decay leaves.
const idle = 1

// nameSize is the room for a name in a record of the usage file, its end included.
const nameSize = 50

// firstDecay is the oldest time of a decay that a usage file can hold: 2000-01-01 in California.
var firstDecay = time.Unix(946713600, 0)

// read adds a usage file to the tree. A record sets the usage of its node, and, if that has nothing below it, adds to
// all above. A header that makes no sense voids all records.
func (t *Tree) read(u model.FairshareUsage) {
	if !validHeader(u) {
		t.Rejected = append(t.Rejected, Rejected{Reason: "the header of the usage file is invalid"})
		return
	}
	before := len(t.byName)
	for _, r := range u.Records {
		if r.Usage >= 0 && validName(r.Name) {
			t.findOrAdd(r.Name).set(r.Usage)
		} else {
			t.Rejected = append(t.Rejected, Rejected{Name: r.Name, Reason: "the record of the usage file is invalid"})
		}
	}
	if len(t.byName) > before {
		t.share(t.unknown)
	}
}

func validHeader(u model.FairshareUsage) bool {
	plausible := u.LastDecay.IsZero() || u.LastDecay.After(firstDecay)
	return plausible && (u.Version == 0 || u.Version == 1 || u.Version == 2)
}

// validName reports whether the scheduler accepts a name in the usage file.
func validName(name string) bool {
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '.', c == '-', c == '_', c == ' ', c == ':':
		default:
			return false
		}
	}
	return len(name) < nameSize
}

// set gives the node the usage of its record.
func (n *Node) set(usage float64) {
	n.Usage, n.Temporary = usage, usage
	if !n.Leaf() {
		return
	}
	for g := n.Parent; g != nil; g = g.Parent {
		g.Usage += usage
		g.Temporary += usage
	}
}

// File is the usage file that the scheduler writes: the leaves with usage, except unknown. It cuts long
// names, and loses usage charged to a group by its own name.
func (t *Tree) File(lastDecay time.Time) model.FairshareUsage {
	u := model.FairshareUsage{Version: 2, LastDecay: lastDecay}
	t.Root.record(&u)
	return u
}

// record appends the records of all nodes below n: first of the children, then of what is below the eldest.
func (n *Node) record(u *model.FairshareUsage) {
	for _, c := range slices.Backward(n.below) {
		if c.Usage != idle && c.Leaf() && c.Name != UnknownName {
			u.Records = append(u.Records, model.EntityUsage{Name: c.Name[:min(len(c.Name), nameSize-1)], Usage: c.Usage})
		}
	}
	for _, c := range n.below {
		c.record(u)
	}
}
