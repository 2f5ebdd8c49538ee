// Package schedconfig reads sched_config(8B) line by line, as pbs_sched(8B) does. The package also lists
// the options that the scheduler knows. The result has every line of the file. If the scheduler writes an
// error message about a line, the result has this message too.
package schedconfig
