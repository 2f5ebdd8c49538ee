package qconf

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"qprism/engine/model"
	"qprism/importer/gridengine/bundle"
)

// These print what was read in the form in which qconf prints it, so that it can be read again.

func none[T ~string](text T) string {
	if text == "" {
		return "NONE"
	}
	return string(text)
}

func joined(list []string) string { return none(strings.Join(list, ",")) }

func settingList(list []model.Setting, separator string) string {
	return none(strings.Join(equations(list), separator))
}

func amountList(list []model.Amount) string {
	var settings []model.Setting
	for _, a := range list {
		settings = append(settings, model.Setting{Name: a.Name, Value: number(a.Value)})
	}
	return settingList(settings, ",")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func seconds(d time.Duration) string {
	switch d {
	case model.Forever:
		return "INFINITY"
	case -model.Forever:
		return "-1e300"
	}
	return strconv.FormatInt(int64(d/time.Second), 10)
}

func printUsers(s *model.Snapshot) string {
	var b strings.Builder
	for _, u := range s.Users {
		at := int64(0)
		if !u.DeleteTime.IsZero() {
			at = u.DeleteTime.UnixMicro()
			if at < bundle.MicroTimes {
				at = u.DeleteTime.Unix()
			}
		}
		fmt.Fprintf(&b, "name %s\noticket %d\nfshare %d\ndelete_time %d\ndefault_project %s\n\n",
			u.Name, u.OverrideTickets, u.FunctionalShares, at, none(u.DefaultProject))
	}
	return b.String()
}

func printProjects(s *model.Snapshot) string {
	var b strings.Builder
	for _, p := range s.Projects {
		fmt.Fprintf(&b, "name %s\noticket %d\nfshare %d\nacl %s\nxacl %s\n", p.Name, p.OverrideTickets,
			p.FunctionalShares, joined(p.ACL),
			joined(p.XACL))
	}
	return b.String()
}

func printUsersets(s *model.Snapshot) string {
	var b strings.Builder
	for _, u := range s.Usersets {
		var kind []string
		if u.ACL {
			kind = append(kind, "ACL")
		}
		if u.Department {
			kind = append(kind, "DEPT")
		}
		fmt.Fprintf(&b, "name %s\ntype %s\nfshare %d\noticket %d\nentries %s\n", u.Name, strings.Join(kind, " "),
			u.FunctionalShares,
			u.OverrideTickets, joined(u.Entries))
	}
	return b.String()
}

func printHosts(s *model.Snapshot) string {
	var b strings.Builder
	for _, h := range s.Hosts {
		fmt.Fprintf(&b, "hostname %s\nload_scaling %s\ncomplex_values %s\nload_values %s\nprocessors "+
			"%d\nuser_lists %s\nxuser_lists %s\nprojects %s\nxprojects %s\nusage_scaling %s\nreport_variables %s\n",
			h.Name, amountList(h.LoadScaling), settingList(h.Capacity, ","), settingList(h.LoadReport, ","),
			h.Processors, joined(h.ACL),
			joined(h.XACL),
			joined(h.Projects), joined(h.XProjects), amountList(h.UsageScaling), joined(h.Reports))
	}
	return b.String()
}

func printHostGroups(s *model.Snapshot) string {
	var b strings.Builder
	for _, g := range s.HostGroups {
		fmt.Fprintf(&b, "group_name %s\nhostlist %s\n", g.Name, joined(g.Members))
	}
	return b.String()
}

func printSettings(b *strings.Builder, settings []model.Setting) {
	for _, s := range settings {
		fmt.Fprintf(b, "%s %s\n", s.Name, s.Value)
	}
}

func printPEs(s *model.Snapshot) string {
	var b strings.Builder
	for _, p := range s.PEs {
		fmt.Fprintf(&b, "pe_name %s\nslots %d\nuser_lists %s\nxuser_lists %s\nallocation_rule "+
			"%s\ncontrol_slaves %v\njob_is_first_task %v\nurgency_slots %s\n",
			p.Name, p.Slots, joined(p.ACL), joined(p.XACL), p.AllocationRule, p.ControlSlaves, p.JobIsFirstTask, p.UrgencySlots)
		printSettings(&b, p.Settings)
	}
	return b.String()
}

func printCheckpoints(s *model.Snapshot) string {
	var b strings.Builder
	for _, k := range s.Checkpoints {
		fmt.Fprintf(&b, "ckpt_name %s\n", k.Name)
		printSettings(&b, k.Settings)
	}
	return b.String()
}

func printConf(s *model.Snapshot) string {
	var b strings.Builder
	if s.Config.Global != nil {
		b.WriteString("#global:\n")
		printSettings(&b, s.Config.Global)
	}
	for _, h := range s.Config.Hosts {
		fmt.Fprintf(&b, "\n#%s:\n", h.Host)
		printSettings(&b, h.Settings)
	}
	return b.String()
}

func printComplex(s *model.Snapshot) string {
	var b strings.Builder
	for _, r := range s.Resources {
		fmt.Fprintln(&b, r.Name, r.Shortcut, r.Type, r.Relop, r.Requestable, r.Consumable, r.Default, r.Urgency)
	}
	return b.String()
}

func printQueues(s *model.Snapshot) string {
	var b strings.Builder
	for _, q := range s.Queues {
		fmt.Fprintf(&b, "qname %s\nhostlist %s\n", q.Name, joined(q.HostList))
		for _, a := range q.Attributes {
			values := []string{a.Default}
			if a.Default == "" {
				values = nil
			}
			for _, o := range a.Overrides {
				values = append(values, "["+o.Name+"="+o.Value+"]")
			}
			fmt.Fprintf(&b, "%s %s\n", a.Name, strings.Join(values, ","))
		}
	}
	return b.String()
}

func printQuotas(s *model.Snapshot) string {
	var b strings.Builder
	for _, q := range s.Quotas {
		description := "NONE"
		if q.Description != "" {
			description = `"` + q.Description + `"`
		}
		fmt.Fprintf(&b, "{\nname %s\ndescription %s\nenabled %v\n", q.Name, description, q.Enabled)
		for _, r := range q.Rules {
			b.WriteString("limit")
			if r.Name != "" {
				b.WriteString(" name " + r.Name)
			}
			for _, f := range []struct {
				key    string
				filter model.QuotaFilter
			}{{"users", r.Users}, {"projects", r.Projects}, {"pes", r.PEs}, {"queues", r.Queues}, {"hosts", r.Hosts}} {
				if f.filter.Set {
					fmt.Fprintf(&b, " %s %s", f.key, printFilter(f.filter))
				}
			}
			fmt.Fprintf(&b, " to %s\n", settingList(r.Limits, ","))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func printFilter(f model.QuotaFilter) string {
	list := append([]string{}, f.Include...)
	for _, name := range f.Exclude {
		list = append(list, "!"+name)
	}
	text := strings.Join(list, ",")
	if f.Each {
		return "{" + text + "}"
	}
	return text
}

func printCalendars(s *model.Snapshot) string {
	var b strings.Builder
	for _, c := range s.Calendars {
		var year, week []string
		for _, e := range c.Year {
			days := ""
			if e.From != (model.Date{}) {
				days = fmt.Sprintf("%d.%d.%d-%d.%d.%d=", e.From.Day, e.From.Month, e.From.Year, e.To.Day, e.To.Month, e.To.Year)
			}
			year = append(year, days+printTimes(e.Times)+e.State)
		}
		for _, e := range c.Week {
			var days []string
			for _, r := range e.Days {
				if r.From == r.To {
					days = append(days, r.From.String())
				} else {
					days = append(days, r.From.String()+"-"+r.To.String())
				}
			}
			text := strings.Join(days, ",")
			if days != nil {
				text += "="
			}
			week = append(week, text+printTimes(e.Times)+e.State)
		}
		fmt.Fprintf(&b, "calendar_name %s\nyear %s\nweek %s\n", c.Name, none(strings.Join(year, " ")),
			none(strings.Join(week, " ")))
	}
	return b.String()
}

func printTimes(times []model.Daytime) string {
	var list []string
	for _, t := range times {
		list = append(list, clock(t.From)+"-"+clock(t.To))
	}
	if list == nil {
		return ""
	}
	return strings.Join(list, ",") + "="
}

func clock(at model.Clock) string {
	return fmt.Sprintf("%d:%02d:%02d", int(at.Hours()), int(at.Minutes())%60, int(at.Seconds())%60)
}

func printShareTree(s *model.Snapshot) string {
	if s.ShareTree == nil {
		return ""
	}
	var b strings.Builder
	next := 0
	var print func(n *model.ShareNode, id int)
	print = func(n *model.ShareNode, id int) {
		kind := 0
		if n.Project {
			kind = 1
		}
		first := next + 1
		next += len(n.Children)
		var ids []string
		for i := range n.Children {
			ids = append(ids, strconv.Itoa(first+i))
		}
		fmt.Fprintf(&b, "id=%d\nname=%s\ntype=%d\nshares=%d\nchildnodes=%s\n", id, n.Name, kind, n.Shares, joined(ids))
		for i, child := range n.Children {
			print(child, first+i)
		}
	}
	print(s.ShareTree, 0)
	return b.String()
}

func printSchedConf(s *model.Snapshot) string {
	p := s.Policy
	if p.QueueSort == "" && p.WeightUser == 0 && p.HalfTime == 0 && p.Other == nil && p.Algorithm == "" {
		return ""
	}
	var half []string
	for _, h := range p.HalfLives {
		half = append(half, h.Name+"="+number(h.Every.Minutes()))
	}
	var b strings.Builder
	for _, line := range [][2]string{
		{"algorithm", p.Algorithm}, {"schedule_interval", seconds(p.ScheduleInterval)},
		{"maxujobs", fmt.Sprint(p.MaxUserJobs)},
		{"queue_sort_method", p.QueueSort}, {"job_load_adjustments", settingList(p.LoadAdjustments, ",")},
		{"load_adjustment_decay_time", seconds(p.LoadAdjustmentDecay)}, {"load_formula", none(p.LoadFormula)},
		{"schedd_job_info", p.SchedulerJobInfo}, {"flush_submit_sec", seconds(p.FlushSubmit)},
		{"flush_finish_sec", seconds(p.FlushFinish)}, {"params", settingList(p.Params, ",")},
		{"reprioritize_interval", seconds(p.ReprioritizeEvery)}, {"halftime", fmt.Sprint(math.Round(p.HalfTime.Hours()))},
		{"usage_weight_list", amountList(p.UsageWeights)}, {"compensation_factor", number(p.CompensationFactor)},
		{"weight_user", number(p.WeightUser)}, {"weight_project", number(p.WeightProject)},
		{"weight_department", number(p.WeightDepartment)}, {"weight_job", number(p.WeightJob)},
		{"weight_tickets_functional", fmt.Sprint(p.FunctionalTickets)},
		{"weight_tickets_share", fmt.Sprint(p.ShareTreeTickets)},
		{"share_override_tickets", fmt.Sprint(p.ShareOverrideTickets)},
		{"share_functional_shares", fmt.Sprint(p.ShareFunctionalShares)},
		{"max_functional_jobs_to_schedule", fmt.Sprint(p.MaxFunctionalJobs)},
		{"report_pjob_tickets", fmt.Sprint(p.ReportPendingTickets)},
		{"max_pending_tasks_per_job", fmt.Sprint(p.MaxPendingTasks)}, {"halflife_decay_list", none(strings.Join(half, ":"))},
		{"policy_hierarchy", none(p.Hierarchy)}, {"weight_ticket", number(p.WeightTicket)},
		{"weight_waiting_time", number(p.WeightWaitingTime)}, {"weight_deadline", number(p.WeightDeadline)},
		{"weight_urgency", number(p.WeightUrgency)}, {"weight_priority", number(p.WeightPriority)},
		{"max_reservation", fmt.Sprint(p.MaxReservation)}, {"default_duration", seconds(p.DefaultDuration)},
	} {
		if line[1] != "" { // a text that was not there
			fmt.Fprintf(&b, "%s %s\n", line[0], line[1])
		}
	}
	printSettings(&b, p.Other)
	return b.String()
}

func printLists(s *model.Snapshot) string { return strings.Join(s.Managers, "\n") + "\n" }
