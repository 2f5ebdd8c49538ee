// Package schedconfig reads sched_config(8B) line by line, as pbs_sched(8B) does. It also lists the options
// that the scheduler knows. The result keeps every line, with the scheduler's own error message.
package schedconfig
