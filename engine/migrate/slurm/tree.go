package slurm

import (
	"maps"
	"math"
	"slices"
	"time"

	"qprism/engine/migrate"
	"qprism/engine/model"
	"qprism/engine/slurm/multifactor"
)

// A grower makes the tree of accounts of a snapshot.
type grower struct {
	*Translation
	s     *model.Snapshot
	at    time.Time
	note  bool // names that change are noted
	taken map[string]bool
	users map[Member]*multifactor.Assoc
	root  *multifactor.Assoc
}

// A Member is a user in a project of the share tree, or outside all projects.
type Member struct{ Project, User string }

// grow makes the tree of associations with the usage of a snapshot. Without a share tree everybody is in one account.
func (t *Translation) grow(s *model.Snapshot, at time.Time, note bool) *grower {
	g := &grower{Translation: t, s: s, at: at, note: note, taken: map[string]bool{"root": true},
		users: map[Member]*multifactor.Assoc{}}
	// every cluster has the user root; without shares he takes none (M9)
	g.root = &multifactor.Assoc{Name: "root", Shares: 1, Children: []*multifactor.Assoc{{Name: "root", User: true}}}
	if t.From.ShareTree == nil || len(t.From.ShareTree.Children) == 0 {
		all := g.account("users", "share tree", 1)
		g.root.Children = append(g.root.Children, all)
		g.others(all, "", 1)
		return g
	}
	g.below(t.From.ShareTree, g.root, "", 0)
	g.outside()
	return g
}

// outside makes an account without shares for those whose jobs are in no node of the share tree, and get
// none of its tickets.
func (g *grower) outside() {
	var all *multifactor.Assoc
	for _, project := range slices.Sorted(maps.Keys(g.owners)) {
		for _, owner := range slices.Sorted(maps.Keys(g.owners[project])) {
			if g.users[Member{project, owner}] != nil || g.users[Member{"", owner}] != nil || !holds(owner) {
				continue
			}
			if all == nil {
				all = g.account("outside", "share tree", 0)
				g.root.Children = append(g.root.Children, all)
			}
			g.user(all, "", owner, 1, false)
		}
	}
}

// deepest bounds the nesting of accounts.
const deepest = 100

// below makes what is below a node of the share tree. A leaf is a user, unless it is a project; "default"
// is everybody with jobs who has no node of his own there.
func (g *grower) below(n *model.ShareNode, parent *multifactor.Assoc, project string, depth int) {
	for _, c := range n.Children {
		inside := project
		if g.isProject(c) {
			inside = c.Name
		}
		switch {
		case depth >= deepest:
		case c.Name == "default" && len(c.Children) == 0:
			defer g.others(parent, project, c.Shares) // behind those who have nodes
		case len(c.Children) == 0 && inside == project:
			g.user(parent, project, c.Name, c.Shares, false)
		default:
			a := g.account(c.Name, "share tree", c.Shares)
			parent.Children = append(parent.Children, a)
			if len(c.Children) > 0 {
				g.below(c, a, inside, depth+1)
				continue
			}
			a.Usage = g.usageOf("", inside)
			for _, owner := range slices.Sorted(maps.Keys(g.owners[inside])) {
				g.user(a, inside, owner, 1, true)
			}
		}
	}
}

func (g *grower) isProject(n *model.ShareNode) bool {
	return n.Project || slices.ContainsFunc(g.From.Projects, func(p model.Project) bool { return p.Name == n.Name })
}

// others are users with jobs and without a node.
func (g *grower) others(parent *multifactor.Assoc, project string, shares uint32) {
	for _, owner := range slices.Sorted(maps.Keys(g.everybody(project))) {
		if g.users[Member{project, owner}] == nil {
			g.user(parent, project, owner, shares, false)
		}
	}
}

// everybody has jobs in a project, or outside of all that are in the tree.
func (g *grower) everybody(project string) map[string]bool {
	if project != "" {
		return g.owners[project]
	}
	all := map[string]bool{}
	for _, owners := range g.owners {
		for o := range owners {
			all[o] = true
		}
	}
	return all
}

// user makes an association, unless sacctmgr does not accept the name.
func (g *grower) user(parent *multifactor.Assoc, project, name string, shares uint32, same bool) {
	if !holds(name) {
		if g.note {
			text := itoa(shares)
			if same {
				text = "parent"
			}
			g.refuse(name, parent.Name, text)
		}
		return
	}
	u := &multifactor.Assoc{Name: name, User: true, Shares: shares, Parent: same,
		Priority: g.priority[Member{project, name}]}
	if !same {
		u.Usage = g.usageOf(name, project)
	}
	parent.Children = append(parent.Children, u)
	g.users[Member{project, name}] = u
}

// account makes an account. Slurm keeps names in small letters, and each once in the whole tree.
func (g *grower) account(name, kind string, shares uint32) *multifactor.Assoc {
	to := slurmName(name, g.taken)
	if to != name && g.note {
		g.Names = append(g.Names, migrate.Renaming{Kind: "node of the " + kind, From: name, To: to,
			Why: "names of accounts have lower-case letters, and each name is unique"})
	}
	return &multifactor.Assoc{Name: to, Shares: shares}
}

// usageOf is what a user, or a project, has used by usage_weight_list, decayed to the moment; in steps of
// 1/64, which six decimals hold.
func (g *grower) usageOf(user, project string) float64 {
	var usage []model.Amount
	var stamp time.Time
	if user == "" {
		for i := range g.s.Projects {
			if p := &g.s.Projects[i]; p.Name == project {
				usage, stamp = p.Usage.Decayed, p.Usage.At
			}
		}
	}
	for i := range g.s.Users {
		if u := &g.s.Users[i]; u.Name == user {
			usage, stamp = u.Usage.Decayed, u.Usage.At
			if project != "" {
				usage = nil
			}
			for _, p := range u.Projects {
				if p.Project == project {
					usage = p.Decayed
				}
			}
		}
	}
	weights, sum := map[string]float64{}, 0.0
	for _, w := range g.From.Policy.UsageWeights {
		weights[w.Name] = w.Value
		sum += w.Value
	}
	total := 0.0
	for _, a := range usage {
		if sum > 0 {
			total += a.Value * weights[a.Name] / sum
		}
	}
	if half := g.From.Policy.HalfTime; half > 0 && !stamp.IsZero() && g.at.After(stamp) {
		total *= math.Exp2(-g.at.Sub(stamp).Seconds() / half.Seconds())
	}
	return math.Round(max(0, total)*64) / 64
}

// association is that of a job: inside its project if the tree has it, else outside.
func (g *grower) association(j *model.Job) *multifactor.Assoc {
	if u := g.users[Member{j.Project, j.Owner}]; u != nil {
		return u
	}
	return g.users[Member{"", j.Owner}]
}
