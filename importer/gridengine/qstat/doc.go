// Package qstat reads listings in XML: jobs, queue instances, hosts and reservations, as qstat(1), qhost(1)
// and qrstat(1) print them. For each kind of record, a table lists the XML elements. For each element, the
// table has a function that reads the element.
//
// Files for elements:
//   - reader.go: the reader of one bundle
//   - xmlvalue.go: reads values of elements, and rejects invalid ones
//   - xmltable.go: tables and lists of elements; it passes over unused elements (xmlscan.Gap)
//
// Files for jobs:
//   - jobs.go: ReadJobs, and the table of jobs
//   - qstat.go, qstat_j.go, qstat_text.go: the output of qstat, qstat -j and qstat -urg
//   - ranges.go: numbers of tasks
//   - task_limit.go: infers -tc of an array if the listing does not have it
//
// Files for queue instances, hosts and reservations:
//   - cluster.go: ReadCluster, and the table of queue instances and hosts
//   - qstat_f.go, qstat_gc.go, qhost.go, qrstat.go: the output of qstat -f, qstat -g c, qhost and qrstat
//   - queue_order.go: the master's order of queues
package qstat
