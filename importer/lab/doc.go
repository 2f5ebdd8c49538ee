// Package lab makes the bundle of a cluster on paper. The configuration is that of a release, or of dumps.
// The jobs are lines with a user, a time and a qsub command. The bundle has the output that a master would
// print.
//
// Its files:
//   - lab.go: Read makes the bundle from the lines of a lab
//   - objects.go: lines that change the configuration
//   - qsub.go: lines of jobs: user, time, and a qsub command
//   - tree.go: a share tree, and departments
//   - bundle.go: jobs and queues in the form of qstat
package lab
