// Package pbs reads bundles of PBS and Torque clusters: what qstat, pbsnodes, pbs_rstat, qmgr and pbsfs
// printed, and the files of the scheduler and the server. It translates and never judges. Package object
// reads the objects that commands print; here their values find places in the model.
//
// Its files, in the order of a reading:
//   - read.go: Read and its steps
//   - files.go: the files of a bundle, and which of several says most
//   - manifest.go: where, when and of which release the bundle was taken
//   - zone.go: how far local times are from UTC, where no file says it
//   - places.go: kinds of objects, and the places of their values in the model
//   - value.go: what reads a value
//   - resources.go: custom and built-in resources
//   - server.go: the server, its queues, schedulers and hooks
//   - limits.go: limits of the server and of queues
//   - nodes.go: vnodes
//   - jobs.go: jobs
//   - job_id.go: what the id of a job says
//   - reservations.go: reservations
//   - sched_files.go: the scheduler's own files: formula, resource_group, dedicated_time
//   - sched_config.go: sched_config
//   - holidays.go: holidays
//   - usage.go: the usage file of fairshare
//   - pbsfs.go: what pbsfs(8B) printed
//   - sched_log.go: cycles of the scheduler's log
//   - accounting.go: accounting records
//   - change.go: Set changes one value of the policy of a snapshot
package pbs
