package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
)

// translatePolicy makes the scheduler's settings of sched_conf(5), but for what tickets, urgency and
// priorities are made of: that is the formula's business.
func translatePolicy(t *Translation) {
	t.rhythm()
	t.userJobs()
	t.reservations()
	t.formulaWeights()
	t.params()
	t.tickets()
	// OCS counts all groups of a user in access lists, older releases the first
	t.Submit.Further = strings.HasPrefix(t.From.Release.Version, "9.")
}

func (t *Translation) sayPolicy(key string, v Verdict, into, note string) {
	t.say(place{kind: "sched_conf", key: key}, v, into, note)
}

// rhythm is how often the scheduler runs.
func (t *Translation) rhythm() {
	seconds := t.interval()
	t.setScheduler("scheduler_iteration", strconv.FormatInt(seconds, 10))
	t.sayPolicy("schedule_interval", Approximate, fmt.Sprintf("set sched scheduler_iteration = %d", seconds),
		fmt.Sprintf("PBS also runs a cycle at every submission and end of a job: jobs start up to %s sooner",
			clockText(seconds)))
}

// interval is how many seconds pass between two runs of the scheduler at the most.
func (t *Translation) interval() int64 {
	seconds := int64(t.From.Policy.ScheduleInterval / time.Second)
	if seconds < 1 || t.From.Policy.ScheduleInterval == model.Forever {
		return 600 // as PBS ships
	}
	return seconds
}

// userJobs limits the jobs that a user may have running.
func (t *Translation) userJobs() {
	n := t.From.Policy.MaxUserJobs
	if n <= 0 {
		t.sayPolicy("maxujobs", NoEffect, "", "no limit")
		return
	}
	t.sayPolicy("maxujobs", Exact, t.limitServer(newLimit("max_run", "", "u", "PBS_GENERIC", strconv.Itoa(n))), "")
}

// reserveResource is the boolean that jobs ask for to have a reservation, as with -R y.
const reserveResource = "reserve"

// reservations make top jobs of jobs that ask for one.
func (t *Translation) reservations() {
	p := t.From.Policy
	if p.MaxReservation <= 0 {
		t.sayPolicy("max_reservation", NoEffect, "", "no reservations, as PBS without strict_ordering")
		t.sayPolicy("default_duration", NoEffect, "", "nothing is reserved")
		return
	}
	t.setSched("strict_ordering", "True")
	t.setServer("backfill_depth", strconv.Itoa(p.MaxReservation))
	t.Submit.NoTop = true
	t.Submit.Reserve = t.coin(reserveResource)
	t.addResource(model.Resource{Name: t.Submit.Reserve, Type: model.TypePBSBoolean})
	t.sayPolicy("max_reservation", Approximate,
		fmt.Sprintf("sched_config: strict_ordering: True\nset server backfill_depth = %d\nhook: "+
			"topjob_ineligible unless a job asks for %s=True",
			p.MaxReservation, t.Submit.Reserve),
		"starts are estimated with opt_backfill_fuzzy, a minute by default, and each array counts as one")
	if p.DefaultDuration == model.Forever || p.DefaultDuration <= 0 {
		t.sayPolicy("default_duration", NoEffect, "", "infinite, as PBS assumes five years")
		return
	}
	t.Submit.Soft = int64(p.DefaultDuration / time.Second)
	t.sayPolicy("default_duration", Exact, "hook: soft_walltime = "+clockText(t.Submit.Soft)+
		" for jobs without walltime", "")
}

// formulaWeights are the lines that a formula stands for. What is said here holds as long as none is chosen.
func (t *Translation) formulaWeights() {
	p := t.From.Policy
	for _, w := range []struct {
		key   string
		value float64
	}{
		{"weight_ticket", p.WeightTicket}, {"weight_urgency", p.WeightUrgency}, {"weight_priority", p.WeightPriority},
		{"weight_waiting_time", p.WeightWaitingTime}, {"weight_deadline", p.WeightDeadline},
		{"weight_user", p.WeightUser}, {"weight_project", p.WeightProject}, {"weight_department", p.WeightDepartment},
		{"weight_job", p.WeightJob},
		{"weight_tickets_functional", float64(p.FunctionalTickets)}, {"weight_tickets_share", float64(p.ShareTreeTickets)},
	} {
		switch {
		case w.value == 0:
			t.sayPolicy(w.key, NoEffect, "", "0: it orders nothing")
		case w.key == "weight_ticket" && !t.anyTickets():
			t.sayPolicy(w.key, NoEffect, "", "nobody has shares or override tickets")
		case w.key == "weight_urgency" && !t.anyUrgency():
			t.sayPolicy(w.key, NoEffect, "", "no resource has urgency, and neither waiting time nor a deadline counts")
		case isFunctional(w.key) && !t.functional():
			t.sayPolicy(w.key, NoEffect, "", "the functional policy orders nothing")
		case w.key == "weight_tickets_share" && !t.shares():
			t.sayPolicy(w.key, NoEffect, "", "the share-tree policy orders nothing")
		case (w.key == "weight_waiting_time" || w.key == "weight_deadline") && p.WeightUrgency == 0:
			t.sayPolicy(w.key, NoEffect, "", "urgency orders nothing")
		case w.key == "weight_deadline" && !t.made.deadlines:
			t.sayPolicy(w.key, NoEffect, "", "no job of the history has a deadline")
		default:
			t.sayPolicy(w.key, Lost, "", "PBS orders jobs by a formula, and none was chosen")
		}
	}
}

// anyTickets reports whether there is anything that gives jobs tickets.
func (t *Translation) anyTickets() bool {
	s := t.From
	return t.shares() || t.overrides() || t.functional() &&
		(slices.ContainsFunc(s.Users, func(u model.User) bool { return u.FunctionalShares > 0 }) ||
			slices.ContainsFunc(s.Projects, func(p model.Project) bool { return p.FunctionalShares > 0 }) ||
			slices.ContainsFunc(s.Usersets, func(u model.Userset) bool { return u.FunctionalShares > 0 }) ||
			slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.JobShare > 0 }))
}

// anyUrgency reports whether there is anything that makes jobs urgent.
func (t *Translation) anyUrgency() bool {
	p := t.From.Policy
	return p.WeightWaitingTime != 0 || p.WeightDeadline != 0 && t.made.deadlines ||
		slices.ContainsFunc(t.From.Resources, isUrgent)
}

// functional reports whether functional tickets order jobs. A policy that policy_hierarchy leaves out is
// not off: it only takes no heed of the others.
func (t *Translation) functional() bool {
	return t.From.Policy.FunctionalTickets > 0 && t.From.Policy.WeightTicket > 0
}

// shares reports whether share-tree tickets do.
func (t *Translation) shares() bool {
	return t.From.Policy.ShareTreeTickets > 0 && t.From.Policy.WeightTicket > 0 && t.From.ShareTree != nil
}

func isFunctional(key string) bool {
	return key == "weight_tickets_functional" || key == "weight_user" || key == "weight_project" ||
		key == "weight_department" ||
		key == "weight_job"
}

// tickets are the finer points of the ticket policies.
func (t *Translation) tickets() {
	p := t.From.Policy
	off := p.WeightTicket == 0 || !t.anyTickets()
	finer := func(key string, active bool, note string) {
		if off || !active {
			t.sayPolicy(key, NoEffect, "", "tickets of this kind order nothing")
			return
		}
		t.sayPolicy(key, Lost, "", note)
	}
	finer("share_functional_shares", t.functional(), "tickets do not get fewer with the number of a user's jobs")
	finer("share_override_tickets", t.overrides(), "tickets do not get fewer with the number of a user's jobs")
	finer("compensation_factor", t.shares(), "PBS compensates by the fairshare_factor's own curve, without a bound")
	finer("max_pending_tasks_per_job", t.made.arrays, "PBS ranks an array as one job, however many of its tasks wait")
	finer("policy_hierarchy", len(p.Hierarchy) > 1, "a formula adds terms: the policies do not dilute each other")
}

// overrides reports whether anybody has override tickets.
func (t *Translation) overrides() bool {
	s := t.From
	return slices.ContainsFunc(s.Users, func(u model.User) bool { return u.OverrideTickets > 0 }) ||
		slices.ContainsFunc(s.Projects, func(p model.Project) bool { return p.OverrideTickets > 0 }) ||
		slices.ContainsFunc(s.Usersets, func(u model.Userset) bool { return u.OverrideTickets > 0 }) ||
		slices.ContainsFunc(s.Jobs, func(j model.Job) bool { return j.OverrideTickets > 0 })
}

// params are the scheduler's params.
func (t *Translation) params() {
	p := place{kind: "sched_conf", key: "params"}
	if len(t.From.Policy.Params) == 0 || len(t.From.Policy.Params) == 1 &&
		strings.EqualFold(t.From.Policy.Params[0].Name, "none") {
		t.say(p, NoEffect, "", "none")
		return
	}
	for _, s := range t.From.Policy.Params {
		switch strings.ToUpper(s.Name) {
		case "MONITOR":
			t.setScheduler("log_events", "1023")
			t.say(p, Exact, "set sched log_events = 1023",
				"MONITOR: the scheduler's log tells what it considers, and values of the formula")
		case "PROFILE", "NONE":
			t.say(p, NoEffect, "", s.Name+": times of the scheduler's steps")
		case "DURATION_OFFSET":
			t.say(p, NoEffect, "", s.Name+": PBS runs a cycle as soon as a job ends")
		case "JC_FILTER":
			t.say(p, NoEffect, "", s.Name+": it saves the scheduler time")
		case "PE_RANGE_ALG", "PE_SORT_ORDER", "SELECT_PE_RANGE_ALG":
			t.say(p, NoEffect, "", s.Name+": PBS jobs ask for one size")
		default:
			t.say(p, NoRule, "", s.Name+": nothing handles this parameter")
		}
	}
}
