// Package schedconfig reads sched_config(8B) line by line, as pbs_sched(8B) does, and lists the options that the
// scheduler knows. A reading keeps every line with the scheduler's own error message.
package schedconfig
