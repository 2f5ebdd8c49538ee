// Package gridengine reads bundles of Grid Engine clusters: output of qstat, qhost, qrstat, qconf and
// sge_share_mon, and files of the master. It translates and never judges. Read in read.go has the steps.
//
// The bundle itself:
//   - read.go, files.go: the steps; the files of a bundle, and the missing ones
//   - manifest.go, times.go: place, time and release; forms of times, and local time
//
// Configuration, each kind of object by a table of importer/fields:
//   - config.go, lines.go, values.go: cut files into objects and lines; forms of values
//   - objects.go: users, projects, usersets, hosts, host groups, parallel environments, checkpoints
//   - sched_conf.go, conf.go, complex.go, calendar.go, quota.go, share_tree.go, lists.go: one kind each
//   - queue_conf.go, queue_instance.go, hostgroup.go: queues, and their instances by host groups
//   - change.go: changes one value of the policy; reads files outside a bundle
//
// Listings in XML, each record by a table of elements:
//   - xmlscan.go, xmlvalue.go, xmltable.go: the scanner, values, tables and lists; unused elements
//   - jobs.go: jobs, from qstat.go, qstat_j.go and qstat_text.go; ranges.go: task numbers
//   - cluster.go: queue instances and hosts, from qstat_f.go, qstat_gc.go, qhost.go and qrstat.go
//   - queue_order.go, task_limit.go: the master's order of queues, and -tc if it is not printed
//
// Records:
//   - schedule.go, messages.go, accounting.go, reporting.go: files of the master
//   - sharemon.go: usage in the share tree
//   - bundle_lines.go, record_lines.go: every line of every file, for the anonymizer and for migrations
package gridengine
