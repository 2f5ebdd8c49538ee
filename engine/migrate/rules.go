package migrate

import (
	"strings"

	"qprism/engine/model"
)

// A rule says what becomes of a line that nothing else speaks of.
type rule struct {
	verdict Verdict
	note    string
}

// A tableLine is a rule for a key: what it usually says, which has no effect, and what becomes of anything else.
type tableLine struct {
	usual []string // values without effect, in any case; "*" for all
	why   string
	other rule
}

func never(why string) tableLine { return tableLine{usual: []string{"*"}, why: why} }

func unless(usual, why string, v Verdict, note string) tableLine {
	return tableLine{usual: strings.Split(usual, "|"), why: why, other: rule{v, note}}
}

// tables are the rules by kind of file and key.
var tables = map[string]map[string]tableLine{
	"queue": {
		"processors": unless("UNDEFINED", "no set of processors", Lost, "MoM's cgroups hook binds jobs to cpus"),
		"qtype": unless("BATCH INTERACTIVE|BATCH|INTERACTIVE BATCH", "PBS queues take both", Lost,
			"a queuejob hook that refuses jobs by their attribute interactive"),
		"ckpt_list": unless("NONE", "none", Lost, "MoM checkpoints by its own actions, in every queue"),
		"rerun": unless("TRUE", "as PBS has it", Approximate,
			"PBS runs a job again after its node failed, unless it was submitted with qsub -r n"),
		"tmpdir":           unless("/tmp", "as MoM has it", Lost, "$tmpdir in mom_priv/config"),
		"shell":            never("PBS starts the owner's login shell, or what qsub -S says"),
		"shell_start_mode": never("PBS starts the owner's login shell, or what qsub -S says"),
		"prolog":           unless("NONE", "none", Lost, "an execjob_prologue hook, or mom_priv/prologue"),
		"epilog":           unless("NONE", "none", Lost, "an execjob_epilogue hook, or mom_priv/epilogue"),
		"starter_method":   unless("NONE", "none", Lost, "an execjob_launch hook"),
		"suspend_method":   unless("NONE", "none", Lost, "$suspendsig in mom_priv/config"),
		"resume_method":    unless("NONE", "none", Lost, "$suspendsig in mom_priv/config"),
		"terminate_method": unless("NONE", "none", Lost, "$action terminate in mom_priv/config"),
		"notify": unless("00:00:60|00:01:00", "as shipped: MoM waits kill_delay, 10 seconds by default", Approximate,
			"set queue … kill_delay: the time between SIGTERM and SIGKILL"),
		"owner_list":       unless("NONE", "none", Lost, "PBS queues have no owners: operators stop and start them"),
		"min_cpu_interval": never("how often a checkpoint is made at least; PBS has qsub -c"),
		"priority":         unless("0", "as MoM starts jobs", Lost, "jobs of this queue run with another nice value: resources_default.nice"),
		"load_thresholds": unless("NONE|np_load_avg=1.75", "as shipped: a host above it takes no jobs; MoM's $max_load is unset", Approximate,
			"$ideal_load and $max_load in mom_priv/config: the node is busy above them"),
		"suspend_thresholds": unless("NONE", "none", Lost, "$max_load with suspend in mom_priv/config"),
		"nsuspend":           never("counts for suspend_thresholds alone"),
		"suspend_interval":   never("counts for suspend_thresholds alone"),
		"s_rt":               softLimit, "s_cpu": softLimit, "s_fsize": softLimit, "s_data": softLimit, "s_stack": softLimit, "s_core": softLimit,
		"s_rss": softLimit, "s_vmem": softLimit,
		"h_fsize": unless("INFINITY", "no limit", Lost, "resources_max.file"),
		"h_data":  processLimit, "h_stack": processLimit, "h_core": processLimit,
		"h_rss":  unless("INFINITY", "no limit", Lost, "set queue … resources_max.pmem and resources_default.pmem"),
		"h_vmem": unless("INFINITY", "no limit", Lost, "set queue … resources_max.pvmem and resources_default.pvmem"),
	},
	"host": {
		"load_scaling": unless("NONE", "none", Lost, "PBS places jobs by what they ask for, not by load"),
		"load_values":  never("what the host reported at the moment"),
		"processors":   never("what the host reported; MoM finds out by itself"),
		"user_lists": unless("NONE", "none", Lost,
			"PBS nodes let everybody in: a queue with acl_users, and nodes of its own through qlist"),
		"xuser_lists": unless("NONE", "none", Lost,
			"PBS nodes let everybody in: a queue with acl_users, and nodes of its own through qlist"),
		"projects":  unless("NONE", "none", Lost, "PBS nodes let everybody in: a queue of its own through qlist"),
		"xprojects": unless("NONE", "none", Lost, "PBS nodes let everybody in: a queue of its own through qlist"),
		"usage_scaling": unless("NONE", "none", Lost,
			"PBS charges all hosts alike: $cputmult and $wallmult in mom_priv/config scale what a host reports"),
		"report_variables": unless("NONE", "none", NoEffect, "what the reporting file holds"),
	},
	"pe": {
		"start_proc_args":     unless("NONE|/bin/true", "nothing to start", Lost, "an execjob_prologue hook; an MPI built with PBS needs none"),
		"stop_proc_args":      unless("NONE|/bin/true", "nothing to stop", Lost, "an execjob_epilogue hook; an MPI built with PBS needs none"),
		"accounting_summary":  never("PBS writes one record for each job"),
		"qsort_args":          unless("NONE", "none", Lost, "nodes come in the order of node_sort_key"),
		"daemon_forks_slaves": never("MoM starts the tasks"),
		"master_forks_slaves": never("MoM starts the tasks"),
		"ign_sreq_on_mhost":   unless("FALSE", "as PBS has it", Lost, "the first chunk of select can ask for other things than the others"),
	},
	"sched_conf": {
		"algorithm":                  unless("default", "the only one there is", NoRule, "nothing handles this algorithm"),
		"job_load_adjustments":       never("PBS counts what jobs ask for as soon as they start: no load has to be guessed"),
		"load_adjustment_decay_time": never("counts for job_load_adjustments alone"),
		"load_formula": unless("np_load_avg|slots|NONE", "nodes come in the order of node_sort_key", Lost,
			"node_sort_key: another resource than ncpus"),
		"schedd_job_info":       never("PBS notes in each job's comment why it waits"),
		"reprioritize_interval": unless("0:0:0|00:00:00|0", "off", Lost, "PBS leaves the nice values of running jobs alone"),
		"halftime":              never("there is no share tree"),
		"usage_weight_list":     never("there is no share tree"),
		"halflife_decay_list":   never("there is no share tree"),
	},
	"conf": {
		"execd_spool_dir":  never("a path of Grid Engine"),
		"mailer":           unless("/bin/mail|/usr/bin/mail|/usr/sbin/sendmail", "PBS has its own", Approximate, "set server mailer"),
		"xterm":            never("qsh has no counterpart; qsub -I -X"),
		"load_sensor":      unless("none", "none", Lost, "an exechost_periodic hook that sets resources_available of its node"),
		"prolog":           unless("none", "none", Lost, "an execjob_prologue hook"),
		"epilog":           unless("none", "none", Lost, "an execjob_epilogue hook"),
		"shell_start_mode": never("PBS starts the owner's login shell, or what qsub -S says"),
		"login_shells":     never("PBS starts every shell as a login shell"),
		"min_uid":          unless("0", "everybody", Lost, "$min_uid does not exist: acl_users, or a queuejob hook"),
		"min_gid":          unless("0", "everybody", Lost, "acl_groups of queues, or a queuejob hook"),
		"user_lists":       unless("none", "none", Lost, "of one host: a queue with acl_users, and nodes of its own through qlist"),
		"xuser_lists":      unless("none", "none", Lost, "of one host: a queue with acl_users, and nodes of its own through qlist"),
		"projects":         unless("none", "all", Lost, "max_run = [p:NAME=0] for those that may not run, or a queuejob hook"),
		"xprojects":        unless("none", "none", Lost, "max_run = [p:NAME=0], or a queuejob hook"),
		"enforce_project":  unless("false", "no project needed", Lost, "a queuejob hook that refuses jobs without project"),
		"enforce_user":     never("PBS needs no list of users"),
		"load_report_time": never("how often hosts report"),
		"max_unheard":      unless("00:05:00", "as shipped: set server node_fail_requeue", Approximate, "set server node_fail_requeue"),
		"reschedule_unknown": unless("00:00:00", "off; PBS requeues jobs of lost nodes after node_fail_requeue, 310 seconds", Approximate,
			"set server node_fail_requeue"),
		"loglevel":           never("set server log_events"),
		"administrator_mail": unless("none|root", "set server mail_from", Approximate, "set server mail_from"),
		"set_token_cmd":      unless("none", "none", Lost, "PBS renews Kerberos credentials itself where it is built with them"),
		"pag_cmd":            unless("none", "none", Lost, "PBS renews Kerberos credentials itself where it is built with them"),
		"token_extend_time":  unless("none|24:0:0", "none", Lost, "PBS renews Kerberos credentials itself where it is built with them"),
		"shepherd_cmd":       unless("none", "none", Lost, "an execjob_launch hook"),
		"finished_jobs":      never("set server job_history_enable keeps ended jobs"),
		"gid_range":          never("MoM tracks jobs by sessions, or with its cgroups hook"),
		"qlogin_command":     interactive, "qlogin_daemon": interactive, "rlogin_command": interactive, "rlogin_daemon": interactive,
		"rsh_command": interactive, "rsh_daemon": interactive,
		"max_advance_reservations": unless("0", "no limit", Lost, "acl_resv_users says who may reserve"),
		"auto_user_oticket":        unless("0", "none", Lost, "override tickets of new users: the formula's business"),
		"auto_user_fshare":         unless("0", "none", Lost, "shares of new users: unknown_shares in sched_config"),
		"auto_user_default_project": unless("none", "none", Lost,
			"a queuejob hook"),
		"auto_user_delete_time":  never("PBS keeps no user objects"),
		"delegated_file_staging": never("qsub -W stagein and stageout"),
		"reprioritize":           unless("0|false", "off", Lost, "PBS leaves the nice values of running jobs alone"),
		"jsv_url":                unless("none", "none", Lost, "a queuejob hook: what the script does has to be written in Python"),
		"jsv_allowed_mod":        never("counts for jsv_url alone"),
		"libjvm_path":            never("of a thread of the master for Java"), "additional_jvm_args": never("of a thread of the master for Java"),
		"mail_tag": never("of mails"), "gdi_request_limits": never("of the master's load"), "port_range": never("of the system's ports"),
		"binding_params": unless("none|implicit=false", "none", Lost, "MoM's cgroups hook binds jobs to cpus"),
		"topology_file":  never("of hosts that are simulated"),
		"jsv_params":     never("counts for jsv_url alone"), "finished_jobs_max": never("set server job_history_enable keeps ended jobs"),
		"finished_jobs_keep_time": never("set server job_history_duration keeps ended jobs"),
	},
	"manifest": {
		"taken_at": never("of the bundle"), "master": never("of the bundle"), "cell": never("of the bundle"),
		"utc_offset": never("of the bundle"),
		"command":    never("of the bundle"), "kept": never("of the bundle"), "without": never("of the bundle"),
		"identity": never("of the bundle"), "listed_at": never("of the bundle"), "left_out": never("of the bundle"),
	},
	"admin_hosts":  {model.LineEntry: never("PBS trusts users, not hosts: managers are user@host")},
	"submit_hosts": {model.LineEntry: never("PBS takes jobs from every host whose users the server trusts: set server acl_host_enable and acl_hosts to keep others out")},
}

var (
	softLimit    = unless("INFINITY", "no limit", Lost, "PBS sends no signal before a limit; kill_delay is between SIGTERM and SIGKILL")
	processLimit = unless("INFINITY", "no limit", Lost, "limits of processes: an execjob_launch hook, or limits.conf(5) of the hosts")
	interactive  = unless("builtin|none", "PBS has its own way", Lost, "qsub -I has its own way; ssh to nodes with jobs through pbs_pam")
)

// records are what lines of the state and of logs are good for.
var records = map[string]string{
	"jobs":         "jobs do not move: what waits is submitted anew; a formula is proved on them",
	"state":        "what goes on at the moment",
	"reservations": "advance reservations do not move: make them anew with pbs_rsub",
	"print":        "the same as the XML, for people",
	"usage":        "usage of the share tree: pbsfs -s sets what an entity has used so far",
	"log":          "what has been; it is not configuration",
	"release":      "which release printed the bundle",
}

// ruleFor is the tables' rule for a line.
func (t *Translation) ruleFor(l model.Line) (rule, bool) {
	if l.Kind == "conf" && strings.HasSuffix(l.Key, "_params") && l.Key != "binding_params" && l.Key != "jsv_params" {
		return paramsRule(l)
	}
	if l.Key == model.LineBlank {
		return rule{NoEffect, "blank, or a comment"}, true
	}
	if note, ok := records[l.Kind]; ok && l.Key == model.LineRecords {
		return rule{NoEffect, note}, true
	}
	line, ok := tables[l.Kind][l.Key]
	if !ok {
		return rule{}, false
	}
	for _, usual := range line.usual {
		if usual == "*" || strings.EqualFold(usual, l.Value) {
			return rule{NoEffect, line.why}, true
		}
	}
	return line.other, true
}
