// Package pbs reads bundles of PBS and Torque clusters: what qstat, pbsnodes, pbs_rstat, qmgr and pbsfs printed, and the
// files of the scheduler and the server. It translates and never judges.
//
// Its files:
//   - accounting.go: accountingFields reads key=value key="a b" key='a "b"'
//   - change.go: Set changes one value of the policy of a snapshot
//   - dedicated_time.go: dedicatedMoment reads "11/21/2026" "08:12"
//   - files.go: Knows reports whether bundles have a file of that name
//   - holidays.go: holidayLine reads a line: the year, the hours of a weekday, or a day of the year
//   - job_id.go: A jobID is what an id says
//   - jobs.go: readJobs reads the jobs from the best listing that the bundle holds
//   - json.go: Bounds of what a scanner reads, since a bundle may come from a stranger
//   - limits.go: limitNames are the attributes that are lists of limits
//   - manifest.go: manifestLine reads a line "key value"
//   - nodes.go: vnodes
//   - pbsfs.go: readFairshare reads what pbsfs(8B) printed
//   - qmgr.go: eachPrinted reads what qmgr's print commands print
//   - read.go: Read reads a bundle into a snapshot
//   - record.go: records, the kinds of objects, and the places of their values in the model
//   - reservations.go: readReservations reads pbs_rstat -F
//   - resource_group.go: readResourceGroup reads resource_group
//   - resources.go: readResources reads the custom resources, and puts those behind them that every server knows
//   - sched_config.go: schedLine takes a line apart
//   - sched_files.go: readScheduler reads the scheduler's own files
//   - sched_formula.go: readFormula reads sched_formula
//   - sched_log.go: ReadCycles reads the cycles of a scheduler's log that is in no bundle
//   - server.go: the server, its queues, schedulers and hooks
//   - stat_copy.go: A copied listing comes out of a mail or a page, with other blanks at the beginnings and ends of its lines than the
//     command printed
//   - stat_dsv.go: eachDSV reads a file of "qstat -f -F dsv", a line for each object
//   - stat_json.go: eachJSON reads a file of "qstat -F json" or "pbsnodes -F json", one object of the named part at a time
//   - stat_text.go: A textForm says how one command prints its objects
//   - times.go: A lastTime remembers the time that was read last
//   - torque.go: eachXML reads what Torque's "qstat -x" and "pbsnodes -x" print
//   - usage.go: The usage file has a header and records of fixed length, in the order of bytes of the machine that wrote it
//   - value.go: what reads a value
//   - zone.go: inferZone finds out how far the local times of the bundle are from UTC, where MANIFEST does not say
package pbs
