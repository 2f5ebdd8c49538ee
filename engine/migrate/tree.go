package migrate

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
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
	w := &walker{Translation: t, tree: whatif.NewTree(t.From)}
	t.To.PBS.Fairshare.Groups = w.tree.Files().Groups
	w.below("/", t.From.ShareTree)
	entity := "euser"
	if w.accounts {
		entity = "Account_Name"
	}
	t.setSched("fairshare_entity", entity)
	t.setSched("unknown_shares", "0")
	t.setSched("fairshare_enforce_no_shares", "False")
	t.decay()
	if !t.shares() {
		t.treeIsIdle()
	}
}

// A walker goes through a share tree.
type walker struct {
	*Translation
	tree     *whatif.Tree
	accounts bool // jobs are charged to other names than their owners
}

// below tells what became of the nodes below one.
func (w *walker) below(at string, n *model.ShareNode) {
	for _, key := range []string{"id", "type", "childnodes"} {
		w.tell(node(at, key), "read")
	}
	if at == "/" {
		w.tellShares(at, "root", "")
	}
	for _, c := range n.Children {
		below := path.Join(at, c.Name)
		w.child(below, c)
		w.below(below, c)
	}
}

// child tells of one node. One called default is as many groups as there were users for it.
func (w *walker) child(at string, c *model.ShareNode) {
	var made []string
	for _, g := range w.tree.GroupsOf(c) {
		made = append(made, w.group(c, g))
	}
	switch isDefault := c.Name == "default" && len(c.Children) == 0; {
	case isDefault:
		w.tellShares(at, "default", shortList(made))
	case len(made) == 0:
		w.tellShares(at, "twice", "")
	default:
		w.tellShares(at, "group", made[0])
	}
}

// group is a group of a node as a line of its file.
func (w *walker) group(c *model.ShareNode, g model.ResourceGroup) string {
	if g.Name != c.Name {
		w.Names = append(w.Names, Renaming{Kind: "share tree node", From: c.Name, To: g.Name,
			Why: "names of resource_group are unique in the whole tree"})
	}
	w.accounts = w.accounts || c.Project || g.Name != c.Name && len(c.Children) == 0 && c.Name != "default"
	return fmt.Sprintf("%s %d %s %d", g.Name, g.Group, g.Parent, g.Shares)
}

// node is a line of a node of the tree.
func node(at, key string) place { return place{kind: "share_tree", object: at, key: key} }

// tellShares tells of a node's name and shares.
func (w *walker) tellShares(at, found, groups string) {
	w.tell(node(at, "name"), found, "{groups}", groups)
	w.tell(node(at, "shares"), found, "{groups}", groups)
}

// decay says how usage is counted and how fast it is forgotten.
func (t *Translation) decay() {
	p := t.From.Policy
	every, factor, found := "8760:00:00", "0.999999", "never"
	if p.HalfTime > 0 {
		every, found = clockText(int64(p.HalfTime/24/time.Second)), "set"
		factor = strconv.FormatFloat(math.Exp2(-1.0/24), 'f', 6, 64)
	}
	t.setSched("fairshare_decay_time", every)
	t.setSched("fairshare_decay_factor", factor)
	t.tell(setting("halftime"), found, "{time}", every, "{factor}", factor)
	usage, note := whatif.UsageResource(t.From, 1)
	t.setSched("fairshare_usage_res", usage)
	if note != "" {
		note += "; "
	}
	t.tell(setting("usage_weight_list"), "set", "{usage}", usage, "{note}", note, "{time}", clockText(t.interval()))
	t.tell(setting("halflife_decay_list"), "none")
	if len(p.HalfLives) > 0 {
		t.tell(setting("halflife_decay_list"), "set")
	}
}

// usageSettings are the settings that count for the share tree alone.
var usageSettings = []string{"halftime", "usage_weight_list", "halflife_decay_list"}

// treeIsIdle says of every line about the share tree that it has no effect.
func (t *Translation) treeIsIdle() {
	for at, s := range t.said {
		switch {
		case at.kind == "share_tree":
			s.verdict = NoEffect
			s.notes = []string{"the share-tree policy does not affect the order, but resource_group contains " +
				"the tree"}
		case slices.Contains(usageSettings, at.key):
			s.verdict, s.notes = NoEffect, []string{"the share-tree policy does not affect the order"}
		}
	}
}
