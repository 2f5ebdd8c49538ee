// Package lab makes a bundle of a cluster that does not exist. A lab is a short text that describes the
// cluster and its jobs.
//
// The cluster has the default configuration of a Grid Engine release. Files in the same folder as the lab can
// replace parts of the default configuration. Lines of the lab can change the configuration, too. The text of
// a lab has one line for each job: a user, a submission time and a qsub(1) command. The bundle has the output
// that a master with these jobs would print.
//
// Its files:
//   - lab.go: Read makes the bundle from the lines of a lab
//   - objects.go: lines that change the configuration
//   - qsub.go: lines of jobs: user, time, and a qsub command
//   - tree.go: a share tree, and departments
//   - bundle.go: jobs and queues in the format of qstat
package lab
