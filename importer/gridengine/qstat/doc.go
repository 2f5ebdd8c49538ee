// Package qstat reads listings in XML: jobs, queue instances, hosts and reservations as qstat, qhost and qrstat print
// them. Each record has a table of elements. ReadJobs and ReadCluster are the steps.
//
// Elements:
//   - reader.go: the reader of one bundle
//   - xmlvalue.go: values of elements; what is no such value
//   - xmltable.go: tables and lists of elements; elements that are not used
//
// Jobs:
//   - jobs.go: ReadJobs, and the table of jobs
//   - qstat.go, qstat_j.go, qstat_text.go: what qstat, qstat -j and qstat -urg print
//   - ranges.go: numbers of tasks
//   - task_limit.go: -tc of an array where it is not printed
//
// Queue instances, hosts and reservations:
//   - cluster.go: ReadCluster, and the table of queue instances and hosts
//   - qstat_f.go, qstat_gc.go, qhost.go, qrstat.go: what qstat -f, qstat -g c, qhost and qrstat print
//   - queue_order.go: the master's order of queues
package qstat
