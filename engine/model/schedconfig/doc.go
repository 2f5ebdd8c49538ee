// Package schedconfig reads the file sched_config line by line, as pbs_sched(8B) does. The result has every
// line of the file. If the scheduler writes an error message about a line, the result has this message too.
// The package also has a list of all options of the scheduler, with the obsolete ones.
package schedconfig
