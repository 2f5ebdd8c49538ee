// Package records reads files in which each line is one record. The master writes most of these
// files. The file with the usage in the share tree is the output of the command sge_share_mon.
//
// Its files:
//   - reader.go: the reader of one bundle
//   - schedule.go: runs of the scheduler, schedule(5)
//   - messages.go: the scheduler's lines of the messages file
//   - accounting.go: tasks that ended, accounting(5), and its JSON
//   - reporting.go: events, ended tasks and shares, reporting(5)
//   - sharemon.go: usage in the share tree, as sge_share_mon prints it
//   - record_lines.go: every line of such a file with its meaning
package records
