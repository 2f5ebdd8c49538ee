package gridengine

import (
	"fmt"
	"math"
	"strings"

	"qprism/engine/migrate"
	"qprism/engine/model"
)

// say adds what became of a setting to the ledger.
func (t *Translation) say(file, object, key, value, concept string, v migrate.Verdict, into, note string) *migrate.Entry {
	e := migrate.Entry{Concept: concept, Verdict: v, Into: into, Note: note}
	e.File, e.Object, e.Key, e.Value, e.Count = file, object, key, value, 1
	e.Text = strings.TrimSpace(object + " " + key)
	if key != "" {
		e.Text += " = " + value
	}
	t.Ledger = append(t.Ledger, e)
	return &t.Ledger[len(t.Ledger)-1]
}

// account tells of every setting: each line of sched_config and resource_group, and each attribute of server, scheduler and
// queues, each resource, hook, vnode; limits are told of where they are made.
func (t *Translation) account() {
	t.tellFormula()
	t.tellSchedConfig()
	t.tellGroups()
	t.tellAttributes("server", t.From.PBS.Server.Attributes, serverRules)
	for i := range t.From.PBS.Schedulers {
		s := &t.From.PBS.Schedulers[i]
		t.tellAttributes("sched "+s.Name, s.Attributes, schedRules)
	}
	t.tellRest()
}

func (t *Translation) tellFormula() {
	for _, term := range t.Terms {
		v, note := t.verdictOf(term)
		t.say("sched_formula", "", term.Name, number(term.Times), "order of jobs", v, term.Into, note)
	}
}

// verdictOf says how well a term is kept.
func (t *Translation) verdictOf(term Term) (migrate.Verdict, string) {
	switch {
	case term.Policy == "":
		return migrate.NoEffect, "taken 0 times"
	case term.Policy == posix:
		return migrate.Exact, ""
	case term.Name == "eligible_time":
		return migrate.Approximate, "Grid Engine counts all time since submission, held or not" + t.normalized()
	case term.Name == "fairshare_factor":
		return migrate.Approximate, "2^(-usage/target) here, tickets by target over usage divided among a user's jobs there: the same first, last and idle users, other distances between"
	case term.Name == "fairshare_tree_usage":
		return migrate.Approximate, "usage alone here, target over usage there: who has used more comes later in both"
	case term.Policy == tickets:
		return migrate.Exact, "while somebody with the most shares has a job: tickets are divided by the most that a job has"
	case term.Name == "walltime" || term.Name == "cput":
		return migrate.Approximate, "times the slots of a job" + t.normalized()
	case t.Range.Alone:
		return migrate.Exact, ""
	}
	return migrate.Approximate, "in itself exact" + t.normalized()
}

// normalized says what the range of urgency does.
func (t *Translation) normalized() string {
	if t.Range.Alone {
		return ""
	}
	return fmt.Sprintf("; beside other policies it weighs by a range of urgency of %s, and as much more or less as the range of a day is narrower or wider", short(t.Range.Value))
}

func short(v float64) string { return fmt.Sprintf("%.6g", v) }

// A rule is what becomes of an option.
type rule struct {
	verdict migrate.Verdict
	into    string
	note    string
}

var (
	idle   = rule{migrate.NoEffect, "", "has nothing to do with the order of jobs"}
	state  = rule{migrate.NoEffect, "", "what is going on, not what is configured"}
	byHand = rule{migrate.Lost, "", "not translated: only order and limits are; configure it with qconf"}
)

var serverRules = map[string]rule{
	"scheduling": idle, "server_state": state, "server_host": state, "total_jobs": state, "state_count": state, "pbs_version": state, "license_count": state,
	"default_queue":        {migrate.Lost, "", "give it in sge_request: -q"},
	"eligible_time_enable": {migrate.NoEffect, "", "Grid Engine always counts waiting time"},
	"job_sort_formula":     {migrate.Exact, "", "see the terms of the formula"},
	"backfill_depth":       {migrate.Approximate, "max_reservation", "only of jobs submitted with -R y, see sge_request"},
	"log_events":           idle, "mailer": idle, "mail_from": idle, "query_other_jobs": idle, "resend_term_delay": idle, "resv_enable": idle, "node_fail_requeue": idle,
	"max_array_size": {migrate.Exact, "max_aj_tasks", "in sge_conf"}, "max_job_sequence_id": idle, "max_concurrent_provision": idle, "power_provisioning": idle,
	"pbs_license_min": idle, "pbs_license_max": idle, "pbs_license_linger_time": idle, "flatuid": idle, "job_history_enable": idle, "job_history_duration": idle,
	"clear_topjob_estimates_enable": idle, "scheduler_iteration": {migrate.NoEffect, "", "that of the scheduler counts"},
	"managers": {migrate.Lost, "", "qconf -am"}, "operators": {migrate.Lost, "", "qconf -ao"},
}

var schedRules = map[string]rule{
	"scheduling": idle, "state": state, "sched_host": state, "sched_priv": idle, "sched_log": idle, "log_events": idle, "partition": byHand, "throughput_mode": idle,
	"scheduler_iteration": {migrate.Approximate, "schedule_interval", "PBS also runs a cycle at every submission and end of a job: flush_submit_sec and flush_finish_sec 1"},
	"sched_cycle_length":  idle, "server_dyn_res_alarm": idle, "job_run_wait": idle, "opt_backfill_fuzzy": idle,
	"job_sort_formula":           {migrate.Exact, "", "see the terms of the formula"},
	"job_sort_formula_threshold": {migrate.Lost, "", "Grid Engine has no least priority: hold such jobs"},
	"preempt_prio":               preemption, "preempt_order": preemption, "preempt_sort": preemption, "preempt_queue_prio": preemption, "preempt_targets_enable": preemption,
	"sched_preempt_enforce_resumption": preemption, "do_not_span_psets": byHand, "only_explicit_psets": byHand,
}

var preemption = rule{migrate.Lost, "", "Grid Engine preempts by subordinate queues alone: subordinate_list"}

// tellAttributes tells of the attributes of an object, those that are limits left out.
func (t *Translation) tellAttributes(object string, list []model.Setting, rules map[string]rule) {
	for _, s := range list {
		name, _, _ := strings.Cut(s.Name, ".")
		r, known := rules[s.Name]
		switch {
		case known:
		case strings.HasPrefix(name, "max_run") || strings.HasPrefix(name, "max_queued"):
			continue
		case s.Name == "resources_default.walltime":
			r = rule{migrate.Exact, "default_duration " + s.Value, ""}
		case s.Name == "resources_default.ncpus" || s.Name == "default_chunk.ncpus":
			r = rule{migrate.NoEffect, "", "a job without -pe has one slot"}
			if s.Value != "1" {
				r = rule{migrate.Lost, "", "a job without -pe has one slot; give -pe in sge_request"}
			}
		case name == "resources_default" || name == "default_chunk":
			r = rule{migrate.Lost, "", "give it in sge_request: -l"}
		case name == "resources_assigned":
			r = state
		case strings.HasPrefix(name, "acl_") || name == "resources_available" || name == "resources_max" || name == "resources_min":
			r = byHand
		default:
			r = rule{migrate.NoRule, "", "nothing handles this attribute"}
		}
		t.say("qmgr", object, s.Name, s.Value, "server and scheduler", r.verdict, r.into, r.note)
	}
}

// tellSchedConfig tells of each line of sched_config.
func (t *Translation) tellSchedConfig() {
	for _, l := range t.From.PBS.SchedConfig.Lines {
		r := t.optionRule(l)
		e := t.say("sched_config", "", l.Name, l.Value, "scheduler options", r.verdict, r.into, r.note)
		e.Number = l.Line
		e.Text = strings.TrimSpace(l.Name + ": " + l.Value + " " + l.Prime)
	}
}

// optionRule is what becomes of an option of sched_config.
func (t *Translation) optionRule(l model.SchedLine) rule {
	on := strings.EqualFold(l.Value, "true")
	tree := t.To.ShareTree != nil
	switch l.Name {
	case "fair_share":
		if on && t.From.PBS.Formula != "" {
			return rule{migrate.NoEffect, "", "the formula comes first"}
		}
		return unless(on, rule{migrate.Approximate, "share tree", "as fairshare_factor, see the terms of the formula"})
	case "fairshare_usage_res":
		into, note, exact := t.usageUnit()
		return onlyIf(tree, rule{verdict(exact), into, note})
	case "fairshare_entity":
		return onlyIf(tree, rule{migrate.Exact, "leaves of the share tree", ""})
	case "fairshare_decay_time", "fairshare_decay_factor":
		return onlyIf(tree, t.decayRule())
	case "unknown_shares":
		return onlyIf(tree && l.Value != "0", rule{migrate.Approximate, "node default of the share tree", "each user without a node has these shares, where in PBS they have them together"})
	case "fairshare_enforce_no_shares":
		return onlyIf(tree, unless(on, rule{migrate.Lost, "", "jobs without shares start last, where in PBS they never do"}))
	case "strict_ordering":
		return unless(on, rule{migrate.Approximate, fmt.Sprintf("max_reservation %d", t.To.Policy.MaxReservation), "other jobs start around what is reserved, as PBS backfills; with a depth of 0 PBS starts none"})
	case "job_sort_key":
		if t.From.PBS.Formula != "" {
			return rule{migrate.NoEffect, "", "the formula comes first"}
		}
		return rule{migrate.Approximate, "see the terms of the formula", "the first key alone"}
	case "by_queue", "round_robin":
		return unless(on, rule{migrate.Lost, "", "Grid Engine knows jobs, not queues, before they start"})
	case "preemptive_sched":
		return unless(on, preemption)
	case "prime_exempt_anytime_queues", "primetime_prefix", "nonprimetime_prefix", "dedicated_prefix", "backfill_prime", "prime_spill", "smp_cluster_dist",
		"node_sort_key", "resources", "server_dyn_res", "mom_resources", "resource_unset_infinite":
		return byHand
	case "provision_policy", "log_filter", "update_comments", "max_job_check", "preempt_attempts", "resv_confirm_ignore", "allow_aoe_calendar", "backfill", "strict_fifo":
		return idle
	}
	return rule{migrate.NoRule, "", "nothing handles this option"}
}

func unless(on bool, r rule) rule {
	if on {
		return r
	}
	return rule{migrate.NoEffect, "", "switched off"}
}

func onlyIf(used bool, r rule) rule {
	if used {
		return r
	}
	return rule{migrate.NoEffect, "", "nothing that orders jobs uses it"}
}

func verdict(exact bool) migrate.Verdict {
	if exact {
		return migrate.Exact
	}
	return migrate.Approximate
}

// decayRule says how far the half-life is off.
func (t *Translation) decayRule() rule {
	p := t.From.PBS.Fairshare.Policy
	into := fmt.Sprintf("halftime %d", int64(t.To.Policy.HalfTime.Hours()))
	if t.To.Policy.HalfTime == 0 {
		return rule{verdict(p.DecayFactor == 1), into, "usage never decays"}
	}
	wanted := p.DecayTime.Hours() * math.Ln2 / -math.Log(float64(p.DecayFactor))
	off := math.Abs(t.To.Policy.HalfTime.Hours()/wanted - 1)
	note := fmt.Sprintf("PBS decays in steps: between two of them usage is at most %.3g %% more", 100*(1/float64(p.DecayFactor)-1))
	if off > 1e-9 {
		note += fmt.Sprintf("; the half-life is %.3g hours, rounded %.2g %% off", wanted, 100*off)
	}
	return rule{migrate.Approximate, into, note}
}

// tellGroups tells of each line of resource_group.
func (t *Translation) tellGroups() {
	made := map[string]bool{}
	var walk func(n *model.ShareNode)
	walk = func(n *model.ShareNode) {
		made[n.Name] = true
		for _, c := range n.Children {
			walk(c)
		}
	}
	if t.To.ShareTree != nil {
		walk(t.To.ShareTree)
	}
	for _, u := range t.To.Users {
		made[u.Name] = true
	}
	for _, g := range t.From.PBS.Fairshare.Groups {
		r := rule{migrate.NoEffect, "", "nothing that orders jobs uses it"}
		if len(made) > 0 {
			r = rule{migrate.Lost, "", "a node whose parent is not there: PBS skips it too"}
			if made[g.Name] {
				r = rule{migrate.Exact, "node of the share tree", ""}
			}
			if made[g.Name] && t.To.ShareTree == nil {
				r = rule{migrate.Exact, "override tickets", ""}
			}
		}
		e := t.say("resource_group", "", g.Name, fmt.Sprint(g.Shares), "shares", r.verdict, r.into, r.note)
		e.Number, e.Text = g.Line, fmt.Sprintf("%s %d %s %d", g.Name, g.Group, g.Parent, g.Shares)
	}
}

// tellRest tells of objects as a whole: they are for qconf, and people.
func (t *Translation) tellRest() {
	for i := range t.From.Queues {
		q := &t.From.Queues[i]
		r := byHand
		if q.PBS != nil && q.PBS.Priority != 0 && t.queues[q.Name] != 0 {
			r = rule{migrate.Approximate, "urgency of queue_" + q.Name, "the queue itself is not made: only order and limits are translated"}
		}
		t.say("qmgr", "queue "+q.Name, "", "", "queues", r.verdict, r.into, r.note)
	}
	for i := range t.From.Hosts {
		t.say("pbsnodes", "vnode "+t.From.Hosts[i].Name, "", "", "vnodes", byHand.verdict, "", byHand.note)
	}
	for _, r := range t.From.Resources {
		switch made := findResource(t.To.Resources, r.Name); {
		case r.BuiltIn:
		case made != nil:
			t.say("qmgr", "resource "+r.Name, "type", string(r.Type), "resources", migrate.Approximate, "complex "+r.Name, "ask for it slot by slot: N/slots")
		default:
			t.say("qmgr", "resource "+r.Name, "type", string(r.Type), "resources", byHand.verdict, "", "the formula does not read it; "+byHand.note)
		}
	}
	for _, h := range t.From.PBS.Hooks {
		t.say("qmgr", "hook "+h.Name, "", "", "hooks", migrate.Lost, "", "write what it does as a JSV (jsv(1)), prolog or epilog")
	}
	if n := len(t.From.PBS.Dedicated); n > 0 {
		e := t.say("dedicated_time", "", "", fmt.Sprint(n), "primetime", migrate.Lost, "", "make a calendar (calendar_conf(5)) that closes the queues")
		e.Count = n
	}
	if t.From.PBS.Holidays.Year != 0 {
		t.say("holidays", "", "", fmt.Sprint(t.From.PBS.Holidays.Year), "primetime", migrate.Lost, "", "make a calendar (calendar_conf(5)) for primetime queues")
	}
	for _, u := range t.From.Unknown {
		e := t.say(u.File, "", u.Name, u.Value, "lines that no rule handles", migrate.NoRule, "", "no parser knows it")
		e.Number, e.Count, e.Text = u.Line, max(1, u.Count), u.Name+" "+u.Value
	}
	for _, l := range t.From.LeftOut {
		e := t.say(l.File, "", "", "", "lines that no rule handles", migrate.NoRule, "", "cannot be read: "+l.Reason)
		e.Number, e.Text = l.Line, l.Text
	}
}
