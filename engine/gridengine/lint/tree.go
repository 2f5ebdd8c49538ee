package lint

import (
	"fmt"
	"slices"

	"qprism/engine/gridengine/priority"
	"qprism/engine/gridengine/ticket"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// treeUsed says whether the share tree gives out tickets.
func (l *linter) treeUsed() bool { return l.ShareTree != nil && l.policy.ShareTreeTickets > 0 }

// isProject says whether a node is one of a project.
func (l *linter) isProject(name string) bool { return l.projects[name] }

// treeWithoutRoot finds a tree whose first node is not Root, and one that is nothing but its root.
func treeWithoutRoot(l *linter) []lint.Trap {
	if l.ShareTree == nil {
		return nil
	}
	place := l.TreeNode(l.ShareTree.Name, 0)
	if len(l.ShareTree.Children) == 0 {
		return []lint.Trap{{
			Name: "empty-tree", What: "the share tree has only a root: nobody can get share-tree tickets", Place: place,
			Effect: fmt.Sprintf("none of %s has share-tree tickets", lint.Many(len(l.all), "job")),
			Fix:    []string{"qconf -astnode /default=100"},
		}}
	}
	if l.ShareTree.Name == "Root" {
		return nil
	}
	hung := those(l.all, func(j *priority.Job) bool {
		return j.Job.Owner == l.ShareTree.Name || j.Job.Project == l.ShareTree.Name
	})
	effect := "nobody has that name now"
	if len(hung) > 0 {
		effect = fmt.Sprintf("%s of that name %s a share of the whole cluster at the root, beside all others: %s",
			lint.Many(len(hung), "job"),
			lint.Verb(len(hung), "gets", "get"), numbers(hung))
	}
	return []lint.Trap{{
		Name: "tree-without-root",
		What: fmt.Sprintf("the share tree has no node Root: jobs can belong to its first node, %s",
			l.ShareTree.Name),
		Place:  place,
		Effect: effect,
		Fix:    []string{edit("-sstree", "tree", "-Mstree", fmt.Sprintf("%ds/.*/name=Root/", max(place.Line, 2)))},
	}}
}

// findProject is the node of a project; nodes of other projects are not entered.
func (l *linter) findProject(n *model.ShareNode, name string, top bool) *model.ShareNode {
	if n.Name == name {
		return n
	}
	if l.isProject(n.Name) && !top {
		return nil
	}
	for _, c := range n.Children {
		if found := l.findProject(c, name, false); found != nil {
			return found
		}
	}
	return nil
}

// findUser is the first node of a name, parents first; nodes of projects are not entered.
func (l *linter) findUser(n *model.ShareNode, name string, top bool) *model.ShareNode {
	if l.isProject(n.Name) && !top {
		return nil
	}
	if n.Name == name {
		return n
	}
	for _, c := range n.Children {
		if found := l.findUser(c, name, false); found != nil {
			return found
		}
	}
	return nil
}

// A miss is why the tree has no tickets for a job.
type miss string

const (
	missProject miss = "their project has no node, and then the node of the owner does not count"
	missObject  miss = "their owner is not a user that the cluster knows"
	missUser    miss = "their owner has no node, and there is no node default"
	missShares  miss = "a node between the root and their node has no shares"
)

// missing says why a job has no share-tree tickets: the same for all jobs of an owner in a project.
func (l *linter) missing(j *model.Job) miss {
	key := [2]string{j.Owner, j.Project}
	why, known := l.missed[key]
	if !known {
		why = l.search(j)
		l.missed[key] = why
	}
	return why
}

// search looks for a job's node as the scheduler does.
func (l *linter) search(j *model.Job) miss {
	place := l.ShareTree
	if j.Project != "" && l.isProject(j.Project) {
		if place = l.findProject(l.ShareTree, j.Project, true); place == nil {
			return missProject
		}
	}
	switch {
	case j.Project != "" && place != nil && len(place.Children) == 0:
		return missShares
	case !l.users[j.Owner]:
		return missObject
	case l.findUser(place, j.Owner, true) == nil && l.findUser(place, "default", true) == nil:
		return missUser
	}
	return missShares
}

// unreachable finds jobs that the tree has no tickets for.
func unreachable(l *linter) (traps []lint.Trap) {
	if !l.treeUsed() || len(l.ShareTree.Children) == 0 {
		return nil
	}
	without := those(l.waiting(), func(j *priority.Job) bool { return j.First().ShareTree == 0 })
	for _, why := range []miss{missProject, missObject, missUser, missShares} {
		jobs := those(without, func(j *priority.Job) bool { return l.missing(j.Job) == why })
		if len(jobs) > 0 {
			traps = append(traps, l.unreached(why, jobs))
		}
	}
	return traps
}

func (l *linter) unreached(why miss, jobs []*priority.Job) lint.Trap {
	t := lint.Trap{
		Name:  "outside-the-tree",
		What:  fmt.Sprintf("jobs get no share-tree tickets: %s", why),
		Place: l.TreeNode(l.ShareTree.Name, 0),
		Effect: fmt.Sprintf("%d of %s %s none: %s (owners: %s)", len(jobs), lint.Many(len(l.waiting()), "waiting job"),
			lint.Verb(len(jobs), "gets", "get"), numbers(jobs), lint.Few(owners(jobs))),
	}
	first := jobs[0].Job
	switch why {
	case missProject:
		t.Fix = []string{"qconf -astnode " + lint.Quote("/"+first.Project+"=100")}
	case missObject:
		t.Place = l.First("conf.txt", "enforce_user")
		t.Fix = []string{setConf("enforce_user", "auto")}
	case missUser:
		t.Fix = []string{"qconf -astnode /default=100", "qconf -astnode " + lint.Quote("/"+first.Owner+"=100")}
	case missShares:
		if path := l.zeroNode(first); len(path) > 0 {
			t.Place = l.TreeNode(path[len(path)-1], 0)
			t.Fix = []string{"qconf -mstnode " + lint.Quote(join(path)+"=100")}
		}
	}
	return t
}

// zeroNode is the path to the first node without shares on the way to a job's node.
func (l *linter) zeroNode(j *model.Job) []string {
	for _, name := range []string{j.Project, j.Owner, "default"} {
		path := pathTo(l.ShareTree, name)
		for i := range path {
			if i > 0 && path[i].Shares == 0 {
				return names(path[1 : i+1])
			}
		}
		if len(path) > 0 && name != j.Project {
			return nil
		}
	}
	return nil
}

// pathTo are the nodes from the root to the first of a name.
func pathTo(n *model.ShareNode, name string) []*model.ShareNode {
	if name != "" && n.Name == name {
		return []*model.ShareNode{n}
	}
	for _, c := range n.Children {
		if rest := pathTo(c, name); rest != nil {
			return append([]*model.ShareNode{n}, rest...)
		}
	}
	return nil
}

func names(path []*model.ShareNode) (list []string) {
	for _, n := range path {
		list = append(list, n.Name)
	}
	return list
}

func join(path []string) (text string) {
	for _, name := range path {
		text += "/" + name
	}
	return text
}

// nodesNeverFound finds nodes behind another one of the same name, which every search finds first. A
// project is searched for outside other projects, a user outside all of them or inside one.
func nodesNeverFound(l *linter) (traps []lint.Trap) {
	if !l.treeUsed() {
		return nil
	}
	seen, found := map[string]int{}, map[[2]string]bool{}
	var visit func(n *model.ShareNode, within string, path []string)
	visit = func(n *model.ShareNode, within string, path []string) {
		key := [2]string{within, n.Name}
		if len(path) > 0 && (found[key] || within != "" && l.isProject(n.Name)) {
			traps = append(traps, l.neverFound(n, path, seen[n.Name]))
		}
		found[key] = true
		seen[n.Name]++
		if l.isProject(n.Name) {
			within += "/" + n.Name
		}
		for _, c := range n.Children {
			visit(c, within, append(slices.Clip(path), c.Name))
		}
	}
	visit(l.ShareTree, "", nil)
	return traps
}

func (l *linter) neverFound(n *model.ShareNode, path []string, nth int) lint.Trap {
	jobs := those(l.all, func(j *priority.Job) bool { return j.Job.Owner == n.Name || j.Job.Project == n.Name })
	return lint.Trap{
		Name: "node-never-found",
		What: fmt.Sprintf("the scheduler never uses node %s of the share tree: it finds another node for %s first",
			join(path), n.Name),
		Place: l.TreeNode(n.Name, nth),
		Effect: fmt.Sprintf("its %d shares have no effect; %s of %s %s another node", n.Shares,
			lint.Many(len(jobs), "job"), n.Name,
			lint.Verb(len(jobs), "uses", "use")),
		Fix: []string{"qconf -dstnode " + lint.Quote(join(path))},
	}
}

// defaultForEach finds a default node beside others: each user who maps to it gets its shares for himself (quirk Q23).
func defaultForEach(l *linter) (traps []lint.Trap) {
	if !l.treeUsed() || l.view.Result.Tickets.Both == nil {
		return nil
	}
	var visit func(n *ticket.Node, path []string)
	visit = func(n *ticket.Node, path []string) {
		var mapped []string
		var shares, others uint32
		for _, c := range n.Children {
			switch {
			case c.Temporary:
				mapped = append(mapped, c.Name)
			case c.Name == "default":
				shares = c.Shares
			default:
				others += c.Shares
			}
			visit(c, append(slices.Clip(path), c.Name))
		}
		if len(mapped) > 1 && others > 0 {
			traps = append(traps, l.defaultTrap(path, mapped, shares, others))
		}
	}
	visit(l.view.Result.Tickets.Both, nil)
	return traps
}

func (l *linter) defaultTrap(path, mapped []string, shares, others uint32) lint.Trap {
	slices.Sort(mapped)
	n := uint32(len(mapped))
	return lint.Trap{
		Name:  "default-for-each",
		What:  fmt.Sprintf("node default gives %d shares to each user without a node, not to all of them together", shares),
		Place: l.TreeNode("default", 0),
		Effect: fmt.Sprintf("%d users (%s) have %d shares together; their sibling nodes have %d", n, lint.Few(mapped),
			uint64(n)*uint64(shares), others),
		Fix: []string{"qconf -mstnode " + lint.Quote(fmt.Sprintf("%s/default=%d", join(path), max(1, shares/n)))},
	}
}
