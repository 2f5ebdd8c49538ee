package gridengine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"qprism/engine/formula"
	"qprism/engine/formula/python"
	"qprism/engine/model"
	"qprism/engine/pbs/fairshare"
)

// mostTickets are those that the share tree gives out, and the override tickets of whoever has most shares.
const mostTickets = 1_000_000

// shareTree makes share tree, usage and tickets, where the order of jobs counts shares.
func (t *Translation) shareTree() {
	for _, term := range t.Terms {
		switch {
		case term.Policy != tickets:
		case strings.HasSuffix(term.Name, "_perc"):
			t.override()
		default:
			t.tree()
		}
	}
}

// tree makes the share tree of resource_group, with what everybody has used.
func (t *Translation) tree() {
	p, fair := &t.To.Policy, &t.From.PBS.Fairshare
	p.ShareTreeTickets, p.HalfTime = mostTickets, halfTime(fair.Policy)
	project := fair.Policy.Entity == "project"
	configured := configuredNodes(fair)
	tree := fairshare.Build(*fair)
	nodes := map[*fairshare.Node]*model.ShareNode{tree.Root: {Name: "Root", Shares: 1}}
	t.To.ShareTree = nodes[tree.Root]
	for n := range tree.All() {
		parent := nodes[n.Parent]
		if parent == nil || nodes[n] != nil {
			continue
		}
		s := &model.ShareNode{Name: n.Name, Shares: uint32(max(0, n.Shares))}
		switch {
		case n.Name == fairshare.UnknownName:
			if n.Shares <= 0 {
				continue
			}
			s.Name = "default" // whoever has no node of his own
		case !configured[n.Name]:
			continue
		case n.Leaf():
			s.Project = project
			t.addAccount(n, fair.Usage, project)
		}
		nodes[n] = s
		parent.Children = append(parent.Children, s)
	}
	for _, n := range nodes {
		slices.SortStableFunc(n.Children, func(a, b *model.ShareNode) int { return cmp.Compare(a.Name, b.Name) })
	}
	t.usageWeights()
}

// configuredNodes are the names of resource_group.
func configuredNodes(f *model.Fairshare) map[string]bool {
	names := map[string]bool{}
	for _, g := range f.Groups {
		names[g.Name] = true
	}
	return names
}

// addAccount makes the user or project of a leaf, with its usage.
func (t *Translation) addAccount(n *fairshare.Node, u model.FairshareUsage, project bool) {
	usage := model.Usage{At: t.From.TakenAt}
	for _, r := range u.Records {
		if r.Name == n.Name && r.Usage > 0 {
			usage.Decayed = []model.Amount{{Name: "cpu", Value: r.Usage}}
		}
	}
	if project {
		t.To.Projects = append(t.To.Projects, model.Project{Name: n.Name, Usage: usage})
		return
	}
	t.To.Users = append(t.To.Users, model.User{Name: n.Name, Usage: usage})
}

// halfTime is the half-life of usage that PBS lets decay in steps.
func halfTime(p model.FairsharePolicy) time.Duration {
	if p.DecayFactor <= 0 || p.DecayFactor >= 1 || p.DecayTime <= 0 {
		return 0 // never
	}
	hours := p.DecayTime.Hours() * math.Ln2 / -math.Log(float64(p.DecayFactor))
	return time.Duration(max(1, math.Round(min(hours, 1e6)))) * time.Hour // a whole number of hours, sched_conf(5)
}

// usageWeights says what usage is made of. What PBS charges otherwise is approximated by what its jobs hold.
func (t *Translation) usageWeights() {
	weights := map[string]float64{}
	x, err := python.Parse(t.From.PBS.Fairshare.Policy.UsageResource)
	if err == nil {
		sum, err := x.Linear(formula.NamesOf(t.From.Resources).Numeric...)
		if err == nil {
			for _, m := range sum.Terms {
				weights[m.Name] += m.Times
			}
		}
	}
	if cput := weights["cput"]; cput > 0 && len(weights) == 1 {
		return // cpu=1, the default
	}
	t.To.Config.Global = append(t.To.Config.Global, model.Setting{Name: "execd_params", Value: "SHARETREE_RESERVED_USAGE=true"})
}

// override gives override tickets to everybody by his part of all shares: as many to each job, however many he has.
func (t *Translation) override() {
	t.To.Policy.ShareOverrideTickets = false
	most := t.mostPerc()
	for _, n := range t.entities() {
		t.To.Users = append(t.To.Users, model.User{Name: n.Name, OverrideTickets: uint32(math.Round(mostTickets * float64(n.Perc) / most))})
	}
}

// entities are the leaves of resource_group, by name.
func (t *Translation) entities() (list []*fairshare.Node) {
	configured := configuredNodes(&t.From.PBS.Fairshare)
	for n := range fairshare.Build(t.From.PBS.Fairshare).All() {
		if n.Leaf() && configured[n.Name] {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *fairshare.Node) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// mostPerc is the greatest part of all shares that an entity has.
func (t *Translation) mostPerc() float64 {
	most := 0.0
	for _, n := range t.entities() {
		most = max(most, float64(n.Perc))
	}
	if most == 0 {
		return 1
	}
	return most
}

// usageUnit says what PBS charges and what Grid Engine does instead.
func (t *Translation) usageUnit() (into, note string, exact bool) {
	unit := t.From.PBS.Fairshare.Policy.UsageResource
	if len(t.To.Config.Global) == 0 {
		return "usage_weight_list cpu=1", "", true
	}
	return "execd_params SHARETREE_RESERVED_USAGE=true", fmt.Sprintf("Grid Engine charges slots times run time; %s is the same where it comes to that", unit), unit == "ncpus*walltime"
}
