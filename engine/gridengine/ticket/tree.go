package ticket

import (
	"cmp"

	"qprism/engine/gridengine/split"
	"qprism/engine/halves"
	"qprism/engine/model"
	"qprism/engine/order"
)

// A Node is a node of the share tree in one run. Usage and targets are from the last pass.
type Node struct {
	Name      string
	Shares    uint32
	Children  []*Node
	Temporary bool // made for this run only, for a user who maps to "default"

	Jobs            int     // running and pending tasks that count
	Active          int     // running tasks among them
	LevelShare      float64 // long-term target: product of the shares among active nodes on each level
	Usage           float64 // combined usage
	Proportion      float64 // short-term target as a fraction of the whole tree: adjusted current proportion
	ShortTerm       float64 // short-term target as a fraction of its siblings
	longTerm        float64 // long-term target among its siblings
	longTermOfTree  float64
	shortTermOfTree float64
	shr             float64

	project   bool    // named like a project that exists
	jobShares uint32  // sum of -js of running tasks
	finished  bool    // a finished task's job belongs here
	ranked    []int32 // tasks that hang here while pending tickets are given, by their places among the refs
}

// newTree copies the configured tree.
func newTree(n *model.ShareNode) *Node {
	t := &Node{Name: n.Name, Shares: n.Shares}
	for _, c := range n.Children {
		t.Children = append(t.Children, newTree(c))
	}
	return t
}

func (r *run) resetTree() {
	if r.tree == nil {
		return
	}
	r.tree.walk(func(n *Node) {
		*n = Node{Name: n.Name, Shares: n.Shares, Children: n.Children, Temporary: n.Temporary, finished: n.finished,
			project: r.projectByName[n.Name] != nil}
	})
}

// walk visits a node and all below it, parents first.
func (n *Node) walk(visit func(*Node)) {
	visit(n)
	for _, c := range n.Children {
		c.walk(visit)
	}
}

// find is the node that a task's usage and tickets belong to; nil where it has none. A user who maps to "default"
// gets a node beside it, with the same shares, for the time of the run (R27, quirk Q23).
func (r *run) find(t *belongs) *Node {
	if t.user == nil && t.project == nil {
		return nil
	}
	place := r.tree
	if t.project != nil {
		place = r.tree.findProject(t.project.Name, true)
		if place == nil {
			return nil
		}
		if len(place.Children) == 0 {
			return place
		}
	}
	if t.user == nil {
		return nil
	}
	node, parent := place.findUser(t.user.Name, true)
	if node == nil {
		node, parent = place.findUser("default", true)
	}
	if node == nil || parent == nil || node.Name != "default" {
		return node
	}
	temporary := node.copy()
	temporary.Name, temporary.Temporary = t.user.Name, true
	parent.Children = append(parent.Children, temporary)
	r.made++
	return temporary
}

func (n *Node) copy() *Node {
	c := *n
	c.Children = nil
	for _, child := range n.Children {
		c.Children = append(c.Children, child.copy())
	}
	return &c
}

// findProject finds the node of a project; it does not look inside other projects.
func (n *Node) findProject(name string, top bool) *Node {
	if n.Name == name {
		return n
	}
	if n.project && !top {
		return nil
	}
	for _, c := range n.Children {
		if found := c.findProject(name, false); found != nil {
			return found
		}
	}
	return nil
}

// findUser finds the first node of that name, parents first, and its parent; it does not look inside projects.
func (n *Node) findUser(name string, top bool) (found, parent *Node) {
	if n.project && !top {
		return nil, nil
	}
	if n.Name == name {
		return n, nil
	}
	for _, c := range n.Children {
		if found, parent = c.findUser(name, false); found != nil {
			if found == c {
				parent = n
			}
			return found, parent
		}
	}
	return nil, nil
}

// countNodes counts the tasks of each node; an inner node has those of its children.
func (r *run) countNodes() {
	if r.tree == nil {
		return
	}
	for i := range r.refs {
		if t := &r.refs[i]; t.node != nil {
			t.node.Jobs++
			if !r.isQueued(i) {
				t.node.Active++
			}
		}
	}
	r.tree.sumJobs()
	r.tree.LevelShare = 1
	r.tree.shareLevels()
}

func (n *Node) sumJobs() (jobs, active int) {
	if len(n.Children) == 0 {
		return n.Jobs, n.Active
	}
	n.Jobs, n.Active = 0, 0
	for _, c := range n.Children {
		j, a := c.sumJobs()
		n.Jobs += j
		n.Active += a
	}
	return n.Jobs, n.Active
}

// shareLevels gives the active children of a node their part of its long-term target.
func (n *Node) shareLevels() {
	var sum uint64
	for _, c := range n.Children {
		if c.Jobs > 0 {
			sum += uint64(c.Shares)
		}
	}
	for _, c := range n.Children {
		c.LevelShare = 0
		if c.Jobs > 0 && sum > 0 {
			c.LevelShare = n.LevelShare * (float64(c.Shares) / float64(sum))
		}
		c.shareLevels()
	}
}

// minimumUsage is the least usage that a whole tree counts as having.
const minimumUsage = 1.0

// setTargets sets the short-term targets: shares weighed against usage, corrected once where a node would get more
// than compensation_factor times its long-term target (R29).
func (r *run) setTargets() {
	t := r.tree
	t.ShortTerm, t.longTerm, t.shortTermOfTree, t.longTermOfTree = 1, 1, 1, 1
	t.setTargets(r.policy.CompensationFactor)
}

func (n *Node) setTargets(factor float64) {
	var sum float64
	for _, c := range n.active() {
		sum += float64(c.Shares)
	}
	var all float64
	for _, c := range n.active() {
		c.longTerm = 0
		if sum > 0 {
			c.longTerm = float64(c.Shares) / sum
		}
		c.longTermOfTree = n.longTermOfTree * c.longTerm
		c.shr = 0
		if c.longTermOfTree > 0 {
			c.shr = float64(c.Shares) * float64(c.Shares) / c.floorUsage()
		}
		all += c.shr
	}
	n.divide(all)
	if factor != 0 {
		n.compensate(factor)
	}
	for _, c := range n.active() {
		c.setTargets(factor)
	}
}

// compensate lowers the targets of those that would get more than the factor allows; there is one round only.
func (n *Node) compensate(factor float64) {
	var all float64
	hit := false
	for _, c := range n.active() {
		if c.shortTermOfTree > factor*c.longTermOfTree {
			c.shr = float64(c.Shares) * float64(c.Shares) / (c.floorUsage() * (c.shortTermOfTree / (factor * c.longTermOfTree)))
			hit = true
		}
		all += c.shr
	}
	if hit {
		n.divide(all)
	}
}

// divide makes targets of the children's parts.
func (n *Node) divide(all float64) {
	for _, c := range n.active() {
		c.ShortTerm = 0
		if all > 0 {
			c.ShortTerm = c.shr / all
		}
		c.shortTermOfTree = n.shortTermOfTree * c.ShortTerm
		c.Proportion = c.shortTermOfTree
	}
}

func (n *Node) floorUsage() float64 { return max(n.Usage, minimumUsage*n.longTermOfTree) }

// Slack is the largest relative error of the tree's targets if the usage of each user has an error. On each
// level, the error affects a node's weight and the sum of all weights. With a compensation_factor, it also
// affects the target that limits the weight. Usage below the floor does not matter.
func (n *Node) Slack(factor, off float64) float64 { return n.slack(0, factor, off) }

func (n *Node) slack(above, factor, off float64) float64 {
	weight := 0.0
	for _, c := range n.active() {
		if most := float64(c.leaves()) * off; c.longTermOfTree > 0 && c.Usage+most > minimumUsage*c.longTermOfTree {
			weight = max(weight, most/c.floorUsage())
		}
	}
	if factor != 0 {
		weight = 3*weight + above
	}
	here := above + 2*weight
	most := here
	for _, c := range n.active() {
		most = max(most, c.slack(here, factor, off))
	}
	return most
}

// leaves counts the users below a node, itself where it is one.
func (n *Node) leaves() (sum int) {
	for _, c := range n.Children {
		sum += c.leaves()
	}
	return max(sum, 1)
}

// active are the children that tasks belong to.
func (n *Node) active() func(func(int, *Node) bool) {
	return func(yield func(int, *Node) bool) {
		for i, c := range n.Children {
			if c.Jobs > 0 && !yield(i, c) {
				return
			}
		}
	}
}

// runningShare is what a running task gets of the share-tree tickets (R30).
func (r *run) runningShare(t *ref) float64 {
	if r.policy.ShareTreeTickets == 0 || t.node == nil {
		return 0
	}
	node := t.node.Proportion * float64(r.policy.ShareTreeTickets)
	share := node / float64(t.node.Jobs)
	if t.node.jobShares != 0 {
		share = float64(t.jobShare) * node / float64(t.node.jobShares)
		if r.Quirks.TruncatedJobShare {
			share = float64(uint32(share))
		}
	}
	r.deriveRunningShare(t, share)
	return share
}

// pendingShare ranks the tasks of every node and dilutes the node's target by what is ranked before a task (R31).
func (r *run) pendingShare(dependent bool) {
	if r.policy.ShareTreeTickets == 0 || r.tree == nil {
		return
	}
	tasks := 0
	for i := range r.refs {
		if t := &r.refs[i]; t.node != nil && (r.isQueued(i) || !r.Quirks.OldDilution) {
			t.sort = float64(t.jobShare)
			if dependent {
				t.sort = t.gained + float64(0.01*float64(t.jobShare))
			}
			if t.node.ranked == nil {
				t.node.ranked = make([]int32, 0, t.node.Jobs)
			}
			t.node.ranked = append(t.node.ranked, int32(i))
			tasks++
		}
	}
	d := diluter{run: r, all: float64(r.policy.ShareTreeTickets), dependent: dependent, quirks: r.Quirks}
	ranked := make([]int32, 0, tasks)
	if r.Quirks.SiblingTarget {
		ranked = d.rank(d.effectiveRoot(r.tree), true, ranked)
	} else {
		r.tree.walk(func(n *Node) {
			d.dilute(n, n.ranked, n.Proportion, 0)
			ranked = append(ranked, n.ranked...)
		})
	}
	for _, i := range ranked {
		if t := &r.refs[i]; r.isQueued(int(i)) && dependent {
			t.gained += t.given.ShareTree
		}
	}
}

// A diluter ranks tasks node by node.
type diluter struct {
	run       *run
	all       float64 // share-tree tickets
	dependent bool    // tasks are ranked by tickets of earlier policies, too
	quirks    model.Quirks
}

// takesPart reports whether a node's tasks are ranked: 6.2u5 ranks pending ones only (Q52).
func (d diluter) takesPart(n *Node) bool {
	if d.quirks.OldDilution {
		return n.Jobs > n.Active
	}
	return n.Jobs > 0
}

// effectiveRoot is the top of the tree without levels that have a single branch with tasks (quirk Q21).
func (d diluter) effectiveRoot(n *Node) *Node {
	if len(n.ranked) > 0 {
		return n
	}
	var only *Node
	for _, c := range n.Children {
		if !d.takesPart(c) {
			continue
		}
		if only != nil {
			return n
		}
		only = c
	}
	if only == nil {
		return n
	}
	return d.effectiveRoot(only)
}

// rank puts the tasks below a node behind a list, by their places among the refs. Each level ranks them anew and
// overwrites what the level below made of them. A node that has tasks of its own loses its children for the rest of the
// run, as in the master. Two processors each rank half of the top node's children. A task is below only one child.
func (d diluter) rank(n *Node, top bool, list []int32) []int32 {
	first := len(list)
	if top {
		left, right := halves.Make(len(n.Children), func(from, to int) []int32 {
			tasks := 0
			for _, c := range n.Children[from:to] {
				tasks += c.Jobs
			}
			return d.rankEach(n.Children[from:to], make([]int32, 0, tasks))
		})
		list = append(append(list, left...), right...)
	} else {
		list = d.rankEach(n.Children, list)
	}
	own := len(n.ranked) > 0
	if own {
		list = append(list, n.ranked...)
		n.Children = nil
	}
	if !top || own {
		d.dilute(n, list[first:], n.ShortTerm, n.Active)
	}
	return list
}

// rankEach ranks the tasks below each of these nodes.
func (d diluter) rankEach(nodes []*Node, list []int32) []int32 {
	for _, n := range nodes {
		if d.takesPart(n) {
			list = d.rank(n, false, list)
		}
	}
	return list
}

// dilute sorts tasks and gives each its part of a target. 6.2u5 counts each task and all running ones before the first.
func (d diluter) dilute(n *Node, list []int32, target float64, active int) {
	d.sort(list)
	ahead := 1.0
	if d.quirks.OldDilution {
		ahead += float64(active)
	}
	for _, i := range list {
		t, share := &d.run.refs[i], target/ahead
		d.run.deriveShare(t, n, target, ahead, share*d.all)
		if d.run.isQueued(int(i)) {
			t.given.ShareTree = share * d.all
		}
		t.sort = float64(share * d.all)
		if d.dependent {
			t.sort += t.gained
		}
		if d.quirks.DiluteByPE {
			ahead += float64(t.least)
		} else {
			ahead++
		}
	}
}

// sort puts running tasks first, which are first among the refs, then those of more tickets, then those of the
// smaller job number.
func (d diluter) sort(list []int32) {
	refs := d.run.refs
	key := func(at int32) uint64 {
		if d.run.isQueued(int(at)) {
			return ^order.Float(refs[at].sort)
		}
		return uint64(at) // less than the key of any float
	}
	order.Sort(list, key, func(i, k int32) int {
		if d.run.inOrder {
			return cmp.Compare(i, k)
		}
		return cmp.Or(refs[i].compareNumber(&refs[k]), cmp.Compare(i, k))
	})
}

// leastSlots is what a job takes from those ranked after it: the minimum of the first slot range it asks for (Q22).
func leastSlots(j *model.Job) uint32 {
	if len(j.PERange) == 0 {
		return 1
	}
	return max(1, j.PERange[0].Min)
}

// markFinished marks the nodes of jobs that ended. The master learns of usage in the tree only if a leaf is
// among them. It also makes the node of a user who maps to "default". That user's usage counts from then
// on, even if no job of the user takes part (R32).
func (r *run) markFinished(finished []split.Entry) {
	if r.tree == nil {
		return
	}
	for i := range finished {
		e := &finished[i]
		if len(e.Tasks) == 0 {
			continue
		}
		if node := r.find(&belongs{user: r.userByName[e.Job.Owner], project: r.projectByName[e.Job.Project]}); node != nil {
			node.finished = true
		}
	}
}

func (r *run) treeChanged() bool {
	changed := false
	if r.tree != nil {
		r.tree.walk(func(n *Node) {
			changed = changed || n.finished && len(n.Children) == 0 && !n.Temporary
		})
	}
	return changed
}
