package migrate

import (
	"strings"

	"qprism/engine/model"
)

// parameters are the parameters of sge_conf(5) that a daemon is given, by the line that they stand in, in capitals. One that is
// not here is loud: it may change anything.
var parameters = map[string]map[string]rule{
	"qmaster_params": {
		"SIMULATE_EXECDS": {NoEffect, "hosts are simulated, for tests"}, "SIMULATE_HOSTS": {NoEffect, "hosts are simulated, for tests"},
		"ENABLE_FORCED_QDEL":            {Approximate, "operators alone may force: qdel -W force"},
		"ENABLE_FORCED_QDEL_IF_UNKNOWN": {Approximate, "operators alone may force: qdel -W force"},
		"FORBID_RESCHEDULE":             {Lost, "exit status 99 means nothing to PBS; a job that is to run again is rerun with qrerun"},
		"FORBID_APPERROR":               {Lost, "exit status 100 means nothing to PBS; an execjob_end hook can hold the job"},
		"DISABLE_AUTO_RESCHEDULING":     {Approximate, "set server node_fail_requeue = 0"},
		"ENABLE_RESCHEDULE_KILL":        {Approximate, "set server node_fail_requeue"},
		"ENABLE_RESCHEDULE_SLAVE":       {Approximate, "set server node_fail_requeue"},
		"MAX_DYN_EC":                    {NoEffect, "of the master's event clients"},
		"MONITOR_TIME":                  {NoEffect, "what the master logs of itself"},
		"LOG_MONITOR_MESSAGE":           {NoEffect, "what the master logs of itself"},
		"STREE_SPOOL_INTERVAL":          {NoEffect, "how often the master writes usage to disk"},
		"GDI_TIMEOUT":                   {NoEffect, "of the master's clients"}, "GDI_RETRIES": {NoEffect, "of the master's clients"},
		"CL_PING":           {NoEffect, "of the master's clients"},
		"SCHEDULER_TIMEOUT": {NoEffect, "of the master's scheduler thread; set sched sched_cycle_length bounds a cycle of PBS"},
		"JSV_TIMEOUT":       {NoEffect, "counts for jsv_url alone"}, "JSV_THRESHOLD": {NoEffect, "counts for jsv_url alone"},
		"OLD_RESCHEDULE_BEHAVIOR":           {NoEffect, "which number a job has that runs again"},
		"OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB": {NoEffect, "which number a job has that runs again"},
		"MAX_MASTER_TASK_WAIT_TIME":         {NoEffect, "MoM waits $job_launch_delay for the tasks of a job"},
		"NO_AUTHENTICATION":                 {NoEffect, "of AFS and DCE"}, "NO_SECURITY": {NoEffect, "of AFS and DCE"},
		"ENABLE_SUBMIT_LIB_PATH":   {NoEffect, "qsub -V passes the environment on, without LD_LIBRARY_PATH"},
		"ENABLE_SUBMIT_LD_PRELOAD": {NoEffect, "qsub -V passes the environment on"},
		"PROF_SIGNAL":              profile, "PROF_MESSAGE": profile, "PROF_DELIVER": profile, "PROF_TEVENT": profile, "PROF_LISTENER": profile,
		"PROF_WORKER": profile, "PROF_SCHEDULER": profile,
	},
	"execd_params": {
		"ACCT_RESERVED_USAGE":      {Approximate, "PBS accounting has what was asked for (Resource_List) beside what was used"},
		"SHARETREE_RESERVED_USAGE": {Approximate, "fairshare_usage_res: ncpus*walltime instead of cput"},
		"ENABLE_ADDGRP_KILL":       {NoEffect, "MoM ends all processes of a job's sessions, or with its cgroups hook all of its cgroup"},
		"KEEP_ACTIVE":              {NoEffect, "what stays of a job's files for debugging"},
		"PTF_MIN_PRIORITY":         {Lost, "PBS leaves the nice values of running jobs alone"},
		"PTF_MAX_PRIORITY":         {Lost, "PBS leaves the nice values of running jobs alone"},
		"NOTIFY_SUSP":              {Lost, "$suspendsig in mom_priv/config"},
		"NOTIFY_KILL":              {Lost, "qdel -W and kill_delay of the queue: SIGTERM comes first"},
		"USE_QSUB_GID":             {Exact, "qsub -W group_list"}, "SET_LIB_PATH": {NoEffect, "MoM sets no path of libraries"},
		"INHERIT_ENV": {NoEffect, "MoM passes on pbs_environment"},
		"SET_SGE_ENV": {NoEffect, "names of Grid Engine"}, "PDC_INTERVAL": {NoEffect,
			"how often usage is looked at; $min_check_poll in mom_priv/config"},
		"DO_AUTHENTICATION": {NoEffect, "of AFS and DCE"}, "USE_SMAPS": {NoEffect, "how memory is counted"},
		"USE_CGROUPS": {Approximate, "MoM's cgroups hook"}, "ENABLE_BINDING": {Approximate, "MoM's cgroups hook"},
		"MAX_IJS_CLIENT_WAIT_TIME": {NoEffect, "of qlogin"}, "SCRIPT_TIMEOUT": {NoEffect, "$prologalarm in mom_priv/config"},
		"IGNORE_NGROUPS_MAX_LIMIT":    {NoEffect, "of the hosts' groups"},
		"RESCHEDULE_ON_KILLED_EPILOG": {Lost, "PBS does not run a job again for its epilogue"}, "PROF_EXECD": profile,
		"S_DESCRIPTORS": descriptors, "H_DESCRIPTORS": descriptors, "S_MAXPROC": descriptors, "H_MAXPROC": descriptors,
		"S_MEMORYLOCKED": descriptors, "H_MEMORYLOCKED": descriptors, "S_LOCKS": descriptors, "H_LOCKS": descriptors,
	},
	"reporting_params": {
		"ACCOUNTING": written, "REPORTING": written, "FLUSH_TIME": written, "ACCOUNTING_FLUSH_TIME": written, "JOBLOG": written,
		"SHARELOG":        written,
		"LOG_CONSUMABLES": written, "USAGE_PATTERNS": written, "OLD_ACCOUNTING": written, "OLD_REPORTING": written,
		"MAX_ROTATION_FILE_AGE": written,
	},
}

var (
	profile     = rule{NoEffect, "what the master logs of itself"}
	written     = rule{NoEffect, "what the master writes down; PBS always writes accounting"}
	descriptors = rule{Lost, "limits of processes: an execjob_launch hook, or limits.conf(5) of the hosts"}
)

// paramsRule is the gravest of the rules for the parameters of a line.
func paramsRule(l model.Line) (rule, bool) {
	known, ok := parameters[l.Key]
	if !ok {
		return rule{}, false
	}
	all := rule{verdict: NoEffect}
	var notes []string
	for _, word := range strings.FieldsFunc(l.Value, func(c rune) bool { return strings.ContainsRune(",; \t\r", c) }) {
		name, value, _ := strings.Cut(word, "=")
		r, ok := known[strings.ToUpper(name)]
		switch {
		case strings.EqualFold(word, "none"):
			r = rule{NoEffect, "none"}
		case !ok:
			r = rule{NoRule, "nothing handles this parameter"}
		case strings.EqualFold(value, "false") || value == "0":
			r = rule{NoEffect, "off"}
		}
		if r.verdict.severity() > all.verdict.severity() {
			all.verdict = r.verdict
		}
		notes = appendNew(notes, name+": "+r.note)
	}
	all.note = strings.Join(notes, "; ")
	return all, true
}
