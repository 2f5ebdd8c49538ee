// Package gridengine reads bundles of Grid Engine clusters: what qstat, qhost, qrstat, qconf and sge_share_mon printed,
// and the files that the master writes. It translates and never judges. Read in read.go has the steps.
//
// What a bundle says of itself:
//   - read.go, files.go: the steps; the files that a bundle may hold, and those that it lacks
//   - manifest.go, times.go: where, when and which release; forms of times, and the distance of local time from UTC
//
// Configuration, each kind of object by a table of importer/fields:
//   - config.go, lines.go, values.go: files cut into objects and lines; the forms of values
//   - objects.go: users, projects, usersets, hosts, host groups, parallel environments, checkpoints
//   - sched_conf.go, conf.go, complex.go, calendar.go, quota.go, share_tree.go, lists.go: one each
//   - queue_conf.go, queue_instance.go, hostgroup.go: queues, and the queue instances that follow from host groups
//   - change.go: one value of the policy changed; files that are in no bundle
//
// Listings in XML, each record by a table of elements:
//   - xmlscan.go, xmlvalue.go, xmltable.go: the scanner, values, tables and lists; elements that are not used
//   - jobs.go: the jobs, of qstat.go, qstat_j.go and qstat_text.go; ranges.go has numbers of tasks
//   - cluster.go: queue instances and hosts, of qstat_f.go, qstat_gc.go, qhost.go and qrstat.go
//   - queue_order.go, task_limit.go: the master's order of queues, and -tc where it is not printed
//
// Files that programs write:
//   - schedule.go, messages.go, accounting.go, reporting.go: of the master
//   - sharemon.go: usage in the share tree
//
// For whoever must account for every line, as the anonymizer must:
//   - bundle_lines.go, record_lines.go: the lines of every file, with what each says
package gridengine
