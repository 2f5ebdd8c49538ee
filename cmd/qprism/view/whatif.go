package view

import (
	"context"
	"errors"
	"math"
	"net/url"
	"regexp"
	"slices"

	"qprism/cmd/qprism/show"
	"qprism/engine/model"
)

// A slider is a number of the policy that users can change on the page.
type slider struct {
	Set   string  `json:"set"`   // the parameter that changes it: set or shares
	Key   string  `json:"key"`   // as what-if takes it: weight_urgency, user/alice
	Value float64 `json:"value"` // as it is
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
	Steps string  `json:"steps"` // even: all alike; ratio: by powers of ten, from 0
}

// settings are the numbers that the page can change.
type settings struct {
	Settings []slider `json:"settings"`
}

// mostShareSliders limits the users, projects and departments with a slider for functional shares.
const mostShareSliders = 12

// sliders returns the numbers of a policy that order jobs, sched_conf(5), and functional shares of those who
// have jobs. It returns none if the policy has no such numbers.
func sliders(s *model.Snapshot) (list []slider) {
	if !s.HasUrgency() {
		return nil
	}
	p := &s.Policy
	ratio := func(key string, value, most float64) {
		list = append(list, slider{"set", key, value, 0, max(most, 10*value), "ratio"})
	}
	ratio("weight_ticket", p.WeightTicket, 10)
	ratio("weight_urgency", p.WeightUrgency, 10)
	ratio("weight_priority", p.WeightPriority, 10)
	ratio("weight_waiting_time", p.WeightWaitingTime, 10)
	ratio("weight_deadline", p.WeightDeadline, 1e7)
	ratio("weight_tickets_functional", float64(p.FunctionalTickets), 1e7)
	ratio("weight_tickets_share", float64(p.ShareTreeTickets), 1e7)
	list = append(list, slider{"set", "halftime", p.HalfTime.Hours(), 0, max(720, p.HalfTime.Hours()), "even"})
	return append(list, shareSliders(s)...)
}

// shareSliders returns the shares of users, projects and departments with jobs. Shares in the share tree come
// first, if the tree gives tickets and has the name. Otherwise it uses functional shares, if these give
// tickets.
func shareSliders(s *model.Snapshot) (list []slider) {
	users, projects, departments := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		users[j.Owner], projects[j.Project], departments[j.Department] = true, true, true
	}
	tree := map[string]uint32{}
	if s.Policy.ShareTreeTickets > 0 {
		namedShares(s.ShareTree, tree)
	}
	add := func(kind, name string, shares uint32) {
		of, inTree := tree[name]
		if inTree = inTree && kind != "department"; inTree {
			shares = of
		}
		if !inTree && s.Policy.FunctionalTickets == 0 {
			return
		}
		if len(list) < mostShareSliders && validShares.MatchString(kind+"/"+name+"=0") {
			most := max(1000, 2*float64(shares))
			if inTree {
				most = max(100, 4*float64(shares))
			}
			list = append(list, slider{"shares", kind + "/" + name, float64(shares), 0, most, "even"})
		}
	}
	for i := range s.Users {
		if u := &s.Users[i]; users[u.Name] {
			add("user", u.Name, u.FunctionalShares)
		}
	}
	for i := range s.Projects {
		if u := &s.Projects[i]; projects[u.Name] {
			add("project", u.Name, u.FunctionalShares)
		}
	}
	for i := range s.Usersets {
		if u := &s.Usersets[i]; u.Department && departments[u.Name] {
			add("department", u.Name, u.FunctionalShares)
		}
	}
	return list
}

// namedShares adds the shares of each name in a share tree.
func namedShares(n *model.ShareNode, to map[string]uint32) {
	if n == nil {
		return
	}
	to[n.Name] = n.Shares
	for _, child := range n.Children {
		namedShares(child, to)
	}
}

// What a change may be: no word that is given to a command is longer, or begins with a dash.
var (
	validSet    = regexp.MustCompile(`^[a-z][a-z_]{0,63}=[0-9A-Za-z_.,:+*/() -]{1,200}$`)
	validShares = regexp.MustCompile(`^(user|project|department)/[0-9A-Za-z_@.][0-9A-Za-z_@.-]{0,99}=[0-9]{1,10}$`)
)

// mostChanges limits the changes in one question.
const mostChanges = 40

var errChange = errors.New("give changes as set=weight_urgency=0.5 and shares=user/alice=300, at most 40")

// changes returns the flags of what-if that a request asks for. Their order does not depend on the request, so
// each answer is kept once.
func changes(query url.Values) (args []string, err error) {
	for name, valid := range map[string]*regexp.Regexp{"set": validSet, "shares": validShares} {
		for _, change := range query[name] {
			if !valid.MatchString(change) {
				return nil, errChange
			}
			args = append(args, "--"+name+"="+change)
		}
	}
	if len(args) > mostChanges {
		return nil, errChange
	}
	slices.Sort(args)
	return args, nil
}

// settings lists the numbers that the page can change.
func (s *Site) settings(ctx context.Context, a *Answers, _ *Cluster, m *Moment) (*packed, error) {
	return a.of(ctx, "settings", func() ([]byte, error) {
		list := sliders(a.deps.Held[m.heldAs()])
		list = slices.DeleteFunc(list, func(k slider) bool { return math.IsInf(k.Value, 0) || math.IsNaN(k.Value) })
		return show.Marshal(settings{list})
	})
}
