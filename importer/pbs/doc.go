// Package pbs reads bundles of PBS and Torque clusters: the output of qstat, pbsnodes, pbs_rstat, qmgr and
// pbsfs, and the files of scheduler and server. The subpackage "object" parses the output of commands into
// objects. The package "pbs" puts the values of the objects into a model.Snapshot.
//
// Its files, in the order of reading:
//   - read.go: Read and its steps
//   - files.go: the files of a bundle; which file to read if several have the same data
//   - manifest.go: the origin, time and release of the bundle
//   - zone.go: infers the offset of local time from UTC, if MANIFEST does not have it
//   - places.go: kinds of objects, and the fields of the model for their values
//   - value.go: formats of values
//   - resources.go: custom and built-in resources
//   - server.go: the server, its queues, schedulers and hooks
//   - limits.go: limits of the server and of queues
//   - nodes.go: vnodes
//   - jobs.go, job_id.go: jobs and their ids
//   - reservations.go: reservations
//   - sched_files.go: formula, resource_group, dedicated_time
//   - sched_config.go, holidays.go: sched_config; holidays
//   - usage.go, pbsfs.go: the usage file of fairshare; output of pbsfs(8B)
//   - sched_log.go: cycles in the scheduler's log
//   - accounting.go: accounting records
//   - change.go: Set changes one value of the policy
package pbs
