package fairshare

import (
	"iter"
	"slices"

	"qprism/engine/model"
)

// The two nodes of every tree.
const (
	RootName    = "TREEROOT"
	UnknownName = "unknown"
)

// MaxDepth is the number of levels below the root; deeper groups are rejected. PBS itself has no limit.
const MaxDepth = 500

// A Tree is a fairshare tree. The names of its nodes are unique.
type Tree struct {
	Root     *Node
	Rejected []Rejected // lines and records that the scheduler skips, in file order

	unknown *Node
	byName  map[string]*Node
}

// A Node is a group or an entity of the tree. Jobs are charged to entities, mostly leaves.
type Node struct {
	Name     string
	Group    int32 // the parent's number, resgroup
	Children int32 // the number of its children's group, cresgroup; -1 if not set
	Shares   int32

	Part      float32 // fraction of the shares among siblings, group_percentage
	Perc      float32 // of the whole tree, tree_percentage; fairshare_perc of a formula
	TreeUsage float32 // fairshare_tree_usage of a formula: usage weighted by the nodes above; 0 for the root
	Usage     float64 // in units of fairshare_usage_res, at least 1 unless set lower
	Temporary float64 // usage plus the starts of this cycle; comparisons use it

	Parent *Node
	below  []*Node // in the order in which they came
	depth  int     // 0 for the root
}

// Rejected is a line of resource_group or a record of the usage file that the scheduler ignores.
type Rejected struct {
	Line   int // of resource_group; 0 for a record of the usage file
	Name   string
	Reason string
}

// Build makes the tree of pbsfs and of a scheduler that just started: groups, percentages, usage from the
// file.
func Build(f model.Fairshare) *Tree {
	t := preload(f.Policy.UnknownShares)
	for _, g := range f.Groups {
		t.addGroup(g)
	}
	t.share(t.Root)
	t.read(f.Usage)
	t.weigh()
	return t
}

// preload is a tree without groups: the root, and the group of those who are in no other.
func preload(unknownShares int32) *Tree {
	t := &Tree{byName: map[string]*Node{}}
	t.Root = t.add(nil, Node{Name: RootName, Group: -1, Shares: -1, Perc: 1})
	t.unknown = t.add(t.Root, Node{Name: UnknownName, Children: 1, Shares: unknownShares})
	return t
}

// addGroup adds a line of resource_group: its name must be new, its parent known by an earlier line.
func (t *Tree) addGroup(g model.ResourceGroup) {
	parent := t.Find(g.Parent)
	if g.Parent == "root" {
		parent = t.Root
	}
	switch {
	case t.Find(g.Name) != nil:
		t.reject(g, "the name is not unique")
	case parent == nil:
		t.reject(g, "there is no parent "+g.Parent)
	case parent.depth == MaxDepth:
		t.reject(g, "the group is too deep")
	default:
		t.add(parent, Node{Name: g.Name, Children: g.Group, Shares: g.Shares})
	}
}

func (t *Tree) reject(g model.ResourceGroup, reason string) {
	t.Rejected = append(t.Rejected, Rejected{Line: g.Line, Name: g.Name, Reason: reason})
}

// add hangs a node with the usage that nobody has below its parent.
func (t *Tree) add(parent *Node, n Node) *Node {
	n.Usage, n.Temporary, n.Parent = idle, idle, parent
	if parent != nil {
		n.Group, n.depth = parent.Children, parent.depth+1
		parent.below = append(parent.below, &n)
	}
	t.byName[n.Name] = &n
	return &n
}

// Find is the node with a name, nil for none.
func (t *Tree) Find(name string) *Node { return t.byName[name] }

// Entity is the node that jobs of this name are charged to. A missing node is added below unknown with 1
// share. This lowers the percentages of all other nodes there.
func (t *Tree) Entity(name string) *Node { return t.Entities([]string{name})[0] }

// Entities are the nodes with these names. Missing nodes are added as in Entity.
func (t *Tree) Entities(names []string) []*Node {
	nodes, before := make([]*Node, len(names)), len(t.byName)
	for i, name := range names {
		nodes[i] = t.findOrAdd(name)
	}
	if len(t.byName) > before {
		t.share(t.unknown)
	}
	return nodes
}

// findOrAdd leaves the percentages below unknown to the caller.
func (t *Tree) findOrAdd(name string) *Node {
	if n := t.Find(name); n != nil {
		return n
	}
	return t.add(t.unknown, Node{Name: name, Children: -1, Shares: 1})
}

// All yields every node in the order of pbsfs: a node before those below it, the last line of resource_group
// first.
func (t *Tree) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { t.Root.walk(yield) }
}

func (n *Node) walk(yield func(*Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, c := range slices.Backward(n.below) {
		if !c.walk(yield) {
			return false
		}
	}
	return true
}

// Depth is the number of nodes above this one.
func (n *Node) Depth() int { return n.depth }

// Leaf reports whether nothing is below the node.
func (n *Node) Leaf() bool { return len(n.below) == 0 }

// Path is the path from the root to the node, including both. It is empty for the root, which is never
// charged.
func (n *Node) Path() []*Node {
	if n.depth == 0 {
		return nil
	}
	path := make([]*Node, n.depth+1)
	for i := n.depth; i >= 0; i-- {
		path[i], n = n, n.Parent
	}
	return path
}
