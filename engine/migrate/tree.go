package migrate

import (
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// firstGroup is the number of the first group of resource_group. 0 is the root's and 1 that of "unknown".
const firstGroup = 10

// translateTree makes resource_group of the share tree. Where there is no share tree in use, functional shares become a tree,
// for formulas that read fairshare_perc.
func translateTree(t *Translation) {
	p := t.From.Policy
	active := p.ShareTreeTickets > 0 && strings.Contains(p.Hierarchy, "S")
	if t.From.ShareTree == nil {
		return
	}
	g := &grower{Translation: t, group: firstGroup}
	g.entity = "euser"
	if hasProjects(t.From.ShareTree) {
		g.entity = "Account_Name"
	}
	g.node("/", "root", t.From.ShareTree)
	t.setSched("fairshare_entity", g.entity)
	t.setSched("unknown_shares", "0")
	t.setSched("fairshare_enforce_no_shares", "False")
	if !active {
		for pl, s := range t.said {
			if pl.kind == "share_tree" && s.verdict != Lost {
				s.verdict = NoEffect
				s.notes = []string{"the share-tree policy is off; resource_group has the tree all the same"}
			}
		}
	}
	t.decay(active)
}

func hasProjects(n *model.ShareNode) bool {
	for _, c := range n.Children {
		if c.Project || hasProjects(c) {
			return true
		}
	}
	return n.Project
}

// A grower makes resource_group node by node.
type grower struct {
	*Translation
	group  int32
	entity string
}

// node adds the children of a node. Entities keep their names, since jobs are charged to them by name: users where the tree
// has no projects; else "project" or "project.user", which the hook at submission puts into Account_Name.
func (g *grower) node(at, parent string, n *model.ShareNode) {
	g.sayNode(at, "id", NoEffect, "", "a number for people")
	g.sayNode(at, "type", Exact, "", "")
	g.sayNode(at, "childnodes", Exact, "", "")
	if at == "/" {
		g.sayNode(at, "name", NoEffect, "", "the root of PBS is called TREEROOT")
		g.sayNode(at, "shares", NoEffect, "", "the root has all shares")
	}
	for _, c := range n.Children {
		below := path.Join(at, c.Name)
		name := g.spell(treeSpelling, g.entityName(n, c, below))
		shares := int32(min(c.Shares, math.MaxInt32))
		line := model.ResourceGroup{Line: len(g.To.PBS.Fairshare.Groups) + 1, Name: name, Group: g.group, Parent: parent, Shares: shares}
		g.group++
		g.To.PBS.Fairshare.Groups = append(g.To.PBS.Fairshare.Groups, line)
		text := name + " " + strconv.Itoa(int(line.Group)) + " " + parent + " " + strconv.Itoa(int(shares))
		g.sayNode(below, "name", Exact, "resource_group: "+text, "")
		g.sayNode(below, "shares", Exact, "resource_group: "+text, "")
		if c.Name == "default" && len(c.Children) == 0 {
			g.sayNode(below, "name", Approximate, "", "stands for all users that the tree does not name: in PBS they are below unknown, and have no shares of this node")
		}
		g.node(below, name, c)
	}
}

// entityName is the name by which a node is charged.
func (g *grower) entityName(parent, n *model.ShareNode, at string) string {
	switch {
	case g.entity == "euser" || n.Project:
		return n.Name
	case len(n.Children) == 0 && parent.Project:
		return parent.Name + "." + n.Name
	case len(n.Children) == 0:
		return n.Name
	}
	return n.Name
}

func (g *grower) sayNode(at, key string, v Verdict, into, note string) {
	g.say(place{kind: "share_tree", object: at, key: key}, v, into, note)
}

// decay says how usage is counted and how fast it is forgotten.
func (t *Translation) decay(active bool) {
	p := t.From.Policy
	sched := func(key string, v Verdict, into, note string) {
		if !active {
			v, note = NoEffect, "the share-tree policy is off"
		}
		t.say(place{kind: "sched_conf", key: key}, v, into, note)
	}
	if p.HalfTime > 0 {
		step := p.HalfTime / 24
		factor := strconv.FormatFloat(math.Exp2(-1.0/24), 'f', 6, 64)
		t.setSched("fairshare_decay_time", clockText(int64(step/time.Second)))
		t.setSched("fairshare_decay_factor", factor)
		sched("halftime", Approximate, "sched_config: fairshare_decay_time: "+clockText(int64(step/time.Second))+"\nsched_config: fairshare_decay_factor: "+factor,
			"PBS decays in steps of a 24th of the half-life: between two steps usage is at most 2.9% too high")
	} else {
		t.setSched("fairshare_decay_time", "8760:00:00")
		t.setSched("fairshare_decay_factor", "0.999999")
		sched("halftime", Approximate, "sched_config: fairshare_decay_time: 8760:00:00", "usage never decays in Grid Engine; in PBS it loses a millionth a year")
	}
	usage, note := usageFormula(p.UsageWeights)
	t.setSched("fairshare_usage_res", usage)
	verdict := Exact
	if note != "" {
		verdict = Approximate
	}
	sched("usage_weight_list", verdict, "sched_config: fairshare_usage_res: "+usage, note)
	sched("halflife_decay_list", NoEffect, "", "none")
	if len(p.HalfLives) > 0 {
		sched("halflife_decay_list", Lost, "", "PBS has one half-life for all usage")
	}
}

// usageFormula is a fairshare_usage_res for the weights of Grid Engine. What jobs used in memory over time and in transfers PBS
// does not know: memory counts as the most that a job used for as long as it ran, in gigabytes, which is never less.
func usageFormula(weights []model.Amount) (text, note string) {
	var terms []string
	for _, w := range weights {
		if w.Value == 0 {
			continue
		}
		number := strconv.FormatFloat(w.Value, 'f', -1, 64)
		switch w.Name {
		case "cpu":
			terms = append(terms, number+"*cput")
		case "mem":
			terms = append(terms, number+"*mem/1048576*walltime")
			note = "mem: the most memory that a job used for as long as it ran, which is no less than what Grid Engine counts"
		default:
			if note != "" {
				note += "; "
			}
			note += w.Name + ": PBS does not know it"
		}
	}
	if len(terms) == 0 {
		return "cput", "cput, since nothing else that is weighed is known"
	}
	if len(terms) == 1 && terms[0] == "1*cput" {
		return "cput", note
	}
	return strings.Join(terms, "+"), note
}
