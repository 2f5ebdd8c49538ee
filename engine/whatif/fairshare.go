package whatif

import (
	"slices"
	"strings"

	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// Fairshare ranks Grid Engine jobs by PBS's fairshare factor: 2^(-usage/target), between 0 and 1. It uses the
// share tree, else functional shares of users, else equal shares for all owners.
func Fairshare(in Input) map[uint32]float64 {
	t := NewTree(in.Snapshot)
	values := make(map[uint32]float64, len(in.Result.Pending))
	for _, j := range in.Result.Pending {
		values[j.Job.Number] = t.Node(j.Job).Factor()
	}
	return values
}

// A Tree is a PBS fairshare tree made from Grid Engine's shares and usage. Users below a project get leaves
// of their own, "project.user".
type Tree struct {
	files model.Fairshare
	from  map[*model.ShareNode][]model.ResourceGroup
	tree  *fairshare.Tree
	leaf  map[string]string // by "project/owner"
	nodes map[string]*fairshare.Node
}

// NewTree makes the tree of a snapshot.
func NewTree(s *model.Snapshot) *Tree {
	b := &treeBuilder{snapshot: s, names: map[string]bool{}, leaf: map[string]string{},
		from: map[*model.ShareNode][]model.ResourceGroup{}}
	b.policy = model.DefaultFairsharePolicy()
	switch {
	case s.ShareTree != nil && len(s.ShareTree.Children) > 0:
		b.below(s.ShareTree, "root", "")
	default:
		b.flat()
	}
	f := model.Fairshare{Groups: b.groups, Policy: b.policy}
	f.Usage.Version, f.Usage.Records = 2, b.usage
	return &Tree{files: f, from: b.from, tree: fairshare.Build(f), leaf: b.leaf, nodes: map[string]*fairshare.Node{}}
}

// Files are the groups and the usage from which the tree was built.
func (t *Tree) Files() model.Fairshare { return t.files }

// GroupsOf are the groups made of a node of the share tree: of a leaf "default" one for each of its users.
func (t *Tree) GroupsOf(n *model.ShareNode) []model.ResourceGroup { return t.from[n] }

// Entity is the node that a job's usage is charged to: the owner's, inside the project if the tree has it.
func (t *Tree) Entity(j *model.Job) string {
	if name, known := t.leaf[j.Project+"/"+j.Owner]; known {
		return name
	}
	if name, known := t.leaf["/"+j.Owner]; known {
		return name
	}
	return j.Owner
}

// Node is the node of a job's entity.
func (t *Tree) Node(j *model.Job) *fairshare.Node {
	name := t.Entity(j)
	if t.nodes[name] == nil {
		t.nodes[name] = t.tree.Entity(name)
	}
	return t.nodes[name]
}

type treeBuilder struct {
	snapshot *model.Snapshot
	policy   model.FairsharePolicy
	groups   []model.ResourceGroup
	from     map[*model.ShareNode][]model.ResourceGroup
	usage    []model.EntityUsage
	names    map[string]bool
	leaf     map[string]string
}

// add adds a group for a node, under another name where its own is taken; the node is nil in a tree of users alone.
func (b *treeBuilder) add(of *model.ShareNode, name, parent string, shares uint32) string {
	name = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '_'
		}
		return r
	}, name)
	for b.names[name] || name == "" || name == fairshare.RootName || name == fairshare.UnknownName || name == "root" {
		name += "'"
	}
	b.names[name] = true
	n := len(b.groups) + 1
	g := model.ResourceGroup{Line: n, Name: name, Group: int32(n + 10), Parent: parent,
		Shares: int32(min(shares, 1<<30))}
	b.groups, b.from[of] = append(b.groups, g), append(b.from[of], g)
	return name
}

// below adds what is below a node of the share tree. A leaf "default" stands for everybody with jobs who has none.
func (b *treeBuilder) below(n *model.ShareNode, parent, project string) {
	for _, c := range n.Children {
		inside := project
		if b.isProject(c) {
			inside = c.Name
		}
		switch {
		case len(c.Children) > 0:
			b.below(c, b.add(c, c.Name, parent, c.Shares), inside)
		case c.Name == "default":
			defer b.others(c, parent, project) // behind those who have nodes
		case inside != project:
			b.everybody(c, parent, inside)
		default:
			b.user(c, c.Name, parent, project, c.Shares)
		}
	}
}

func (b *treeBuilder) isProject(n *model.ShareNode) bool {
	return n.Project || slices.ContainsFunc(b.snapshot.Projects, func(p model.Project) bool { return p.Name == n.Name })
}

// user adds the leaf of a user.
func (b *treeBuilder) user(of *model.ShareNode, owner, parent, project string, shares uint32) {
	key, name := project+"/"+owner, owner
	if b.leaf[key] != "" {
		return
	}
	if project != "" {
		name = project + "." + owner // the usage file knows no slash
	}
	b.leaf[key] = b.add(of, name, parent, shares)
	b.usage = append(b.usage, model.EntityUsage{Name: b.leaf[key], Usage: b.used(owner, project)})
}

// others adds a leaf for each owner of jobs that a default leaf stands for.
func (b *treeBuilder) others(n *model.ShareNode, parent, project string) {
	for i := range b.snapshot.Jobs {
		if j := &b.snapshot.Jobs[i]; project == "" || j.Project == project {
			b.user(n, j.Owner, parent, project, n.Shares)
		}
	}
}

// everybody adds a project without users: all its jobs count for it.
func (b *treeBuilder) everybody(n *model.ShareNode, parent, project string) {
	name, sum := b.add(n, n.Name, parent, n.Shares), 0.0
	for i := range b.snapshot.Jobs {
		if j := &b.snapshot.Jobs[i]; j.Project == project {
			b.leaf[project+"/"+j.Owner] = name
		}
	}
	for i := range b.snapshot.Projects {
		if p := &b.snapshot.Projects[i]; p.Name == project {
			sum = b.weighed(p.Usage.Decayed)
		}
	}
	b.usage = append(b.usage, model.EntityUsage{Name: name, Usage: sum})
}

// flat is a tree of users alone.
func (b *treeBuilder) flat() {
	shared := false
	for i := range b.snapshot.Users {
		shared = shared || b.snapshot.Users[i].FunctionalShares > 0
	}
	for i := range b.snapshot.Users {
		if u := &b.snapshot.Users[i]; shared {
			b.user(nil, u.Name, "root", "", u.FunctionalShares)
		}
	}
	for i := range b.snapshot.Jobs {
		if j := &b.snapshot.Jobs[i]; !shared {
			b.user(nil, j.Owner, "root", "", 1)
		}
	}
}

// used is what a user has used, decayed, as usage_weight_list weighs it; in a project where one is named.
func (b *treeBuilder) used(owner, project string) float64 {
	for i := range b.snapshot.Users {
		u := &b.snapshot.Users[i]
		if u.Name != owner {
			continue
		}
		for k := range u.Projects {
			if u.Projects[k].Project == project {
				return b.weighed(u.Projects[k].Decayed)
			}
		}
		if project == "" {
			return b.weighed(u.Usage.Decayed)
		}
	}
	return 0
}

func (b *treeBuilder) weighed(amounts []model.Amount) (sum float64) {
	for _, w := range b.snapshot.Policy.UsageWeights {
		for _, a := range amounts {
			if a.Name == w.Name {
				sum += w.Value * a.Value
			}
		}
	}
	return sum
}
