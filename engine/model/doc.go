// Package model defines the types that all other packages use: jobs, hosts, queues, resources, the share
// tree, the policy, plans, and snapshots of a cluster. The package imports no other package of the project,
// and makes no scheduling decisions. Jobs, and copies of a snapshot, can share lists such as the requests of a job. So
// clone a list before you change it.
//
// Files for a snapshot:
//   - snapshot.go, counts.go, identity.go, by_system.go: a Snapshot; its counts; its cluster; differences
//     of systems
//   - job.go, tasks.go, ended.go: jobs, tasks, sets of task numbers, ended tasks
//   - host.go, queue.go, resource.go, quota.go: hosts, queues and their instances, the complex, resource
//     quota sets
//   - sharetree.go, shares.go, policy.go: the share tree, functional shares, sched_conf(5)
//   - run.go, reporting.go, line.go: the schedule file; the reporting file; lines of files
//
// Files for PBS:
//   - pbs.go, pbs_job.go, pbs_host.go, pbs_id.go: data that only PBS has; jobs, vnodes, ids
//   - pbs_config.go, pbs_scheduler.go: sched_config, which package schedconfig reads; a scheduler
//   - pbs_amount.go, pbs_select.go: amounts and select specifications
//   - pbs_log.go, pbs_plan.go, failure.go, fairshare.go: cycles in the log; plans; failed conditions;
//     resource_group
//   - pbs_submission.go, pbs_words.go, python.go: how users submit jobs to a translated cluster; the Python
//     code of hooks
//
// Files for results and rules:
//   - plan.go, standing.go: a Plan, and the place of a waiting job
//   - push.go, drive.go: changes that qprism sends to a cluster; old values that qprism drive must restore
//   - quirks.go: switches for the quirks of releases, which package quirk describes
//   - slurm.go: a translation to Slurm
//   - value.go, moment.go, names.go: numbers, moments, the order of names
package model
