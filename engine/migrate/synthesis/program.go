package synthesis

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"qprism/engine/gridengine/ticket"
	"qprism/engine/model"
)

// The programs are Python: the hook runs in the server of PBS, the periodic job beside it. Both begin with
// what they have in common, and with the policy as JSON.
var (
	//go:embed python/policy.py
	policyPython string
	//go:embed python/hook.py
	hookPython string
	//go:embed python/renew.py
	renewPython string
)

// A policyText is what the programs know of the policy.
type policyText struct {
	Accounts    map[ticket.Party]map[string][2]uint32 `json:"accounts"`    // functional shares and override tickets
	Departments map[string]string                     `json:"departments"` // of users
	Groups      map[string]string                     `json:"groups"`      // departments of Unix groups
	// departments that users of the history had by their group
	Met        map[string]string `json:"met"`
	Department string            `json:"department"` // of all others
	// of the tree, by project/user, where it is not the user
	Entities     map[string]string        `json:"entities"`
	Tree         bool                     `json:"tree"`
	TreeProjects []string                 `json:"tree_projects"`
	ByAccount    bool                     `json:"by_account"`
	Parts        map[ticket.Party]float64 `json:"parts"`  // functional tickets by category
	Frozen       map[ticket.Party]float64 `json:"frozen"` // what shares add up to, for the hook
	Functional   uint32                   `json:"functional_tickets"`
	Divided      bool                     `json:"share_functional"`
	Override     bool                     `json:"share_override"`
	Ranked       uint32                   `json:"ranked"` // max_functional_jobs_to_schedule
	Hierarchy    string                   `json:"hierarchy"`
	Slots        float64                  `json:"slots_urgency"`
	// of a unit of each resource, and how it is counted
	Urgency   map[string][2]any `json:"urgency"`
	Unit      float64           `json:"unit"`
	Epoch     int64             `json:"epoch"`
	Resources []string          `json:"resources"` // that the server has for the formula
	Counts    bool              `json:"counts"`    // the hook counts who else is there
	// names in deadlineusers; empty where nobody may
	DeadlineUsers []string           `json:"deadline_users"`
	Waiting       float64            `json:"waiting"`
	Deadline      float64            `json:"deadline"`
	Formula       string             `json:"formula"`   // with marks for what the periodic job renews
	Constants     map[string]float64 `json:"constants"` // that stand for these where nothing is known
	TreeTickets   uint32             `json:"tree_tickets"`
	Compensation  float64            `json:"compensation"` // compensation_factor
	UsageUnit     float64            `json:"usage_unit"`   // of PBS for one of Grid Engine
}

// write writes the programs that a candidate needs.
func (d *draft) write() {
	switch d.Needs {
	case NeedsHook:
		d.Hook = d.program(hookPython, "")
	case NeedsJob:
		d.Hook = d.program(hookPython, "")
		d.Refresh = d.program(renewPython, d.bench.pattern())
	}
}

// program is a program with the policy in it.
func (d *draft) program(own, formula string) string {
	p, err := json.Marshal(d.policyText(formula))
	if err != nil {
		return "" // it has nothing that JSON cannot say
	}
	return strings.Replace(policyPython, "@POLICY@", model.PythonText(p), 1) + own
}

func (d *draft) policyText(formula string) policyText {
	s, rules := d.last.Snapshot, newTicketRules(d.last.Snapshot)
	rules.freeze(d.last, d.census.accounts)
	p := policyText{Accounts: map[ticket.Party]map[string][2]uint32{}, Departments: map[string]string{},
		Groups: map[string]string{},
		Met:    map[string]string{}, Department: "defaultdepartment",
		Entities: d.census.entities(d.history), Tree: d.census.accounts.known, TreeProjects: []string{},
		ByAccount: len(d.Entities) > 0,
		Parts:     map[ticket.Party]float64{}, Frozen: rules.frozen, Functional: d.policy.FunctionalTickets,
		Divided:  d.policy.ShareFunctionalShares,
		Override: d.policy.ShareOverrideTickets, Ranked: d.policy.MaxFunctionalJobs, Hierarchy: d.policy.Hierarchy,
		Urgency: map[string][2]any{}, Unit: d.on.unit, Epoch: d.on.epoch.Unix(), Counts: d.Needs != NeedsNothing &&
			d.uses(ticketsResource, placeResource),
		Waiting: d.policy.WeightWaitingTime, Deadline: d.policy.WeightDeadline, Formula: formula,
		Constants:   map[string]float64{},
		TreeTickets: d.policy.ShareTreeTickets, Compensation: d.policy.CompensationFactor, UsageUnit: max(1, d.usage)}
	for _, f := range d.Frozen {
		p.Constants[f.Name] = f.Value
	}
	for i, c := range categories {
		p.Parts[c] = rules.parts[i]
	}
	for i, party := range parties {
		p.Accounts[party] = map[string][2]uint32{}
		for name, a := range d.census.accounts.of[i] {
			p.Accounts[party][name] = [2]uint32{a.shares, a.tickets}
		}
	}
	for name, in := range d.census.accounts.projects {
		if in {
			p.TreeProjects = append(p.TreeProjects, name)
		}
	}
	slices.Sort(p.TreeProjects)
	p.Resources = []string{}
	for _, r := range d.Resources {
		p.Resources = append(p.Resources, r.Name)
	}
	p.DeadlineUsers = []string{}
	for i := range s.Usersets {
		if u := &s.Usersets[i]; u.Name == "deadlineusers" {
			p.DeadlineUsers = append(p.DeadlineUsers, u.Entries...)
		} else if u.Department {
			p.addDepartment(u)
		}
	}
	p.addMet(d.history)
	p.addUrgencies(d.bench)
	return p
}

// addDepartment notes the members of a department: users by name, others by their first group.
func (p *policyText) addDepartment(u *model.Userset) {
	for _, entry := range u.Entries {
		if group, is := strings.CutPrefix(entry, "@"); is {
			p.Groups[group] = u.Name
		} else {
			p.Departments[entry] = u.Name
		}
	}
}

// addMet notes which department users of a history had by their group, the newest last: for a server that
// does not know them.
func (p *policyText) addMet(h History) {
	for _, r := range h {
		for i := range r.Snapshot.Jobs {
			j := &r.Snapshot.Jobs[i]
			if _, named := p.Departments[j.Owner]; !named && j.Group != "" && p.Groups[j.Group] == j.Department &&
				j.Department != "" {
				p.Met[j.Owner] = j.Department
			}
		}
	}
}

// uses says whether the formula reads one of these resources.
func (c *Candidate) uses(names ...string) bool {
	return slices.ContainsFunc(c.Resources, func(r Resource) bool { return slices.Contains(names, r.Name) })
}

// addUrgencies notes the urgency of a unit of each resource, in the words and units of PBS.
func (p *policyText) addUrgencies(b *bench) {
	for i := range b.last.Snapshot.Resources {
		r := &b.last.Snapshot.Resources[i]
		u, err := model.ParseNumber(r.Urgency)
		own, known := b.entries(r.Name)
		_, unit, numeric := b.readable(r)
		switch {
		case err != nil || u == 0:
		case r.Name == "slots":
			p.Slots = u
		case !known: // no job can ask for it
		case numeric && r.Consumable == model.ConsumeYes:
			p.Urgency[own.Name] = [2]any{u * unit, "sum"}
		case numeric, r.Type == model.TypeBool:
			p.Urgency[own.Name] = [2]any{u * max(1, unit), "slots"}
		default:
			p.Urgency[own.Name] = [2]any{u, "once"}
		}
	}
}

// entities are those of jobs that are not charged to their owner by name.
func (c *census) entities(h History) map[string]string {
	m := map[string]string{}
	for _, r := range h {
		for i := range r.Snapshot.Jobs {
			j := &r.Snapshot.Jobs[i]
			if e := c.tree.Entity(j); e != j.Owner {
				m[j.Project+"/"+j.Owner] = e
			}
		}
	}
	return m
}

// count adds up what a candidate costs, and says what its numbers can tell apart.
func (d *draft) count() {
	lines := func(s string) int { return strings.Count(s, "\n") }
	d.Lines = 1 + len(d.Resources) + len(d.Server) + len(d.Sched) + len(d.Groups) + lines(d.Hook) + lines(d.Refresh)
	d.Resolution = d.resolution()
	switch {
	case d.Needs == NeedsHook && d.uses(ticketsResource, placeResource):
		d.Notes = append(d.Notes, "The hook counts other jobs at submission. The counts do not change when jobs "+
			"start, end or are altered.",
			"The hook reads all jobs of the server at every submission.")
	case d.Needs == NeedsJob:
		d.Notes = append(d.Notes, "Counts and constants are as old as the last run of the cron script.")
	case d.Needs == NeedsOracle:
		d.Notes = append(d.Notes, "The order is exact directly after a push. Until the next push, it is as old as "+
			"the last push.",
			"At each push, qprism computes the Grid Engine policy for the jobs of PBS. It sends one qalter "+
				"for each job whose place changed.")
	}
	for _, r := range d.Resources {
		if r.Name == DeadlineResource {
			d.Notes = append(d.Notes, "The formula uses eligible_time as the clock of deadlines: this clock "+
				"stops while a job is held by its user or by a limit.")
		}
	}
	if d.tree {
		d.Notes = append(d.Notes, "Users who map to default have lines of their own in resource_group; a new "+
			"user needs a new line.")
	}
	if d.Needs != NeedsOracle && d.unboundedBelow() {
		d.Notes = append(d.Notes,
			fmt.Sprintf("Values end at %d: PBS never starts a job whose value is -2147483648 or less "+
				"(job_sort_formula_threshold).", lowest))
	}
	if slices.ContainsFunc(d.Usage, func(u model.EntityUsage) bool { return u.Name == idle }) {
		d.Notes = append(d.Notes, "Nobody has used anything yet, so the node "+idle+
			" gets one unit of usage. Without this unit, PBS would compute as if each user had used everything.")
	}
}

// resolution is the distance of two neighbouring 32-bit numbers at the greatest value of the newest run, on
// Grid Engine's scale.
func (d *draft) resolution() float64 {
	most := 1.0
	if d.alone || d.Needs == NeedsOracle {
		return 0 // the greatest value has no bound, but all of it is for one policy
	}
	for _, p := range d.counting() {
		most = max(most, math.Abs(d.weight(p)))
	}
	_, exp := math.Frexp(most)
	return math.Ldexp(1, exp-24)
}
