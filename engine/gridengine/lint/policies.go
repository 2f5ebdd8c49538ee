package lint

import (
	"fmt"
	"slices"
	"strings"

	"qprism/engine/gridengine/priority"
	"qprism/engine/lint"
	"qprism/engine/model"
)

// A sharer is somebody or something with functional shares.
type sharer struct {
	kind, name string
	shares     uint32
}

// sharers are all that have functional shares, category by category.
func (l *linter) sharers() (list []sharer) {
	add := func(kind, name string, shares uint32) {
		if shares > 0 {
			list = append(list, sharer{kind, name, shares})
		}
	}
	for _, u := range l.Users {
		add("user", u.Name, u.FunctionalShares)
	}
	for _, p := range l.Projects {
		add("project", p.Name, p.FunctionalShares)
	}
	for _, u := range l.Usersets {
		if u.Department {
			add("department", u.Name, u.FunctionalShares)
		}
	}
	for _, j := range l.all {
		add("job", fmt.Sprint(j.Job.Number), j.Job.JobShare)
	}
	return list
}

// functionalOff finds functional shares without functional tickets.
func functionalOff(l *linter) []lint.Trap {
	list := l.sharers()
	if l.treeUsed() { // -js says there how the tickets of a node are parted
		list = slices.DeleteFunc(list, func(s sharer) bool { return s.kind == "job" })
	}
	if l.policy.FunctionalTickets > 0 || len(list) == 0 {
		return nil
	}
	var names []string
	for _, s := range list {
		names = append(names, fmt.Sprintf("%s %s (%s)", s.kind, s.name, lint.Many(int(s.shares), "share")))
	}
	return []lint.Trap{{
		Name: "functional-policy-off",
		What: "functional shares are configured but do not affect the order: the policy has no functional " +
			"tickets",
		Place: l.Sched("weight_tickets_functional"),
		Effect: lint.Sentences(fmt.Sprintf("%s no functional tickets: %s",
			lint.Verb(len(list), "one shareholder gets", "shareholders get"), lint.Few(names)),
			l.moved(func(s *model.Snapshot) { s.Policy.FunctionalTickets = 1000000 })),
		Fix: []string{setSched("weight_tickets_functional", "1000000")},
	}}
}

// treeOff finds a share tree without tickets.
func treeOff(l *linter) []lint.Trap {
	if l.ShareTree == nil || l.policy.ShareTreeTickets > 0 {
		return nil
	}
	return []lint.Trap{{
		Name:   "share-tree-off",
		What:   "the share tree does not affect the order: the policy has no share-tree tickets",
		Place:  l.Sched("weight_tickets_share"),
		Effect: l.moved(func(s *model.Snapshot) { s.Policy.ShareTreeTickets = 1000000 }),
		Fix:    []string{setSched("weight_tickets_share", "1000000"), "qconf -dstree"},
	}}
}

// treeMissing finds share-tree tickets without a tree.
func treeMissing(l *linter) []lint.Trap {
	if l.ShareTree != nil || !l.TreeKnown() || l.policy.ShareTreeTickets == 0 {
		return nil
	}
	return []lint.Trap{{
		Name: "no-share-tree",
		What: fmt.Sprintf("the policy has %d share-tree tickets, but there is no share tree",
			l.policy.ShareTreeTickets),
		Place:  l.Sched("weight_tickets_share"),
		Effect: fmt.Sprintf("none of %s has share-tree tickets", lint.Many(len(l.all), "job")),
		Fix:    []string{"qconf -mstree", setSched("weight_tickets_share", "0")},
	}}
}

// ticketsUsed says which ticket policies give out tickets.
func (l *linter) ticketsUsed() (names []string) {
	if l.policy.FunctionalTickets > 0 && len(l.sharers()) > 0 {
		names = append(names, "functional")
	}
	if l.policy.ShareTreeTickets > 0 && l.ShareTree != nil {
		names = append(names, "share tree")
	}
	if len(those(l.all, func(j *priority.Job) bool { return j.First().Override > 0 })) > 0 {
		names = append(names, "override")
	}
	return names
}

// ticketsWeightless finds ticket policies that do not count.
func ticketsWeightless(l *linter) []lint.Trap {
	used := l.ticketsUsed()
	if l.policy.WeightTicket != 0 || len(used) == 0 {
		return nil
	}
	return []lint.Trap{{
		Name: "tickets-weightless",
		What: fmt.Sprintf("the policy gives out tickets (%s), but the tickets do not affect the order: "+
			"weight_ticket is 0",
			strings.Join(used, ", ")),
		Place:  l.Sched("weight_ticket"),
		Effect: l.moved(func(s *model.Snapshot) { s.Policy.WeightTicket = l.spare() }),
		Fix:    []string{setSched("weight_ticket", lint.Number(l.spare()))},
	}}
}

// spare is a weight that puts a policy a decade below the others.
func (l *linter) spare() float64 {
	least := 0.0
	for _, w := range l.weights() {
		if w.value > 0 && (least == 0 || w.value < least) {
			least = w.value
		}
	}
	if least == 0 {
		return 1
	}
	return lint.Nearest(least / 10)
}

// urgencyWeightless finds urgencies that do not count. Every complex gives slots an urgency; that alone
// shows no intent.
func urgencyWeightless(l *linter) []lint.Trap {
	var causes []string
	if l.policy.WeightWaitingTime != 0 {
		causes = append(causes, "weight_waiting_time "+lint.Number(l.policy.WeightWaitingTime))
	}
	for _, r := range l.urgent() {
		if r.Name != "slots" {
			causes = append(causes, "urgency "+r.Urgency+" of "+r.Name)
		}
	}
	if n := len(those(l.waiting(), func(j *priority.Job) bool { return !j.Job.Deadline.IsZero() })); n > 0 {
		causes = append(causes, "deadlines of "+lint.Many(n, "job"))
	}
	if l.policy.WeightUrgency != 0 || len(causes) == 0 {
		return nil
	}
	return []lint.Trap{{
		Name:   "urgency-weightless",
		What:   fmt.Sprintf("urgency is configured (%s) but does not affect the order: weight_urgency is 0", lint.Few(causes)),
		Place:  l.Sched("weight_urgency"),
		Effect: l.moved(func(s *model.Snapshot) { s.Policy.WeightUrgency = l.spare() }),
		Fix:    []string{setSched("weight_urgency", lint.Number(l.spare()))},
	}}
}

// posixWeightless finds -p that does not count.
func posixWeightless(l *linter) []lint.Trap {
	asked := those(l.waiting(), func(j *priority.Job) bool { return j.Job.PosixPriority != 0 })
	if l.policy.WeightPriority != 0 || len(asked) == 0 {
		return nil
	}
	return []lint.Trap{{
		Name:  "posix-weightless",
		What:  "jobs have a priority (-p), but -p does not affect the order: weight_priority is 0",
		Place: l.Sched("weight_priority"),
		Effect: lint.Sentences(fmt.Sprintf("%s a -p without effect: %s", lint.Verb(len(asked), "1 waiting job has",
			lint.Many(len(asked), "waiting job")+" have"), numbers(asked)),
			l.moved(func(s *model.Snapshot) { s.Policy.WeightPriority = 1 })),
		Fix: []string{setSched("weight_priority", "1")},
	}}
}

// deadlineWeightless finds -dl that does not count.
func deadlineWeightless(l *linter) []lint.Trap {
	asked := those(l.waiting(), func(j *priority.Job) bool { return !j.Job.Deadline.IsZero() })
	if l.policy.WeightDeadline != 0 || len(asked) == 0 {
		return nil
	}
	return []lint.Trap{{
		Name:  "deadline-weightless",
		What:  "jobs have deadlines (-dl), but deadlines add no urgency: weight_deadline is 0",
		Place: l.Sched("weight_deadline"),
		Effect: lint.Sentences(fmt.Sprintf("%s a deadline without effect: %s", lint.Verb(len(asked), "1 waiting job has",
			lint.Many(len(asked), "waiting job")+" have"), numbers(asked)),
			l.moved(func(s *model.Snapshot) { s.Policy.WeightDeadline = 3600000 })),
		Fix: []string{setSched("weight_deadline", "3600000")},
	}}
}
