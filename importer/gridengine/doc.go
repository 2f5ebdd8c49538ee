// Package gridengine reads bundles of Grid Engine clusters: what qstat, qhost, qrstat, qconf and sge_share_mon printed,
// and the files that the master writes. It translates and never judges.
//
// Its files:
//   - accounting.go: ReadEnded reads a file of accounting records that no bundle holds, in either form
//   - accounting_json.go: A jsonRecord is a record of accounting.jsonl
//   - bundle_lines.go: Lines lists every line of every file of a bundle, file by file in the order of their names
//   - calendar.go: A calendarEntry is what remains to be read of an entry
//   - change.go: SetPolicy changes one value of a scheduler configuration, written as in the file that qconf -msconf edits, sched_conf(5)
//   - cluster.go: A clusterTable finds the queue instances and hosts of a snapshot by name
//   - complex.go: readComplex reads complex.txt, what qconf -sc printed
//   - conf.go: readConf reads the global configuration and those of hosts
//   - config.go: A configReader reads configuration files, knowing what MANIFEST says of them
//   - files.go: Knows reports whether bundles have a file of that name
//   - hostgroup.go: A hostSet is a set of host names
//   - jobs.go: readJobs reads qstat.xml, and what only other commands know of the jobs
//   - lines.go: A line is one logical line of a configuration file, with the lines that continue it joined to it
//   - lists.go: readLists reads the files that hold one name a line
//   - manifest.go: A manifest is what MANIFEST says of the cluster
//   - messages.go: maxFurther bounds the lines of one message
//   - objects.go: users, projects, usersets, hosts, host groups, parallel environments and checkpoints, each by a table of fields
//   - qhost.go: readQhost reads what qhost -q -F -j -xml printed
//   - qrstat.go: readQrstat reads what qrstat -xml printed
//   - qstat.go: readQstat reads what qstat -xml printed
//   - qstat_f.go: readQstatF reads what qstat -f -F -xml printed
//   - qstat_gc.go: readQstatGC reads what qstat -g c -xml printed
//   - qstat_j.go: basePriority is what the master adds to -p to store it, BASE_PRIORITY
//   - qstat_text.go: readQstatUrg reads urg, the sum of a job's urgency contributions, from what qstat -urg printed for people
//   - queue_conf.go: queue keeps every attribute as configured, having tried each of its values on an instance that is thrown away
//   - queue_instance.go: maxInstances bounds the queue instances of a bundle
//   - queue_order.go: inMasterOrder puts queues into the order of the master's list, in which it tries those that nothing else tells
//     apart
//   - quota.go: quota reads one set. Its rules have the same key each, so that they are read line by line
//   - ranges.go: rangeOf is a range in its one form
//   - read.go: Read reads a bundle into a snapshot
//   - record_lines.go: A recordForm is a file that tells what goes on, not what is configured, and what its lines look like
//   - reporting.go: reportedTask reads an acct record
//   - sched_conf.go: readSchedConf reads sched_conf.txt, what qconf -ssconf printed
//   - schedule.go: A scheduleReader reads the schedule file, schedule(5)
//   - share_tree.go: shareNodes reads the nodes one by one
//   - sharemon.go: shareFields are the fields of a node that sge_share_mon prints, in their order
//   - task_limit.go: inferTaskLimits takes -tc of an array from the numbers of the job, where its release does not print it
//   - times.go: microTimes is the first Unix time that is taken for microseconds
//   - uninteresting.go: uninteresting are the elements that commands print and nothing here depends on, so that what a snapshot lists as
//     unknown is what nobody has seen yet
//   - values.go: fill reads the lines of an object; the forms of values
//   - xmlscan.go: Bounds of what a scanner reads, since a bundle may come from a stranger
//   - xmlvalue.go: An xmlFile reads one XML file of a bundle
//   - zone.go: inferZone finds out how far the local times of the bundle are from UTC, where MANIFEST does not say
package gridengine
