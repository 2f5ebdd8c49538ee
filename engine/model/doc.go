// Package model holds the nouns that every other package speaks of: jobs, hosts, queues, resources, the
// share tree, the policy, and the snapshot that binds them to one moment. It imports nothing of the
// project.
//
// Its files:
//   - bracket.go: A bracketEnd says how a bracket expression ends
//   - counts.go: Counts say how much of everything a snapshot holds
//   - drive.go: A Drive is the time in which the program decides what a cluster starts where
//   - by_system.go: ServerID is the id by which PBS knows a job, "12.server"
//   - ended.go: An EndedTask is one record of the accounting file, accounting(5)
//   - failure.go: A Failure names the condition that keeps a job of PBS from running, as its scheduler
//     tells them apart
//   - fairshare.go: Fairshare is what a PBS scheduler knows about shares
//   - host.go: A Host is an execution host
//   - identity.go: An Identity is made of facts by which a cluster is told from others that have the same
//     name
//   - job.go: A Job is one submitted job
//   - line.go: A Line is one logical line of a file of a bundle, with whose it is and what it says
//   - match.go: MatchName reports whether a name matches a pattern with the wildcards of fnmatch(3), * ? [
//     ] and \, as the master calls it
//   - moment.go: Earliest is the earliest of moments
//   - pbs.go: PBS holds what only a snapshot of a PBS cluster has
//   - pbs_amount.go: PBSAmount is the number that the PBS scheduler makes of a resource's value
//   - pbs_config.go: A SchedConfig is a sched_config file as the scheduler reads it (pbs_sched(8B))
//   - pbs_host.go: PBSHost holds what only PBS knows of a vnode
//   - pbs_id.go: A PBSID is the id of a PBS job taken apart
//   - pbs_job.go: PBSJob holds what only PBS knows of a job
//   - pbs_log.go: A SchedCycle is one scheduler cycle as the scheduler's log tells it
//   - pbs_plan.go: A Preemption is a job that was stopped so that another one can start
//   - pbs_scheduler.go: Scheduler is the scheduler that plans the cluster
//   - pbs_select.go: CutOutside cuts a text at a byte, outside of quotes
//   - pbs_submission.go: A PBSSubmission is what has to be done with each job when it is submitted, altered
//     or moved, because PBS has no attribute for it
//   - pbs_words.go: PBSWords are how users of a translated cluster say to PBS what they said to Grid Engine
//   - plan.go: A Plan holds the decisions of one scheduler run, in the order in which the scheduler takes
//     them
//   - policy.go: A Policy is the scheduler configuration, sched_conf(5)
//   - push.go: A Push is a set of orders for a cluster
//   - python.go: PythonText writes JSON so that it can stand between three single quotes of a raw string of
//     Python, in plain ASCII
//   - queue.go: A Queue is a cluster queue as configured, queue_conf(5)
//   - quirk_claims.go: Claim is what a manual says where a quirk departs from it
//   - quirks.go: Quirks say where a release departs from what its manual promises
//   - quota.go: A QuotaSet is a resource quota set, sge_resource_quota(5)
//   - reporting.go: A Reporting is what the reporting file tells, reporting(5)
//   - resource.go: A Resource is an entry of the complex, as complex(5) defines it
//   - run.go: A RunRecord is one section of the schedule file
//   - sched_options.go: A SchedOption is an option of sched_config (pbs_sched(8B))
//   - shares.go: SharesOf are the functional shares of a user, a project or a department
//   - sharetree.go: A ShareNode is a node of the share tree, share_tree(5)
//   - slurm.go: A SlurmConfig is how a Slurm cluster orders jobs
//   - snapshot.go: A Snapshot is what one bundle says of one cluster at one moment
//   - standing.go: A Standing is where a waiting job stands at one moment, as a run planned at that moment
//     finds it
//   - tasks.go: A TaskSet is a set of task numbers
//   - value.go: ParseNumber reads a value of any numeric type
package model
