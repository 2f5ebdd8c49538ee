package anonymize

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pbsResources are those that every server of PBS or Torque has, and the scheduler's own names beside them.
var pbsResources = set(`accelerator accelerator_group accelerator_memory accelerator_model aoe arch cpupercent cput energy eoe exec_vnode file hbmem host hpm
	max_walltime mem min_walltime mpiprocs naccelerators nchunk ncpus nice nodect nodemask nodes ompthreads partition pcap_accelerator pcap_node pcput pgov place pmem
	preempt_targets procs ppn pvmem release_nodes_on_stageout resc select site size soft_walltime software start_time stageout vmem vnode vntype walltime neednodes`)

// pbsStandard are the identifiers that every PBS cluster has, or that mean something to the server itself. They stay.
var pbsStandard = union(pbsResources,
	set(`workq root unknown TREEROOT default pbs-default _pbs_project_default PBS_GENERIC PBS_ALL linux Linux`))

// pbsValues are keywords that stand beside names: of requests, dependencies, limits, dates and conditions.
var pbsValues = union(keywords,
	set(`free pack scatter vscatter excl exclhost shared group on after afterok afternotok afterany before beforeok
	beforenotok beforeany runone syncwith o u g p queue Resource_List None Sun Mon Tue Wed Thu Fri Sat Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec pbs_version Version commit`))

// pbsStates are texts of the server's own, each a word or words. A value of an attribute that has them stays as it is where it has no
// other.
var pbsStates = set(`Q R H W S E B T U X F M s n c free busy job-busy job-exclusive resv-exclusive offline down stale state-unknown unresolvable provisioning
	maintenance sleep initializing wait-provisioning resv_exclusive default_shared default_excl ignore_excl force_excl default_exclhost force_exclhost
	Execution Route Idle Active Scheduling Hot_Start Terminating Terminating_Delay Shutting Down PBS MOM l True False Transit Queued Held Waiting Running Exiting Begun
	Expired Avail_Global Avail_Local Used High_Use idle scheduling down runjob_hook execjob_hook none express_queue normal_jobs starving_jobs
	server_softlimits queue_softlimits fairshare reservation SCR SR CR C SC min_time_since_start long string size float boolean string_array duration
	RESV_CONFIRMED RESV_UNCONFIRMED RESV_RUNNING RESV_DEGRADED RESV_FINISHED RESV_BEING_DELETED RESV_WAIT RESV_TIME_TO_RUN RESV_IN_CONFLICT RESV_DELETED
	RESV_DELETING_JOBS RESV_BEING_ALTERED RESV_NONE CO RN UN DG FN BD site pbs runjob modifyjob movejob queuejob resvsub periodic provision execjob_begin execjob_end execjob_epilogue
	execjob_preterm execjob_launch execjob_prologue execjob_attach execjob_postsuspend execjob_preresume exechost_periodic exechost_startup resv_end modifyvnode management
	jobobit modifyresv postqueuejob pbsadmin pbsuser abort
	high medium low off h hn q r i m hr hm hnm qr hq rm qm mi`)

// pbsFormula are the words of job_sort_formula and of the scheduler's configuration.
var pbsFormula = union(pbsValues,
	set(`if else and or not in min max abs floor ceil exp log log10 sqrt pow round int float sum sin cos tan eligible_time queue_priority job_priority fairshare_perc
	fairshare_tree_usage fairshare_factor accrue_type exp10 fabs fmod lambda for HIGH LOW high low all ALL none prime non_prime assigned unused total priority sort_priority
	queue euser egroup egroup:euser Account_Name queue project cput ncpus*walltime mem pack round_robin lowest_load
	aggressive_provision avoid_provision min_time_since_start express_queue normal_jobs starving_jobs server_softlimits queue_softlimits fairshare reservation
	SCR SR CR S C R job_priority fair_share_perc preempt_priority jobs_in_queue max min server_dyn_res inf nan`))

// pbsDays are the words of holidays and of dedicated_time.
var pbsDays = set(`HOLIDAYFILE_VERSION1 YEAR weekday sunday monday tuesday wednesday thursday friday saturday all none
	jan feb mar apr may jun jul aug sep oct nov dec Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec`)

// pbsTree are the words of what pbsfs prints.
var pbsTree = set(`Fairshare usage units are in Grp cgrp Shares Usage Perc fairshare entity Resgroup cresgroup Percentage fairshare_tree_usage perc Path from root
	cput ncpus walltime mem vmem nodect Not in tree`)

// pbsNamed are attributes whose value is names.
var pbsNamed = set(`Job_Name Job_Owner euser egroup project Account_Name queue server default_queue Mom server_host sched_host partition Reserve_Name Reserve_Owner
	route_destinations mail_from mailer sched_priv sched_log acl_users acl_groups acl_hosts acl_roots acl_resv_users acl_resv_groups acl_resv_hosts managers operators
	Authorized_Users Authorized_Groups Authorized_Hosts user order node_group_key host hook_site jobscript_max default_qsub_arguments default_qdel_arguments
	server_dyn_res_alarm pbs_license_info node_group list`)

// pbsStated are attributes whose value is words of the server's own.
var pbsStated = set(`job_state server_state state sharing queue_type Hold_Types Checkpoint ntype license state_count license_count array_state_count type flag
	opt_backfill_fuzzy preempt_prio preempt_order preempt_sort job_run_wait reserve_state event enabled debug fail_action Rerunable`)

// pbsMessages are what the scheduler and the server write of jobs, up to where a message varies. The longest that fits counts.
var pbsMessages = strings.Split(`Considering job to run
Job run
Job run at
Job held
Formula Evaluation =
Formula evaluation for job had an error.  Zero value will be used:
Job's formula value
Job is under job_sort_formula threshold value
Estimating the start time for a top job
Job is a top job and will run at
Error in calculation of start time of top job
Fairshare usage of entity
Job preempted by suspension
Job preempted by checkpointing
Job preempted by requeuing
Job preempted by
Simulation: job end point
Simulation: job start point
Simulation: reservation start point
Simulation: reservation end point
Simulation: preempting job
Simulation: preemption of job not needed.
Simulation: Preempted enough work to run job
Simulation: not enough work preempted:
Simulation:
Considering shrinking job to duration=
Job will run for duration=
Job will never run with the resources currently configured in the complex
Received qrun request
Starting Scheduling Cycle
Leaving Scheduling Cycle
It is primetime.  It will never end
It is non-primetime.  It will never end
It is primetime.  It will end in
It is non-primetime.  It will end in
It is *NOT* Dedicated Time
It is Dedicated Time
Dedicated Time
Decaying Fairshare Tree
Usage Sync
Not Running: Insufficient amount of resource:
Not Running: Insufficient amount of server resource:
Not Running: Insufficient amount of queue resource:
Not Running: Not enough free nodes available
Not Running: Job would conflict with reservation or top job
Not Running: Job would break strict sorted order
Not Running: PBS Error:
Failed to run:
PBS Error:
Not Running:
Can Never Run:
Insufficient amount of resource:
Insufficient amount of server resource:
Insufficient amount of queue resource:
Insufficient host-level resources Insufficient amount of resource:
Insufficient host-level resources
No available resources on nodes
Not enough free nodes available
Not enough total nodes available
Job would conflict with reservation or top job
Job would break strict sorted order
Job would not finish before dedicated time
Job would cross into non-primetime
Job would cross into primetime
Job only runs in primetime
Job only runs in nonprimetime
Job is requesting an exclusive node and node is in use
Employing preemption to try and run high priority job.
Queue not started
Server per-user job limit reached
Server job limit reached
Request won't fit into any placement sets, will use all nodes
Placement set
Evaluating placement set:
Occurrence`, "\n")

// pbsFree are other words of messages, in lower case; the master's own of Grid Engine too. They stay, unless something of the cluster is
// named so.
var pbsFree = union(free, pbsLower(),
	set(`too small few has than could would run held since break strict sorted order conflict reach reached soft hard per user group project generic
	entity increased due because evaluating chunk chunks needed found out bucket fit can such enough top placement set sets complex running jobs cpus cpu cap never started
	shrink shrunk duration suspended preempted preempting preemption resume resumed qrun peer moved queue server reservation confirmed degraded denied node nodes vnode vnodes
	ineligible signature allocated subchunk failed satisfy created evaluate estimated start end point primetime prime dedicated time before finish per-user
	per-group per-project overall exceed internal occurred zero shares multi-node concurrent subjobs eligible invalid largest pset psets span boundary t s advance nonprimetime
	non-primetime cross only primetime job_run_wait complex value under`))

// pbsLower are the words of the known messages.
func pbsLower() map[string]bool {
	words := map[string]bool{}
	for _, m := range pbsMessages {
		addWords(words, m)
	}
	return words
}

// pbsFormat are the words that files of PBS have by their form.
var pbsFormat = wordsOf(pbsStandard, pbsValues, pbsStates, pbsFormula, pbsDays, pbsTree, pbsNamed, pbsStated, pbsFree,
	set(`prime_spill prime_exempt_anytime_queues backfill_prime fairshare_decay_time fairshare_decay_factor fairshare_enforce_no_shares backfill_depth timestamp pbs_server Jobs Queue Server nodes Sched Resource Hook Resv ID
	qstat_f qstat_Qf qstat_Bf pbsnodes_av json qmgr_list_sched qmgr_list_resource qmgr_list_hook pbs_rstat_F sched_config sched_formula resource_group usage holidays
	dedicated_time pbsfs_p pbsfs_t pbsfs_g pbsfs sched_log accounting version date PBS INTERNAL FILE DO NOT MODIFY pbs_sched Job Req Svr Fil Node Sched`))

var pbsInOrder = slices.Sorted(maps.Keys(pbsResources))

// speakPBS makes the dictionary one of PBS, with the site's own resources.
func (d *Dictionary) speakPBS(own []string) {
	d.standard, d.inOrder = pbsStandard, pbsInOrder
	for _, name := range own {
		d.AddResource(name)
	}
}

var pbsID = regexp.MustCompile(`^([RSM]?[0-9]+)(?:\.(.+))?$`)

// pbsText replaces the words of a text but standard ones, numbers, and those of a list.
func (d *Dictionary) pbsText(text string, stays map[string]bool) string {
	return d.replaceBy(text, func(id string) (string, bool) {
		if m := pbsID.FindStringSubmatch(id); m != nil && !isNumber(id) { // 12.server, R7.server, R7
			return m[1] + strings.TrimSuffix("."+d.pbsName(m[2]), "."), true
		}
		if resource, ok := strings.CutPrefix(id, "Resource_List."); ok {
			return "Resource_List." + d.pbsText(resource, stays), true
		}
		return id, stays[id] || isNumber(id)
	})
}

// pbsName replaces all words but those of standard identifiers.
func (d *Dictionary) pbsName(text string) string {
	if i := index.FindStringIndex(text); i != nil { // of a vnode of a host
		return d.pbsName(text[:i[0]]) + text[i[0]:i[1]] + d.pbsName(text[i[1]:])
	}
	return d.replaceBy(text, func(id string) (string, bool) { return id, pbsQueueOfReservation.MatchString(id) })
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

var pbsQueueOfReservation = regexp.MustCompile(`^[RSM][0-9]+$`)

// replaceBy replaces identifiers: the site's resources, those that are told, and all others word by word.
func (d *Dictionary) replaceBy(text string, told func(id string) (string, bool)) string {
	return runs(text, inIdentifier, func(id string) string {
		if made := d.resources[id]; made != "" {
			return made
		}
		core := strings.Trim(id, ".-")
		if d.standard[core] || d.standard[id] {
			return id
		}
		if made, ok := told(id); ok {
			return made
		}
		if made, ok := told(core); ok && core != "" {
			return strings.Replace(id, core, made, 1)
		}
		return runs(id, inWord, d.Word)
	})
}

// pbsState keeps a text of the server's own words.
func (d *Dictionary) pbsState(text string) string {
	own := runs(text, inIdentifier, func(id string) string {
		if pbsStates[id] || isNumber(id) {
			return ""
		}
		return "x"
	})
	if strings.Contains(own, "x") {
		return d.pbsName(text)
	}
	return text
}

// pbsMessage keeps what a message always says, and numbers and words of messages in the rest.
func (d *Dictionary) pbsMessage(text string) string {
	known := ""
	for _, m := range pbsMessages {
		if rest, ok := strings.CutPrefix(text, m); ok && len(m) > len(known) && (rest == "" || !inWord(rest[0]) || strings.HasSuffix(m, "=")) {
			known = m
		}
	}
	return known + d.replaceBy(text[len(known):], func(id string) (string, bool) {
		if m := pbsID.FindStringSubmatch(id); m != nil && !isNumber(id) {
			return m[1] + strings.TrimSuffix("."+d.pbsName(m[2]), "."), true
		}
		lower := strings.ToLower(id)
		return id, isNumber(id) || !d.known[lower] && (pbsFree[lower] || pbsValues[id])
	})
}
