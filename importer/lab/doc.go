// Package lab makes a bundle of a cluster that exists on paper only: what a master would print whose
// configuration is that of a release, or of dumps, and to whom jobs were submitted as one types them.
//
// Its files:
//   - lab.go: Read makes the bundle of the lines of a lab
//   - objects.go: a line that describes the cluster changes a file of its configuration
//   - qsub.go: a line of a job is who submits it, when, and a qsub
//   - tree.go: a share tree, and departments
//   - bundle.go: jobs and queues as qstat prints them
package lab
