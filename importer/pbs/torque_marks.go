package pbs

import "regexp"

// Torque's listings look like those of PBS. What tells them apart: attributes that only one of them has, and the numbers of releases,
// which are 2 to 6 of Torque, 7 and greater of PBS.

// ofTorque are attributes of jobs that only Torque prints; they say how a job runs, not when. The last one
// says that it is a table of Torque.
var ofTorque = names("init_work_dir", "submit_args", "submit_host", "fault_tolerant", "job_radix", "Walltime", "start_count",
	"total_runtime", "job_array_id", "exec_port", "request_version",
	"login_node_id", "proxy_user", "reported_execution_slots", "total_execution_slots", "cray_reservation_id", "sched_hint",
	"x", "torque_table")

var torqueVersion = regexp.MustCompile(`^[2-6]\.\d`)
