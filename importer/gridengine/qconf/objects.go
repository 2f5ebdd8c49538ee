package qconf

import (
	"fmt"
	"strings"

	"qprism/engine/model"
	"qprism/importer/fields"
	"qprism/importer/gridengine/bundle"
)

// Keys are the keys of configuration files by kind, and the content of their values, for code that rewrites
// such files.
func Keys() map[string]fields.Table {
	return map[string]fields.Table{
		"user":       userFields(&model.User{}),
		"project":    projectFields(&model.Project{}),
		"userset":    usersetFields(&model.Userset{}),
		"queue":      queueFields(&model.Queue{}),
		"host":       hostFields(&model.Host{}),
		"hostgroup":  hostGroupFields(&model.HostGroup{}),
		"pe":         peFields(&model.PE{}),
		"ckpt":       checkpointFields(&model.Checkpoint{}),
		"calendar":   calendarFields(&model.Calendar{}),
		"rqs":        quotaFields(&model.QuotaSet{}),
		"share_tree": nodeFields(&flatNode{}),
		"sched_conf": policyFields(&model.Policy{}),
		"conf":       confFields,
		"complex":    {},
		"managers":   {}, "operators": {}, "admin_hosts": {}, "submit_hosts": {},
	}
}

// readUsers reads users/ or users.txt, what qconf -suser printed: user(5).
func readUsers(c *configReader) error {
	return readObjects(c, "users", "name", &c.Snap.Users, userFields, "oticket fshare")
}

func userFields(u *model.User) fields.Table {
	return fields.Table{
		"name":            fields.Text(&u.Name),
		"oticket":         fields.Count(&u.OverrideTickets),
		"fshare":          fields.Count(&u.FunctionalShares),
		"delete_time":     fields.Parsed(&u.DeleteTime, bundle.ParseUnix),
		"default_project": optional(&u.DefaultProject),
	}
}

// readProjects reads projects/ or projects.txt, what qconf -sprj printed: project(5).
func readProjects(c *configReader) error {
	return readObjects(c, "projects", "name", &c.Snap.Projects, projectFields, "oticket fshare")
}

func projectFields(p *model.Project) fields.Table {
	return fields.Table{
		"name":    fields.Text(&p.Name),
		"oticket": fields.Count(&p.OverrideTickets),
		"fshare":  fields.Count(&p.FunctionalShares),
		"acl":     list(&p.ACL),
		"xacl":    list(&p.XACL),
	}
}

// readUsersets reads usersets/ or usersets.txt, what qconf -su printed: access_list(5).
func readUsersets(c *configReader) error {
	return readObjects(c, "usersets", "name", &c.Snap.Usersets, usersetFields, "type fshare oticket entries")
}

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

// readHosts reads hosts/ or hosts.txt, what qconf -se printed: host_conf(5).
func readHosts(c *configReader) error {
	return readObjects(c, "hosts", "hostname", &c.Snap.Hosts, hostFields, "complex_values")
}

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

// usageWords are what usage is counted in.
const usageWords = "cpu mem io iow vmem maxvmem"

// readHostGroups reads hostgroups/ or hostgroups.txt, what qconf -shgrp printed: hostgroup(5).
func readHostGroups(c *configReader) error {
	return readObjects(c, "hostgroups", "group_name", &c.Snap.HostGroups, hostGroupFields, "hostlist")
}

func hostGroupFields(g *model.HostGroup) fields.Table {
	return fields.Table{"group_name": fields.Text(&g.Name), "hostlist": list(&g.Members)}
}

// readPEs reads pes/ or pes.txt, what qconf -sp printed: sge_pe(5).
func readPEs(c *configReader) error {
	return readObjects(c, "pes", "pe_name", &c.Snap.PEs, peFields,
		"slots user_lists xuser_lists allocation_rule urgency_slots")
}

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

// readCheckpoints reads ckpts/ or ckpts.txt, what qconf -sckpt printed: checkpoint(5).
func readCheckpoints(c *configReader) error {
	return readObjects(c, "ckpts", "ckpt_name", &c.Snap.Checkpoints, checkpointFields, "interface when")
}

func checkpointFields(k *model.Checkpoint) fields.Table {
	t := fields.Table{
		"ckpt_name": fields.Text(&k.Name),
		"interface": fields.Also(&k.Settings, "interface").
			With("userdefined hibernator cpr cray-ckpt transparent application-level"),
		"signal": fields.Also(&k.Settings, "signal"),
		"when":   fields.Also(&k.Settings, "when").With("sx s n m x r sm smx smr sxr mx mr sr sn nr"),
	}
	also(t, &k.Settings, fields.Names, "ckpt_command migr_command restart_command clean_command ckpt_dir")
	return t
}
