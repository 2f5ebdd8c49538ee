package migrate

import (
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

// setting is the line of a setting of sched_conf(5).
func setting(key string) place { return place{kind: "sched_conf", key: key} }

// rhythm is how often the scheduler runs.
func (t *Translation) rhythm() {
	seconds := t.interval()
	text := strconv.FormatInt(seconds, 10)
	t.setScheduler("scheduler_iteration", text)
	t.tell(setting("schedule_interval"), "set", "{seconds}", text, "{time}", clockText(seconds))
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
		t.tell(setting("maxujobs"), "none")
		return
	}
	limit := t.limitServer(newLimit("max_run", "", "u", "PBS_GENERIC", strconv.Itoa(n)))
	t.tell(setting("maxujobs"), "set", "{limit}", limit)
}

// reserveResource is the boolean that jobs ask for to have a reservation, as with -R y.
const reserveResource = "reserve"

// reservations make top jobs of jobs that ask for one.
func (t *Translation) reservations() {
	p := t.From.Policy
	if p.MaxReservation <= 0 {
		t.tell(setting("max_reservation"), "none")
		t.tell(setting("default_duration"), "unused")
		return
	}
	depth := strconv.Itoa(p.MaxReservation)
	t.setSched("strict_ordering", "True")
	t.setServer("backfill_depth", depth)
	t.Submit.NoTop = true
	t.Submit.Reserve = t.newResourceName(reserveResource)
	t.addResource(model.Resource{Name: t.Submit.Reserve, Type: model.TypePBSBoolean})
	t.tell(setting("max_reservation"), "set", "{depth}", depth, "{resource}", t.Submit.Reserve)
	if p.DefaultDuration == model.Forever || p.DefaultDuration <= 0 {
		t.tell(setting("default_duration"), "infinite")
		return
	}
	t.Submit.Soft = int64(p.DefaultDuration / time.Second)
	t.tell(setting("default_duration"), "set", "{time}", clockText(t.Submit.Soft))
}

// formulaWeights are the lines that a formula stands for. What is said here holds as long as none is chosen.
func (t *Translation) formulaWeights() {
	p := t.From.Policy
	functional, urgent := t.functional(), p.WeightUrgency != 0
	for _, w := range []struct {
		key    string
		value  float64
		counts bool
	}{
		{"weight_ticket", p.WeightTicket, t.anyTickets()},
		{"weight_urgency", p.WeightUrgency, t.anyUrgency()},
		{"weight_priority", p.WeightPriority, true},
		{"weight_waiting_time", p.WeightWaitingTime, urgent},
		{"weight_deadline", p.WeightDeadline, urgent},
		{"weight_user", p.WeightUser, functional},
		{"weight_project", p.WeightProject, functional},
		{"weight_department", p.WeightDepartment, functional},
		{"weight_job", p.WeightJob, functional},
		{"weight_tickets_functional", float64(p.FunctionalTickets), functional},
		{"weight_tickets_share", float64(p.ShareTreeTickets), t.shares()},
	} {
		switch {
		case w.value == 0:
			t.tell(setting(w.key), "zero")
		case !w.counts:
			t.tell(setting(w.key), "idle")
		case w.key == "weight_deadline" && !t.made.deadlines:
			t.tell(setting(w.key), "unused")
		default:
			t.tell(setting(w.key), "no_formula")
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

// tickets are the finer points of the ticket policies.
func (t *Translation) tickets() {
	off := t.From.Policy.WeightTicket == 0 || !t.anyTickets()
	for key, active := range map[string]bool{
		"share_functional_shares":   t.functional(),
		"share_override_tickets":    t.overrides(),
		"compensation_factor":       t.shares(),
		"max_pending_tasks_per_job": t.made.arrays,
		"policy_hierarchy":          len(t.From.Policy.Hierarchy) > 1,
	} {
		if off || !active {
			t.tell(setting(key), "no_tickets")
		} else {
			t.tell(setting(key), "set")
		}
	}
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
	list := t.From.Policy.Params
	if len(list) == 0 || len(list) == 1 && strings.EqualFold(list[0].Name, "none") {
		t.tell(setting("params"), "none")
		return
	}
	for _, s := range list {
		r, known := pbsTable.Rule("scheduler_params", strings.ToUpper(s.Name), "")
		if !known {
			r = Rule{Verdict: NoRule, Note: unknownParameter}
		}
		if r.Verdict == Exact {
			t.setScheduler("log_events", "1023")
		}
		t.say(setting("params"), r.Verdict, r.Into, s.Name+": "+r.Note)
	}
}
