package policy

import (
	"fmt"
	"slices"

	"qprism/engine/migrate"
	"qprism/engine/migrate/synthesis"
	"qprism/exporter/report"
)

// weightOf is the line of sched_conf that weighs a policy.
var weightOf = map[synthesis.Policy]string{synthesis.Posix: "weight_priority", synthesis.Urgency: "weight_urgency",
	synthesis.Tickets: "weight_ticket"}

// finerWeights are the lines that are parts of a policy.
var finerWeights = map[synthesis.Policy][]string{
	synthesis.Urgency: {"weight_waiting_time", "weight_deadline"},
	synthesis.Tickets: {"weight_user", "weight_project", "weight_department", "weight_job", "weight_tickets_functional",
		"weight_tickets_share",
		"share_functional_shares", "share_override_tickets", "policy_hierarchy", "compensation_factor"},
}

// saysOf says how a formula translates the lines that it replaces. The proof has the error.
func saysOf(c *synthesis.Candidate, p *synthesis.Proof) (list []migrate.Says) {
	for _, t := range c.Terms {
		list = append(list, sayWeight(t, p))
		list = append(list, partsOf(c, t)...)
	}
	for _, missing := range c.Missing() {
		list = append(list, sayMissing(missing)...)
	}
	if c.Hook != "" && slices.ContainsFunc(c.Resources, func(r synthesis.Resource) bool {
		return r.Name == synthesis.DeadlineResource
	}) {
		list = append(list, migrate.Says{Kind: "userset", Object: "deadlineusers", Key: "entries", Verdict: migrate.Exact,
			Into: "hook " + orderHook + ": deadline_users", Note: "only they can request " + synthesis.DeadlineResource +
				"; as in Grid Engine, an @group matches nobody here"})
	}
	return list
}

// sayWeight says how the weight of a policy is translated.
func sayWeight(t synthesis.Term, p *synthesis.Proof) migrate.Says {
	s := migrate.Says{Kind: "sched_conf", Key: weightOf[t.Policy], Verdict: migrate.Approximate,
		Into: "job_sort_formula: " + t.Text}
	off, known := p.Off(t.Policy)
	switch {
	case t.Policy == synthesis.Posix:
		s.Verdict, s.Note = migrate.Exact, "-p 1024 becomes 1023"
	case known:
		s.Note = fmt.Sprintf("values that depend on other jobs are frozen or counted by a hook: in the history, the "+
			"difference between two priorities has an error of at most %s", report.Bound(off))
	default:
		s.Note = "values that depend on other jobs are frozen or counted by a hook; the term has its " +
			"own scale, so its error is the error of the order: see the proof"
	}
	return s
}

// partsOf says how the lines of a term are translated: weights, and the urgency, shares and tickets of objects.
func partsOf(c *synthesis.Candidate, t synthesis.Term) (list []migrate.Says) {
	part := migrate.Says{Kind: "sched_conf", Verdict: migrate.Approximate, Into: "job_sort_formula: " + t.Text,
		Note: "part of the term of " + string(t.Policy) + ", and of its error: see " + weightOf[t.Policy]}
	for _, part.Key = range finerWeights[t.Policy] {
		if c.Hook != "" || t.Policy != synthesis.Tickets || part.Key == "weight_tickets_share" {
			list = append(list, part)
		}
	}
	const hook = "hook " + orderHook
	says := func(v migrate.Verdict, into, note string) []migrate.Says {
		return append(list, objectLines(t.Policy, v, into, note)...)
	}
	switch {
	case t.Policy == synthesis.Urgency && c.Hook == "":
		return says(migrate.Approximate, "job_sort_formula: "+t.Text,
			"its urgency: numeric requests count in the formula's nurg term; string and boolean requests do not count")
	case t.Policy == synthesis.Urgency:
		return says(migrate.Approximate, hook+": urgency", "its urgency counts in the formula's nurg term")
	case t.Policy == synthesis.Tickets && c.Hook == "":
		return says(migrate.Lost, "", "the formula includes only the share tree; --formula frozen counts it")
	case t.Policy == synthesis.Tickets:
		list = says(migrate.Approximate, hook+": accounts", "counts in the formula's ntckts term")
		return append(list, memberLines(hook+": departments")...)
	}
	return list
}

// objectLines are the lines by which objects count for a policy: the urgency of resources, shares and override tickets.
func objectLines(p synthesis.Policy, v migrate.Verdict, into, note string) (list []migrate.Says) {
	if p == synthesis.Urgency {
		return []migrate.Says{{Kind: "complex", Key: "urgency", Verdict: v, Into: into, Note: note}}
	}
	for _, kind := range []string{"user", "project", "userset"} {
		for _, key := range []string{"fshare", "oticket"} {
			list = append(list, migrate.Says{Kind: kind, Object: "*", Key: key, Verdict: v, Into: into, Note: note})
		}
	}
	return list
}

// memberLines are the members of departments, whom a hook knows.
func memberLines(into string) []migrate.Says {
	return []migrate.Says{
		{Kind: "userset", Object: "*", Key: migrate.Members, Verdict: migrate.Exact, Into: into},
		{Kind: "userset", Object: "*", Key: migrate.GroupMembers, Verdict: migrate.Approximate, Into: into,
			Note: "when a job is submitted, an @group matches if it is the first group of the job's user on " +
				"the host of the PBS server; Grid Engine uses the group on the submit host, also after " +
				"newgrp(1)"},
	}
}

// sayMissing describes a policy that has a weight but no term in the formula.
func sayMissing(p synthesis.Policy) (list []migrate.Says) {
	const again = ": the formula has no term for them. Migrate again with bundles from a time when jobs have some"
	note, prefix := "no job of the history has tickets, so tickets do not change the order"+again, ""
	if p == synthesis.Urgency {
		note, prefix = "all jobs of the history have the same urgency, so urgency does not change the order"+
			again, "its urgency: "
	}
	for _, key := range append([]string{weightOf[p]}, finerWeights[p]...) {
		list = append(list, migrate.Says{Kind: "sched_conf", Key: key, Verdict: migrate.Lost, Note: note})
	}
	return append(list, objectLines(p, migrate.Lost, "", prefix+note)...)
}
