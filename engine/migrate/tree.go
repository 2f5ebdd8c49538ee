package migrate

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/engine/whatif"
)

// translateTree makes resource_group of the share tree, by names that are unique in it: a user below a project is
// "project.user", and the hook of a formula that reads fairshare puts that into Account_Name.
func translateTree(t *Translation) {
	if t.From.ShareTree == nil {
		return
	}
	active := t.shares()
	t.To.PBS.Fairshare.Groups = whatif.NewTree(t.From).Files().Groups
	w := &walker{Translation: t, groups: t.To.PBS.Fairshare.Groups}
	w.below("/", "root", t.From.ShareTree)
	entity := "euser"
	if w.accounts {
		entity = "Account_Name"
	}
	t.setSched("fairshare_entity", entity)
	t.setSched("unknown_shares", "0")
	t.setSched("fairshare_enforce_no_shares", "False")
	if !active {
		for at, s := range t.said {
			if at.kind == "share_tree" {
				s.verdict, s.notes = NoEffect,
					[]string{"the share-tree policy orders nothing; resource_group has the tree all the same"}
			}
		}
	}
	t.decay(active)
}

// A walker goes through a share tree and the groups made of it, which come in the same order.
type walker struct {
	*Translation
	groups   []model.ResourceGroup // those that are left
	accounts bool                  // jobs are charged to other names than their owners
}

// below tells what became of the nodes below one.
func (w *walker) below(at, parent string, n *model.ShareNode) {
	w.sayNode(at, "id", NoEffect, "", "a number for people")
	w.sayNode(at, "type", Exact, "", "")
	w.sayNode(at, "childnodes", Exact, "", "")
	if at == "/" {
		w.sayNode(at, "name", NoEffect, "", "the root of PBS is called TREEROOT")
		w.sayNode(at, "shares", NoEffect, "", "the root has all shares")
	}
	for i, c := range n.Children {
		w.child(path.Join(at, c.Name), parent, c, n.Children[i+1:])
	}
}

// child tells of one node. One called default is as many groups as there were users for it.
func (w *walker) child(at, parent string, c *model.ShareNode, rest []*model.ShareNode) {
	if c.Name == "default" && len(c.Children) == 0 {
		var made []string
		for len(w.groups) > 0 && w.groups[0].Parent == parent &&
			(len(rest) == 0 || !isNamed(w.groups[0].Name, rest[0].Name)) {
			made = append(made, w.take(c))
		}
		note := "stands for every user without a node of its own: those with jobs now have one; add others as they come"
		w.sayNode(at, "name", Approximate, "resource_group: "+shortList(made), note)
		w.sayNode(at, "shares", Approximate, "resource_group: "+shortList(made), note)
		w.below(at, parent, c)
		return
	}
	name := c.Name
	if len(w.groups) > 0 && w.groups[0].Parent == parent && isNamed(w.groups[0].Name, c.Name) {
		name = w.groups[0].Name
		text := w.take(c)
		w.sayNode(at, "name", Exact, "resource_group: "+text, "")
		w.sayNode(at, "shares", Exact, "resource_group: "+text, "")
	} else {
		w.sayNode(at, "name", Lost, "", "the same user is in this project a second time")
		w.sayNode(at, "shares", Lost, "", "the same user is in this project a second time")
	}
	w.below(at, name, c)
}

// isNamed reports whether a group can be that of a node: it has its name, or that behind a project's, and
// marks that make it unique.
func isNamed(group, node string) bool {
	clean := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '_'
		}
		return r
	}, node)
	return strings.HasPrefix(group, clean) || strings.Contains(group, "."+clean)
}

// take takes the next group as a line of its file.
func (w *walker) take(c *model.ShareNode) string {
	g := w.groups[0]
	w.groups = w.groups[1:]
	if g.Name != c.Name {
		w.Names = append(w.Names, Renaming{Kind: "share tree node", From: c.Name, To: g.Name,
			Why: "names of resource_group are unique in the whole tree"})
	}
	w.accounts = w.accounts || c.Project || g.Name != c.Name && len(c.Children) == 0 && c.Name != "default"
	return fmt.Sprintf("%s %d %s %d", g.Name, g.Group, g.Parent, g.Shares)
}

func (w *walker) sayNode(at, key string, v Verdict, into, note string) {
	w.say(place{kind: "share_tree", object: at, key: key}, v, into, note)
}

// decay says how usage is counted and how fast it is forgotten.
func (t *Translation) decay(active bool) {
	p := t.From.Policy
	sched := func(key string, v Verdict, into, note string) {
		if !active {
			v, note = NoEffect, "the share-tree policy orders nothing"
		}
		t.say(place{kind: "sched_conf", key: key}, v, into, note)
	}
	if p.HalfTime > 0 {
		step := p.HalfTime / 24
		factor := strconv.FormatFloat(math.Exp2(-1.0/24), 'f', 6, 64)
		t.setSched("fairshare_decay_time", clockText(int64(step/time.Second)))
		t.setSched("fairshare_decay_factor", factor)
		sched("halftime", Approximate, "sched_config: fairshare_decay_time: "+clockText(int64(step/time.Second))+
			"\nsched_config: fairshare_decay_factor: "+factor,
			"PBS decays in steps of a 24th of the half-life: between two steps usage is at most 2.9% too high")
	} else {
		t.setSched("fairshare_decay_time", "8760:00:00")
		t.setSched("fairshare_decay_factor", "0.999999")
		sched("halftime", Approximate, "sched_config: fairshare_decay_time: 8760:00:00",
			"usage never decays in Grid Engine; in PBS it loses a millionth a year")
	}
	usage, note := whatif.UsageResource(t.From, 1)
	t.setSched("fairshare_usage_res", usage)
	lost := fmt.Sprintf("PBS charges usage in its cycles: what a job uses between the last one and its "+
		"end is lost, %s of its run time at the most", clockText(t.interval()))
	if note != "" {
		lost = note + "; " + lost
	}
	sched("usage_weight_list", Approximate, "sched_config: fairshare_usage_res: "+usage, lost)
	sched("halflife_decay_list", NoEffect, "", "none")
	if len(p.HalfLives) > 0 {
		sched("halflife_decay_list", Lost, "", "PBS has one half-life for all usage")
	}
}
