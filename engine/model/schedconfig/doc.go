// Package schedconfig reads sched_config(8B) line by line, as pbs_sched(8B) does. The package also lists
// the options that the scheduler knows. The result has every line of the file, with the error message that
// the scheduler writes about the line.
package schedconfig
