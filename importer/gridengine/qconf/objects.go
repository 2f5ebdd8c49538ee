package qconf

import (
	"fmt"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

// userFields is the table for user(5), as qconf -suser prints it.
func userFields(u *model.User) fields.Table {
	return fields.Table{
		"name":            fields.Text(&u.Name),
		"oticket":         fields.Count(&u.OverrideTickets),
		"fshare":          fields.Count(&u.FunctionalShares),
		"delete_time":     fields.Parsed(&u.DeleteTime, bundle.ParseUnix),
		"default_project": optional(&u.DefaultProject),
	}
}

// projectFields is the table for project(5), as qconf -sprj prints it.
func projectFields(p *model.Project) fields.Table {
	return fields.Table{
		"name":    fields.Text(&p.Name),
		"oticket": fields.Count(&p.OverrideTickets),
		"fshare":  fields.Count(&p.FunctionalShares),
		"acl":     list(&p.ACL),
		"xacl":    list(&p.XACL),
	}
}

// usersetFields is the table for access_list(5), as qconf -su prints it.
func usersetFields(u *model.Userset) fields.Table {
	return fields.Table{
		"name":    fields.Text(&u.Name),
		"type":    fields.Field{Read: usersetType(u)}.With("ACL DEPT"),
		"fshare":  fields.Count(&u.FunctionalShares),
		"oticket": fields.Count(&u.OverrideTickets),
		"entries": list(&u.Entries),
	}
}

// usersetType reads ACL, DEPT or both.
func usersetType(u *model.Userset) func(string) error {
	return func(value string) error {
		for _, word := range words(value) {
			switch strings.ToUpper(word) {
			case "ACL":
				u.ACL = true
			case "DEPT":
				u.Department = true
			default:
				return fmt.Errorf("%q: neither ACL nor DEPT", word)
			}
		}
		return nil
	}
}

// hostFields is the table for host_conf(5), as qconf -se prints it.
func hostFields(h *model.Host) fields.Table {
	return fields.Table{
		"hostname":         fields.Text(&h.Name),
		"load_scaling":     amounts(&h.LoadScaling),
		"complex_values":   settings(&h.Capacity),
		"load_values":      settings(&h.LoadReport),
		"processors":       integer(&h.Processors),
		"user_lists":       list(&h.ACL),
		"xuser_lists":      list(&h.XACL),
		"projects":         list(&h.Projects),
		"xprojects":        list(&h.XProjects),
		"usage_scaling":    amounts(&h.UsageScaling).With(usageWords),
		"report_variables": list(&h.Reports).Holding(fields.Values),
	}
}

// usageWords are the kinds of usage.
const usageWords = "cpu mem io iow vmem maxvmem"

// hostGroupFields is the table for hostgroup(5), as qconf -shgrp prints it.
func hostGroupFields(g *model.HostGroup) fields.Table {
	return fields.Table{"group_name": fields.Text(&g.Name), "hostlist": list(&g.Members)}
}

// peFields is the table for sge_pe(5), as qconf -sp prints it.
func peFields(p *model.PE) fields.Table {
	t := fields.Table{
		"pe_name":           fields.Text(&p.Name),
		"slots":             integer(&p.Slots),
		"user_lists":        list(&p.ACL),
		"xuser_lists":       list(&p.XACL),
		"allocation_rule":   fields.Text(&p.AllocationRule).With("pe_slots fill_up round_robin"),
		"control_slaves":    fields.Bool(&p.ControlSlaves),
		"job_is_first_task": fields.Bool(&p.JobIsFirstTask),
		"urgency_slots":     fields.Text(&p.UrgencySlots).With("min max avg"),
	}
	also(t, &p.Settings, fields.Names, "start_proc_args stop_proc_args qsort_args")
	also(t, &p.Settings, fields.Values, "accounting_summary daemon_forks_slaves master_forks_slaves ign_sreq_on_mhost")
	return t
}

// checkpointFields is the table for checkpoint(5), as qconf -sckpt prints it.
func checkpointFields(k *model.Checkpoint) fields.Table {
	t := fields.Table{
		"ckpt_name": fields.Text(&k.Name),
		"interface": fields.AsSetting(&k.Settings, "interface").
			With("userdefined hibernator cpr cray-ckpt transparent application-level"),
		"signal": fields.AsSetting(&k.Settings, "signal"),
		"when":   fields.AsSetting(&k.Settings, "when").With("sx s n m x r sm smx smr sxr mx mr sr sn nr"),
	}
	also(t, &k.Settings, fields.Names, "ckpt_command migr_command restart_command clean_command ckpt_dir")
	return t
}
